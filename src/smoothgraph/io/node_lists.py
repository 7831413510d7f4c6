"""Tables about nodes: a second file that describes them, and the list of the nodes of a graph."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from smoothgraph.io.attribute_columns import columns_of
from smoothgraph.io.errors import FileError, are_names, quote_names
from smoothgraph.io.graph_file import GraphFile
from smoothgraph.io.table_file import Table, to_attribute
from smoothgraph.io.text_cells import parse_column
from smoothgraph.support.connectivity import components_by_size
from smoothgraph.support.wording import agree, list_some

_COMPUTED = ("name", "neighbors", "degree", "component")


def join_nodes(table: Table, nodes: str, cells: Mapping[str, np.ndarray]) -> Table:
    """Return the table with the columns of a node table as attributes of its nodes, which are its rows or columns."""
    if not cells:
        return table
    names = table.row_names if nodes == "rows" else table.column_names
    if names is None:
        raise FileError(
            f"expected names of the nodes to look up in the node table, got {nodes} without names; name the column of "
            "the names (--names), or give the file a header"
        )
    about, notes = match_nodes(cells, names)
    label = "row_attributes" if nodes == "rows" else "column_attributes"
    joined: dict[str, Any] = {label: getattr(table, label) | about}
    return replace(table, **joined, notes=[*table.notes, *notes])


def match_nodes(cells: Mapping[str, np.ndarray], names: Sequence[str]) -> tuple[dict[str, np.ndarray], list[str]]:
    """Return the columns of a node table in the order of the nodes, and notes on the nodes that it lacks.

    ``cells`` are texts by column. The nodes are found in the column that names most of them.
    """
    wanted = {name.strip() for name in names}
    known = {label: [cell.strip() for cell in column] for label, column in cells.items()}
    found = {label: len(wanted & set(column)) for label, column in known.items() if are_names(column)}
    key = max(found, key=lambda label: found[label], default=None)
    if key is None or not found[key]:
        first = next(iter(known.items()), ("", []))
        raise FileError(
            f"expected a column of the node table with the names of the nodes, such as {quote_names(list(names)[:3])}, "
            f"each once, got none; the first column, {first[0]!r}, begins with {quote_names(first[1][:3])}; correct it"
        )
    row_of = {name: k for k, name in enumerate(known[key])}
    rows = np.array([row_of.get(name.strip(), -1) for name in names])
    lacking = [name for name, row in zip(names, rows, strict=True) if row < 0]
    notes = [f"The node table describes the nodes by column {key!r}."]
    if lacking:
        notes.append(
            f"The node table lacks {len(lacking)} {agree(len(lacking), 'node', 'nodes')}: {list_some(lacking)}."
        )
    return {label: _take(column, rows) for label, column in cells.items() if label != key}, notes


def _take(column: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the cells of these rows as numbers if they are, with NaN or "" for the row -1."""
    cells = np.append(column, "")[rows]
    parsed = parse_column(cells, decimal_commas=True)
    return cells.astype(str) if parsed.is_text.any() else to_attribute(parsed.values)


def list_nodes(graph: GraphFile) -> str:
    """Return a CSV with a row per node: its name, number of neighbors, degree, component, and attributes."""
    W = graph.adjacency
    computed = [graph.ids, np.diff(W.indptr).tolist(), W.sum(axis=1).tolist(), components_by_size(W).tolist()]
    columns = dict(zip(_COMPUTED, computed, strict=True)) | columns_of(graph.attributes, _COMPUTED)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_plain(value) for value in row] for row in zip(*columns.values(), strict=True))
    return text.getvalue()


def _plain(value: object) -> object:
    return "" if value != value else value  # noqa: PLR0124  true of NaN
