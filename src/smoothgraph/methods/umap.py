"""The fuzzy graph of UMAP."""

import warnings
from typing import Any

import numpy as np

from smoothgraph.methods.method import Found, GraphMethod
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_count
from smoothgraph.support.optional import load_optional


class UMAPGraph(GraphMethod):
    """``w = a + b - a b`` with ``a = min(1, exp((rho_i - |x_i - x_j|) / sigma_i))``: UMAP's graph.

    The fuzzy union of what either end says of an edge: a is 0 unless j is among the nearest
    neighbours of i, and b is a with i and j exchanged. ``rho_i`` is the distance to the nearest
    node at another place, and ``sigma_i`` such that the a of a node sum to
    ``log2(n_neighbors)``. From McInnes, Healy and Melville (2018), UMAP: uniform manifold
    approximation and projection for dimension reduction. It is computed by umap-learn, as
    before an embedding: from exact neighbours below 4096 nodes, from approximate ones above.

    Parameters
    ----------
    n_neighbors : int
        The nearest neighbours of a node, from 2 on; as in UMAP it counts as one of them.
        One fewer than there are nodes, if there are no more.
    random_state : int, RandomState or None
        The seed of the approximate neighbours; with one, they are found on a single core.
    nodes : {"rows", "columns"}
        Whether the rows of ``X`` are the nodes, or its columns.

    Attributes
    ----------
    adjacency_, laplacian_ : CSR arrays
        The graph.
    edges_per_node_ : float
        The mean number of neighbours.
    node_names_ : array
        The labels of the nodes: of a DataFrame's index or columns, or else their numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph.methods import UMAPGraph
    >>> graph = UMAPGraph(n_neighbors=5)
    >>> graph.fit(load_iris().data).adjacency_.shape  # doctest: +SKIP
    (150, 150)
    """

    def __init__(
        self, n_neighbors: int = 15, *, random_state: Any = None, nodes: str = "rows"
    ) -> None:
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.nodes = nodes

    def _find(self, table: np.ndarray) -> Found:
        n_neighbors = check_count("n_neighbors", self.n_neighbors, minimum=2)
        if len(table) < 3:
            raise ValueError(
                f"UMAP's graph needs at least three nodes, got n_samples={len(table)}; add nodes."
            )
        model = _load_umap().UMAP(
            n_neighbors=min(n_neighbors, len(table) - 1),
            transform_mode="graph",
            random_state=self.random_state,
            n_jobs=-1 if self.random_state is None else 1,
        )
        table = table - table.mean(axis=0)  # UMAP casts to single precision
        table /= np.max(np.abs(table)) or 1.0
        graph = model.fit(table).graph_.astype(np.float64)
        edges = PairSet.from_mask(graph)
        return Found(edges, edges.weights_of(graph), {})


def _load_umap() -> Any:
    with warnings.catch_warnings():
        # It says that TensorFlow, which this graph does not need, is missing.
        warnings.simplefilter("ignore", ImportWarning)
        return load_optional("umap", needed_by="UMAPGraph", extra="umap")
