"""Metrics that are squared Euclidean distances in disguise."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import normalize

_ROUNDING = 1e-13  # of a mean: a row that varies less is constant
SEARCHABLE = ("sqeuclidean", "cosine", "correlation")


def as_euclidean(X: Any, metric: str) -> tuple[Any, float]:
    """Rows and a factor with ``metric(x, y) = factor |row_x - row_y|^2``."""
    if metric == "sqeuclidean":
        return X, 1.0
    size = np.zeros(X.shape[0])
    if metric == "correlation":
        size = _ROUNDING * _norms(X)
        X = _without_row_means(X)
    elif metric != "cosine":
        raise ValueError(
            f"Neighbours can be searched for by {', '.join(SEARCHABLE)}, not by {metric!r}; give "
            "fewer nodes, a neighbours transformer, or distances with metric='precomputed'."
        )
    constant = _norms(X) <= size
    if np.any(constant):
        raise ValueError(
            f"The {metric} distance of row {np.argmax(constant)} to others is undefined, because "
            "the row is constant; drop such rows."
        )
    return normalize(X), 0.5


def _norms(X: Any) -> np.ndarray:
    return sp.linalg.norm(X, axis=1) if sp.issparse(X) else np.linalg.norm(X, axis=1)


def _without_row_means(X: Any) -> np.ndarray:
    if sp.issparse(X):
        raise ValueError("metric='correlation' needs a dense X; take metric='cosine'.")
    return X - X.mean(axis=1, keepdims=True)
