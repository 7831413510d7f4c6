"""Graphs as lists of edges: CSV, TSV and Parquet files."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.cells import reading_of
from smoothgraph.io.edges import adjacency_of_edges, edges_of, isolated_nodes
from smoothgraph.io.errors import FileError
from smoothgraph.io.frames import texts_of
from smoothgraph.io.graph import GraphFile, graph_read, json_of
from smoothgraph.io.parquet import GRAPH_METADATA, arrow_table
from smoothgraph.io.text import Rows, rows_of
from smoothgraph.support.optional import load_optional

_WORDS = {
    "source": "source",
    "from": "source",
    "target": "target",
    "to": "target",
    "weight": "weight",
}
_ORDER = ("source", "target", "weight")


def delimited_writer(delimiter: str) -> Callable[[BinaryIO, GraphFile], None]:
    """Writes rows source, target, weight; an isolated node is a source without a target."""

    def write(file: BinaryIO, graph: GraphFile) -> None:
        import pandas as pd

        ids = np.array(graph.ids, dtype=object)
        low, high, weights = edges_of(graph.adjacency)
        alone = isolated_nodes(graph.adjacency)
        table = pd.DataFrame(
            {
                "source": ids[np.concatenate([low, alone])],
                "target": np.concatenate([ids[high], np.full(len(alone), "", dtype=object)]),
                "weight": np.concatenate([weights, np.full(len(alone), np.nan)]),
            }
        )
        text = io.StringIO()
        quoting = csv.QUOTE_NONNUMERIC if _has_returns(graph.ids) else csv.QUOTE_MINIMAL
        table.to_csv(text, sep=delimiter, index=False, lineterminator="\n", quoting=quoting)
        file.write(text.getvalue().encode("utf-8"))

    return write


def _has_returns(ids: list[str]) -> bool:
    """Some name holds what the csv module leaves unquoted, but takes for the end of a line."""
    return any("\r" in name for name in ids)


def delimited_reader(delimiter: str | None) -> Callable[[BinaryIO], GraphFile]:
    """Reads edges with or without a header and weights, in any column order a header gives."""

    def read(file: BinaryIO) -> GraphFile:
        rows = rows_of(file.read(), delimiter, _is_header)
        if len(rows.first) not in (2, 3):
            raise FileError(
                "expected 2 or 3 columns, source, target and weight, got "
                f"{len(rows.first)}; keep only these, or learn the graph of a table with "
                "smoothgraph learn"
            )
        if len(rows.lines) == 0:
            raise FileError(
                "expected rows of edges below the header, got none; write a node without edges as "
                "a source without a target"
            )
        columns = _columns(rows.first if rows.has_header else _ORDER[: len(rows.first)])
        frame = rows.frame(
            dtype={columns[end]: str for end in _ORDER[:2]},
            keep_default_na=False,
            na_values={columns.get("weight", 2): [""]},
        )
        source, target = (frame[columns[end]].to_numpy() for end in _ORDER[:2])
        weights = _weights(rows, frame[columns["weight"]]) if "weight" in columns else None
        return _graph(source, target, weights, rows.lines)

    return read


def _is_header(first: Sequence[str]) -> bool:
    return {"source", "target"} <= {_WORDS.get(cell.strip().lower()) for cell in first}


def _columns(first: Sequence[str]) -> dict[str, int]:
    """Where source, target and weight are."""
    columns = {_WORDS.get(cell.strip().lower(), "weight"): k for k, cell in enumerate(first)}
    if len(columns) != len(first):
        raise FileError(
            f"expected one column of source, target and weight each, got {', '.join(first)}; "
            "rename them"
        )
    return columns


def _weights(rows: Rows, column: Any) -> np.ndarray:
    """The weights, NaN where there is none."""
    if column.dtype.kind in "iuf":
        return column.to_numpy(dtype=np.float64)
    cells = texts_of(column)
    reading = reading_of(cells, decimal_commas=rows.delimiter == ";")
    wrong = np.flatnonzero(reading.is_text)
    if wrong.size:
        raise FileError(
            f"row {rows.lines[wrong[0]]}, column {column.name + 1}: expected a number as weight, "
            f"got {cells[wrong[0]]!r}; correct it, or begin with a row of headers "
            "source, target, weight"
        )
    return reading.values


def _graph(
    source: np.ndarray, target: np.ndarray, weights: np.ndarray | None, rows: np.ndarray
) -> GraphFile:
    """The graph of edges between names, in the order in which these first appear."""
    import pandas as pd

    nameless = np.flatnonzero(source == "")
    if nameless.size:
        raise FileError(
            f"row {rows[nameless[0]]}: expected a node as source, got an empty cell; fill it in"
        )
    alone = target == ""
    if weights is None:
        weights = np.where(alone, np.nan, 1.0)
    wrong = np.flatnonzero(np.isnan(weights) != alone)
    if wrong.size:
        raise FileError(
            f"row {rows[wrong[0]]}: expected a target and a weight, or, for a node without "
            "edges, neither, got one of them; fill the other in"
        )
    cells = np.stack([source, target], axis=1).ravel()
    is_node = np.stack([np.ones_like(alone), ~alone], axis=1).ravel()
    codes, distinct = pd.factorize(cells[is_node])
    names = [str(name) for name in distinct]
    numbers = _numbers(names)
    if numbers is not None:
        codes, names = numbers[codes], [str(k) for k in range(len(names))]
    nodes = np.full(len(cells), -1)
    nodes[is_node] = codes
    ends = nodes.reshape(-1, 2)[~alone]
    W = adjacency_of_edges(len(names), (ends[:, 0], ends[:, 1]), weights[~alone], rows[~alone])
    return graph_read(W, names)


def _numbers(names: list[str]) -> np.ndarray | None:
    """The names as numbers, if they are 0, 1, ..., m - 1 in any order."""
    if {str(k) for k in range(len(names))} != set(names):
        return None
    return np.array(names, dtype=np.int64)


def write_parquet(file: BinaryIO, graph: GraphFile) -> None:
    """Columns source, target and weight; names, isolated nodes and info in the metadata."""
    pyarrow = load_optional("pyarrow", needed_by="writing Parquet", extra="parquet")
    low, high, weights = edges_of(graph.adjacency)
    ends = [low.astype(np.int64), high.astype(np.int64)]
    if graph.names is not None:
        names = pyarrow.array(graph.names, type=pyarrow.string())
        ends = [names.take(pyarrow.array(end)) for end in ends]
    about = {"n_nodes": graph.adjacency.shape[0], "names": graph.names, "info": graph.info}
    write_parquet_edges(file, [*ends, weights], about)


def write_parquet_edges(file: BinaryIO, columns: Sequence[Any], about: dict[str, Any]) -> None:
    """Columns source, target and weight; what they are about in the metadata."""
    pyarrow = load_optional("pyarrow", needed_by="writing Parquet", extra="parquet")
    parquet = load_optional("pyarrow.parquet", needed_by="writing Parquet", extra="parquet")
    table = pyarrow.table(dict(zip(_ORDER, columns, strict=True)))
    parquet.write_table(table.replace_schema_metadata({GRAPH_METADATA: json_of(about)}), file)


def read_parquet_graph(file: BinaryIO) -> GraphFile:
    """Columns source, target and maybe weight, of this package or of others."""
    table = arrow_table(file)
    columns = {_WORDS.get(name.lower()): name for name in table.column_names}
    if not {"source", "target"} <= columns.keys():
        raise FileError(
            "expected columns source, target and weight, got "
            f"{', '.join(table.column_names)}; rename them, or learn the graph of a table with "
            "smoothgraph learn"
        )
    rows = np.arange(1, table.num_rows + 1)
    weights = None
    if "weight" in columns:
        weights = table[columns["weight"]].to_pandas().to_numpy(dtype=np.float64, na_value=np.nan)
    source, target = (table[columns[end]].to_pandas() for end in _ORDER[:2])
    about = (table.schema.metadata or {}).get(GRAPH_METADATA)
    if about is None or weights is None:
        return _graph(texts_of(source), texts_of(target), weights, rows)
    return graph_about(json.loads(about), source, target, weights, rows)


def graph_about(
    about: dict[str, Any], source: Any, target: Any, weights: np.ndarray, rows: np.ndarray
) -> GraphFile:
    """The graph whose nodes the metadata tells."""
    import pandas as pd

    names, n_nodes = about["names"], int(about["n_nodes"])
    if names is not None:
        index = pd.Index(names, dtype=object)
        source, target = index.get_indexer(source), index.get_indexer(target)
    ends = np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64)
    for end in ends:
        wrong = np.flatnonzero((end < 0) | (end >= n_nodes))
        if wrong.size:
            raise FileError(
                f"row {rows[wrong[0]]}: expected one of the {n_nodes} nodes of its metadata, got "
                "another; the file was changed: write it again"
            )
    return graph_read(adjacency_of_edges(n_nodes, ends, weights, rows), names, info=about["info"])
