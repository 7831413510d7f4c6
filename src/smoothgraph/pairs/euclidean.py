"""Metrics that are Euclidean distances, or their squares, in disguise."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import normalize
from sklearn.utils.extmath import row_norms

from smoothgraph.support.input_error import InputError

SEARCHABLE = ("sqeuclidean", "euclidean", "cosine", "correlation")
ROOTED = ("euclidean",)  # those that are not squares
_ROUNDING = 1e-13  # a row that varies by less than this share of its norm counts as constant


def as_euclidean(X: Any, metric: str) -> Any:
    """Return rows with ``|row_x - row_y|^2 = metric(x, y)``, or ``|row_x - row_y|`` for metrics that are ``ROOTED``.

    For the cosine these are ``x / (sqrt(2) |x|)``; for correlation the same of centered rows.
    """
    check_metric(metric)
    if metric in ("sqeuclidean", "euclidean"):
        return X
    smallest = np.zeros(X.shape[0])
    if metric == "correlation":
        if sp.issparse(X):
            raise InputError("metric='correlation' needs a dense X; use metric='cosine' instead.")
        smallest = _ROUNDING * row_norms(X)
        X = X - X.mean(axis=1, keepdims=True)
    constant = row_norms(X) <= smallest
    if np.any(constant):
        raise UndefinedRowError(metric, int(np.argmax(constant)))
    return normalize(X) * np.sqrt(0.5)


def check_metric(metric: str) -> None:
    """Raise an InputError unless neighbors can be searched for by this metric."""
    if metric not in SEARCHABLE:
        raise InputError(
            f"Neighbors can be searched for by {', '.join(SEARCHABLE)}, not by {metric!r}; use "
            "fewer nodes, a neighbors transformer, or distances with metric='precomputed'."
        )


class UndefinedRowError(InputError):
    """A metric is undefined for a row, because the row is constant."""

    def __init__(self, metric: str, row: int) -> None:
        super().__init__(metric, row)
        self.metric, self.row = metric, row

    def __str__(self) -> str:
        return (
            f"The {self.metric} distance of row {self.row} to others is undefined, because the row "
            "is constant; drop such rows."
        )
