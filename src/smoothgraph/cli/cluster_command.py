"""``smoothgraph cluster``: clusters of the nodes of a graph."""

from typing import Annotated

import typer

from smoothgraph.cli.graph_input import GraphInput, NodeListTarget
from smoothgraph.cli.output_options import OutputOptions


def cluster(
    *,
    source: GraphInput,
    clusters: Annotated[int, typer.Option(min=1, help="The number of clusters.")],
    seed: Annotated[int, typer.Option(min=0, help="The seed of k-means.")] = 0,
    target: NodeListTarget,
    output: OutputOptions,
) -> None:
    """Put the nodes of a graph into clusters, by spectral clustering.

    The column cluster of --out has the number of each node's cluster. Cluster 1 is the largest.
    """
    target.check([source.graph], output)
    import numpy as np

    from smoothgraph.tasks import SpectralGraphClustering

    graph = source.read()
    W = graph.adjacency
    labels: np.ndarray = SpectralGraphClustering(clusters, random_state=seed).fit_predict(W)
    sizes = np.bincount(labels, minlength=clusters)
    rank = np.empty(clusters, dtype=int)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(1, clusters + 1)
    numbers = rank[labels]
    target.write(graph, graph.attributes | {"cluster": numbers})
    edges = W.tocoo()
    between = edges.data[numbers[edges.row] != numbers[edges.col]].sum()
    facts = {
        "nodes": W.shape[0],
        "clusters": clusters,
        "sizes": {str(k + 1): int(size) for k, size in enumerate(np.sort(sizes)[::-1])},
        "share_of_weight_between_clusters": float(between / W.data.sum()) if W.nnz else 0.0,
        "written": target.out,
    }
    output.print_facts(f"The clusters of {source.title}", facts, to_stderr=target.out == "-")
