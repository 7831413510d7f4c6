"""
Conversion to other packages
============================

Use a learned graph in NetworkX, igraph, PyTorch Geometric, PyGSP and AnnData.
"""

# %%
# The nodes are the wines in a table, named by its index. The colors show the PageRank that
# NetworkX computes.

import matplotlib.pyplot as plt
import networkx
from sklearn.datasets import load_wine

from smoothgraph import LogDegreeGraph
from smoothgraph.convert import to_anndata, to_igraph, to_networkx, to_pyg, to_pygsp
from smoothgraph.viz import draw_graph

table = load_wine(as_frame=True).data
table = (table - table.mean()) / table.std()
table.index = [f"wine {i}" for i in table.index]
graph = LogDegreeGraph(edges_per_node=6).fit(table)

ranks = networkx.pagerank(to_networkx(graph))
print("most central:", max(ranks, key=ranks.get))
figure, ax = plt.subplots(figsize=(8, 6), layout="constrained")
draw_graph(graph, labels=[ranks[name] for name in graph.node_names_], ax=ax)

# %%
# The other packages are optional. If one is missing, an ``ImportError`` names the command that
# installs it. This script prints it.

try:
    communities = to_igraph(graph).community_leiden("modularity", weights="weight")
    print("communities:", len(communities))
except ImportError as error:
    print(error)

# %%
# PyTorch Geometric stores every edge in both directions.

try:
    data = to_pyg(graph)
    print("edge_index:", tuple(data.edge_index.shape), "nodes:", data.num_nodes)
except ImportError as error:
    print(error)

# %%
# PyGSP numbers the nodes and does not store names.

try:
    print("PyGSP Laplacian:", to_pygsp(graph).L.shape)
except ImportError as error:
    print(error)

# %%
# In an AnnData, the graph is stored where scanpy looks for it.

try:
    import anndata

    adata = anndata.AnnData(table.to_numpy())
    to_anndata(adata, graph)
    print("AnnData:", sorted(adata.obsp))
except ImportError as error:
    print(error)
plt.show()
