"""Attributes of nodes as columns of plain values, for formats that know no arrays."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np


def columns_of(attributes: dict[str, np.ndarray], reserved: Collection[str]) -> dict[str, list[Any]]:
    """Return every attribute as a list of texts or numbers; a 2-D one as one list per column.

    An attribute under a reserved name, which means something else in the file, gets an underscore.
    """
    columns = {}
    for label, values in attributes.items():
        title = label + "_" if label.rstrip("_") in reserved else label
        if values.ndim == 1:
            columns[title] = values.tolist()
        else:
            columns |= {f"{title}_{k}": column.tolist() for k, column in enumerate(values.T)}
    return columns


def attributes_of(nodes: Sequence[dict[str, Any]], reserved: Collection[str]) -> dict[str, np.ndarray]:
    """Return the texts and numbers of the nodes as arrays, with "" and NaN where a node has none."""
    result = {}
    for label in dict.fromkeys(label for node in nodes for label in node):
        values = [node.get(label) for node in nodes]
        present = [value for value in values if value is not None]
        title = label[:-1] if label.endswith("_") and label.rstrip("_") in reserved else label
        if present and all(isinstance(value, str) for value in present):
            result[title] = np.array(["" if value is None else value for value in values])
        elif all(isinstance(value, int | float) for value in present):
            result[title] = np.array([np.nan if value is None else value for value in values])
    return result
