"""``smoothgraph cluster``: clusters of the nodes of a graph."""

from typing import Annotated

import typer

from smoothgraph.cli.graph_input import NODE_LIST_HELP, GraphInput
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import Force, check_suffix, check_targets, target_option


def cluster(
    *,
    source: GraphInput,
    clusters: Annotated[int, typer.Option(min=1, help="The number of clusters.")],
    seed: Annotated[int, typer.Option(min=0, help="The seed of k-means.")] = 0,
    out: Annotated[
        str | None, target_option("--out", "-o", help=f"{NODE_LIST_HELP} Its column cluster has the number.")
    ] = None,
    force: Force = False,
    output: OutputOptions,
) -> None:
    """Put the nodes of a graph into clusters, by spectral clustering. Cluster 1 is the largest."""
    check_targets(source.graph, out, force=force)
    check_suffix(out, ".csv")
    output.check_stdout(out)
    import numpy as np

    from smoothgraph.io.graph_file import gather_graph
    from smoothgraph.io.read_write import write_nodes
    from smoothgraph.tasks import SpectralGraphClustering

    graph = source.read()
    W = graph.adjacency
    labels: np.ndarray = SpectralGraphClustering(clusters, random_state=seed).fit_predict(W)
    sizes = np.bincount(labels, minlength=clusters)
    rank = np.empty(clusters, dtype=int)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(1, clusters + 1)
    numbers = rank[labels]
    if out is not None:
        write_nodes(out, gather_graph(graph, None, graph.attributes | {"cluster": numbers}, None))
    edges = W.tocoo()
    between = edges.data[numbers[edges.row] != numbers[edges.col]].sum()
    facts = {
        "nodes": W.shape[0],
        "clusters": clusters,
        "sizes": {str(k + 1): int(size) for k, size in enumerate(np.sort(sizes)[::-1])},
        "share_of_weight_between_clusters": float(between / W.data.sum()) if W.nnz else 0.0,
        "written": out,
    }
    output.print_facts(f"The clusters of {source.title}", facts, to_stderr=out == "-")
