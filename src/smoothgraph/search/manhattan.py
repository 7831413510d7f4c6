"""Coordinates for Manhattan distances: squared Euclidean distances that never exceed them.

Thresholds cut the axis of a column into steps of widths ``h``. The coordinate of a step is the part of it that lies
below ``x``, divided by ``sqrt(h)``. Where ``x`` and ``y`` differ by ``d`` inside a step, ``d <= h``, the squared
difference of its coordinates is ``d^2 / h <= d``. The ``d`` of all steps of all columns add up to ``|x - y|_1``, so

    |q_x - q_y|^2 <= |x - y|_1,

with equality for rows that lie on the thresholds. Half of the thresholds are spread evenly over the range of a column,
which suits numbers like gray levels. The other half are quantiles, which suit long tails.

A coordinate is computed by a subtraction of given numbers, and is off by at most ``2^-51`` of itself. That is added to
the errors of step 2 of the budget in :mod:`smoothgraph.search.lower_bounds`.
"""

from typing import NamedTuple

import numpy as np
from sklearn.utils.extmath import row_norms

from smoothgraph.search.coordinates import Coordinates, Projection, sample_rows
from smoothgraph.search.lower_bounds import DOUBLE

_MOST_STEPS, _FEWEST_STEPS = 16, 4  # per column; measured: more rule out hardly any more pairs
_COORDINATES = 256  # steps of all columns, if that leaves each column enough
_BLOCK_BYTES = 32 * 2**20  # of coordinates in double precision at once


class Steps(NamedTuple):
    """The steps of all columns: step ``s`` starts at ``start[s]`` in ``column[s]`` and is ``width[s]`` wide."""

    column: np.ndarray
    start: np.ndarray
    width: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray) -> "Steps":
        """Choose the steps by a sample of the rows, so that they span all of them."""
        n_steps = int(np.clip(_COORDINATES // X.shape[1], _FEWEST_STEPS, _MOST_STEPS))
        low, high = X.min(axis=0), X.max(axis=0)
        even = np.linspace(low, high, n_steps // 2 + 1)
        quantiles = np.quantile(X[sample_rows(len(X))], np.linspace(0, 1, n_steps // 2 + 1)[1:-1], axis=0)
        thresholds = np.clip(np.sort(np.vstack([even, quantiles]), axis=0), low, high)
        width = np.diff(thresholds, axis=0)
        step, column = np.nonzero(width > 0)
        return cls(column, thresholds[step, column], width[step, column])

    def coordinates(self, X: np.ndarray) -> np.ndarray:
        """Return the coordinates of some rows in double precision."""
        return np.clip(X[:, self.column] - self.start, 0, self.width) / np.sqrt(self.width)


def manhattan_coordinates(X: np.ndarray) -> Coordinates:
    """Return coordinates whose squared distances never exceed the Manhattan distances of the rows of ``X``."""
    steps = Steps.of(X)
    if len(steps.column) == 0:  # all rows are the same
        return Coordinates.of(np.zeros((len(X), 1)))
    projection = Projection.choose(steps.coordinates(X[sample_rows(len(X))]), float(np.sqrt(steps.width.max())))
    size = max(1, _BLOCK_BYTES // (8 * len(steps.column)))
    parts = []
    for first in range(0, len(X), size):
        q = steps.coordinates(X[first : first + size])
        some = projection.coordinates(q)
        parts.append(some._replace(error=some.error + 2 * DOUBLE * row_norms(q) / some.unit))
    return Coordinates.concatenate(parts)
