"""Parquet: tables, graphs as lists of edges, and graphs in parts."""

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.atomic import atomic_write
from smoothgraph.io.errors import FileError, are_names, graph_not_table, refuse_duplicates
from smoothgraph.io.file_format import GraphFormat, PartsFormat, TableFormat, register
from smoothgraph.io.frame_columns import Columns, cell_texts
from smoothgraph.io.frame_tables import table_of_frame
from smoothgraph.io.graph_file import (
    Edges,
    GraphFile,
    find_columns,
    graph_of_names,
    graph_of_numbers,
    list_edges,
    parse_object,
    to_json,
)
from smoothgraph.io.table_file import Table, TableOptions
from smoothgraph.support.optional import load_optional

GRAPH_METADATA = b"smoothgraph"  # the key under which write_graph stores names and info


@register
class Parquet(TableFormat, GraphFormat, PartsFormat):
    """Columns with types; a graph has the columns source, target and weight, and the rest in its metadata."""

    name = "parquet"
    suffixes = (".parquet",)
    part_suffix = ".parquet"
    common_file = "_graph.json"  # the underscore hides it from readers of a folder of tables

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        table = _read_arrow(file)
        if GRAPH_METADATA in (table.schema.metadata or {}):
            raise graph_not_table()
        frame = _to_pandas(table)
        if len(frame) == 0:
            raise FileError("expected at least one row, got none; check how the file was written")
        headers = [str(label) for label in frame.columns]
        columns = Columns(frame, range(1, len(frame) + 1), headers, options)
        levels = _read_index(frame)
        if len(levels) == 1 and are_names(next(iter(levels.values()))):
            columns.row_names = list(levels.popitem()[1])
            columns.notes.append("The rows are named by the index.")
        elif levels:
            columns.notes.append(f"Set aside: the index ({', '.join(levels)}).")
        result = table_of_frame(columns)
        result.row_attributes.update({label: cells.astype(str) for label, cells in levels.items()})
        return result

    def read_graph(self, file: BinaryIO) -> GraphFile:
        table = _read_arrow(file)
        columns = find_columns(table.column_names)
        if not {"source", "target"} <= columns.keys():
            raise FileError(
                f"expected columns source, target and weight, got {', '.join(table.column_names)}; rename them, or "
                "learn the graph of a table with smoothgraph learn"
            )
        found = {name: table.column(k) for name, k in columns.items()}
        about = (table.schema.metadata or {}).get(GRAPH_METADATA)
        if about is not None and "weight" in found:
            return _read_own_graph(parse_object(about), **found)
        source, target = (cell_texts(_to_pandas(found[name])) for name in ("source", "target"))
        weights = _read_weights(found["weight"]) if "weight" in found else None
        return graph_of_names(source, target, weights, np.arange(1, table.num_rows + 1))

    def write_graph(self, file: BinaryIO, graph: GraphFile) -> None:
        source, target, weight = list_edges(graph.adjacency)
        if graph.names is not None:
            pyarrow = _pyarrow("pyarrow")
            names = pyarrow.array(graph.names, type=pyarrow.string())
            source, target = (names.take(pyarrow.array(end)) for end in (source, target))
        about = {"n_nodes": graph.adjacency.shape[0], "names": graph.names, "info": graph.info}
        about["attributes"] = graph.attributes
        _write_edges(file, Edges(source, target, weight), about)

    def write_part(self, path: Path, edges: Edges, about: dict[str, Any]) -> None:
        with atomic_write(path) as temporary, temporary.open("wb") as file:
            _write_edges(file, edges, about | {"names": None})

    def read_part(self, path: Path) -> tuple[Edges, dict[str, Any]]:
        with path.open("rb") as file:
            table = _read_arrow(file)
        about = parse_object((table.schema.metadata or {}).get(GRAPH_METADATA, b"{}"))
        return Edges(*(table[name].to_numpy() for name in Edges._fields)), about


def _pyarrow(module: str) -> Any:
    return load_optional(module, needed_by="writing or reading Parquet", extra="parquet")


def _to_pandas(table: Any) -> Any:
    load_optional("pandas", needed_by="reading a Parquet table", extra="parquet")
    return table.to_pandas()


def _read_arrow(file: BinaryIO) -> Any:
    """Return the file as a PyArrow table whose columns have different names."""
    table = _pyarrow("pyarrow.parquet").ParquetFile(file).read()
    refuse_duplicates(table.column_names, "column", range(1, table.num_columns + 1))
    table.validate(full=True)
    return table


def _read_index(frame: Any) -> dict[str, np.ndarray]:
    """Return the levels of the index as text, none if it only counts the rows."""
    import pandas as pd  # which made the frame

    if isinstance(frame.index, pd.RangeIndex):
        return {}
    levels = {}
    for k in range(frame.index.nlevels):
        values = frame.index.get_level_values(k)
        label = str(values.name) if values.name is not None else f"index {k}".removesuffix(" 0")
        levels[label] = cell_texts(values.to_series())
    return levels


def _read_weights(column: Any) -> np.ndarray:
    """Return the weights, NaN where there is none."""
    try:
        return _to_pandas(column).to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise FileError(
            f"column weight: expected numbers, got the type {column.type} ({error}); write the weights as numbers"
        ) from error


def _read_own_graph(about: dict[str, Any], source: Any, target: Any, weight: Any) -> GraphFile:
    """Return the graph that this package wrote, whose metadata name its nodes."""
    if isinstance(about.get("names"), list):
        index_in = _pyarrow("pyarrow.compute").index_in
        names = _pyarrow("pyarrow").array(about["names"], source.type)
        source, target = (index_in(ends, value_set=names).fill_null(-1) for ends in (source, target))
    return graph_of_numbers(about, Edges(source.to_numpy(), target.to_numpy(), weight.to_numpy()))


def _write_edges(file: BinaryIO, edges: Edges, about: dict[str, Any]) -> None:
    table = _pyarrow("pyarrow").table(edges._asdict(), metadata={GRAPH_METADATA: to_json(about)})
    _pyarrow("pyarrow.parquet").write_table(table, file)
