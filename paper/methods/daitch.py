"""Daitch, Kelner and Spielman: the graph on which the data is nearest to harmonic."""

from typing import NamedTuple

import numpy as np

from paper.methods.degree_program import DegreeProgram
from paper.methods.pair_pricing import Optimum, near_pairs, solve_all_pairs, solve_on
from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_count, check_number
from smoothgraph.support.input_error import InputError

_FEW_NODES = 300  # up to here the default is to search all pairs
_MANY_NODES_NEIGHBORS = 10  # beyond, the default is this number of neighbors
_FIRST_NEIGHBORS = 6  # to start from if more pairs may follow


class DaitchGraph(GraphMethod):
    """``min ||L X||_F^2`` over all graphs with ``sum_i max(0, 1 - d_i)^2 <= alpha m``.

    The graphs of Daitch, Kelner and Spielman (2009), "Fitting a graph to vector data": every
    node is as near as possible to the weighted mean of its neighbors. ``alpha = 0`` gives their
    hard graph, where every degree ``d_i`` is at least 1, and ``alpha > 0`` their soft graphs. Edges
    between nodes at the same place cost nothing: an edge of weight 1 joins each to the next. If
    distinct nodes are nearer to each other than a millionth of the data's extent, the gap may stay
    above ``tol``; merge such nodes.

    An interior point method starts on near pairs and adds those that the multipliers ask for, until
    no pair is missing. Its steps factorize a matrix with a row for every edge. This limits all
    pairs to some hundreds of nodes, and nearest neighbors to some thousands.

    Parameters
    ----------
    alpha : float
        How much the degrees may lack, at least 0 and less than 1; from 1 on the empty graph is
        optimal.
    n_neighbors : int, optional
        Only pairs of a node and one of its nearest neighbors may become edges; if these are all
        other nodes, all pairs may. The default is all pairs for up to 300 nodes, and 10 neighbors
        for more.
    nodes : {"rows", "columns"}
        Whether the rows of ``X`` are the nodes, or its columns.
    tol, max_iter : float, int
        The relative duality gap to reach, and the Newton iterations allowed for it.

    Attributes
    ----------
    adjacency_, laplacian_ : CSR arrays
        The graph.
    objective_ : float
        ``||L X||_F^2``.
    dual_gap_ : float
        The relative duality gap, which proves how close the graph is to the optimum over the
        pairs that may become edges.
    is_exact_ : bool
        Whether the graph is proved optimal, within ``tol``, over all pairs of nodes.
    edges_per_node_ : float
        The mean number of neighbors.
    node_names_ : array
        The labels of the nodes: a DataFrame's index or columns, or else numbers.
    n_iter_, n_features_in_, feature_names_in_
        As in all of scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from paper.methods import DaitchGraph
    >>> graph = DaitchGraph(alpha=0.1).fit(load_iris().data)
    >>> graph.is_exact_, graph.dual_gap_ <= 1e-6
    (True, True)
    """

    def __init__(
        self,
        alpha: float = 0.0,
        *,
        n_neighbors: int | None = None,
        nodes: str = "rows",
        tol: float = 1e-6,
        max_iter: int = 500,
    ) -> None:
        self.alpha = alpha
        self.n_neighbors = n_neighbors
        self.nodes = nodes
        self.tol = tol
        self.max_iter = max_iter

    def _find(self, table: np.ndarray) -> MethodResult:
        alpha = _check_alpha(self.alpha)
        tol = check_number("tol", self.tol, above=0)
        max_iter = check_count("max_iter", self.max_iter, minimum=1)
        k = _neighbor_count(self.n_neighbors, len(table))
        m, all_pairs = len(table), k is None
        places = _Places.of(table)
        if np.count_nonzero(places.single) <= alpha * m:
            found = Optimum(PairSet.from_pairs([], [], m), np.zeros(0), 0.0, gap=0.0, n_iter=0)
        else:
            edges = near_pairs(places.X, places.single, k or _FIRST_NEIGHBORS)
            program = DegreeProgram(places.X, edges, places.single, float(np.sqrt(alpha * m)))
            solve = solve_all_pairs if all_pairs else solve_on
            found = solve(program, tol=tol, max_iter=max_iter)
        self._warn_unless_certified(found.gap, tol=tol, n_iter=found.n_iter)
        i, j = places.chain
        return MethodResult(
            *PairSet.with_values(
                np.concatenate([found.edges.rows, i]),
                np.concatenate([found.edges.cols, j]),
                np.concatenate([found.w, np.ones(len(i))]),
                m,
            ),
            {
                "objective_": found.value * places.unit,
                "dual_gap_": found.gap,
                "is_exact_": all_pairs and found.gap <= tol,
                "n_iter_": found.n_iter,
            },
        )


class _Places(NamedTuple):
    """Where the nodes are, centered and in units of ``sqrt(unit)``.

    ``single`` marks the nodes that are alone at their place. The pairs in ``chain`` join the nodes
    at each of the other places, each to the next.
    """

    X: np.ndarray
    unit: float
    single: np.ndarray
    chain: tuple[np.ndarray, np.ndarray]

    @classmethod
    def of(cls, table: np.ndarray) -> "_Places":
        """Return the places of the rows, with the same differences and scalar products."""
        places, where, counts = np.unique(table, axis=0, return_inverse=True, return_counts=True)
        order = np.argsort(where, kind="stable")
        again = np.flatnonzero(np.diff(where[order]) == 0)
        places = _few_columns(places - places.mean(axis=0))
        unit = float(np.mean(np.sum(places**2, axis=1))) or 1.0
        return cls((places / np.sqrt(unit))[where], unit, counts[where] == 1, (order[again], order[again + 1]))


def _few_columns(X: np.ndarray) -> np.ndarray:
    """Return a matrix with the same scalar products and no more columns than rows."""
    if X.shape[1] <= X.shape[0]:
        return X
    return np.asarray(np.linalg.qr(X.T, mode="r")).T


def _check_alpha(value: object) -> float:
    alpha = check_number("alpha", value, minimum=0)
    if alpha >= 1:
        raise InputError(f"alpha must be less than 1, got {value!r}: from 1 on the empty graph is optimal.")
    return alpha


def _neighbor_count(n_neighbors: int | None, m: int) -> int | None:
    """Return how many neighbors of each of the m nodes to look at; None for all pairs."""
    if n_neighbors is None:
        return None if m <= _FEW_NODES else _MANY_NODES_NEIGHBORS
    k = check_count("n_neighbors", n_neighbors, minimum=1)
    return None if k >= m - 1 else k
