"""CSV and TSV: tables, and graphs as lists of edges."""

import csv
import io
from collections.abc import Collection, Sequence
from typing import Any, BinaryIO, ClassVar

import numpy as np

from smoothgraph.io.errors import FileError, graph_not_table, quote_names, refuse_duplicates
from smoothgraph.io.file_format import GraphFormat, TableFormat, register
from smoothgraph.io.frame_tables import Columns, cell_texts, table_of_frame
from smoothgraph.io.graph_file import Edges, GraphFile, find_columns, graph_of_names, is_edge_header, list_edges
from smoothgraph.io.table_file import Table, TableOptions, number_columns
from smoothgraph.io.text_cells import parse_column, parse_number
from smoothgraph.io.text_rows import TextRows, split_rows


@register
class Csv(TableFormat, GraphFormat):
    """Text with commas, semicolons, tabs or bars between the cells; a node without edges is a source alone."""

    name = "csv"
    suffixes = (".csv",)
    delimiter: ClassVar[str | None] = None  # when reading: found in the file

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        guessed = options.header is None
        is_header = _looks_like_header if guessed else lambda _: bool(options.header)
        rows = split_rows(file.read(), self.delimiter, is_header)
        if rows.has_header and {cell.strip().lower() for cell in rows.first} == {*Edges._fields}:
            raise graph_not_table()
        if len(rows.lines) == 0:
            raise FileError(
                "expected rows of values below the header, got a header only; check how the file was written"
            )
        columns = Columns(
            frame=_read_frame(rows, as_text={options.names, *options.no_signals}),
            row_numbers=rows.lines,
            headers=[cell.strip() for cell in rows.first] if rows.has_header else None,
            options=options,
            decimal_commas=rows.delimiter == ";",
        )
        if guessed and not rows.has_header:
            columns.notes.append(
                "No header was found, because all cells of the first row are numbers. If they are names, say so "
                "(--header, or header=True)."
            )
        elif guessed and any(map(_is_number, rows.first)):
            columns.notes.append(
                f"The first row is taken as a header: {quote_names(rows.first)}. If it is data, say so (--no-header, "
                "or header=False)."
            )
        return table_of_frame(columns)

    def read_graph(self, file: BinaryIO) -> GraphFile:
        rows = split_rows(file.read(), self.delimiter, is_edge_header)
        width = len(rows.first)
        if width not in (2, 3):
            raise FileError(
                f"expected 2 or 3 columns, source, target and weight, got {width}; keep only these, or learn the graph "
                "of a table with smoothgraph learn"
            )
        if len(rows.lines) == 0:
            raise FileError(
                "expected rows of edges below the header, got none; write a node without edges as a source without a "
                "target"
            )
        columns = find_columns(rows.first if rows.has_header else Edges._fields[:width])
        source, target = columns["source"], columns["target"]
        weight = next((k for k in range(width) if k not in (source, target)), None)
        missing = None if weight is None else {weight: [""]}
        frame = rows.frame(dtype={source: str, target: str}, keep_default_na=False, na_values=missing)
        weights = None if weight is None else _read_weights(rows, frame[weight])
        return graph_of_names(frame[source].to_numpy(), frame[target].to_numpy(), weights, rows.lines)

    def write_graph(self, file: BinaryIO, graph: GraphFile) -> None:
        ids = graph.ids
        text = io.StringIO()
        # The csv module would leave a carriage return unquoted.
        quoting = csv.QUOTE_NONNUMERIC if any("\r" in name for name in ids) else csv.QUOTE_MINIMAL
        options: dict[str, Any] = {"quoting": quoting, "lineterminator": "\n"}
        writer = csv.writer(text, delimiter=self.delimiter or ",", **options)
        writer.writerow(Edges._fields)
        columns = (column.tolist() for column in list_edges(graph.adjacency))
        writer.writerows((ids[i], ids[j], weight) for i, j, weight in zip(*columns, strict=True))
        writer.writerows((ids[k], "", "") for k in np.flatnonzero(np.diff(graph.adjacency.indptr) == 0))
        file.write(text.getvalue().encode("utf-8"))


@register
class Tsv(Csv):
    """Text with tabs between the cells."""

    name = "tsv"
    suffixes = (".tsv",)
    delimiter = "\t"


def _read_frame(rows: TextRows, as_text: Collection[str | None]) -> Any:
    """Return a frame of numbers and text; the columns ``as_text`` stay as they are written.

    An empty header becomes the number of its column.
    """
    labels = number_columns(len(rows.first))
    if rows.has_header:
        labels = [cell.strip() or default for cell, default in zip(rows.first, labels, strict=True)]
        refuse_duplicates(labels, "column", range(1, len(labels) + 1))
    frame = rows.frame()
    text = [k for k, label in enumerate(labels) if label in as_text or frame.dtypes[k].kind not in "biuf"]
    if text:
        frame[text] = rows.frame(usecols=text, dtype=str, na_filter=False)
    frame.columns = labels
    return frame


def _looks_like_header(first: Sequence[str]) -> bool:
    """Return whether some cell is text, or the cells count 0, 1, 2, ... as pandas names columns.

    An empty first cell is the header of an index.
    """
    has_text = any(parse_number(cell) is parse_number(cell, ",") is None for cell in first)
    if not first[0].strip() or has_text or not any(map(_is_number, first)):
        return True
    return len(first) > 2 and list(first) == [str(k) for k in range(len(first))]


def _is_number(cell: str) -> bool:
    """Return whether the cell holds a number, maybe with a decimal comma."""
    return any(not np.isnan(value) for d in ".," if (value := parse_number(cell, d)) is not None)


def _read_weights(rows: TextRows, column: Any) -> np.ndarray:
    """Return the weights, NaN where there is none."""
    if column.dtype.kind in "iuf":
        return column.to_numpy(dtype=np.float64)
    cells = cell_texts(column)
    parsed = parse_column(cells, decimal_commas=rows.delimiter == ";")
    wrong = np.flatnonzero(parsed.is_text)
    if wrong.size:
        raise FileError(
            f"row {rows.lines[wrong[0]]}, column {column.name + 1}: expected a number as weight, got "
            f"{cells[wrong[0]]!r}; correct it, or begin with a header row source, target, weight"
        )
    return parsed.values
