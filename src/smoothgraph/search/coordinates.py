"""Few coordinates whose distances never exceed the true ones.

With orthonormal directions ``V``, ``p = V'(x - mean)`` and ``rho = |x - mean - V p|``,

    |x - y|^2 >= |p_x - p_y|^2 + (rho_x - rho_y)^2,

so that a pair which is too far apart in the coordinates ``(p, rho)`` need not be looked at.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.extmath import randomized_svd

from smoothgraph.support.threads import in_threads

_BLOCK_BYTES = 32 * 2**20
_ROWS_AT_ONCE = 1024  # in a matrix product
_SAMPLE = 2000  # rows that the directions and their number are chosen on
_PLAIN = 64  # features up to which distances along fewer directions say too little
_NUMBERS = (7, 15, 31, 47, 63, 95, 127, 255)  # of directions: with the residual a multiple of 8
# The time of looking at one pair closely, in multiples of one coordinate of a matrix product.
_CLOSE_LOOK, _CLOSE_LOOK_PER_FEATURE = 2000, 12
_SINGLE, _DOUBLE = 2.0**-23, 2.0**-52  # twice the unit roundoffs
_TINY = np.finfo(float).tiny


@dataclass(frozen=True, eq=False)
class Coordinates:
    """``points`` in single precision, each at most ``error`` away from where it should be.

    Both are in multiples of ``unit``, so that their squares neither over- nor underflow.
    """

    points: np.ndarray
    error: np.ndarray
    unit: float

    @classmethod
    def of(cls, X: Any) -> "Coordinates":
        """Of the rows of ``X``: as many principal directions as pay, or all features."""
        return Projection.of(X[sampled_rows(X.shape[0])], float(abs(X).max())).coordinates(X)

    def in_order(self, order: np.ndarray) -> "Coordinates":
        """Those of the rows ``order``."""
        return Coordinates(self.points[order], self.error[order], self.unit)


@dataclass(frozen=True, eq=False)
class Projection:
    """How rows become coordinates: along ``directions``, or all features if that is None."""

    directions: np.ndarray | None
    mean: np.ndarray
    unit: float

    @classmethod
    def of(cls, sample: Any, largest: float) -> "Projection":
        """As the ``sampled_rows`` of a table suggest, whose ``largest`` entry is in magnitude."""
        directions, mean = _directions(sample.astype(float))
        unit = 2.0 ** np.ceil(np.log2(largest)) if largest > 0 else 1.0
        return cls(directions, mean, unit)

    def coordinates(self, X: Any) -> Coordinates:
        """Of some rows of the table; those of a row depend on nothing but the row."""
        n_coordinates = X.shape[1] if self.directions is None else len(self.directions) + 1
        points = np.empty((X.shape[0], n_coordinates), dtype=np.float32)
        error = np.empty(X.shape[0])
        size = max(1, _BLOCK_BYTES // (8 * X.shape[1]))
        for first in range(0, X.shape[0], size):
            rows = slice(first, first + size)
            exact, error[rows] = _project(X[rows], self.directions, self.mean)
            points[rows] = exact / self.unit
        return Coordinates(points, error / self.unit, self.unit)


def sampled_rows(n_rows: int) -> np.ndarray:
    """Which rows of a table a projection is chosen on, in increasing order."""
    rng = np.random.default_rng(0)
    return np.sort(rng.choice(n_rows, min(n_rows, _SAMPLE), replace=False))


def _directions(sample: Any) -> tuple[np.ndarray | None, np.ndarray]:
    """The directions (None: the features themselves) and the mean of the rows."""
    is_sparse, n_features = sp.issparse(sample), sample.shape[1]
    mean = np.zeros(n_features) if is_sparse else sample.mean(axis=0)
    most = min(_NUMBERS[-1], n_features, sample.shape[0])
    if not is_sparse:
        sample = sample - mean
        if n_features <= _PLAIN or not np.any(sample):
            return None, mean
    directions = randomized_svd(sample, most, random_state=0)[2]
    number = _number_of_directions(sample, directions)
    if number is None and not is_sparse:
        return None, mean
    return directions[:number], mean  # of a sparse table always some


def _number_of_directions(sample: Any, directions: np.ndarray) -> int | None:
    """The cheapest: products of all pairs, plus a close look at those that remain.

    What remains is counted on the sample, within the distance of each row's nearest other.
    None if no projection is cheaper than all features.
    """
    n_features = sample.shape[1]
    z = euclidean_distances(sample, squared=True)
    np.fill_diagonal(z, np.inf)
    reach = z.min(axis=1, keepdims=True)
    exact, _ = _project(sample, directions, np.zeros(n_features))
    squares = np.cumsum(exact[:, ::-1] ** 2, axis=1)[:, ::-1]  # of a coordinate and all after it
    best, cheapest = None, float(n_features)
    for number in (n for n in _NUMBERS if n <= len(directions)):
        shortened = np.column_stack([exact[:, :number], np.sqrt(squares[:, number])])
        remaining = np.mean(euclidean_distances(shortened, squared=True) < reach)
        cost = number + remaining * (_CLOSE_LOOK + _CLOSE_LOOK_PER_FEATURE * n_features)
        if cost < cheapest:
            best, cheapest = number, cost
    return best


def _project(
    X: Any, directions: np.ndarray | None, mean: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The coordinates of some rows in double precision, and their error in single precision."""
    if sp.issparse(X) and directions is not None:
        scale = np.asarray(X.power(2).sum(axis=1)).ravel()
        p = X @ directions.T
    else:
        X = X.astype(float) - mean
        scale = np.einsum("ij,ij->i", X, X)
        if directions is None:
            return X, _SINGLE * np.sqrt(scale)
        p = _products(X, directions)
    rest = np.sqrt(np.maximum(scale - np.einsum("ij,ij->i", p, p), 0))
    lost = (X.shape[1] + 10) * _DOUBLE * scale  # by cancellation, of rest^2
    rest_error = np.minimum(np.sqrt(lost), lost / np.maximum(rest, np.sqrt(lost) + _TINY))
    return np.column_stack([p, rest]), _SINGLE * np.sqrt(scale) + 2 * rest_error


def _products(X: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """``X V'`` by products of one shape on one thread each.

    The last digits of a product depend on its shape, and must not on what other rows there are.
    """
    p = np.empty((len(X), len(directions)))

    def multiply(first: int) -> None:
        rows = X[first : first + _ROWS_AT_ONCE]
        missing = _ROWS_AT_ONCE - len(rows)
        padded = np.pad(rows, ((0, missing), (0, 0))) if missing else rows
        p[first : first + len(rows)] = (padded @ directions.T)[: len(rows)]

    for _ in in_threads(multiply, range(0, len(X), _ROWS_AT_ONCE)):
        pass
    return p
