"""Other methods with the same API: ``fit(X)``, then ``adjacency_``.

- :class:`CombinatorialLaplacianGraph`: the most likely Laplacian, as a precision matrix
- :class:`KNeighborsGraph`: joins each node to its k nearest
- :class:`LakeTenenbaumGraph`: the most likely Laplacian plus a multiple of the identity
- :class:`SigRepGraph`: GL-SigRep, a Laplacian and signals that are smooth on it

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

from smoothgraph.methods.baselines import KNeighborsGraph
from smoothgraph.methods.likelihood import CombinatorialLaplacianGraph, LakeTenenbaumGraph
from smoothgraph.methods.sigrep import SigRepGraph

__all__ = ["CombinatorialLaplacianGraph", "KNeighborsGraph", "LakeTenenbaumGraph", "SigRepGraph"]
