"""Gower's distance: the mean over the columns of how far two rows differ in each.

Numbers differ by the share ``|x - y| / range`` of the range of their column; categories by 0 or 1. A column that one
of the rows lacks does not count. A column that is constant tells no rows apart.
"""

import numpy as np
from scipy.spatial.distance import cdist

_MOST_INDICATORS = 1000  # columns that stand for categories in a search


def gower(A: np.ndarray, B: np.ndarray, fitted: np.ndarray, categorical: np.ndarray | None) -> np.ndarray:
    """The distances of rows of ``A`` to those of ``B``, by the ranges of ``fitted``; NaN if they share no column."""
    kinds = _kinds(fitted, categorical)
    A, B = (_rescale(table, fitted, kinds) for table in (A, B))
    if not (np.any(np.isnan(A)) or np.any(np.isnan(B))):
        numbers = cdist(A[:, ~kinds], B[:, ~kinds], "cityblock")
        unlike = cdist(A[:, kinds], B[:, kinds], "hamming") * np.sum(kinds) if np.any(kinds) else 0.0
        return (numbers + unlike) / A.shape[1]
    total, shared = np.zeros((2, len(A), len(B)))
    for a, b, is_category in zip(A.T, B.T, kinds, strict=True):
        both = ~np.isnan(a)[:, None] & ~np.isnan(b)
        apart = a[:, None] != b if is_category else np.abs(a[:, None] - b)
        total += np.where(both, apart, 0.0)
        shared += both
    return total / shared


def as_manhattan(X: np.ndarray, categorical: np.ndarray | None) -> np.ndarray:
    """Rows with ``|row_x - row_y|_1 = gower(x, y)``, of a complete table: each category has a column of its own."""
    kinds = _kinds(X, categorical)
    parts = [_rescale(X, X, kinds)[:, ~kinds]]
    parts += [(column[:, None] == np.unique(column)) / 2 for column in X[:, kinds].T]
    return np.hstack(parts) / X.shape[1]


def has_few_categories(X: np.ndarray, categorical: np.ndarray | None) -> bool:
    """Whether the rows of :func:`as_manhattan` are short enough to search among."""
    return sum(len(np.unique(column)) for column in X[:, _kinds(X, categorical)].T) <= _MOST_INDICATORS


def _kinds(X: np.ndarray, categorical: np.ndarray | None) -> np.ndarray:
    return np.zeros(X.shape[1], dtype=bool) if categorical is None else categorical


def _rescale(X: np.ndarray, fitted: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Columns of numbers from 0 to 1 on the fitted rows, or 0 where those are constant; categories as they are."""
    low, high = np.fmin.reduce(fitted, axis=0), np.fmax.reduce(fitted, axis=0)
    extent = np.where(high > low, high - low, np.inf)
    return np.where(kinds, X, (X - low) / extent)
