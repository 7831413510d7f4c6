"""A learned graph handed to other packages.

Run it with ``python examples/conversions.py``; it needs all of
``pip install 'smoothgraph[networkx,igraph,pyg,pygsp,scanpy]'``.
"""

import anndata
import networkx
from sklearn.datasets import load_wine

from smoothgraph import LogDegreeGraph
from smoothgraph.convert import to_anndata, to_igraph, to_networkx, to_pyg, to_pygsp


def main() -> None:
    table = load_wine(as_frame=True).data
    table = (table - table.mean()) / table.std()
    table.index = [f"wine {i}" for i in table.index]
    graph = LogDegreeGraph(edges_per_node=6).fit(table)

    ranks = networkx.pagerank(to_networkx(graph))
    print("most central:", max(ranks, key=ranks.get))

    communities = to_igraph(graph).community_leiden("modularity", weights="weight")
    print("communities:", len(communities))

    data = to_pyg(graph)
    print("edge_index:", tuple(data.edge_index.shape), "nodes:", data.num_nodes)

    laplacian = to_pygsp(graph).L
    print("PyGSP Laplacian:", laplacian.shape)

    adata = anndata.AnnData(table.to_numpy())
    to_anndata(adata, graph)
    print("AnnData:", sorted(adata.obsp))


if __name__ == "__main__":
    main()
