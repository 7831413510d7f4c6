"""What a cell of text holds: a number, nothing, or text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

# pandas' words for a missing value, and signs that people use
MISSING = frozenset(
    (
        *("", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "NULL", "null", "None"),
        *("-", "--", "?", "."),
        *("NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
    )
)
_NUMBER = re.compile(
    r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?)", re.IGNORECASE
)
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(?:[,' \u2019\u00a0\u202f][0-9]{3})+(?:\.[0-9]+)?")
_DATE = re.compile(r"[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}(?:[T ].*)?")
_BOOLEANS = {"true": 1.0, "false": 0.0}


def number(cell: str, decimal: str = ".") -> float | None:
    """The number in a cell, NaN if the cell is empty or a word for missing, None for text."""
    cell = cell.strip()
    if cell in MISSING:
        return np.nan
    if decimal != ".":
        if "." in cell:
            return None
        cell = cell.replace(decimal, ".")
    if _NUMBER.fullmatch(cell):
        return float(cell)
    return _BOOLEANS.get(cell.lower())


@dataclass(frozen=True, eq=False)
class Reading:
    """The cells of a column as numbers; ``is_text`` marks those that are none."""

    values: np.ndarray
    is_text: np.ndarray
    decimal: str

    @property
    def is_empty(self) -> bool:
        """No cell holds anything."""
        return bool(np.all(np.isnan(self.values) & ~self.is_text))

    @property
    def is_numeric(self) -> bool:
        """Most cells that hold something hold a number."""
        n_numbers = np.count_nonzero(~np.isnan(self.values))
        return bool(n_numbers > np.count_nonzero(self.is_text))


def reading_of(cells: np.ndarray, *, decimal_commas: bool) -> Reading:
    """All cells as numbers, with decimal commas if these make more of them numbers."""
    import pandas as pd

    codes, distinct = pd.factorize(cells)
    readings = [_reading(codes, distinct, decimal) for decimal in (".", ",")[: 1 + decimal_commas]]
    return min(readings, key=lambda reading: np.count_nonzero(reading.is_text))


def _reading(codes: np.ndarray, distinct: np.ndarray, decimal: str) -> Reading:
    numbers = [number(cell, decimal) for cell in distinct]
    values = np.array([np.nan if value is None else value for value in numbers])
    is_text = np.array([value is None for value in numbers])
    return Reading(values[codes], is_text[codes], decimal)


def has_thousands(cells: np.ndarray) -> bool:
    """All cells that hold something are numbers, some of them with marks between thousands."""
    held = {cell.strip() for cell in cells if cell.strip() not in MISSING}
    marked = {cell for cell in held if _THOUSANDS.fullmatch(cell)}
    return bool(marked) and all(number(cell) is not None for cell in held - marked)


def are_dates(cells: Iterable[str]) -> bool:
    """All cells that hold something look like dates."""
    held = {cell.strip() for cell in cells if cell.strip()}
    return bool(held) and all(_DATE.fullmatch(cell) for cell in held)
