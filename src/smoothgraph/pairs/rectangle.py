"""The distances of all rows of one table to all rows of another, by any metric."""

from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import normalize
from sklearn.utils.extmath import row_norms

from smoothgraph.pairs.euclidean import as_euclidean
from smoothgraph.pairs.gower import gower
from smoothgraph.pairs.measure import Measure
from smoothgraph.pairs.squared import squared_over_common, squared_rectangle
from smoothgraph.support.input_error import InputError, checked_by_others

_OWN = "'absolute_correlation' and 'gower'"  # what scikit-learn does not list
_SYMMETRY = 1e-8  # of a distance, by which a user's function may differ the other way around


def rectangle(A: Any, B: Any, fitted: Any, measure: Measure) -> np.ndarray:
    """All rows of A against all rows of B, by any plain measure; ``fitted`` is the table that B is from."""
    metric = measure.metric
    if callable(metric):
        i, j = np.indices((A.shape[0], B.shape[0])).reshape(2, -1)
        return call(measure, A, i, B, j).reshape(A.shape[0], B.shape[0])
    if metric == "gower":
        return gower(A, B, fitted, measure.categorical)
    if measure.missing == "pairwise":
        return squared_over_common(A, B)
    if metric in ("sqeuclidean", "euclidean"):  # scikit-learn's lose the digits of near-duplicates
        z = squared_rectangle(A, B)
        return np.sqrt(z) if metric == "euclidean" else z
    if metric in ("cosine", "correlation", "absolute_correlation"):
        return _by_angles(A, B, metric)
    return _by_scikit_learn(A, B, measure)


def _by_angles(A: Any, B: Any, metric: str) -> np.ndarray:
    """Cosine and correlation distances, with all their digits; a row of zeros has the cosine 0 with any other."""
    if metric == "cosine":
        b, a = (normalize(_contiguous(table)) * np.sqrt(0.5) for table in (B, A))
        z = squared_rectangle(a, b)
        z[row_norms(a) == 0], z[:, row_norms(b) == 0] = 1.0, 1.0
        return z
    b, a = (as_euclidean(_contiguous(table), "correlation") for table in (B, A))
    z = squared_rectangle(a, b)
    return z if metric == "correlation" else np.minimum(z, squared_rectangle(a, -b))


def _contiguous(X: Any) -> Any:
    """Rows whose sums do not depend on how many rows there are."""
    return X if sp.issparse(X) else np.ascontiguousarray(X)


def _by_scikit_learn(A: Any, B: Any, measure: Measure) -> np.ndarray:
    from sklearn.metrics import pairwise_distances  # slow to import, seldom needed

    try:
        with checked_by_others():
            z = pairwise_distances(A, B, metric=measure.name, **measure.params)
    except TypeError as error:
        raise InputError(
            f"metric={measure.name!r} and metric_params={measure.params!r} do not go together: {error}"
        ) from error
    except InputError as error:
        raise InputError(f"metric={measure.name!r}: {error} The metrics {_OWN} are smoothgraph's own.") from error
    rounding = 1e-12 * np.max(np.abs(z), initial=0.0)
    return np.where((z < 0) & (z >= -rounding), 0.0, z)


def call(measure: Measure, A: np.ndarray, i: np.ndarray, B: np.ndarray, j: np.ndarray) -> np.ndarray:
    """``f(A_i, B_j)`` for a user's function ``f``, which must be symmetric and give numbers >= 0."""
    f = partial(measure.metric, **measure.params)  # type: ignore[operator, arg-type, misc]
    z, mirrored = np.empty((2, len(i)))
    for e, (row, other) in enumerate(zip(i.tolist(), j.tolist(), strict=True)):
        z[e], mirrored[e] = f(A[row], B[other]), f(B[other], A[row])
    if np.any(wrong := ~((z >= 0) & (z < np.inf))):
        e = int(np.argmax(wrong))
        raise InputError(
            f"metric={measure.name!r} must give finite distances >= 0, but it gave {z[e]:g} for rows {i[e]} and "
            f"{j[e]}; correct the function."
        )
    if np.any(unlike := np.abs(z - mirrored) > _SYMMETRY * np.maximum(z, mirrored)):
        e = int(np.argmax(unlike))
        raise InputError(
            f"metric={measure.name!r} must be symmetric, but for rows {i[e]} and {j[e]} it gave {z[e]:g} and "
            f"{mirrored[e]:g} the other way around; return the mean of both if that is meant."
        )
    return z
