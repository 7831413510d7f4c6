"""The fuzzy graph of UMAP."""

import warnings
from typing import Any

import numpy as np

from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_count
from smoothgraph.support.input_error import InputError
from smoothgraph.support.optional import load_optional


class UMAPGraph(GraphMethod):
    """``w = a + b - a b`` with ``a = min(1, exp((rho_i - |x_i - x_j|) / sigma_i))``: UMAP's graph.

    The weight is the fuzzy union of a and b, one for each end of the edge: a is 0 unless j is among the nearest
    neighbors of i, and b is a with i and j exchanged. ``rho_i`` is the distance to the nearest node that does not
    coincide with i, and ``sigma_i`` makes the a of a node sum to ``log2(n_neighbors)``. See McInnes, Healy and
    Melville (2018), "UMAP: uniform manifold approximation and projection for dimension reduction". umap-learn
    computes the graph as it does before an embedding: from exact neighbors below 4096 nodes, from approximate ones
    above.

    Parameters
    ----------
    n_neighbors : int
        The number of nearest neighbors, at least 2. As in UMAP, a node is one of its own. It is lowered to one less
        than the number of nodes if it is larger.
    random_state : int, RandomState or None
        The seed of the approximate neighbors; with a seed, the search uses a single core.
    nodes
        See :mod:`smoothgraph.methods`, also for the attributes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from paper.methods import UMAPGraph
    >>> graph = UMAPGraph(n_neighbors=5)
    >>> graph.fit(load_iris().data).adjacency_.shape  # doctest: +SKIP
    (150, 150)
    """

    def __init__(self, n_neighbors: int = 15, *, random_state: Any = None, nodes: str = "rows") -> None:
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.nodes = nodes

    def _find(self, table: np.ndarray) -> MethodResult:
        n_neighbors = check_count("n_neighbors", self.n_neighbors, minimum=2)
        if len(table) < 3:
            raise InputError(f"UMAP's graph needs at least three nodes, got n_samples={len(table)}; add nodes.")
        with warnings.catch_warnings():
            # It warns that TensorFlow is missing, which this graph does not need.
            warnings.simplefilter("ignore", ImportWarning)
            umap = load_optional("umap", needed_by="UMAPGraph", extra="paper")
        model = umap.UMAP(
            n_neighbors=min(n_neighbors, len(table) - 1),
            transform_mode="graph",
            random_state=self.random_state,
            n_jobs=-1 if self.random_state is None else 1,
        )
        table = table - table.mean(axis=0)  # as UMAP casts to single precision
        table /= np.max(np.abs(table)) or 1.0
        graph = model.fit(table).graph_.astype(np.float64)
        edges = PairSet.from_mask(graph)
        return MethodResult(edges, edges.weights_of(graph), {})
