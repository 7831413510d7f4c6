"""What is known of every node besides the graph: numbers or categories, some missing."""

from typing import Any

import numpy as np
import pandas as pd

from smoothgraph.viz.report.packing import packed

FEW = 12  # whole numbers with at most so many different values are labels


def attribute(name: str, values: Any, n_nodes: int) -> dict[str, Any]:
    """A column of one value per node, as the page reads it.

    Numbers become float64 with NaN where one is missing or infinite. All else becomes categories:
    32-bit codes, -1 where one is missing, and their texts in order. Whole numbers with few
    different values, such as the classes 0 to 9, are categories too.
    """
    shape = np.shape(values)
    if shape != (n_nodes,):
        raise ValueError(
            f"Expected the attribute {name!r} to have one value per node, {n_nodes}, got the "
            f"shape {shape}; give one column for each attribute."
        )
    column = pd.Series(values).reset_index(drop=True)
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
        numbers = np.where(np.isfinite(numbers), numbers, np.nan)
        if not _are_labels(numbers):
            return {"name": name, "kind": "number", "values": packed(numbers, "<f8")}
        column = pd.Series(numbers).astype("Int64")
    return {"name": name, "kind": "category", **_categories(column)}


def _are_labels(numbers: np.ndarray) -> bool:
    distinct = np.unique(numbers[~np.isnan(numbers)])
    return len(distinct) <= FEW and bool(np.all(distinct == np.round(distinct)))


def _categories(column: Any) -> dict[str, Any]:
    categories = column.mask(column.isin([""])).astype("category").cat.remove_unused_categories()
    return {
        "labels": [str(label) for label in categories.cat.categories],
        "codes": packed(categories.cat.codes, "<i4"),
    }
