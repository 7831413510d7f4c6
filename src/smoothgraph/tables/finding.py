"""What a check of a table sees, and what it returns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from smoothgraph.io.table_file import Table, leave_out
from smoothgraph.support.wording import list_some
from smoothgraph.tables.sentinel_values import locate_sentinels


@dataclass(frozen=True)
class Finding:
    """Something that a user should know about a table.

    Attributes
    ----------
    check : str
        The kind of the finding, such as "sentinel".
    what : str
        What was found, as a sentence.
    remedy : str
        What to do about it, as a sentence; "" if nothing.
    where : tuple of str
        The columns, or rows, that it is about.
    options : tuple of str
        The options of the command line that follow the remedy.
    """

    check: str
    what: str
    remedy: str = ""
    where: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.what} {self.remedy}".strip()


@dataclass(frozen=True, eq=False)
class View:
    """A table of numbers as a check sees it: columns that tell the time, and categories, are not among its values.

    Attributes
    ----------
    table : Table
        The table, with dense values.
    nodes : "rows" or "columns"
        What the nodes are.
    row_times, column_times : datetime64 array, or None
        The times that rows or columns stand for, if they are known.
    ordered : bool
        Whether the rows follow each other in time, known or not.
    settled : frozenset of str
        Options that the user has given, such as "standardize", so that nobody needs to propose them.
    """

    table: Table
    nodes: str
    row_times: np.ndarray | None = None
    column_times: np.ndarray | None = None
    ordered: bool = False
    settled: frozenset[str] = frozenset()

    @cached_property
    def sentinels(self) -> dict[float, np.ndarray]:
        """Where numbers such as -999 stand for missing values, it seems."""
        return locate_sentinels(np.asarray(self.table.values))

    @cached_property
    def values(self) -> np.ndarray:
        """The numbers, with NaN where one is missing or seems to be."""
        values = np.asarray(self.table.values)
        hidden = list(self.sentinels.values())
        return np.where(np.logical_or.reduce(hidden), np.nan, values) if hidden else values

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.table.column_labels

    @property
    def rows(self) -> list[str]:
        """The names of the rows, or "row 1", "row 2", ..."""
        return self.table.row_names or [f"row {k}" for k in range(1, self.values.shape[0] + 1)]

    @property
    def series(self) -> np.ndarray | None:
        """One series over time per row, if the signals of the nodes follow each other in time."""
        if self.nodes == "columns":
            return self.values.T if self.ordered else None
        return self.values if self.column_times is not None else None

    @property
    def times(self) -> np.ndarray | None:
        """The times of the series, if they are known."""
        return self.row_times if self.nodes == "columns" else self.column_times


def numbers_of(table: Table) -> Table:
    """Return the table without its categories."""
    labels = table.column_labels
    return leave_out(table, [labels[k] for k in table.categories])


def name_columns(labels: Sequence[str]) -> str:
    """Return "Column 'a'" or "Columns 'a', 'b', ..."."""
    return f"Column{'s' * (len(labels) > 1)} {list_some([repr(label) for label in labels])}"
