"""``smoothgraph propagate``: labels for the nodes that have none."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smoothgraph.cli.graph_input import GraphInput, NodeListTarget, read_attributes
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.support.input_error import InputError

if TYPE_CHECKING:
    import numpy as np

_UNKNOWN = ""


def propagate(
    *,
    source: GraphInput,
    labels: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The attribute, or the column of --node-table, with the known labels. Others are empty.",
        ),
    ],
    node_table: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A table with a row per node, or only for those with a label.")
    ] = None,
    target: NodeListTarget,
    output: OutputOptions,
) -> None:
    """Give labels to the nodes that have none, from those that have one.

    --out has the known labels, all labels (NAME_propagated), and how probable each is (NAME_probability).
    """
    target.check([source.graph, node_table], output)
    import numpy as np

    from smoothgraph.support.wording import agree
    from smoothgraph.tasks.harmonic_functions import KnownLabels, spread_labels

    graph = source.read()
    attributes, notes = read_attributes(graph, node_table)
    output.print_notes(notes)
    known = _read_labels(attributes, labels, source.title)
    kinds = np.unique(known[known != _UNKNOWN])
    codes = np.where(known == _UNKNOWN, -1, np.searchsorted(kinds, known))
    spread = KnownLabels.of(graph.adjacency, codes, len(kinds))
    distributions, unreachable = spread_labels(graph.adjacency, spread), spread.unreachable
    reached = ~unreachable
    propagated, probabilities = np.full(len(known), _UNKNOWN, dtype=known.dtype), np.full(len(known), np.nan)
    propagated[reached] = kinds[distributions[reached].argmax(axis=1)]
    probabilities[reached] = distributions[reached].max(axis=1)
    found = {f"{labels}_propagated": propagated, f"{labels}_probability": probabilities}
    target.write(graph, attributes | {labels: known} | found)
    if unreachable.any():
        count = int(np.count_nonzero(unreachable))
        lie = agree(count, "nodes lies in a component", "nodes lie in components")
        advice = "label more nodes, or use a denser graph"
        output.print_notes([f"{count} of {len(known)} {lie} without labels, and get none; {advice}."])
    new = reached & (known == _UNKNOWN)
    kinds, counts = np.unique(propagated[new], return_counts=True)
    facts = {
        "nodes": len(known),
        "known_labels": int(np.count_nonzero(known != _UNKNOWN)),
        "new_labels": dict(zip(kinds.tolist(), counts.tolist(), strict=True)),
        "unreachable_nodes": int(np.count_nonzero(~reached)),
        "mean_probability_of_new_labels": float(probabilities[new].mean()) if new.any() else None,
        "written": target.out,
    }
    output.print_facts(f"The labels of {source.title}", facts, to_stderr=target.out == "-")


def _read_labels(attributes: "dict[str, np.ndarray]", name: str, title: str) -> "np.ndarray":
    """Return the labels as texts, "" for nodes without one."""
    from smoothgraph.cli.table_nodes import read_classes
    from smoothgraph.io.errors import name_file, refuse_unknown

    with name_file(title):
        refuse_unknown(name, attributes, what="attributes and columns of the node table")
    known = read_classes(attributes[name])
    if known.dtype.kind != "U":
        raise InputError(
            f"{title}: expected texts or a few whole numbers as labels, got other numbers in {name!r}; name another "
            "attribute."
        )
    if not (known != _UNKNOWN).any():
        raise InputError(
            f"{title}: expected at least one label in {name!r}, got none; give a --node-table with labels."
        )
    return known
