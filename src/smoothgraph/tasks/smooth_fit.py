"""A table close to known entries and smooth along its rows and columns: one linear system."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, cg


class Minimum(NamedTuple):
    """A table with its objective; ``distance`` is the solver's measure of what is left to gain."""

    X: np.ndarray
    objective: float
    distance: float
    n_iter: int


@dataclass(frozen=True, eq=False)
class SmoothFit:
    """``f(X) = 1/2 |P(X - M)|_F^2 + 1/2 tr(X' R X) + 1/2 tr(X C X')``; P keeps known entries.

    ``values`` is ``P(M)``; ``rows`` and ``columns`` are the Laplacians R and C.
    """

    known: np.ndarray
    values: np.ndarray
    rows: sp.csr_array
    columns: sp.csr_array

    def product(self, X: np.ndarray) -> np.ndarray:
        """``A(X) = P(X) + R X + X C``, the curvature of f."""
        return self.known * X + self.rows @ X + X @ self.columns

    def gradient(self, X: np.ndarray) -> np.ndarray:
        """``A(X) - P(M)``."""
        return self.product(X) - self.values

    def misfit(self, X: np.ndarray) -> np.ndarray:
        """``P(X - M)``."""
        return self.known * X - self.values

    def value(self, X: np.ndarray) -> float:
        """``f(X)``."""
        roughness = np.sum(X * (self.rows @ X)) + np.sum(X * (X @ self.columns))
        return float(np.sum(self.misfit(X) ** 2) + roughness) / 2

    @cached_property
    def largest_curvature(self) -> float:
        """An upper bound of the eigenvalues of A, from the 1-norms of the two Laplacians."""
        return 1.0 + sum(float(abs(L).sum(axis=0).max()) for L in (self.rows, self.columns))

    @cached_property
    def unreachable(self) -> np.ndarray:
        """The entries that no path along rows and columns joins to a known one: f ignores them."""
        n_row_parts, row_part = connected_components(self.rows, directed=False)
        n_column_parts, column_part = connected_components(self.columns, directed=False)
        i, j = np.nonzero(self.known)
        reached = np.zeros((n_row_parts, n_column_parts), dtype=bool)
        reached[row_part[i], column_part[j]] = True
        return ~reached[row_part][:, column_part]


def solve_smooth(fit: SmoothFit, *, tol: float, max_iter: int) -> Minimum:
    """``argmin f(X)``, that is ``A(X) = P(M)``, by conjugate gradients; 0 at unreachable entries.

    The ``distance`` of the result is ``|A(X) - P(M)|_F / |P(M)|_F``.
    """
    shape = fit.values.shape
    square = (fit.values.size, fit.values.size)
    diagonal = fit.known + fit.rows.diagonal()[:, None] + fit.columns.diagonal()
    jacobi = 1 / np.where(diagonal > 0, diagonal, 1.0).ravel()
    iterations: list[None] = []
    x, _ = cg(
        LinearOperator(square, lambda x: fit.product(x.reshape(shape)).ravel(), dtype=float),
        fit.values.ravel(),
        rtol=tol / 2,  # of the updated residual, which drifts away from the true one
        atol=0.0,
        maxiter=max_iter,
        M=LinearOperator(square, lambda x: jacobi * x, dtype=float),
        callback=lambda _: iterations.append(None),
    )
    X = x.reshape(shape)
    size = np.linalg.norm(fit.values)
    residual = float(np.linalg.norm(fit.gradient(X)) / size) if size > 0 else 0.0
    return Minimum(X, fit.value(X), residual, len(iterations))
