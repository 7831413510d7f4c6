"""The graphs to compare: how each is made, and which parameter decides how dense it is."""

from dataclasses import dataclass
from typing import Any

from paper.graphs.tuning import Tune, by_delta, by_edges, by_neighbors, by_sigma
from smoothgraph import DoublyStochasticGraph, LogDegreeGraph, SmoothGraph
from smoothgraph.methods import (
    AdaptiveNeighborsGraph,
    ContinuousNeighborsGraph,
    GabrielGraph,
    KNeighborsGraph,
    LocalGaussianGraph,
    MutualNeighborsGraph,
    NNKGraph,
    PerplexityGraph,
    RelativeNeighborhoodGraph,
    SelfTunedGraph,
    UMAPGraph,
)

MOST_WITH_ALL_DISTANCES = 5000
"""Nodes beyond which graphs that need all distances are left out."""


@dataclass(frozen=True)
class Construction:
    """A graph by its title, its learner, and how its density is set; ``tune`` is None if it has one density only."""

    title: str
    learner: Any
    tune: Tune | None
    needs_all_distances: bool = False


CONSTRUCTIONS: dict[str, Construction] = {
    "smooth": Construction("SmoothGraph", SmoothGraph(), by_edges),
    "smooth-auto": Construction("SmoothGraph, auto", SmoothGraph(), None),
    "log-degree": Construction("log-degree", LogDegreeGraph(), by_edges),
    "optimal-transport": Construction("quadratic optimal transport", DoublyStochasticGraph(), by_edges),
    "k-NN": Construction("k-NN", KNeighborsGraph(), by_neighbors),
    "local-gaussian": Construction("Gaussian k-NN", LocalGaussianGraph(), by_neighbors),
    "self-tuned": Construction("self-tuned k-NN", SelfTunedGraph(), by_neighbors),
    "mutual": Construction("mutual k-NN", MutualNeighborsGraph(), by_neighbors),
    "mutual-tree": Construction("mutual k-NN + tree", MutualNeighborsGraph(spanning_tree=True), by_neighbors),
    "continuous": Construction("continuous k-NN", ContinuousNeighborsGraph(10), by_delta),
    "NNK": Construction("NNK", NNKGraph(), by_neighbors),
    "NNK-30": Construction("NNK, 30 candidates", NNKGraph(30), by_sigma),
    "UMAP": Construction("UMAP", UMAPGraph(), by_neighbors),
    "t-SNE": Construction("t-SNE affinities", PerplexityGraph(), by_neighbors),
    "CAN": Construction("adaptive neighbors", AdaptiveNeighborsGraph(), by_neighbors),
    "relative": Construction("relative neighborhood", RelativeNeighborhoodGraph(), None, needs_all_distances=True),
    "gabriel": Construction("Gabriel", GabrielGraph(), None, needs_all_distances=True),
}
"""The graphs by their names in the results."""

OURS = "smooth"
"""The graph that all others are compared with."""
