"""Few coordinates per row, whose distances never exceed the true ones.

With orthonormal directions ``V``, ``p = V'(x - mean)`` and ``rho = |x - mean - V p|``,

    |x - y|^2 >= |p_x - p_y|^2 + (rho_x - rho_y)^2.

So a pair that is too far apart in the coordinates ``(p, rho)`` needs no closer look. The same holds for the first few
of the directions, with the length of all else: most pairs are too far apart even by these. The errors are those of
step 3 of the budget in :mod:`smoothgraph.search.lower_bounds`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.extmath import randomized_svd, row_norms

from smoothgraph.search.lower_bounds import DOUBLE, SINGLE
from smoothgraph.support.input_error import InputError
from smoothgraph.support.threads import in_threads, one_blas_thread

_BLOCK_BYTES = 8 * 2**20  # of rows in double precision that are projected at once
_SAMPLE = 2000  # rows on which the directions are chosen
_COUNTED = 1000  # of these, on which pairs are counted
_PLAIN = 16  # up to this many features, distances along fewer directions say too little
_NUMBERS = (7, 11, 15, 19, 23, 31, 47, 63, 95, 127, 255)  # of directions: with the residual, a multiple of 4
# The time to compare all coordinates of a pair, and to measure it, in multiples of the time for one coordinate of a
# matrix product.
_COMPARE, _COMPARE_PER_COORDINATE = 400, 1
_MEASURE, _MEASURE_PER_FEATURE = 2000, 12
_KEEP = 0.1  # likewise, the price of a coordinate that is kept in memory
_TINY = np.finfo(float).tiny


class Coordinates(NamedTuple):
    """``points`` in single precision, each at most ``error`` away from where it should be.

    Both are multiples of ``unit``, so that their squares neither overflow nor underflow. ``shortened`` are the first
    coordinates of each point and the length of the rest, if that is fewer numbers; their errors are no larger.
    """

    points: np.ndarray
    error: np.ndarray
    unit: float
    shortened: np.ndarray | None = None

    @property
    def short(self) -> np.ndarray:
        """The points as products need them: shortened, if that is fewer numbers."""
        return self.points if self.shortened is None else self.shortened

    @classmethod
    def concatenate(cls, parts: "Sequence[Coordinates]") -> "Coordinates":
        """Join the coordinates of several groups of rows, which are in the same unit."""
        shortened = [part.shortened for part in parts if part.shortened is not None]
        points, error = (np.concatenate(column) for column in zip(*((p.points, p.error) for p in parts), strict=True))
        return cls(points, error, parts[0].unit, np.concatenate(shortened) if shortened else None)

    @classmethod
    def of(cls, X: Any) -> "Coordinates":
        """Return the coordinates of the rows of ``X`` along the cheapest set of directions."""
        return Projection.of(X).coordinates(X)

    def take(self, rows: np.ndarray) -> "Coordinates":
        """Return the coordinates of some rows."""
        shortened = None if self.shortened is None else self.shortened[rows]
        return Coordinates(self.points[rows], self.error[rows], self.unit, shortened)

    def in_unit(self, unit: float) -> "Coordinates":
        """Return the same in a larger unit, which is a power of two, too."""
        shrink = self.unit / unit
        shortened = None if self.shortened is None else self.shortened * np.float32(shrink)
        return Coordinates(self.points * np.float32(shrink), self.error * shrink, unit, shortened)


@dataclass(frozen=True, eq=False)
class Projection:
    """How rows become coordinates: along ``directions``, or all features if that is None.

    The first ``n_short`` of the directions give shortened points.
    """

    directions: np.ndarray | None
    mean: np.ndarray
    unit: float
    n_short: int

    @classmethod
    def of(cls, X: Any) -> "Projection":
        """Choose a projection for the rows of ``X``."""
        return cls.choose(X[sample_rows(X.shape[0])], largest_magnitude(X))

    @classmethod
    def choose(cls, sample: Any, largest: float) -> "Projection":
        """Choose a projection for a table by a sample of its rows and its largest magnitude."""
        unit = unit_for(largest, sample.shape[1])
        with one_blas_thread:  # which is enough for a sample
            directions, mean, n_short = _directions(sample.astype(float))
        return cls(directions, mean, unit, n_short)

    def coordinates(self, X: Any) -> Coordinates:
        """Return the coordinates of some rows of the table."""
        n_coordinates = X.shape[1] if self.directions is None else len(self.directions) + 1
        points = np.empty((X.shape[0], n_coordinates), dtype=np.float32)
        shortened = None
        if self.n_short + 1 < n_coordinates and self.directions is not None:
            shortened = np.empty((X.shape[0], self.n_short + 1), dtype=np.float32)
        error = np.empty(X.shape[0])
        size = max(1, _BLOCK_BYTES // (8 * X.shape[1]))

        def project(first: int) -> None:
            rows = slice(first, first + size)
            exact, error[rows] = _project(X[rows], self.directions, self.mean)
            points[rows] = exact / self.unit
            if shortened is not None:
                shortened[rows] = _shorten(exact, self.n_short) / self.unit

        for _ in in_threads(project, range(0, X.shape[0], size)):
            pass
        return Coordinates(points, error / self.unit, self.unit, shortened)


def largest_magnitude(X: Any) -> float:
    """Return the largest absolute value in ``X``."""
    return max(float(X.max()), -float(X.min()))


def unit_for(largest: float, n_features: int) -> float:
    """Return the power of two next to the ``largest`` magnitude; an InputError if distances would not be finite."""
    if not np.isfinite(4 * n_features * largest * largest):
        raise InputError(
            f"The largest number in X is {largest:.2g}, and squared distances would not be finite; rescale X."
        )
    return 2.0 ** np.ceil(np.log2(largest)) if largest > 0 else 1.0


def sample_rows(n_rows: int, size: int = _SAMPLE) -> np.ndarray:
    """Draw ``size`` row numbers, or all if there are fewer, in increasing order."""
    rng = np.random.default_rng(0)
    return np.sort(rng.choice(n_rows, min(n_rows, size), replace=False))


def _directions(sample: Any) -> tuple[np.ndarray | None, np.ndarray, int]:
    """Return the directions, the mean of the rows, and how many directions give shortened points.

    The directions are None for the features themselves.
    """
    is_sparse, n_features = sp.issparse(sample), sample.shape[1]
    mean = np.zeros(n_features) if is_sparse else sample.mean(axis=0)
    if not is_sparse:
        sample = sample - mean
        if n_features <= _PLAIN or not np.any(sample):
            return None, mean, n_features
    most = min(_NUMBERS[-1], n_features, sample.shape[0])
    directions = randomized_svd(sample, most, random_state=0)[2]
    n_short, number, cost = _cheapest_numbers(sample, directions)
    if cost >= n_features and not is_sparse:
        return None, mean, n_features
    return directions[:number], mean, n_short  # a sparse table always has some


def _cheapest_numbers(sample: Any, directions: np.ndarray) -> tuple[int, int, float]:
    """Return how many directions are cheapest for shortened points, how many in all, and their cost.

    That is the cost of products of all pairs along the first directions, of comparing those that remain along all of
    them, of measuring those that still remain, and of memory. The pairs that remain are counted on the sample, within
    the distance of each row's nearest other.
    """
    n_features, sample = sample.shape[1], sample[sample_rows(sample.shape[0], _COUNTED)]
    z = euclidean_distances(sample, squared=True)
    np.fill_diagonal(z, np.inf)
    reach = z.min(axis=1, keepdims=True)
    exact, _ = _project(sample, directions, np.zeros(n_features))
    numbers = sorted({n for n in _NUMBERS if n < len(directions)} | {len(directions)})
    remaining = {n: np.mean(euclidean_distances(_shorten(exact, n), squared=True) < reach) for n in numbers}
    measure = _MEASURE + _MEASURE_PER_FEATURE * n_features

    def cost(first: int, number: int) -> float:
        compared = _COMPARE + _COMPARE_PER_COORDINATE * number if number > first else 0
        return float(first + 1 + _KEEP * number + remaining[first] * compared + remaining[number] * measure)

    return min(((first, n, cost(first, n)) for n in numbers for first in numbers if first <= n), key=lambda it: it[2])


def _shorten(points: np.ndarray, number: int) -> np.ndarray:
    """Return the first coordinates of each point, and the length of the rest."""
    rest = np.sqrt(np.einsum("ij,ij->i", points[:, number:], points[:, number:]))
    return np.column_stack([points[:, :number], rest])


def _project(X: Any, directions: np.ndarray | None, mean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return coordinates in double precision, and their errors once they are in single."""
    X = X if sp.issparse(X) else X - mean
    scale = row_norms(X, squared=True)
    if directions is None:
        return X, SINGLE * np.sqrt(scale)
    p = X @ directions.T
    rest = np.sqrt(np.maximum(scale - row_norms(p, squared=True), 0))
    canceled = (X.shape[1] + 10) * DOUBLE * scale  # the error of rest^2
    rest_error = np.minimum(np.sqrt(canceled), canceled / np.maximum(rest, np.sqrt(canceled) + _TINY))
    return np.column_stack([p, rest]), SINGLE * np.sqrt(scale) + 2 * rest_error
