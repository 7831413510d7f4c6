"""``smoothgraph learn``."""

from contextlib import AbstractContextManager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from smoothgraph.cli.data_options import DataOptions
from smoothgraph.cli.known_options import KnownOptions
from smoothgraph.cli.model_options import CheckpointFile, EdgesPerNode, ModelOptions
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import TargetOptions
from smoothgraph.cli.worker_options import WorkerOptions
from smoothgraph.support.progress import spinner

if TYPE_CHECKING:
    from smoothgraph.cli.table_nodes import Nodes


def learn(
    *,
    data: DataOptions,
    model: ModelOptions,
    known: KnownOptions,
    edges_per_node: EdgesPerNode = None,
    checkpoint: CheckpointFile = None,
    targets: TargetOptions,
    cluster: WorkerOptions,
    output: OutputOptions,
) -> None:
    """Learn the graph of the rows of a table, or of its columns.

    With --scheduler or --workers, Dask workers read the table as it is and learn the graph.
    """
    known.check(model.model, on_workers=cluster.requested)
    if cluster.requested:
        targets.check_on_workers(data.file, output)
        path = data.path_for_workers()
        learner = model.make_learner(edges_per_node, checkpoint=checkpoint)
        with cluster.connect() as client, _checkpoint_until_written():
            if client.dashboard_link:
                output.print_notes([f"The dashboard of the workers is at {client.dashboard_link}."])
            seconds = _fit(learner, path)
            facts = _write_from_workers(targets, learner, _describe(model, data, learner))
    else:
        targets.check([*data.sources, known.prior], output)
        nodes = data.read(model.metric, known.groups)
        fit_params = known.read(nodes)
        output.print_notes(nodes.notes)
        targets.check_places(nodes.described)
        learner = model.make_learner(
            edges_per_node,
            missing=nodes.missing,
            checkpoint=checkpoint,
            group_share=known.group_share,
            prior_strength=known.prior_strength,
        )
        with _checkpoint_until_written():
            seconds = _fit(learner, nodes.table, **fit_params)
            about = _describe(model, data, learner) | known.describe(learner, fit_params)
            facts = _write(targets, learner, nodes, about, data.title)
        facts |= {name: about[name] for name in ("prior_edges", "prior_edges_kept") if name in about}
    facts |= {
        "seconds": seconds,
        "written": targets.out,
        "nodes_written": None if targets.out_nodes is None else str(targets.out_nodes),
        "picture": None if targets.picture is None else str(targets.picture),
    }
    output.print_facts(f"The graph of {data.title}", facts, to_stderr=targets.out == "-")
    if targets.out is None and targets.picture is None and targets.out_nodes is None:
        output.print_notes(["Nothing was written; --out graph.csv saves the graph."])


def _describe(model: ModelOptions, data: DataOptions, learner: Any) -> dict[str, Any]:
    """Return the version and the settings to record beside the graph."""
    from smoothgraph import __version__

    return {"smoothgraph": __version__, **model.describe(data, learner)}


def _checkpoint_until_written() -> AbstractContextManager[None]:
    """Keep the checkpoint if the graph, once learned, cannot be written."""
    from smoothgraph.estimators.checkpoint import keep_checkpoints

    return keep_checkpoints()


def _fit(learner: Any, X: Any, **fit_params: Any) -> float:
    """Fit the learner, and return the seconds that it took."""
    started = perf_counter()
    with spinner("Learning the graph"):
        learner.fit(X, **fit_params)
    return perf_counter() - started


def _write(targets: TargetOptions, graph: Any, nodes: "Nodes", about: dict[str, Any], title: str) -> dict[str, Any]:
    """Write the graph and its picture where they are wanted, and return the summary."""
    from smoothgraph.cli.graph_summary import summarize
    from smoothgraph.io import write_graph
    from smoothgraph.io.graph_file import gather_graph
    from smoothgraph.io.read_write import write_nodes

    facts = summarize(graph, nodes.groups)
    if targets.out is not None:
        write_graph(
            targets.out,
            graph.adjacency_,
            names=nodes.names,
            attributes=nodes.described,
            info=about | facts | ({"bridge_ends": graph.bridges_.tolist()} if len(graph.bridges_) else {}),
            format=targets.to,
        )
    if targets.out_nodes is not None:
        write_nodes(targets.out_nodes, gather_graph(graph.adjacency_, nodes.names, nodes.described, None))
    if targets.picture is not None:
        with spinner("Drawing"):
            targets.draw(
                targets.picture,
                graph,
                title,
                coordinates=nodes.coordinates,
                on_map=nodes.on_map,
                labels=next(iter(nodes.classes.values()), None),
                names=nodes.names,
            )
    return facts


def _write_from_workers(targets: TargetOptions, graph: Any, about: dict[str, Any]) -> dict[str, Any]:
    """Let workers write their parts, or gather one file, and return the summary."""
    from smoothgraph.cli.graph_summary import summarize
    from smoothgraph.io import write_graph

    if targets.out is None:
        graph.graph_.release_checkpoint()
        return summarize(graph)
    with spinner("Writing the graph"):
        if targets.parts is None:
            W = graph.adjacency_  # gathers it, so that the summary counts its components
            facts = summarize(graph)
            write_graph(targets.out, W, info=about | facts, format=targets.to)
        else:
            facts = summarize(graph)
            writers = {"parquet": graph.graph_.to_parquet, "zarr": graph.graph_.to_zarr}
            writers[targets.parts](targets.out, info=about | facts)
    return facts
