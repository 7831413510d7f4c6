"""Lines above the header of a table, such as a title and a source, and units below it."""

import csv
import itertools
from collections.abc import Sequence

import numpy as np

from smoothgraph.io.errors import FileError, quote_names
from smoothgraph.io.text_cells import parse_number
from smoothgraph.io.text_rows import DELIMITERS, lines_of

_LINES_TO_JUDGE = 100
_FEWEST_ROWS = 3  # of a table, to tell it from the lines above it
_FEWEST_UNITS = 2  # texts above numbers, to tell units from a mistake


def skip_lines(text: str, count: int) -> str:
    """Return the text with its first lines empty, so that the others keep their numbers."""
    lines = list(lines_of(text))
    return "\n" * min(count, len(lines)) + "".join(lines[count:])


def refuse_preamble(text: str, delimiter: str | None) -> None:
    """Raise a FileError that offers to skip the lines above a table, if there are some."""
    lines = [line.rstrip("\r\n") for line in itertools.islice(lines_of(text), _LINES_TO_JUDGE)]
    delimiters = DELIMITERS if delimiter is None else (delimiter,)
    counts = [_count_above(lines, candidate) for candidate in delimiters]
    if 0 in counts or not any(counts):
        return
    count = min(count for count in counts if count is not None)
    raise FileError(
        f"row {count + 1}: expected the header in the first row, got {lines[0][:40]!r} there, and what looks like a "
        f"table from row {count + 1} on; skip the rows above it (--skip-rows {count}, or skip_rows={count})"
    )


def _count_above(lines: list[str], delimiter: str) -> int | None:
    """Return the number of lines above the rows of a table, or None if there is no table."""
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    if len(rows) != len(lines):  # some cell has a line break
        return None
    filled = [(k, row) for k, row in enumerate(rows) if any(cell.strip() for cell in row)]
    if not filled or len(filled[-1][1]) < 2:
        return None
    width = len(filled[-1][1])
    n_rows = sum(1 for _ in itertools.takewhile(lambda item: len(item[1]) == width, reversed(filled)))
    table = filled[len(filled) - n_rows :]
    if width > 2:  # a title may be followed by empty cells
        table = list(itertools.dropwhile(lambda item: _is_title(item[1]), table))
    if len(table) < _FEWEST_ROWS:
        return None
    first = table[0][0]
    above = [row for k, row in filled if k < first]
    if not above or (len(above) == 1 and len(above[0]) == width - 1 and width > 2):  # names below a header without one
        return 0
    return first


def _is_title(row: list[str]) -> bool:
    filled = [cell for cell in row if cell.strip()]
    return len(filled) == 1 and parse_number(filled[0]) is None


def find_units(head: Sequence[Sequence[str]], *, decimal_commas: bool) -> list[str] | None:
    """Return the cells of the first row if they are texts above numbers, in two columns or more, and in all of them."""
    if len(head) < 2 or len({len(row) for row in head}) > 1:
        return None
    first, *others = np.array(head, dtype=object)
    above = [cell.strip() for cell, column in zip(first, np.array(others).T, strict=True) if _are_numbers(column)]
    texts = [cell for cell in above if _number(cell, decimal_commas=decimal_commas) is None]
    empty = [cell for cell in above if not cell]
    if len(texts) < _FEWEST_UNITS or len(texts) + len(empty) < len(above):
        return None
    return [cell.strip() for cell in first]


def describe_units(units: Sequence[str], row: int) -> str:
    """Return the note about a row of units."""
    different = list(dict.fromkeys(unit for unit in units if unit))
    return f"Row {row} is taken for units, not for values: {quote_names(different)}."


def _are_numbers(column: np.ndarray) -> bool:
    numbers = [_number(cell, decimal_commas=True) for cell in column]
    return None not in numbers and not all(np.isnan(number) for number in numbers if number is not None)


def _number(cell: str, *, decimal_commas: bool) -> float | None:
    numbers = [parse_number(cell, mark) for mark in (".," if decimal_commas else ".")]
    return next((number for number in numbers if number is not None), None)
