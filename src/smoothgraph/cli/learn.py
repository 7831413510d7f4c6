"""``smoothgraph learn``."""

from time import perf_counter
from typing import Any

from smoothgraph import __version__
from smoothgraph.cli.cluster import ClusterOptions
from smoothgraph.cli.data import DataOptions
from smoothgraph.cli.files import Targets
from smoothgraph.cli.model import CheckpointFile, EdgesPerNode, ModelOptions, certified
from smoothgraph.cli.nodes import Nodes
from smoothgraph.cli.output import Output
from smoothgraph.io import write_graph
from smoothgraph.support.progress import busy


def learn(
    *,
    data: DataOptions,
    model: ModelOptions,
    edges_per_node: EdgesPerNode = None,
    checkpoint: CheckpointFile = None,
    targets: Targets,
    cluster: ClusterOptions,
    output: Output,
) -> None:
    """Learn the graph of the rows of a table, or of its columns.

    With --scheduler or --workers Dask workers read the table, as it is, and learn the graph.
    """
    about = {"smoothgraph": __version__, **model.settings(data)}
    if cluster.scheduler is not None or cluster.workers is not None:
        targets.check_on_workers(data.file, output)
        path = data.for_workers()
        learner = model.learner(edges_per_node, checkpoint=checkpoint)
        with cluster.connected() as client:
            if client.dashboard_link:
                output.notes([f"What the workers do is shown at {client.dashboard_link}."])
            graph, seconds = _fitted(learner, path)
            facts = _write_from_workers(targets, graph, about)
    else:
        targets.check(data.file, output)
        nodes = data.read()
        output.notes(nodes.notes)
        learner = model.learner(edges_per_node, missing=nodes.missing, checkpoint=checkpoint)
        graph, seconds = _fitted(learner, nodes.values)
        facts = certified(graph)
        _write(targets, graph, nodes, about | facts, data.title)
    targets.tell(output, data.title, facts | {"seconds": seconds})


def _fitted(learner: Any, X: Any) -> tuple[Any, float]:
    """The learned graph, and the seconds that it took."""
    started = perf_counter()
    with busy("Learning the graph"):
        graph = learner.fit(X)
    return graph, perf_counter() - started


def _write(targets: Targets, graph: Any, nodes: Nodes, info: dict[str, Any], title: str) -> None:
    if targets.out is not None:
        label = {} if nodes.label is None else {nodes.label: nodes.attributes[nodes.label]}
        write_graph(
            targets.out,
            graph.adjacency_,
            names=nodes.names,
            attributes=label,
            info=info,
            format=targets.to,
        )
    if targets.picture is not None:
        from smoothgraph.cli.picture import draw  # deferred: matplotlib takes a while

        with busy("Drawing"):
            draw(targets.picture, graph, nodes, title)


def _write_from_workers(targets: Targets, graph: Any, about: dict[str, Any]) -> dict[str, Any]:
    """Write parts where they are, or one file here; what was learned, as far as it is known."""
    if targets.out is None:
        graph.graph_.release_checkpoint()
        return certified(graph)
    with busy("Writing the graph"):
        if targets.parts is None:
            W = graph.adjacency_  # gathered, so that its components are known, too
            facts = certified(graph)
            write_graph(targets.out, W, info=about | facts, format=targets.to)
            return facts
        facts = certified(graph)
        writers = {"parquet": graph.graph_.to_parquet, "zarr": graph.graph_.to_zarr}
        writers[targets.parts](targets.out, info=about | facts)
        return facts
