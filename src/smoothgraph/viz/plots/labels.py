"""Labels of nodes: categories or numbers, some of them missing."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from smoothgraph.viz.plots.canvas import check_one_per_node

FEW = 20  # categories that can be told apart


@dataclass(frozen=True)
class Categories:
    """The number of each node's category, -1 for a missing one, and what they are called."""

    codes: np.ndarray
    names: list[str]


@dataclass(frozen=True)
class Numbers:
    """A number for each node, NaN where it is missing."""

    values: np.ndarray


def read_labels(labels: Any, n_nodes: int) -> Categories | Numbers:
    """Strings, booleans and up to 20 different whole numbers are categories.

    NaN, None and the empty string are missing; so are infinite numbers.
    """
    column = pd.Series(labels if isinstance(labels, pd.Series) else _listed(labels))
    check_one_per_node(column, n_nodes, "label")
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _categories(column, list(column.cat.categories))
    column = column.infer_objects()
    if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
        return _categories(column, _sorted(column))
    values = column.to_numpy(dtype=float, na_value=np.nan)
    values = np.where(np.isfinite(values), values, np.nan)
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) <= FEW and np.all(distinct == np.round(distinct)):
        return Categories(
            np.where(np.isnan(values), -1, np.searchsorted(distinct, values)),
            [f"{value:.0f}" for value in distinct],
        )
    return Numbers(values)


def _listed(labels: Any) -> Any:
    return labels if hasattr(labels, "dtype") else list(labels)


def _sorted(column: pd.Series) -> list[Any]:
    distinct = [value for value in column.unique().tolist() if not _is_missing(value)]
    try:
        return sorted(distinct)
    except TypeError:
        return sorted(distinct, key=str)


def _categories(column: pd.Series, ordered: list[Any]) -> Categories:
    """The categories that occur, in the given order."""
    present = set(column.unique().tolist())
    kept = [value for value in ordered if value in present and not _is_missing(value)]
    code = {value: number for number, value in enumerate(kept)}
    return Categories(
        np.array([-1 if _is_missing(value) else code[value] for value in column], dtype=int),
        [str(value) for value in kept],
    )


def _is_missing(value: Any) -> bool:
    return value == "" if isinstance(value, str) else bool(pd.isna(value))
