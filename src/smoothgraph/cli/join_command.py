"""``smoothgraph join``: new nodes join the graph of a table, which stays as it is."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from smoothgraph.cli.data_options import DataOptions
from smoothgraph.cli.input_options import FORMAT_HELP
from smoothgraph.cli.model_options import EdgesPerNode, ModelOptions
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import GRAPH_SUFFIXES, Force, check_targets, target_option
from smoothgraph.support.input_error import InputError

if TYPE_CHECKING:
    import scipy.sparse as sp

    from smoothgraph.cli.table_nodes import Nodes


def join(
    *,
    data: DataOptions,
    new: Annotated[str, typer.Argument(metavar="NEW", help="A table with the new nodes, in the form of FILE.")],
    model: ModelOptions,
    edges_per_node: EdgesPerNode = None,
    out: Annotated[
        str | None,
        target_option(
            "--out",
            "-o",
            help=f"A file for the graph with the new nodes, {GRAPH_SUFFIXES}, or - for standard output. Its attribute "
            "new is 1 for them.",
        ),
    ] = None,
    to: Annotated[str | None, target_option(metavar="FORMAT", help=f"The format of --out. {FORMAT_HELP}")] = None,
    force: Force = False,
    output: OutputOptions,
) -> None:
    """Learn the graph of a table, and let the nodes of another table join it. The edges learned stay as they are."""
    _check_tables(data, new, model)
    check_targets([*data.sources, new], out, force=force)
    output.check_stdout(out)
    import numpy as np

    from smoothgraph.io import graph_format, write_graph
    from smoothgraph.support.progress import spinner

    if out is not None:
        graph_format(out, to)
    nodes, added = _read_both(data, new, model.metric)
    output.print_notes(nodes.notes)
    learner = model.make_learner(edges_per_node, missing=nodes.missing or added.missing)
    with spinner("Learning the graph"):
        W = learner.fit(nodes.values).adjacency_
        edges = learner.transform(added.values)
    if out is not None:
        names = _join_names(nodes, added, new)
        is_new = np.repeat([0, 1], [W.shape[0], edges.shape[0]])
        write_graph(out, _append(W, edges), names=names, attributes={"new": is_new}, format=to)
    facts = {
        "nodes": W.shape[0],
        "edges": W.nnz // 2,
        "new_nodes": edges.shape[0],
        "new_edges": edges.nnz,
        "edges_per_new_node": edges.nnz / edges.shape[0],
        "written": out,
    }
    output.print_facts(f"{new} in the graph of {data.title}", facts, to_stderr=out == "-")


def _check_tables(data: DataOptions, new: str, model: ModelOptions) -> None:
    """Raise an InputError if no new node can be measured, or both tables would be standard input."""
    if model.metric in ("precomputed", "gower"):
        raise InputError(
            f"join measures distances between numbers, not by --metric {model.metric}; choose another one."
        )
    if data.file == new == "-":
        raise InputError("Standard input holds one table; give the path of the other one.")


def _read_both(data: DataOptions, new: str, metric: str) -> "tuple[Nodes, Nodes]":
    """Return the nodes of both tables, with the same signals in the same order and on the same scale."""
    scaled_together = data.standardize and data.nodes_are == "rows"
    data = replace(data, standardize=data.standardize and not scaled_together)
    nodes = data.read(metric)
    signals = nodes.signal_names
    kept = signals if signals is not None and data.nodes_are == "rows" else None
    added = replace(data, file=new, keep=kept, label=None, coordinates=None, node_table=None).read(metric)
    added = replace(added, values=added.values[:, _find_signals(signals, added, nodes.values.shape[1], new)])
    return _standardize(nodes, added) if scaled_together else (nodes, added)


def _find_signals(wanted: list[str] | None, added: "Nodes", n_signals: int, title: str) -> Any:
    """Return where the signals of the new nodes are, by their names if both tables have some."""
    if wanted is None or added.signal_names is None:
        if added.values.shape[1] != n_signals:
            raise InputError(f"{title}: expected {n_signals} signals per node, got {added.values.shape[1]}; add them.")
        return slice(None)
    place = {name: k for k, name in enumerate(added.signal_names)}
    lacking = next((name for name in wanted if name not in place), None)
    if lacking is not None:
        raise InputError(f"{title}: expected the signal {lacking!r} as in the first table, got none; add it.")
    return [place[name] for name in wanted]


def _standardize(nodes: "Nodes", added: "Nodes") -> "tuple[Nodes, Nodes]":
    """Return both with the columns scaled as in the first table."""
    import scipy.sparse as sp
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler(with_mean=not sp.issparse(nodes.values)).fit(nodes.values)
    return replace(nodes, values=scaler.transform(nodes.values)), replace(added, values=scaler.transform(added.values))


def _join_names(nodes: "Nodes", added: "Nodes", title: str) -> list[str] | None:
    """Return the names of all nodes, or None if neither table has any."""
    if nodes.names is None and added.names is None:
        return None
    n = nodes.values.shape[0]
    first = nodes.names or [str(k) for k in range(n)]
    second = added.names or [str(n + k) for k in range(added.values.shape[0])]
    twice = next(iter(set(first) & set(second)), None)
    if twice is not None:
        raise InputError(f"{title}: expected names that are not in the first table, got {twice!r}; rename it.")
    return [*first, *second]


def _append(W: "sp.csr_array", edges: "sp.csr_array") -> "sp.csr_array":
    """Return the adjacency with new nodes, whose edges go to the old ones."""
    import scipy.sparse as sp

    return sp.block_array([[W, edges.T], [edges, None]], format="csr")
