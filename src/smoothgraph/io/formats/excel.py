"""Excel: the cells of a sheet, read as the rows of a text."""

import csv
import datetime
import io
import warnings
from collections.abc import Sequence
from typing import Any, BinaryIO

from smoothgraph.io.errors import FileError, refuse_unknown
from smoothgraph.io.file_format import TableFormat, register
from smoothgraph.io.table_file import Table, TableOptions
from smoothgraph.io.text_tables import read_text_table
from smoothgraph.support.optional import load_optional

_MIDNIGHT = datetime.time()


@register
class Excel(TableFormat):
    """A sheet of a workbook: the one named by the key, or the first that is not empty."""

    name = "xlsx"
    suffixes = (".xlsx", ".xlsm")
    has_keys = True

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        openpyxl = load_optional("openpyxl", needed_by="reading Excel", extra="excel")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and other parts that are not read
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
        try:
            sheets = {sheet.title: sheet for sheet in book.worksheets}
            refuse_unknown(options.key, sheets, what="sheets")
            wanted = list(sheets) if options.key is None else [options.key]
            title, rows = next(((title, rows) for title in wanted if (rows := _read_rows(sheets[title]))), ("", []))
        finally:
            book.close()
        if not rows:
            raise FileError("expected rows of values, got an empty sheet; check how the file was written")
        table = read_text_table(_to_text(rows), options, ",")
        others = ", ".join(name for name in sheets if name != title)
        if others and options.key is None:
            table.notes.insert(0, f"The table is the sheet {title!r}; --key reads another one: {others}.")
        return table


def _read_rows(sheet: Any) -> list[list[str]]:
    """Return the cells as text, without the empty rows and columns at the end."""
    rows = [[_to_cell(value) for value in row] for row in sheet.iter_rows(values_only=True)]
    while rows and not any(rows[-1]):
        rows.pop()
    width = max((k + 1 for row in rows for k, cell in enumerate(row) if cell), default=0)
    return [(row + [""] * width)[:width] for row in rows]


def _to_cell(value: Any) -> str:
    """Return a cell as text: numbers to the last digit, dates as in ISO 8601."""
    if value is None:
        return ""
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == _MIDNIGHT else value.isoformat()
    return " ".join(str(value).split("\n"))


def _to_text(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows as CSV, one line each, so that lines are numbered like the rows of the sheet."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
