"""How the distance between two rows is measured: a metric, its parameters, and what happens where values are missing.

Parameters that belong to columns (weights, variances, an inverse covariance) are never carried far:
:meth:`Measure.plain` turns rows into others with the same distances by a metric without such parameters.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.support.checks import check_number
from smoothgraph.support.input_error import InputError

PAIRWISE = ("sqeuclidean", "gower")  # the metrics that leave out the columns that one of two rows lacks
_ALIASES = {"l1": "cityblock", "manhattan": "cityblock", "l2": "euclidean"}
_MINKOWSKI = {1: "cityblock", 2: "euclidean", np.inf: "chebyshev"}
_WEIGHTS = {
    "sqeuclidean": 0.5,
    "euclidean": 0.5,
    "cityblock": 1.0,
}  # the power of a weight that a column is multiplied by
_OF_COLUMNS = ("w", "V", "VI")
_PARAMS = {  # of the metrics that are computed here; others are scikit-learn's
    "sqeuclidean": ("w",),
    "euclidean": ("w",),
    "cityblock": ("w",),
    "minkowski": ("p", "w"),
    "seuclidean": ("V",),
    "mahalanobis": ("VI",),
    **dict.fromkeys(("cosine", "correlation", "absolute_correlation", "gower", "precomputed"), ()),
}
_NOT_POSITIVE = 1e-10  # times the largest eigenvalue, below which a negative one is not rounding


@dataclass(frozen=True, eq=False)
class Measure:
    """The distance between two rows: ``metric(x, y, **params)``.

    ``categorical`` says which columns of a mixed table hold the numbers of categories. It is None if none does.
    """

    metric: str | Callable[..., float] = "sqeuclidean"
    params: dict[str, Any] = field(default_factory=dict)
    missing: str = "error"
    categorical: np.ndarray | None = None

    @classmethod
    def of(
        cls, metric: Any, params: Any = None, missing: str = "error", categorical: np.ndarray | None = None
    ) -> "Measure":
        """The measure that a user asks for, by the one name that each metric has here."""
        if not (isinstance(metric, str) or callable(metric)):
            raise InputError(f"metric must be a name or a function of two rows, got {metric!r}.")
        if params is not None and not isinstance(params, dict):
            raise InputError(f"metric_params must be a dict of parameters of the metric, got {params!r}.")
        params = dict(params or {})
        if isinstance(metric, str):
            metric = _ALIASES.get(metric, metric)
            unknown = sorted(set(params) - set(_PARAMS.get(metric, params)))
            if unknown:
                takes = " and ".join(map(repr, _PARAMS[metric])) or "none"
                raise InputError(f"metric={metric!r} takes other metric_params ({takes}), got {', '.join(unknown)}.")
        if metric == "minkowski":
            p = params.pop("p", 2)
            p = p if p == np.inf else check_number("metric_params['p']", p, above=0)
            metric, params = (_MINKOWSKI[p], params) if p in _MINKOWSKI else (metric, params | {"p": p})
        if missing not in ("error", "pairwise"):
            raise InputError(f"missing must be 'error' or 'pairwise', got {missing!r}.")
        if missing == "pairwise" and metric == "precomputed":
            raise InputError(
                "missing='pairwise' measures rows that lack values, but metric='precomputed' takes distances as "
                "they are; leave out pairs without a distance by giving a sparse matrix."
            )
        if missing == "pairwise" and (metric not in PAIRWISE or params):
            raise InputError(
                f"missing='pairwise' goes with metric={' or '.join(map(repr, PAIRWISE))} without metric_params, not "
                f"{metric!r}."
            )
        return cls(metric, params, missing, categorical)

    @property
    def name(self) -> str:
        """The name of the metric, for messages."""
        return self.metric if isinstance(self.metric, str) else getattr(self.metric, "__name__", "callable")

    def plain(self, X: Any) -> tuple[Any, "Measure"]:
        """Rows that have the same distances by a metric without parameters of columns, and that metric.

        Each row is mapped alone, by sums in one order, so that identical rows stay identical.
        """
        if self.metric == "seuclidean":
            variances = self._of_columns("V", X, positive=True)
            return _multiply(X, variances**-0.5), self._reduced("euclidean")
        if self.metric == "mahalanobis":
            return _map_rows(X, _square_root(self.params, X.shape[1])), self._reduced("euclidean")
        if "w" in self.params and (self.metric in _WEIGHTS or self.metric == "minkowski"):
            power = 1 / self.params["p"] if self.metric == "minkowski" else _WEIGHTS[self.name]
            return _multiply(X, self._of_columns("w", X) ** power), self._reduced(self.metric)
        return X, self

    def _reduced(self, metric: Any) -> "Measure":
        return replace(self, metric=metric, params={k: v for k, v in self.params.items() if k not in _OF_COLUMNS})

    def _of_columns(self, name: str, X: Any, *, positive: bool = False) -> np.ndarray:
        """One number per column, not negative, as a user gave it."""
        if name not in self.params:
            raise InputError(
                f"metric={self.metric!r} needs metric_params={{{name!r}: one number per column}}; for the variances "
                "of the columns, scale them with scikit-learn's StandardScaler instead and use metric='euclidean'."
            )
        values = np.asarray(self.params[name], dtype=float)
        if values.shape != (X.shape[1],) or not np.all(np.isfinite(values)) or np.any(values < 0):
            raise InputError(
                f"metric_params[{name!r}] must hold one finite number >= 0 per column, ({X.shape[1]},), got shape "
                f"{values.shape} with smallest {np.min(values, initial=np.inf):g}."
            )
        if positive and np.any(values == 0):
            raise InputError(
                f"metric_params[{name!r}] must be above 0; column {np.argmin(values)} has 0: leave it out."
            )
        return values


def _multiply(X: Any, factors: np.ndarray) -> Any:
    return sp.csr_array(X @ sp.diags_array(factors)) if sp.issparse(X) else X * factors


def _map_rows(X: Any, matrix: np.ndarray) -> Any:
    """``X @ matrix``, the same for a row whatever the other rows are, which a matrix product does not promise."""
    if sp.issparse(X):
        raise InputError("metric='mahalanobis' needs a dense X.")
    return sum(column[:, None] * row for column, row in zip(X.T, matrix, strict=True))


def _square_root(params: dict[str, Any], n_columns: int) -> np.ndarray:
    """``R`` with ``R R' = VI``: the Mahalanobis distance is ``|R'(x - y)|``."""
    if "VI" not in params:
        raise InputError(
            "metric='mahalanobis' needs metric_params={'VI': the inverse of the covariance of the columns}."
        )
    inverse = np.asarray(params["VI"], dtype=float)
    if inverse.shape != (n_columns, n_columns) or not np.allclose(inverse, inverse.T):
        raise InputError(
            f"metric_params['VI'] must be a symmetric matrix of finite numbers, ({n_columns}, {n_columns}), got shape "
            f"{inverse.shape}."
        )
    values, vectors = np.linalg.eigh(inverse)
    if np.min(values) < -_NOT_POSITIVE * np.max(np.abs(values)):
        raise InputError(
            f"metric_params['VI'] must have no negative eigenvalue, got {np.min(values):g}; some distances would be "
            "roots of negative numbers. A shrunk covariance has a positive definite inverse."
        )
    return vectors * np.sqrt(np.maximum(values, 0))
