"""Other methods with the same API: ``fit(X)``, then ``adjacency_``.

- :class:`AdaptiveNeighborsGraph`: weights that fall linearly to 0 at the k+1-st neighbor (CAN)
- :class:`CombinatorialLaplacianGraph`: the most likely Laplacian, as a precision matrix
- :class:`ContinuousNeighborsGraph`: joins nodes that are near, relative to their k-th neighbors
- :class:`GabrielGraph`, :class:`RelativeNeighborhoodGraph`: join nodes with no other node between them
- :class:`KNeighborsGraph`: joins each node to its k nearest
- :class:`LakeTenenbaumGraph`: the most likely Laplacian plus a multiple of the identity
- :class:`LocalGaussianGraph`, :class:`SelfTunedGraph`: k-NN with a Gaussian whose width is local
- :class:`MutualNeighborsGraph`: joins nodes that are each among the k nearest of the other
- :class:`NNKGraph`: every node is regressed on its neighbors (NNK)
- :class:`PerplexityGraph`: the affinities of t-SNE
- :class:`SigRepGraph`: GL-SigRep, a Laplacian and signals that are smooth on it
- :class:`UMAPGraph`: the fuzzy graph of UMAP

Every method has the parameter ``nodes``: "rows" if the rows of ``X`` are the nodes and its columns the signals,
"columns" if it is the other way round, as in a table of sensor readings. ``fit`` of every method sets

- ``adjacency_`` and ``laplacian_``, CSR arrays
- ``edges_per_node_``, the mean number of neighbors
- ``n_components_``, the number of connected components
- ``node_names_``, the labels of the nodes in a DataFrame, or else 0, 1, 2, ...
- ``n_features_in_`` and ``feature_names_in_``, as in scikit-learn

A method that iterates stops at a relative duality gap of ``tol``, and warns if ``max_iter`` iterations do not reach
it. It also sets ``objective_``, the value of its objective, ``dual_gap_`` and ``n_iter_``.
"""

from smoothgraph.methods.adaptive_neighbors import AdaptiveNeighborsGraph
from smoothgraph.methods.baselines import KNeighborsGraph
from smoothgraph.methods.continuous_neighbors import ContinuousNeighborsGraph
from smoothgraph.methods.fuzzy_union import UMAPGraph
from smoothgraph.methods.kernel_regression import NNKGraph
from smoothgraph.methods.likelihood import CombinatorialLaplacianGraph, LakeTenenbaumGraph
from smoothgraph.methods.mutual_neighbors import MutualNeighborsGraph
from smoothgraph.methods.perplexity import PerplexityGraph
from smoothgraph.methods.proximity import GabrielGraph, RelativeNeighborhoodGraph
from smoothgraph.methods.scaled_gaussian import LocalGaussianGraph, SelfTunedGraph
from smoothgraph.methods.sigrep import SigRepGraph

__all__ = [
    "AdaptiveNeighborsGraph",
    "CombinatorialLaplacianGraph",
    "ContinuousNeighborsGraph",
    "GabrielGraph",
    "KNeighborsGraph",
    "LakeTenenbaumGraph",
    "LocalGaussianGraph",
    "MutualNeighborsGraph",
    "NNKGraph",
    "PerplexityGraph",
    "RelativeNeighborhoodGraph",
    "SelfTunedGraph",
    "SigRepGraph",
    "UMAPGraph",
]
