"""Convert graphs for other packages, and from them. Weights, names, and isolated nodes are kept.

Functions that begin with ``to_`` take a fitted graph learner or, unless they say otherwise, a symmetric adjacency
matrix, sparse or dense. The other packages are optional.
"""

from smoothgraph.convert.annotated_data import to_anndata
from smoothgraph.convert.gspbox import from_gspbox
from smoothgraph.convert.knn_lists import to_knn
from smoothgraph.convert.network_libraries import from_pygsp, to_igraph, to_networkx, to_pygsp
from smoothgraph.convert.tensors import to_pyg

__all__ = ["from_gspbox", "from_pygsp", "to_anndata", "to_igraph", "to_knn", "to_networkx", "to_pyg", "to_pygsp"]
