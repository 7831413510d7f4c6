"""The methods around the paper, each an estimator: ``fit(X)``, then ``adjacency_``.

- :class:`CombinatorialLaplacianGraph`: the likeliest Laplacian, as a precision matrix
- :class:`DaitchGraph`: every node near the mean of its neighbours, over all graphs
- :class:`EpsilonGraph`: nodes within a radius are joined
- :class:`GraphicalLassoGraph`: a sparse inverse of the correlations between nodes
- :class:`KNeighborsGraph`: a node and its k nearest are joined
- :class:`LakeTenenbaumGraph`: the likeliest Laplacian plus a multiple of the identity
- :class:`LinearNeighborhoodGraph`: every node a weighted mean of its k nearest
- :class:`SigRepGraph`: GL-SigRep, a Laplacian and the signals that are smooth on it
- :class:`UMAPGraph`: the fuzzy graph of UMAP, by umap-learn
"""

from smoothgraph.related.baselines import EpsilonGraph, KNeighborsGraph
from smoothgraph.related.combinatorial import CombinatorialLaplacianGraph
from smoothgraph.related.daitch import DaitchGraph
from smoothgraph.related.graphical_lasso import GraphicalLassoGraph
from smoothgraph.related.lake_tenenbaum import LakeTenenbaumGraph
from smoothgraph.related.linear_neighborhood import LinearNeighborhoodGraph
from smoothgraph.related.sigrep import SigRepGraph
from smoothgraph.related.umap import UMAPGraph

__all__ = [
    "CombinatorialLaplacianGraph",
    "DaitchGraph",
    "EpsilonGraph",
    "GraphicalLassoGraph",
    "KNeighborsGraph",
    "LakeTenenbaumGraph",
    "LinearNeighborhoodGraph",
    "SigRepGraph",
    "UMAPGraph",
]
