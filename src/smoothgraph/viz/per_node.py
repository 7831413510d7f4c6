"""Read what a caller gives for every node: a position, a name, a label."""

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from smoothgraph.support.classes import MOST_CLASSES
from smoothgraph.support.input_error import InputError


def check_one_per_node(values: Any, n_nodes: int, what: str) -> None:
    """Raise an InputError unless ``values`` is one-dimensional with one entry per node."""
    shape = np.shape(values)
    if shape != (n_nodes,):
        got = shape[0] if len(shape) == 1 else f"an array of shape {shape}"
        raise InputError(
            f"Expected one {what} for each of the {n_nodes} nodes, got {got}; list them in the order of the nodes."
        )


def check_positions(positions: Any, n_nodes: int) -> np.ndarray:
    """Return the positions as an (n_nodes, 2) array of finite floats, or raise a ValueError."""
    positions = np.asarray(positions, dtype=float)
    if positions.shape != (n_nodes, 2):
        raise InputError(
            f"Expected positions of shape ({n_nodes}, 2), got shape {positions.shape}; give x and "
            "y for every node, or omit positions to have them computed."
        )
    lost = np.count_nonzero(~np.isfinite(positions).all(axis=1))
    if lost:
        raise InputError(
            f"Expected finite positions, got NaN or infinity for {lost} of {n_nodes} nodes; "
            "remove these nodes from the graph, or omit positions to have them computed."
        )
    return positions


def read_names(names: Iterable[Any], n_nodes: int) -> list[str]:
    """Return the names of the nodes as strings."""
    texts = [str(name) for name in names]
    check_one_per_node(texts, n_nodes, "name")
    return texts


@dataclass(frozen=True)
class Categories:
    """The category of each node as an index into ``names``; -1 if it is missing."""

    codes: np.ndarray
    names: list[str]


def read_labels(labels: Any, n_nodes: int, *, what: str = "label") -> Categories | np.ndarray:
    """Return the labels of the nodes as categories, or as numbers with NaN for missing ones.

    Strings, booleans and pandas categories are categories. So are whole numbers with at most 20
    different values. NaN, None, the NA of pandas, the empty string and infinite numbers are missing values.
    """
    labels = labels if hasattr(labels, "dtype") else list(labels)
    check_one_per_node(labels, n_nodes, what)
    values = _as_floats(labels)
    if values is None:
        return _as_categories(labels)
    classes = np.unique(values[~np.isnan(values)])
    if len(classes) > MOST_CLASSES or np.any(classes != np.round(classes)):
        return values
    codes = np.where(np.isnan(values), -1, np.searchsorted(classes, values))
    return Categories(codes, [f"{number:.0f}" for number in classes])


def _as_floats(labels: Any) -> np.ndarray | None:
    """Return the labels as floats with NaN for missing ones, or None if they are not numbers."""
    dtype = None if hasattr(labels, "dtype") else object  # or [1, True] would be two numbers
    array = np.asarray(labels, dtype=dtype)
    if array.dtype.kind not in "iufO" or _has_categories(labels):
        return None
    if array.dtype.kind == "O":
        present = [not _is_missing(label) for label in array]
        numbers = array[present]
        if not all(isinstance(label, Real) and not isinstance(label, bool) for label in numbers):
            return None
        array = np.full(len(array), np.nan)
        array[present] = numbers.astype(float)
    return np.where(np.isfinite(array), array, np.nan)


def _as_categories(labels: Any) -> Categories:
    """Return the categories that occur, in the order of pandas categories or else sorted."""
    values = list(labels)
    present = {value for value in values if not _is_missing(value)}
    if _has_categories(labels):
        order = [category for category in labels.dtype.categories if category in present]
    else:
        try:
            order = sorted(present)
        except TypeError:  # values of different types
            order = sorted(present, key=str)
    code = {category: k for k, category in enumerate(order)}
    codes = np.array([code.get(value, -1) for value in values], dtype=int)
    return Categories(codes, [str(category) for category in order])


def _has_categories(labels: Any) -> bool:
    return hasattr(getattr(labels, "dtype", None), "categories")


def _is_missing(value: Any) -> bool:
    if isinstance(value, str):
        return value == ""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124  true of NaN and NaT
    except TypeError:  # the NA of pandas is neither equal to itself nor different
        return True
