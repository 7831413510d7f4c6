"""Graphs of maximum likelihood: the combinatorial Laplacian, and Lake and Tenenbaum's graph."""

import numpy as np
from scipy.spatial.distance import squareform

from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.methods.log_det_newton import solve_by_newton
from smoothgraph.methods.log_det_problem import LogDetProblem
from smoothgraph.pairs.distances import distances
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_count, check_number
from smoothgraph.support.input_error import InputError
from smoothgraph.support.threads import one_blas_thread
from smoothgraph.support.wording import agree

_LARGEST_L1 = 1e15  # beyond which the distances are rounded away
_MOST_NODES = 5000  # a handful of m x m matrices are held in memory and inverted


class _LikelihoodGraph(GraphMethod):
    """``c_e = (z_e + 2 l1 mean(z)) / n``, and ``tau = |X|^2 / n`` if ``rho`` is learned."""

    _learns_rho: bool

    def __init__(self, *, l1: float = 0.01, nodes: str = "rows", tol: float = 1e-6, max_iter: int = 100) -> None:
        self.l1 = l1
        self.nodes = nodes
        self.tol = tol
        self.max_iter = max_iter

    @one_blas_thread  # sweeps are sequential, and matrices are small
    def _find(self, table: np.ndarray) -> MethodResult:
        l1 = check_number("l1", self.l1, minimum=0)
        if l1 > _LARGEST_L1:
            raise InputError(f"l1 must be at most {_LARGEST_L1:g}, where all pairs cost the same, got {l1:g}.")
        tol = check_number("tol", self.tol, above=0)
        max_iter = check_count("max_iter", self.max_iter, minimum=1)
        if len(table) > _MOST_NODES:
            raise InputError(
                f"Expected at most {_MOST_NODES} nodes, because matrices over all pairs are inverted, got "
                f"{len(table)}; take a sample of them or a model that scales, such as LogDegreeGraph."
            )
        z = distances(table)
        if not np.any(z):
            raise InputError("All nodes have the same values, so their weights have no bound; two must differ.")
        n_equal = int(np.sum(z == 0))
        if l1 == 0 and n_equal:
            raise InputError(
                f"{n_equal} {agree(n_equal, 'pair', 'pairs')} of nodes {agree(n_equal, 'coincides', 'coincide')}, and "
                "with l1=0 such a pair has a weight without a bound; give l1 > 0 or merge these nodes."
            )
        unit = float(np.mean(z)) * (1 + 2 * l1)  # in which the mean of the costs is 1
        costs = squareform((z + 2 * l1 * np.mean(z)) / unit)
        np.fill_diagonal(costs, np.inf)
        tau = float(np.vdot(table, table)) / unit if self._learns_rho else None
        problem = LogDetProblem(costs, tau)
        point, n_iter = solve_by_newton(problem, tol=tol, max_iter=max_iter)
        self._warn_unless_certified(point.gap, tol=tol, n_iter=n_iter)
        unit /= table.shape[1]
        i, j, w, rho = point.unknowns
        objective = point.value + problem.total * float(np.log(unit))
        attributes = {"objective_": objective, "dual_gap_": point.gap, "n_iter_": n_iter}
        if self._learns_rho:
            attributes["sigma2_"] = unit / rho
        return MethodResult(*PairSet.with_values(i, j, w / unit, len(table)), attributes)


class CombinatorialLaplacianGraph(_LikelihoodGraph):
    """``min -log det(L(w) + 11'/m) + c'w`` over w >= 0: a connected graph of maximum likelihood.

    The model takes the n signals, the columns of ``X``, as draws from a Gaussian whose precision matrix is a graph
    Laplacian, so adding a constant to a signal changes nothing. ``c_e = (|x_i - x_j|^2 + 2 l1 mean(z)) / n`` is the
    mean squared difference of two nodes plus a penalty on their weight, and ``mean(z)`` is the mean of ``|x_i -
    x_j|^2`` over all pairs of the m nodes. This is the combinatorial graph Laplacian of Egilmez, Pavez and Ortega
    (2017), "Graph learning from data under Laplacian and structural constraints".

    The graph is sparse even with ``l1 = 0``. A larger ``l1`` makes all pairs more alike and so gives more edges,
    not fewer, up to the complete graph with equal weights.

    Parameters
    ----------
    l1 : float
        The penalty, relative to the mean squared distance, so that rescaling the data only rescales the weights. It
        must be positive if nodes coincide.
    nodes, tol, max_iter
        See :mod:`smoothgraph.methods`. There may be at most 5000 nodes.

    Attributes
    ----------
    dual_gap_ : float
        The relative duality gap: ``objective_`` is within ``(m - 1) dual_gap_`` of the optimum over all pairs of
        nodes, where ``c'w`` is m - 1.
    objective_, n_iter_, adjacency_, laplacian_, edges_per_node_, n_components_, node_names_
        See :mod:`smoothgraph.methods`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph.methods import CombinatorialLaplacianGraph
    >>> graph = CombinatorialLaplacianGraph().fit(load_iris().data)
    >>> round(graph.edges_per_node_), graph.dual_gap_ <= 1e-6
    (8, True)
    """

    _learns_rho = False


class LakeTenenbaumGraph(_LikelihoodGraph):
    """``min -log det(L(w) + I / sigma^2) + c'w + tr(XX') / (n sigma^2)`` over w >= 0 and sigma^2.

    The model takes the n signals, the columns of ``X``, as draws from a Gaussian of mean zero whose precision
    matrix is a graph Laplacian plus a multiple of the identity. The costs c are those of
    :class:`CombinatorialLaplacianGraph`, and ``l1`` is the strength of a prior that favors small weights. This is the
    posterior mode of Lake and Tenenbaum (2010), "Discovering structure by learning sparse graphs".

    The graph is sparse even with ``l1 = 0``. A larger ``l1`` makes all pairs more alike, which often gives more
    edges at first; in the end no edge is left, and ``sigma2_`` explains all. The mean of a signal counts: subtract
    from each signal what the graph should not explain.

    Parameters
    ----------
    l1, nodes, tol, max_iter
        As in :class:`CombinatorialLaplacianGraph`.

    Attributes
    ----------
    sigma2_ : float
        The learned ``sigma^2``.
    dual_gap_ : float
        The relative duality gap: ``objective_`` is within ``m dual_gap_`` of the optimum over all pairs of the m
        nodes, where ``c'w + tr(XX') / (n sigma^2)`` is m.
    objective_, n_iter_, adjacency_, laplacian_, edges_per_node_, n_components_, node_names_
        See :mod:`smoothgraph.methods`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph.methods import LakeTenenbaumGraph
    >>> graph = LakeTenenbaumGraph().fit(load_iris().data)
    >>> round(graph.edges_per_node_), graph.dual_gap_ <= 1e-6
    (8, True)
    """

    _learns_rho = True
