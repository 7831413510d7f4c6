"""What all graph learners share: reading data, storing the graph, joining new nodes."""

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags, check_array
from sklearn.utils.validation import check_is_fitted

from smoothgraph.candidates.choice import NeighborChoice
from smoothgraph.candidates.fixed import NO_VIOLATIONS
from smoothgraph.candidates.nodes import NodeData
from smoothgraph.density import tell_whole_density
from smoothgraph.estimators.auto_density import learn_at_chosen_density
from smoothgraph.estimators.checkpoint import Checkpoint
from smoothgraph.estimators.connection import Connection, connect
from smoothgraph.estimators.containers import arrange, plain_numbers
from smoothgraph.estimators.convergence_warning import convergence_warning
from smoothgraph.estimators.display import Display
from smoothgraph.estimators.edge_lengths import edge_lengths, given_lengths, joining_lengths
from smoothgraph.estimators.floor import Floor
from smoothgraph.estimators.learning import Learning
from smoothgraph.estimators.model import AUTO, Learned, Model, Start
from smoothgraph.estimators.new_distances import FittedNodes, KeptIndex
from smoothgraph.estimators.new_nodes import find_copies, joining_weights
from smoothgraph.estimators.node_data import STORED_TYPES, open_nodes, read_table
from smoothgraph.estimators.updates import add_nodes, add_signals, check_accumulable
from smoothgraph.pairs.measure import Measure
from smoothgraph.solvers import Newton, Solver, check_solver
from smoothgraph.support.adjacency import add_edges, laplacian_of
from smoothgraph.support.input_error import InputError, checked_by_others
from smoothgraph.support.stages import describe_stages, show_stages, stage

_PARAMETERS = {"theta_", "alpha_", "beta_", "sigma_", "scale_", "density_choice_", "node_weights_"}
_OF_GROUPS = {"groups_", "group_dual_", "group_shares_"}
_PROOF = {"dual_bounds_", "n_open_pairs_"}
_GRAPH = {"adjacency_", "laplacian_", "graph_", "distances_"}
_NOT_ASKED_FOR: Any = None
_NO_CATEGORIES: Any = None
_NO_KNOWN_GRAPH: Any = None


@dataclass(eq=False, repr=False)
class GraphLearner(Display, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):
    """What all graph learners share: reading the data, storing the graph, joining new nodes.

    A learner adds its parameters, as fields of a dataclass, and :meth:`model`.
    """

    metric: Any = field(default="sqeuclidean", kw_only=True)
    metric_params: dict[str, Any] | None = field(default=None, kw_only=True)
    nodes: str = field(default="rows", kw_only=True)
    missing: str = field(default="error", kw_only=True)
    neighbors: Any = field(default="auto", kw_only=True)
    scale: str = field(default="global", kw_only=True)
    connected: bool = field(default=False, kw_only=True)
    merge_identical: bool = field(default=False, kw_only=True)
    verbose: bool = field(default=False, kw_only=True)

    # What a learner has that cannot be asked for a density, and is not solved for.
    edges_per_node = _NOT_ASKED_FOR
    checkpoint = _NOT_ASKED_FOR
    warm_start = False
    _categories = _NO_CATEGORIES
    _known = _NO_KNOWN_GRAPH

    @abstractmethod
    def model(self) -> Model:
        """What is solved on the candidate pairs."""

    def floor(self, names: np.ndarray) -> Floor | None:
        """The fewest neighbors of a node, if the model can keep to that."""
        return None

    @property
    def exact_zeros(self) -> bool:
        """Whether the model's weights vanish between far-away nodes."""
        return True

    # -- fitting -------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, *, groups: Any = None) -> "GraphLearner":
        """Learn the graph of the rows of ``X``, or of its columns if ``nodes="columns"``.

        Only :class:`LogDegreeGraph` and :class:`SmoothGraph` take ``groups``.

        If ``X`` is a Dask array, or a path to Zarr, Parquet or NPY data, the workers of the active Dask client read
        it. They find the pairs of nodes that matter, and keep the graph.
        """
        if groups is not None:
            raise InputError(f"{type(self).__name__} takes no groups; use LogDegreeGraph or SmoothGraph, which do.")
        with show_stages("Learning the graph", verbose=self.verbose):
            return self._fit(X)

    def _fit(self, X: Any, groups: Any = None, prior_graph: Any = None) -> "GraphLearner":
        start = self.last_fit() if self.warm_start else None
        nodes = open_nodes(self, X, groups, prior_graph)
        if self.checkpoint is None:
            self._learn_and_tell(nodes.find_pairs(self.choice()), start)
            return self._keep_lengths(X)
        settings = self.get_params(deep=False)
        for name in ("checkpoint", "verbose"):  # which do not change the result
            del settings[name]
        checkpoint = Checkpoint(self.checkpoint, nodes.digest(), settings)
        state = checkpoint.load()
        data = nodes.find_pairs(self.choice(), state, checkpoint.folder)
        self._learn_and_tell(data, start if state is None else Start.load(state), checkpoint)
        if "graph_" in vars(self):  # the checkpoint goes when the graph is gathered or written
            self.graph_.keep(checkpoint)
        else:
            checkpoint.remove()
        return self._keep_lengths(X)

    def _keep_lengths(self, X: Any) -> "GraphLearner":
        """Keep the precomputed distances of the edges, as no rows are kept to measure them again."""
        if self.metric == "precomputed" and "adjacency_" in vars(self):
            self.distances_ = given_lengths(self.adjacency_, plain_numbers(X))
        return self

    def partial_fit(self, X: Any, y: Any = None) -> "GraphLearner":
        """Learn the graph of all rows seen so far, those of ``X`` included, from the last one on.

        Rows are new nodes, which join the graph before it is learned again. With ``nodes="columns"`` they are new
        signals on the same nodes, whose squared differences are added to the distances, so that signals need not be
        kept. The result is that of a ``fit`` to everything, within ``tol`` and the 1% to which densities are met.
        """
        if self.metric == "precomputed" or self.checkpoint is not None:
            raise InputError(
                "partial_fit adds to data, of which metric='precomputed' has none, and keeps no checkpoint; use fit."
            )
        if not hasattr(self, "dual_"):
            return self.fit(X)
        self._refuse_groups("partial_fit")
        if self.nodes != self._fitted_nodes or (self.signals_ is None and self._z is None):
            raise InputError(
                "The last fit had other nodes or precomputed distances, or was on Dask workers: "
                "nothing can be added; use fit."
            )
        with show_stages("Learning the graph", verbose=self.verbose):
            return self._fit_more_signals(X) if self.nodes == "columns" else self._fit_more_nodes(X)

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> sp.csr_array:
        """``fit(X).adjacency_``."""
        return self.fit(X, **fit_params).adjacency_

    def learn(self, data: NodeData, start: Start | None = None, checkpoint: Checkpoint | None = None) -> list[Warning]:
        """Learn from data that was read, store what was learned, and return what the user should know of it."""
        started = perf_counter()
        if start is not None:
            start = start.fit_to(data)
        solver = self.make_solver()
        self._known = data.known
        names = data.names if data.places is None else data.names[data.places.first]
        floor = self.floor(names)
        learned = self._solve(Learning(self.model(), solver, data.candidates, start, checkpoint, floor))
        solution = learned.solution
        with stage("bridges"):
            connection = connect(solution, data.candidates, wanted=self.connected)
        self._store(learned, data, connection)
        if self.verbose:
            stages = describe_stages() or f"{perf_counter() - started:.2f} s"
            print(f"[{type(self).__name__}] {solution!r}, {self.neighbors_}, {stages}")
        told = [tell_whole_density(w, solution.edges_per_node, self.edges_per_node_) for w in learned.warnings]
        told += [] if data.groups is None else data.groups.warnings(solution, names)
        if self.connected and self.n_components_ > 1:
            told.append(
                UserWarning(
                    f"The graph has {self.n_components_} components although connected=True: no candidate pair joins "
                    "them. Give distances between them as well."
                )
            )
        if not solution.converged:
            told.append(convergence_warning(self, solution, solver.tol))
        self._told = [str(warning) for warning in told]
        return told

    def _learn_and_tell(
        self, data: NodeData, start: Start | None, checkpoint: Checkpoint | None = None
    ) -> "GraphLearner":
        for warning in self.learn(data, start, checkpoint):
            warnings.warn(warning, stacklevel=4)
        return self

    @property
    def wanted_density(self) -> float | None:
        """The number of edges per node asked for, if it is a number."""
        wanted = self.edges_per_node
        if isinstance(wanted, str) and wanted != AUTO:
            raise InputError(
                f"edges_per_node must be a number, or {AUTO!r} to choose it from the data, got {wanted!r}."
            )
        return None if isinstance(wanted, str) else wanted

    def _solve(self, learning: Learning) -> Learned:
        """What is learned from the data."""
        return learning.run()

    def choice(self) -> NeighborChoice:
        """Which pairs may become edges."""
        return NeighborChoice(
            neighbors=self.neighbors,
            measure=self.measure,
            edges_per_node=self.wanted_density,
            exact_zeros=self.exact_zeros,
            scale=self.scale,
        )

    @property
    def measure(self) -> Measure:
        """How the distance between two rows is measured."""
        categorical = None if self._categories is None else self._categories.mask
        return Measure.of(self.metric, self.metric_params, self.missing, categorical)

    def last_fit(self) -> Start | None:
        """What the last fit found, if there was one."""
        if not hasattr(self, "dual_"):
            return None
        return self._last

    def make_solver(self) -> Solver:
        """What solves the problem."""
        return Newton()

    def _store(self, learned: Learned, data: NodeData, connection: Connection) -> None:
        for name in (_GRAPH | _PARAMETERS | _OF_GROUPS | _PROOF) & set(vars(self)):
            delattr(self, name)  # of an earlier fit
        solution, candidates, places = learned.solution, data.candidates, data.places
        per_node = {"dual_": solution.problem.degree_prior.of_whole(solution.u)}
        if np.any(np.isfinite(solution.multiplier_bounds)):
            per_node["dual_bounds_"] = np.stack(solution.multiplier_bounds, axis=1)
        if candidates.scale is not None:
            per_node["scale_"] = candidates.scale
        if learned.node_weights is not None:
            per_node["node_weights_"] = learned.node_weights
        if data.groups is not None:
            self.groups_ = data.groups.labels
            per_node |= data.groups.per_node(solution)
        i, j, w = connection.bridges
        if places is None:
            graph = solution.edges.fitted_attributes(solution.weights, (i, j, w))
            self.edges_per_node_ = solution.edges_per_node + 2 * len(i) / len(solution.u)
        else:
            i, j = places.first[i], places.first[j]
            adjacency = add_edges(places.spread(solution.edges.adjacency(solution.weights)), (i, j, w))
            graph = {"adjacency_": adjacency, "laplacian_": laplacian_of(adjacency)}
            self.edges_per_node_ = adjacency.nnz / adjacency.shape[0]
            per_node = {name: values[places.place] for name, values in per_node.items()}
        for name, value in (graph | learned.parameters | per_node).items():
            setattr(self, name, value)
        self.bridges_ = np.stack([i, j], axis=1)
        self.n_components_ = connection.n_components
        self.dual_gap_ = solution.gap
        self.weight_error_ = solution.weight_error
        self.relative_weight_error_ = solution.certificate.relative_error
        if "dual_bounds_" in per_node:
            self.n_open_pairs_ = solution.n_open_pairs
        self.n_iter_ = solution.n_iter
        self.neighbors_ = candidates.name
        self.violations_ = candidates.violations(solution.u)
        self.is_exact_ = solution.converged and self.violations_ == NO_VIOLATIONS
        self.priors_ = (solution.problem.edge_prior, solution.problem.degree_prior)
        self.signals_, self.node_names_ = data.table, data.names
        self._fitted_nodes = self.nodes
        self._last = (
            Start.of(learned)
            if data.groups is not None
            else Start.of(learned)._replace(u=self.dual_, node_weights=vars(self).get("node_weights_"))
        )
        self._places, self._kept_index = places, KeptIndex()
        self._z: np.ndarray | None = None  # the distances of all signals so far, if they came in parts

    @cached_property
    def distances_(self) -> sp.csr_array:
        """The distances of the joined nodes, with the pattern of ``adjacency_``, computed when first asked for.

        They are in the user's metric, without local scales: Euclidean, not squared, for "sqeuclidean", and as they are
        for any other.
        """
        check_is_fitted(self, "dual_")
        if self.signals_ is None:
            raise InputError(
                "The distances of the edges are measured between the fitted rows, which are not here after "
                "partial_fit of signals or a fit on Dask workers; fit all of them in memory."
            )
        return edge_lengths(self.adjacency_, self.signals_, self.measure)

    # -- more data -----------------------------------------------------------

    def transform(self, X: Any) -> sp.csr_array:
        """The weights that join new nodes to the fitted ones, one row per new node.

        Each new node joins the learned graph alone, and the rest stays as it is: its multiplier is the root of one
        monotone equation. A row at distance zero from a fitted node stands for that node, and gets its row of
        ``adjacency_``, which solves the same equation. Of several rows at the same place the k-th stands for the
        k-th node there. With ``metric="precomputed"``, ``X`` holds the distances to the fitted nodes.
        """
        return self._join(X)[0]

    def joining_distances(self, X: Any) -> sp.csr_array:
        """The distances from new nodes to those that they join, with the pattern of ``transform(X)``.

        A new node at distance zero from a fitted one has that one, too, as a stored zero. The distances are those of
        ``distances_``.
        """
        return joining_lengths(*self._join(X), self._read_more(X), self.signals_, self.measure)

    def _join(self, X: Any) -> tuple[sp.csr_array, np.ndarray]:
        """The weights of ``transform``, and all pairs (new row, fitted node) at distance zero, in order."""
        check_is_fitted(self)
        self._refuse_groups("transform")
        if self.signals_ is None and self.metric != "precomputed":
            raise InputError(
                "New nodes are joined by their distances to the fitted ones, whose signals are not "
                "here after partial_fit or a fit on Dask workers; fit all of them in memory."
            )
        table, places, fitted = self._read_more(X), self._places, self._fitted
        weights, at_zero, n_done, u = [], [], 0, self.dual_[fitted.nodes]
        for distances in fitted.measure(table):
            same = distances.at_zero + np.array([n_done, 0])
            at_zero.append(same if places is None else places.nodes_at(same))
            joined = joining_weights(self.priors_[0].lone(), self.priors_[1], u, distances)
            weights.append(joined if places is None else places.share(joined))
            n_done += distances.n_new
        zeros = np.concatenate(at_zero)
        rows, nodes = find_copies(zeros)
        source = np.arange(n_done)
        source[rows] = n_done + nodes
        return sp.vstack([*weights, self.adjacency_], format="csr")[source], zeros

    @property
    def _n_features_out(self) -> int:
        """The columns of ``transform``, for scikit-learn."""
        return len(self.node_names_)

    @property
    def _fitted(self) -> FittedNodes:
        """What new rows are measured against."""
        own = slice(None) if self._places is None else self._places.first
        scale = self.scale_[own] if "scale_" in vars(self) else None
        sparse = self.priors_[0].sparse
        return FittedNodes(self.signals_, own, self.measure, scale, sparse, self._kept_index)

    def _refuse_groups(self, method: str) -> None:
        """Raise an InputError after a fit with groups, as new data has none."""
        if method == "partial_fit" and self._known is not None:
            raise InputError(
                "partial_fit takes no prior_graph, but the last fit had one; fit all data at once with it."
            )
        if hasattr(self, "groups_"):
            raise InputError(f"{method} takes no groups, but the last fit had some; fit all nodes at once with groups.")

    def _fit_more_nodes(self, X: Any) -> "GraphLearner":
        """A new node starts with the mean multiplier of those that it joins."""
        X, _ = arrange(X, self.nodes)
        new = self._read_more(X)
        joined = self.transform(X)
        degrees = joined.sum(axis=1)
        u = np.full(len(degrees), np.mean(self.dual_))
        np.divide(joined @ self.dual_, degrees, out=u, where=degrees > 0)
        start = self.last_fit()
        assert start is not None, "nodes are added to a fitted learner"
        start = start.add_nodes(u)
        if self._categories is not None:
            self._categories = self._categories.extend(X)
            new = self._read_more(X)
        data = add_nodes(self.signals_, self.node_names_, new, X, self.choice(), merge=self.merge_identical)
        return self._learn_and_tell(data, start)

    def _fit_more_signals(self, X: Any) -> "GraphLearner":
        """With ``r`` times the distances, parameters and multipliers are ``r`` times as large."""
        check_accumulable(self.choice(), len(self.dual_), merge=self.merge_identical)
        new = read_table(self, X, nodes=self.nodes, accept_sparse="csr", reset=False)
        data, z, ratio = add_signals(self.signals_, self._z, self.node_names_, new, self.choice())
        start = self.last_fit()
        assert start is not None, "signals are added to a fitted learner"
        self._learn_and_tell(data, start.scale(ratio))
        self._z = z
        return self

    def _read_more(self, X: Any) -> Any:
        """New data as numbers with one row per node."""
        options = {"accept_sparse": "csr", "ensure_all_finite": False, "dtype": STORED_TYPES}
        if self._categories is not None:
            X = self._categories.encode(X)
        if self.nodes != "columns":
            return read_table(self, X, nodes=self.nodes, reset=False, **options)
        with checked_by_others():
            table = check_array(plain_numbers(X, missing=self.missing), **options).T
        expected = len(self.dual_) if self.signals_ is None else self.signals_.shape[1]
        if table.shape[1] != expected:
            raise InputError(f"New columns must have {expected} rows like the fitted ones, got {table.shape[1]}.")
        return table

    # -- a graph that stays on workers ---------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """A copy of a learner whose graph is on workers holds the gathered adjacency."""
        if "graph_" in vars(self):
            self.adjacency_  # noqa: B018
        return {name: value for name, value in super().__getstate__().items() if name != "graph_"}

    def __getattr__(self, name: str) -> Any:
        """Gather ``adjacency_`` and ``laplacian_`` of a graph on workers when asked for them."""
        if name in ("adjacency_", "laplacian_") and "graph_" in vars(self):
            self.adjacency_ = vars(self)["graph_"].gather()
            degrees = sp.diags_array(self.adjacency_.sum(axis=1))
            self.laplacian_ = (degrees - self.adjacency_).tocsr()
            return vars(self)[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.allow_nan = self.missing == "pairwise"
        tags.transformer_tags.preserves_dtype = []
        return tags


@dataclass(eq=False, repr=False)
class DensityLearner(GraphLearner):
    """A graph learner that finds the parameter which gives a number of edges per node."""

    edges_per_node: Any = None
    solver: Solver | None = field(default=None, kw_only=True)
    tol: float = field(default=1e-6, kw_only=True)
    max_iter: int = field(default=500, kw_only=True)
    warm_start: bool = field(default=False, kw_only=True)
    checkpoint: str | Path | None = field(default=None, kw_only=True)

    def make_solver(self) -> Solver:
        """The solver asked for, or Newton's method with ``tol`` and ``max_iter``."""
        return Newton(self.tol, self.max_iter) if self.solver is None else check_solver(self.solver)

    def _solve(self, learning: Learning) -> Learned:
        """What is learned at the density asked for, or chosen; the model's own parameters leave nothing to choose."""
        if self.edges_per_node != AUTO or learning.model.density(learning.candidates.pairs) is None:
            return learning.run()
        return learn_at_chosen_density(learning)


def check_learner(learner: Any, needed_by: str) -> None:
    """Raise an InputError unless the learner is one of the smooth-signal models."""
    if not isinstance(learner, GraphLearner):
        raise InputError(
            f"{needed_by} needs a graph learner such as LogDegreeGraph or L2DegreeGraph, got {type(learner).__name__}."
        )
