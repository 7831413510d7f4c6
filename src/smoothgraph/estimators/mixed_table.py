"""Tables of numbers and categories: the columns that hold categories become numbers, which mean nothing by size."""

from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from smoothgraph.support.frames import other_frame
from smoothgraph.support.input_error import InputError
from smoothgraph.support.wording import list_some


class Categories(NamedTuple):
    """The categories that each column of a table has, in the order of their numbers; None for a column of numbers."""

    known: tuple[Any, ...]
    names: tuple[Any, ...]  # of the columns

    @classmethod
    def of(cls, X: Any) -> "Categories | None":
        """The categories in a DataFrame: of columns of booleans, text, and pandas' own; None if there are only numbers.

        Anything but a DataFrame holds numbers.
        """
        X = categorical_frame(X)
        if not hasattr(X, "select_dtypes"):
            return None
        known = tuple(None if holds_numbers(column) else _distinct(column) for _, column in X.items())
        return None if all(values is None for values in known) else cls(known, tuple(X.columns))

    @property
    def mask(self) -> np.ndarray:
        """Which columns hold categories."""
        return np.array([values is not None for values in self.known], dtype=bool)

    def extend(self, X: Any) -> "Categories":
        """The same with the categories that are new in another DataFrame, after those that are known."""
        columns = [column for _, column in categorical_frame(X).items()]
        return self._replace(
            known=tuple(
                None if values is None else values.append(_distinct(column).difference(values, sort=False))
                for values, column in zip(self.known, columns, strict=True)
            )
        )

    def take(self, columns: np.ndarray) -> "Categories":
        """Those of some of the columns."""
        return Categories(*(tuple(entries[k] for k in columns) for entries in self))

    def encode(self, X: Any) -> Any:
        """The DataFrame with the numbers of categories: NaN if missing, and -1 if unknown."""
        from pandas import DataFrame  # which is loaded, as there is one

        X = categorical_frame(X)
        self._check_names(X)
        columns = [_encode(column, values) for (_, column), values in zip(X.items(), self.known, strict=True)]
        return DataFrame(np.stack(columns, axis=1), index=X.index, columns=X.columns)

    def _check_names(self, X: Any) -> None:
        """Raise an InputError unless X is a DataFrame with the same columns in the same order."""
        if not hasattr(X, "select_dtypes"):
            raise InputError(
                f"Expected a DataFrame with the {len(self.names)} columns of the fitted table, got "
                f"{type(X).__name__} of shape {np.shape(X)}."
            )
        if tuple(X.columns) == self.names:
            return
        lost = [repr(name) for name in self.names if name not in X.columns]
        new = [repr(name) for name in X.columns if name not in self.names]
        found = [f"without {list_some(lost)}"] * bool(lost) + [f"with {list_some(new)}"] * bool(new)
        remedy = "add what it lacks" if lost else "select them by X[graph.feature_names_in_]"
        raise InputError(
            f"Expected the columns of the fitted table, {list_some([repr(name) for name in self.names])}, in their "
            f"order, got a table {' and '.join(found) or 'with another order'}; {remedy}."
        )


def categorical_frame(X: Any) -> Any:
    """A DataFrame of any library as one of pandas, which holds the categories; anything else as it is."""
    frame = other_frame(X)
    if frame is None or isinstance(frame, nw.LazyFrame):
        return X
    from pandas import DataFrame

    return DataFrame({column.name: column.to_list() for column in frame.iter_columns()})


def holds_numbers(column: Any, *, or_booleans: bool = False) -> bool:
    """Whether a column of a DataFrame holds numbers, or booleans, if they count as numbers."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    if column.dtype == object:
        return not any(isinstance(value, str) or (isinstance(value, bool) and not or_booleans) for value in column)
    return bool(is_numeric_dtype(column.dtype)) and (or_booleans or not is_bool_dtype(column.dtype))


def _distinct(column: Any) -> Any:
    from pandas import Index
    from pandas.api.types import is_datetime64_any_dtype, is_timedelta64_dtype

    if is_datetime64_any_dtype(column.dtype) or is_timedelta64_dtype(column.dtype):
        raise InputError(
            f"Expected columns of numbers or categories, but {column.name!r} holds times; make numbers of them, for "
            "example by X[name].astype('int64'), or leave the column out."
        )
    return Index(column.dropna().astype(object).unique(), dtype=object)


def _encode(column: Any, values: Any) -> np.ndarray:
    if values is None:
        try:
            return column.to_numpy(dtype=float, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise InputError(f"Expected numbers in column {column.name!r}, as in the fitted table: {error}.") from error
    numbers = values.get_indexer(column.astype(object)).astype(float)
    numbers[column.isna().to_numpy()] = np.nan
    return numbers
