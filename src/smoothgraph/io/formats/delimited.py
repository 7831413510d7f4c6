"""CSV and TSV: tables, and graphs as lists of edges."""

import csv
import io
from typing import Any, BinaryIO, ClassVar

import numpy as np

from smoothgraph.io.errors import FileError
from smoothgraph.io.file_format import GraphFormat, TableFormat, register
from smoothgraph.io.frame_columns import cell_texts
from smoothgraph.io.graph_file import Edges, GraphFile, find_columns, graph_of_names, is_edge_header, list_edges
from smoothgraph.io.table_file import Table, TableOptions
from smoothgraph.io.text_cells import parse_column
from smoothgraph.io.text_decoding import decode_text, guess_encoding
from smoothgraph.io.text_rows import TextRows, split_rows
from smoothgraph.io.text_tables import read_text_table


@register
class Csv(TableFormat, GraphFormat):
    """Text with commas, semicolons, tabs or bars between the cells; a node without edges is a source alone."""

    name = "csv"
    suffixes = (".csv",)
    delimiter: ClassVar[str | None] = None  # when reading: found in the file

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        data = file.read()
        encoding = options.encoding or guess_encoding(data)
        table = read_text_table(decode_text(data, encoding), options, self.delimiter)
        if encoding is not None and options.encoding is None:
            table.notes.insert(0, f"Read as {encoding}, because it is no UTF-8. --encoding names another encoding.")
        return table

    def read_graph(self, file: BinaryIO) -> GraphFile:
        rows = split_rows(decode_text(file.read()), self.delimiter, is_edge_header)
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
