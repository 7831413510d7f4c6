"""The methods around the paper, each an estimator: ``fit(X)``, then ``adjacency_``.

- :class:`CombinatorialLaplacianGraph`: the likeliest Laplacian, as a precision matrix
- :class:`EpsilonGraph`: nodes within a radius are joined
- :class:`GraphicalLassoGraph`: a sparse inverse of the correlations between nodes
- :class:`KNeighborsGraph`: a node and its k nearest are joined
- :class:`LakeTenenbaumGraph`: the likeliest Laplacian plus a multiple of the identity
- :class:`SigRepGraph`: GL-SigRep, a Laplacian and the signals that are smooth on it
- :class:`UMAPGraph`: the fuzzy graph of UMAP, by umap-learn
"""

from smoothgraph.methods.baselines import EpsilonGraph, KNeighborsGraph
from smoothgraph.methods.combinatorial import CombinatorialLaplacianGraph
from smoothgraph.methods.graphical_lasso import GraphicalLassoGraph
from smoothgraph.methods.lake_tenenbaum import LakeTenenbaumGraph
from smoothgraph.methods.sigrep import SigRepGraph
from smoothgraph.methods.umap import UMAPGraph

__all__ = [
    "CombinatorialLaplacianGraph",
    "EpsilonGraph",
    "GraphicalLassoGraph",
    "KNeighborsGraph",
    "LakeTenenbaumGraph",
    "SigRepGraph",
    "UMAPGraph",
]
