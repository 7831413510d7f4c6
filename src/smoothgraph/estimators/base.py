"""What all graph learners share: reading data, storing the graph, joining new nodes."""

import warnings
from abc import ABC, abstractmethod
from dataclasses import replace
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, check_array
from sklearn.utils.validation import check_is_fitted

from smoothgraph.candidates.choice import NeighborChoice
from smoothgraph.candidates.growing import NO_VIOLATIONS, Candidates, PricedCandidates
from smoothgraph.cluster import is_elsewhere
from smoothgraph.estimators.checkpoint import Checkpoint, digest_of
from smoothgraph.estimators.new_nodes import joining_weights
from smoothgraph.estimators.node_data import (
    NodeData,
    coinciding_nodes,
    distances_to_fitted,
    node_names,
    read_table,
    refuse_text_columns,
)
from smoothgraph.estimators.updates import check_accumulable, with_new_nodes, with_new_signals
from smoothgraph.pairs.distances import distances
from smoothgraph.pairs.pattern import EdgeSet
from smoothgraph.solution import Solution
from smoothgraph.solvers import Newton
from smoothgraph.support.stages import stage

_ROUGH = 1e-3  # the gap of a solution that only shows where more pairs are needed
_PARAMETERS = {"theta_", "alpha_", "beta_", "sigma_"}
_BLOCK_BYTES = 256 * 2**20  # of distances from new to fitted nodes at a time


class Start(NamedTuple):
    """What an earlier fit found, from which the next may start."""

    u: np.ndarray
    edges_per_node: float
    parameters: dict[str, float]

    def stretched(self, ratio: float) -> "Start":
        """The same for distances that are ``ratio`` times as large."""
        if not np.isfinite(ratio):
            return self
        if "theta_" in self.parameters:  # whose multipliers are those of theta times z
            return self._replace(parameters={"theta_": self.parameters["theta_"] / ratio})
        parameters = {name: ratio * value for name, value in self.parameters.items()}
        return self._replace(u=ratio * self.u, parameters=parameters)

    def saved(self, candidates: Candidates) -> dict[str, np.ndarray]:
        """As arrays for a checkpoint, ``u`` in the order of the given nodes."""
        parameters = {f"parameter_{name}": np.array(v) for name, v in self.parameters.items()}
        u = _in_given_order(self.u, candidates)
        return {"u": u, "edges_per_node": np.array(self.edges_per_node)} | parameters

    @classmethod
    def loaded(cls, state: dict[str, np.ndarray]) -> "Start | None":
        """From a checkpoint that was saved after a solution; else None."""
        if "u" not in state:
            return None
        found = {
            name.removeprefix("parameter_"): float(value)
            for name, value in state.items()
            if name.startswith("parameter_")
        }
        return cls(state["u"], float(state["edges_per_node"]), found)


class Learned(NamedTuple):
    """What a model's ``_learn`` returns."""

    solution: Solution
    parameters: dict[str, float]  # fitted attributes of the model's own
    scale: float = 1.0  # by which the distances were multiplied

    @property
    def multipliers(self) -> np.ndarray:
        """``u`` in the units of the distances themselves."""
        return self.solution.u / self.scale

    def as_start(self) -> Start:
        """What the next fit may start from."""
        return Start(self.solution.u, self.solution.edges_per_node, self.parameters)


class GraphLearner(TransformerMixin, BaseEstimator, ABC):
    """What all graph learners share: reading the data, storing the graph, joining new nodes."""

    metric: str
    nodes: str
    missing: str
    neighbors: Any
    tol: float
    max_iter: int
    warm_start: bool
    verbose: bool
    graph_: Any  # a RemoteGraph, after a fit on workers
    _z: np.ndarray | None  # of all signals so far, if they came in parts

    def fit(self, X: Any, y: Any = None) -> "GraphLearner":
        """Learn the graph of the rows of ``X``, or of its columns if ``nodes="columns"``.

        A Dask array, or a path to Zarr, Parquet or NPY data, is read by the workers of the active
        Dask client, where the graph is learned and stays.
        """
        start = self._as_start() if self.warm_start else None
        if getattr(self, "checkpoint", None) is None:
            return self._fit_nodes(self._read(X), start)
        return self._fit_with_checkpoint(X, start)

    def partial_fit(self, X: Any, y: Any = None) -> "GraphLearner":
        """The graph of all rows seen so far, those of ``X`` included, from the last one on.

        Rows are new nodes, which join the graph before it is learned again; with
        ``nodes="columns"`` they are new signals on the same nodes, whose squared differences
        are added to the distances, so that signals need not be kept. The result is that of a
        ``fit`` to everything, within ``tol`` and the 1 % to which densities are met.
        """
        if self.metric == "precomputed" or getattr(self, "checkpoint", None) is not None:
            raise ValueError(
                "partial_fit adds to data, of which metric='precomputed' has none, and keeps no "
                "checkpoint; use fit."
            )
        if not hasattr(self, "dual_"):
            return self.fit(X)
        if self.nodes != self._fitted_nodes or (self._table is None and self._z is None):
            raise ValueError(
                "The last fit had other nodes or precomputed distances, or was on Dask workers: "
                "nothing can be added; use fit."
            )
        return self._fit_more_nodes(X) if self.nodes == "rows" else self._fit_more_signals(X)

    def fit_transform(self, X: Any, y: Any = None) -> sp.csr_array:
        """``fit(X).adjacency_``."""
        return self.fit(X).adjacency_

    def transform(self, X: Any) -> sp.csr_array:
        """The weights that join new nodes to the fitted ones, one row per new node.

        Each joins the learned graph alone, and the rest stays as it is: its multiplier is the
        root of one monotone equation. A row at distance zero from a fitted node stands for
        that node, and gets its row of ``adjacency_``, which solves the same equation; of
        several rows at the same place the k-th stands for the k-th node there. With
        ``metric="precomputed"``, ``X`` holds the distances to the fitted nodes.
        """
        check_is_fitted(self)
        if self._table is None and self.metric != "precomputed":
            raise ValueError(
                "New nodes are joined by their distances to the fitted ones, whose signals are not "
                "here after partial_fit or a fit on Dask workers; fit all of them in memory."
            )
        table = self._table_of(X, reset=False)
        n_new = table.shape[0]
        size = max(1, _BLOCK_BYTES // (8 * len(self.dual_)))
        weights, at_zero = [], []
        for first in range(0, n_new, size):
            z = distances_to_fitted(
                table[first : first + size], self._table, metric=self.metric, missing=self.missing
            )
            at_zero.append(np.argwhere(z == 0) + np.array([first, 0]))
            weights.append(joining_weights(*self._priors, self.dual_, self._scale * z))
        rows, nodes = coinciding_nodes(np.concatenate(at_zero))
        source = np.arange(n_new)
        source[rows] = n_new + nodes
        return sp.vstack([*weights, self.adjacency_], format="csr")[source]

    def _fit_more_nodes(self, X: Any) -> "GraphLearner":
        """A new node starts with the mean multiplier of those that it joins."""
        new = self._table_of(X, reset=False)
        joined = self.transform(X)
        degrees = joined.sum(axis=1)
        u = np.full(len(degrees), np.mean(self.dual_))
        np.divide(joined @ self.dual_, degrees, out=u, where=degrees > 0)
        start = self._last_fit()._replace(u=np.concatenate([self.dual_, u]))
        data = with_new_nodes(self._table, self.node_names_, new, X, self._choice())
        return self._fit_nodes(data, start)

    def _fit_more_signals(self, X: Any) -> "GraphLearner":
        """With ``r`` times the distances, parameters and multipliers are ``r`` times as large."""
        n_nodes = len(self.dual_)
        check_accumulable(self._choice(), n_nodes)
        new = read_table(self, X, nodes=self.nodes, accept_sparse="csr", reset=False)
        z = distances(self._table) if self._z is None else self._z
        data = with_new_signals(z, self.node_names_, new)
        self._fit_nodes(data, self._last_fit().stretched(data.candidates.z.sum() / z.sum()))
        self._z = data.candidates.z
        return self

    @abstractmethod
    def _learn(self, edges: EdgeSet, z: np.ndarray, solver: Newton, start: Start | None) -> Learned:
        """The solution of the model on the candidate edges."""

    def _read(self, X: Any) -> NodeData:
        if is_elsewhere(X):
            from smoothgraph.cluster.fit import read_on_workers  # an extra

            return read_on_workers(self, X)
        table, names = self._nodes_of(X)
        return NodeData.read(table, names, self._choice())

    def _look_at(self, X: Any) -> None:
        """scikit-learn's record of the input alone."""
        if is_elsewhere(X):
            from smoothgraph.cluster.row_source import n_columns  # an extra

            self.n_features_in_ = n_columns(X)
        else:
            self._table_of(X, reset=True)

    def _nodes_of(self, X: Any) -> tuple[Any, np.ndarray]:
        table = self._table_of(X, reset=True)
        return table, node_names(X, columns=self.nodes == "columns", n_nodes=table.shape[0])

    def _fit_with_checkpoint(self, X: Any, start: Start | None) -> "GraphLearner":
        """Go on from the checkpoint's state, if there is one; save every state; in the end none.

        The state of a graph on workers goes when the graph is gathered or written.
        """
        settings = {name: repr(value) for name, value in self.get_params(deep=False).items()}
        for name in ("checkpoint", "verbose"):  # which do not change the result
            del settings[name]
        checkpoint, data = self._read_with_checkpoint(X, settings)
        state = checkpoint.load()
        if state is not None:
            start = Start.loaded(state)
        fitted = self._fit_nodes(data, start, checkpoint)
        if "graph_" in vars(self):
            self.graph_ = replace(self.graph_, checkpoint=checkpoint)
        else:
            checkpoint.remove()
        return fitted

    def _read_with_checkpoint(
        self, X: Any, settings: dict[str, str]
    ) -> tuple[Checkpoint, NodeData]:
        if is_elsewhere(X):
            from smoothgraph.cluster.fit import read_with_checkpoint  # an extra

            return read_with_checkpoint(self, X, settings)
        table, names = self._nodes_of(X)
        checkpoint = Checkpoint(self.checkpoint, digest_of(table), settings)
        return checkpoint, NodeData.read(table, names, self._choice(), checkpoint.load())

    def _choice(self) -> NeighborChoice:
        return NeighborChoice(
            neighbors=self.neighbors,
            metric=self.metric,
            missing=self.missing,
            edges_per_node=getattr(self, "edges_per_node", None),
            exact_zeros=self._has_exact_zeros,
        )

    @property
    def _has_exact_zeros(self) -> bool:
        """Whether the model's weights vanish between far-away nodes."""
        return True

    def _fit_nodes(
        self, data: NodeData, start: Start | None, checkpoint: Checkpoint | None = None
    ) -> "GraphLearner":
        """Learn from data that was read, and store what was learned."""
        started = perf_counter()
        candidates = data.candidates
        if start is not None and len(start.u) != candidates.edges.n_nodes:
            start = None
        if start is not None and candidates.order is not None:
            start = start._replace(u=start.u[candidates.order])
        learned = self._learn_on(candidates, start, checkpoint)
        self._store(learned, candidates)
        self._table, self._z, self.node_names_ = data.table, None, data.names
        solution = learned.solution
        if self.verbose:
            print(
                f"[{type(self).__name__}] {solution!r}, {self.neighbors_}, "
                f"{perf_counter() - started:.2f} s"
            )
        if not solution.converged:
            warnings.warn(
                f"{type(self).__name__} did not reach tol={self.tol:g}: after {solution.n_iter} "
                f"iterations the relative duality gap is {solution.gap:.2g} "
                f"({solution.status.value}).",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def _learn_on(
        self, candidates: Candidates, start: Start | None, checkpoint: Checkpoint | None
    ) -> Learned:
        """Solve, take in the pairs that the multipliers show to be missing, until none is."""
        while True:
            if checkpoint is not None and isinstance(candidates, PricedCandidates):
                saved = {} if start is None else start.saved(candidates)
                checkpoint.save(candidates.state | saved)
            solver = self._solver()
            if candidates.provisional:
                solver = replace(solver, tol=max(solver.tol, _ROUGH))
            with warnings.catch_warnings(record=True) as caught, stage("solve"):
                warnings.simplefilter("always")
                learned = self._learn(candidates.edges, candidates.z, solver, start)
            with stage("pricing"):
                done = candidates.cover(learned.multipliers)
            if done:
                for warning in caught:  # those on the way do not matter
                    warnings.warn(warning.message, stacklevel=4)
                return learned
            start = learned.as_start()
            del learned  # and with it the edges as they were

    def _as_start(self) -> Start | None:
        """The last fit, if there was one."""
        return self._last_fit() if hasattr(self, "dual_") else None

    def _last_fit(self) -> Start:
        found = {name: getattr(self, name) for name in _PARAMETERS if hasattr(self, name)}
        return Start(self.dual_, self.edges_per_node_, found)

    def _solver(self) -> Newton:
        return Newton(tol=self.tol, max_iter=self.max_iter)

    def _store(self, learned: Learned, candidates: Candidates) -> None:
        solution = learned.solution
        for name in {"adjacency_", "laplacian_", "graph_"} & set(vars(self)):
            delattr(self, name)  # of an earlier fit
        self.dual_ = _in_given_order(solution.u, candidates)
        self._store_graph(solution, candidates.order)
        self.dual_gap_ = solution.gap
        self.edges_per_node_ = solution.edges_per_node
        self.neighbors_ = candidates.name
        self.violations_ = candidates.violations(learned.multipliers)
        self.is_exact_ = solution.converged and self.violations_ == NO_VIOLATIONS
        self.n_iter_ = solution.n_iter
        for name in _PARAMETERS & set(vars(self)):
            delattr(self, name)  # of an earlier fit
        for name, value in learned.parameters.items():
            setattr(self, name, value)
        self._scale, self._fitted_nodes = learned.scale, self.nodes
        self._priors = (solution.problem.edge_prior, solution.problem.degree_prior)

    def _store_graph(self, solution: Solution, order: np.ndarray | None) -> None:
        """In memory, or as ``graph_`` if its edges are on workers."""
        if not isinstance(solution.problem.edges, EdgeSet):
            from smoothgraph.cluster.graph import RemoteGraph  # an extra

            self.graph_ = RemoteGraph(solution.active_weights, order, solution.n_edges)
            return
        edges, weights = solution.problem.edges.select(solution.active), solution.active_weights
        if order is not None:
            i, j = order[edges.rows], order[edges.cols]
            edges, weights = EdgeSet.with_values(i, j, weights, edges.n_nodes)
        self.adjacency_, self.laplacian_ = edges.adjacency(weights), edges.laplacian(weights)

    def __getstate__(self) -> dict[str, Any]:
        """Of a graph on workers a copy has the adjacency, which is gathered for it."""
        if "graph_" in vars(self):
            self.adjacency_  # noqa: B018
        return {name: value for name, value in super().__getstate__().items() if name != "graph_"}

    def __getattr__(self, name: str) -> Any:
        """Of a graph on workers, ``adjacency_`` and ``laplacian_`` are gathered when asked for."""
        if name in ("adjacency_", "laplacian_") and "graph_" in vars(self):
            self.adjacency_ = vars(self)["graph_"].gather()
            degrees = sp.diags_array(self.adjacency_.sum(axis=1))
            self.laplacian_ = (degrees - self.adjacency_).tocsr()
            return vars(self)[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _table_of(self, X: Any, *, reset: bool) -> Any:
        """``X`` as numbers with one row per node."""
        options = {"accept_sparse": "csr", "ensure_all_finite": False}
        if reset:  # what is stored must not change with the caller's array
            return read_table(self, X, nodes=self.nodes, copy=True, **options)
        if self.nodes == "rows":
            return read_table(self, X, nodes=self.nodes, reset=False, **options)
        refuse_text_columns(X)
        table = check_array(X, dtype=np.float64, **options).T
        expected = len(self.dual_) if self._table is None else self._table.shape[1]
        if table.shape[1] != expected:
            raise ValueError(
                f"New columns must have {expected} rows like the fitted ones, got {table.shape[1]}."
            )
        return table

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.allow_nan = self.missing == "pairwise"
        tags.transformer_tags.preserves_dtype = []
        return tags


def check_learner(learner: Any, needed_by: str) -> None:
    """A ValueError unless the learner is one of the smooth-signal models."""
    if not isinstance(learner, GraphLearner):
        raise ValueError(
            f"{needed_by} needs a graph learner such as LogDegreeGraph or L2DegreeGraph, got "
            f"{type(learner).__name__}."
        )


def _in_given_order(u: np.ndarray, candidates: Candidates) -> np.ndarray:
    """One number per node as the user numbers them."""
    return u if candidates.order is None else u[np.argsort(candidates.order)]
