"""scikit-learn's words: each model as a transformer that learns a graph from data."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone

from smoothgraph.density import (
    Nearby,
    doubly_stochastic_with,
    l2_degree_with,
    log_degree_with,
)
from smoothgraph.estimators.base import GraphLearner, Learned, Start
from smoothgraph.models import doubly_stochastic, gaussian, l2_degree, log_degree
from smoothgraph.pairs.pattern import EdgeSet
from smoothgraph.problem import Problem
from smoothgraph.solution import Solution
from smoothgraph.solvers import Newton
from smoothgraph.support.checks import check_number
from smoothgraph.support.progress import track

_EDGES_PER_NODE = 10.0  # if nothing is asked for


class LogDegreeGraph(GraphLearner):
    """``min 2 z'w - alpha sum log(degrees) + beta |w|^2``: sparse, and no node is isolated.

    The model of Kalofolias (2016). Ask for ``edges_per_node`` (the mean number of neighbours)
    or give ``alpha`` and ``beta`` (1 by default if only one is given); with neither, 10 edges
    per node, or fewer if there are few nodes. With ``edges_per_node`` the weights are
    those of ``alpha = beta = 1`` on ``theta_ * Z``.

    Parameters
    ----------
    edges_per_node : float, optional
        The density asked for, met within 1 % or else warned of.
    alpha, beta : float, optional
        The model's own parameters. A larger beta gives more edges.
    metric : str
        "sqeuclidean", any other metric of scikit-learn's ``pairwise_distances`` that needs no
        parameters of its own, whose values are used as they are, or "precomputed": ``X`` is
        then the matrix Z itself, squared if that is what you want; a sparse one holds the
        candidate edges.
    nodes : {"rows", "columns"}
        Whether the rows of ``X`` are the nodes, or its columns, as in a table of sensor readings.
    missing : {"error", "pairwise"}
        What to do with NaN: refuse, or take distances over the coordinates that both nodes have.
    neighbors : {"auto", "exact", "approximate"} or transformer
        Which pairs may become edges. "exact" judges all pairs: all are held in memory if the
        nodes are few, else those that matter are searched for until none is missing.
        "approximate" looks at the likely nearest neighbours only, which is faster for millions of
        nodes. A neighbours transformer, such as scikit-learn's ``KNeighborsTransformer``, names
        the pairs; their distances are those of ``metric``. "auto" is exact up to 300,000 nodes.
    tol, max_iter : float, int
        The relative duality gap to reach, and the Newton iterations allowed for it.
    warm_start : bool
        Whether ``fit`` starts from the last one, if that had as many nodes.
    checkpoint : path, optional
        A file that a fit with a search writes its state to, after every pass over the pairs. A
        fit of the same data with the same parameters goes on from there, to the same graph, and
        removes it in the end. On Dask workers the edges are in a folder beside it.
    verbose : bool
        Whether ``fit`` prints a line on what it found.

    Attributes
    ----------
    adjacency_, laplacian_ : CSR arrays
        The learned graph; after a fit on Dask workers gathered when first asked for.
    graph_ : RemoteGraph
        After a fit on Dask workers, the graph there: to be written in parts, or gathered.
    dual_gap_ : float
        The relative duality gap: the proof of how close to the optimum the graph is.
    is_exact_ : bool
        Whether the graph is proved optimal, within ``tol``, over all pairs of nodes.
    neighbors_ : str
        How the pairs were found: "all pairs", "exact search", "approximate search",
        "precomputed", or the name of the transformer.
    violations_ : Violations or None
        An estimate, from a sample of nodes, of how many pairs that are not candidates would be
        edges; 0 if ``is_exact_``, None if it cannot be known (precomputed distances).
    edges_per_node_ : float
        The mean number of neighbours.
    theta_ : float
        ``1 / sqrt(alpha beta)``, the one number on which the shape depends.
    dual_ : array
        The multiplier of every node.
    node_names_ : array
        The labels of the nodes: of a DataFrame's index or columns, or else their numbers.
    n_iter_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import LogDegreeGraph
    >>> graph = LogDegreeGraph(edges_per_node=8).fit(load_iris().data)
    >>> round(graph.edges_per_node_), graph.is_exact_, graph.dual_gap_ <= 1e-6
    (8, True, True)
    """

    def __init__(
        self,
        edges_per_node: float | None = None,
        *,
        alpha: float | None = None,
        beta: float | None = None,
        metric: str = "sqeuclidean",
        nodes: str = "rows",
        missing: str = "error",
        neighbors: Any = "auto",
        tol: float = 1e-6,
        max_iter: int = 500,
        warm_start: bool = False,
        checkpoint: str | Path | None = None,
        verbose: bool = False,
    ) -> None:
        self.edges_per_node = edges_per_node
        self.alpha = alpha
        self.beta = beta
        self.metric = metric
        self.nodes = nodes
        self.missing = missing
        self.neighbors = neighbors
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.checkpoint = checkpoint
        self.verbose = verbose

    def _learn(self, edges: EdgeSet, z: np.ndarray, solver: Newton, start: Start | None) -> Learned:
        wanted = wanted_density(self, edges, alpha=self.alpha, beta=self.beta)
        if wanted is None:
            alpha = 1.0 if self.alpha is None else self.alpha
            beta = 1.0 if self.beta is None else self.beta
            solution = _solve_from(solver, log_degree(edges, z, alpha=alpha, beta=beta), start)
            theta = float(1 / np.sqrt(alpha * beta)) if beta > 0 else np.inf
            return Learned(solution, {"theta_": theta})
        near = _nearby(start, "theta_")
        solution, theta = log_degree_with(edges, z, edges_per_node=wanted, solver=solver, near=near)
        return Learned(solution, {"theta_": theta}, scale=theta)


class L2DegreeGraph(GraphLearner):
    """``min 2 z'w + alpha (2 |w|^2 + |degrees|^2)`` with a fixed total weight.

    The model of Dong et al. (2015), in the form of Kalofolias (2016), eq. 14: sparse, with
    degrees evened out; far-away nodes may be left isolated. Ask for ``edges_per_node`` or give
    ``alpha``; ``total_weight``, the sum of the adjacency, is the number of nodes by default.
    The other parameters and attributes are those of :class:`LogDegreeGraph`, with ``alpha_``
    for ``theta_``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import L2DegreeGraph
    >>> graph = L2DegreeGraph(edges_per_node=8).fit(load_iris().data)
    >>> round(graph.edges_per_node_), round(float(graph.adjacency_.sum()), 6)
    (8, 150.0)
    """

    def __init__(
        self,
        edges_per_node: float | None = None,
        *,
        alpha: float | None = None,
        total_weight: float | None = None,
        metric: str = "sqeuclidean",
        nodes: str = "rows",
        missing: str = "error",
        neighbors: Any = "auto",
        tol: float = 1e-6,
        max_iter: int = 500,
        warm_start: bool = False,
        checkpoint: str | Path | None = None,
        verbose: bool = False,
    ) -> None:
        self.edges_per_node = edges_per_node
        self.alpha = alpha
        self.total_weight = total_weight
        self.metric = metric
        self.nodes = nodes
        self.missing = missing
        self.neighbors = neighbors
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.checkpoint = checkpoint
        self.verbose = verbose

    def _learn(self, edges: EdgeSet, z: np.ndarray, solver: Newton, start: Start | None) -> Learned:
        wanted = wanted_density(self, edges, alpha=self.alpha)
        if wanted is None:
            alpha = check_number("alpha", self.alpha, above=0)
            problem = l2_degree(edges, z, alpha=alpha, total_weight=self.total_weight)
            return Learned(_solve_from(solver, problem, start), {"alpha_": alpha})
        solution, alpha = l2_degree_with(
            edges,
            z,
            edges_per_node=wanted,
            total_weight=self.total_weight,
            solver=solver,
            near=_nearby(start, "alpha_"),
        )
        return Learned(solution, {"alpha_": alpha})


class DoublyStochasticGraph(GraphLearner):
    """``min 2 z'w + f(w)`` with every weighted degree equal to ``degree``.

    Sparse with ``edges_per_node`` or ``beta`` (quadratic prior), dense with ``sigma``
    (entropy: Sinkhorn's problem without self-loops). The other parameters and attributes are
    those of :class:`LogDegreeGraph`, with ``beta_`` for ``theta_``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import DoublyStochasticGraph
    >>> graph = DoublyStochasticGraph(edges_per_node=8).fit(load_iris().data)
    >>> degrees = graph.adjacency_.sum(axis=1)
    >>> bool(abs(degrees - 1).max() < 1e-5)
    True
    """

    def __init__(
        self,
        edges_per_node: float | None = None,
        *,
        beta: float | None = None,
        sigma: float | None = None,
        degree: float = 1.0,
        metric: str = "sqeuclidean",
        nodes: str = "rows",
        missing: str = "error",
        neighbors: Any = "auto",
        tol: float = 1e-6,
        max_iter: int = 500,
        warm_start: bool = False,
        checkpoint: str | Path | None = None,
        verbose: bool = False,
    ) -> None:
        self.edges_per_node = edges_per_node
        self.beta = beta
        self.sigma = sigma
        self.degree = degree
        self.metric = metric
        self.nodes = nodes
        self.missing = missing
        self.neighbors = neighbors
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.checkpoint = checkpoint
        self.verbose = verbose

    @property
    def _has_exact_zeros(self) -> bool:
        return self.sigma is None

    def _learn(self, edges: EdgeSet, z: np.ndarray, solver: Newton, start: Start | None) -> Learned:
        wanted = wanted_density(self, edges, beta=self.beta, sigma=self.sigma)
        if wanted is None:
            problem = doubly_stochastic(
                edges, z, beta=self.beta, sigma=self.sigma, degree=self.degree
            )
            solution = _solve_from(solver, problem, start)
            return Learned(solution, {} if self.beta is None else {"beta_": float(self.beta)})
        solution, beta = doubly_stochastic_with(
            edges,
            z,
            edges_per_node=wanted,
            degree=self.degree,
            solver=solver,
            near=_nearby(start, "beta_"),
        )
        return Learned(solution, {"beta_": beta})


class GaussianGraph(GraphLearner):
    """``w = exp(-z / (2 sigma^2))`` on all pairs: the usual kernel, which is dense.

    Proposition 1 of Kalofolias (2016) makes it a member of the family. By default ``sigma``
    is such that the median distance has weight ``1 / e``. The other attributes are those of
    :class:`LogDegreeGraph`, with ``sigma_`` for ``theta_``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import GaussianGraph
    >>> GaussianGraph(sigma=1.0).fit(load_iris().data).adjacency_.shape
    (150, 150)
    """

    warm_start = False

    def __init__(
        self,
        sigma: float | None = None,
        *,
        metric: str = "sqeuclidean",
        nodes: str = "rows",
        missing: str = "error",
        neighbors: Any = "auto",
        verbose: bool = False,
    ) -> None:
        self.sigma = sigma
        self.metric = metric
        self.nodes = nodes
        self.missing = missing
        self.neighbors = neighbors
        self.verbose = verbose

    @property
    def _has_exact_zeros(self) -> bool:
        return False

    def _solver(self) -> Newton:
        return Newton()  # which finds nothing to do: the start is the solution

    def _learn(self, edges: EdgeSet, z: np.ndarray, solver: Newton, start: Start | None) -> Learned:
        sigma = self.sigma
        if sigma is None:
            sigma = float(np.sqrt(np.median(z) / 2)) or 1.0
        solution = solver.solve(gaussian(edges, z, sigma=sigma))
        return Learned(solution, {"sigma_": sigma})


def density_path(
    X: Any, densities: Iterable[float], *, estimator: GraphLearner | None = None
) -> list[GraphLearner]:
    """Graphs of one data set at several densities, each starting from the one before.

    Returns fitted copies of ``estimator`` (a :class:`LogDegreeGraph` by default), one for each
    number of edges per node in ``densities``, in that order. The distances are computed once.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import density_path
    >>> [round(g.edges_per_node_) for g in density_path(load_iris().data, [4, 16, 8])]
    [4, 16, 8]
    """
    template = LogDegreeGraph() if estimator is None else estimator
    if getattr(template, "checkpoint", None) is not None:
        raise ValueError("A checkpoint is of one graph; a density path takes no checkpoint.")
    densities = list(densities)
    graphs = {
        density: clone(template).set_params(edges_per_node=density) for density in set(densities)
    }
    data, start = None, None
    for density in track(sorted(graphs, reverse=True), "densities"):
        graph = graphs[density]
        if data is None:
            data = graph._read(X)
        else:
            graph._look_at(X)
        start = graph._fit_nodes(data, start)._as_start()
    return [graphs[density] for density in densities]


def wanted_density(learner: Any, edges: EdgeSet, **own_parameters: float | None) -> float | None:
    """``edges_per_node``, its default, or None if the model's own parameters are given."""
    given = [name for name, value in own_parameters.items() if value is not None]
    if learner.edges_per_node is None:
        if given:
            return None
        m = edges.n_nodes
        wanted = max(1.0, min(_EDGES_PER_NODE, (m - 1) / 2))
        whole = 2 * np.ceil(wanted * m / 2) / m  # an odd number of ends is no graph's
        return float(min(2 * edges.n_edges / m, whole))
    if given:
        raise ValueError(
            f"Give either edges_per_node or {' and '.join(own_parameters)}, not both; got "
            f"edges_per_node={learner.edges_per_node!r} and {' and '.join(given)}."
        )
    return learner.edges_per_node


def _solve_from(solver: Newton, problem: Problem, start: Start | None) -> Solution:
    return solver.solve(problem, start=None if start is None else start.u)


def _nearby(start: Start | None, parameter: str) -> Nearby | None:
    if start is None or parameter not in start.parameters:
        return None
    return Nearby(start.parameters[parameter], start.u, start.edges_per_node)
