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

_BLOCK_BYTES = 32 * 2**20
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
        directions, mean = _directions(X)
        largest = float(abs(X).max())
        unit = 2.0 ** np.ceil(np.log2(largest)) if largest > 0 else 1.0
        n_coordinates = X.shape[1] if directions is None else len(directions) + 1
        points = np.empty((X.shape[0], n_coordinates), dtype=np.float32)
        error = np.empty(X.shape[0])
        size = max(1, _BLOCK_BYTES // (8 * X.shape[1]))
        for first in range(0, X.shape[0], size):
            rows = slice(first, first + size)
            exact, error[rows] = _project(X[rows], directions, mean)
            points[rows] = exact / unit
        return cls(points, error / unit, unit)

    def in_order(self, order: np.ndarray) -> "Coordinates":
        """Those of the rows ``order``."""
        return Coordinates(self.points[order], self.error[order], self.unit)


def _directions(X: Any) -> tuple[np.ndarray | None, np.ndarray]:
    """The directions (None: the features themselves) and the mean of the rows."""
    m, n_features = X.shape
    rng = np.random.default_rng(0)
    sample = X[np.sort(rng.choice(m, min(m, _SAMPLE), replace=False))].astype(float)
    mean = np.zeros(n_features) if sp.issparse(X) else sample.mean(axis=0)
    most = min(_NUMBERS[-1], n_features, sample.shape[0])
    if not sp.issparse(X):
        sample = sample - mean
        if n_features <= _PLAIN or not np.any(sample):
            return None, mean
    directions = randomized_svd(sample, most, random_state=0)[2]
    number = _number_of_directions(sample, directions)
    if number is None and not sp.issparse(X):
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
        p = X @ directions.T
    rest = np.sqrt(np.maximum(scale - np.einsum("ij,ij->i", p, p), 0))
    lost = (X.shape[1] + 10) * _DOUBLE * scale  # by cancellation, of rest^2
    rest_error = np.minimum(np.sqrt(lost), lost / np.maximum(rest, np.sqrt(lost) + _TINY))
    return np.column_stack([p, rest]), _SINGLE * np.sqrt(scale) + 2 * rest_error
