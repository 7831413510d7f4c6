"""What a cell of text holds: a number, nothing, or text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

# The words that pandas takes for a missing value, and common marks.
_MISSING = {"", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "NULL", "null", "None", "-", "--", "?", "."}
_MISSING |= {"NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"}
_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?)", re.IGNORECASE)
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(?:[,' \u2019\u00a0\u202f][0-9]{3})+(?:\.[0-9]+)?")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    r"[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}(?:[T ].*)?"  # 2020-01-31, 31.1.2020, 1/31/20 10:00
    r"|[0-9]{4}[-/][0-9]{1,2}"  # 2020-01
    rf"|{_MONTH} (?:[0-9]{{1,2}},? )?[0-9]{{4}}|[0-9]{{1,2}}[ -]{_MONTH}[ -][0-9]{{2,4}}",  # Jan 31, 2020; 31-Jan-20
    re.IGNORECASE,
)
_BOOLEANS = {"true": 1.0, "false": 0.0}


def parse_number(cell: str, decimal: str = ".") -> float | None:
    """Return the number in a cell, NaN if the value is missing, or None if the cell holds text."""
    cell = cell.strip()
    if cell in _MISSING:
        return np.nan
    if decimal != ".":
        if "." in cell:
            return None
        cell = cell.replace(decimal, ".")
    if _NUMBER.fullmatch(cell):
        return float(cell)
    return _BOOLEANS.get(cell.lower())


@dataclass(frozen=True, eq=False)
class ParsedColumn:
    """The cells of a column as numbers; ``is_text`` marks cells that hold something else."""

    values: np.ndarray
    is_text: np.ndarray
    decimal: str

    @property
    def is_numeric(self) -> bool:
        """Whether numbers outnumber texts."""
        return bool(np.count_nonzero(~np.isnan(self.values)) > np.count_nonzero(self.is_text))


def parse_column(cells: np.ndarray, *, decimal_commas: bool) -> ParsedColumn:
    """Parse all cells; decimal commas, if allowed, apply where they make more cells numbers."""
    codes, distinct = number_cells(cells)
    parsed = []
    for decimal in ".," if decimal_commas else ".":
        numbers = [parse_number(cell, decimal) for cell in distinct]
        is_text = np.array([value is None for value in numbers])
        parsed.append(ParsedColumn(np.array(numbers, dtype=np.float64)[codes], is_text[codes], decimal))
    return min(parsed, key=lambda column: np.count_nonzero(column.is_text))


def number_cells(cells: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Return ``codes`` and ``distinct`` with ``cells[k] == distinct[codes[k]]``, in first order."""
    numbers = {cell: k for k, cell in enumerate(dict.fromkeys(cells))}
    return np.array([numbers[cell] for cell in cells], dtype=np.int64), list(numbers)


def has_thousands(cells: np.ndarray) -> bool:
    """Return whether all cells hold numbers, and some of these have thousands separators."""
    filled = {cell.strip() for cell in cells} - _MISSING
    separated = {cell for cell in filled if _THOUSANDS.fullmatch(cell)}
    return bool(separated) and all(parse_number(cell) is not None for cell in filled - separated)


def are_dates(cells: Iterable[str]) -> bool:
    """Return whether all non-empty cells look like dates."""
    filled = {cell.strip() for cell in cells} - {""}
    return bool(filled) and all(_DATE.fullmatch(cell) for cell in filled)
