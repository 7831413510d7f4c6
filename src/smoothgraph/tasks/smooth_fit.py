"""A table close to known entries and smooth along its rows and columns: its solvers, with and without low rank."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, cg

from smoothgraph.support.threads import one_blas_thread

_CHECK_EVERY = 10  # iterations: a check of the gap costs about as much as one iteration


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

    def value(self, X: np.ndarray) -> float:
        """``f(X)``."""
        misfit = self.known * X - self.values
        return float(np.sum(misfit**2) + np.sum(X * (self.rows @ X)) + np.sum(X * (X @ self.columns))) / 2

    @cached_property
    def unreachable(self) -> np.ndarray:
        """The entries that no path along rows and columns joins to a known one: f ignores them."""
        n_row_parts, row_part = connected_components(self.rows, directed=False)
        n_column_parts, column_part = connected_components(self.columns, directed=False)
        i, j = np.nonzero(self.known)
        reached = np.zeros((n_row_parts, n_column_parts), dtype=bool)
        reached[row_part[i], column_part[j]] = True
        return ~reached[row_part][:, column_part]


@one_blas_thread
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


@one_blas_thread
def solve_low_rank(fit: SmoothFit, strength: float, *, tol: float, max_iter: int) -> Minimum:
    """``argmin f(X) + weight |X|_*`` with ``weight = strength |P(M)|_2``.

    FISTA (Beck and Teboulle, 2009). Each step thresholds the singular values; the momentum restarts when it points
    uphill (O'Donoghue and Candès, 2015). The ``distance`` of the result is the relative duality gap.
    """
    X = ahead = np.zeros_like(fit.values)
    if not np.any(fit.values):
        return Minimum(X, 0.0, 0.0, 0)
    weight = strength * float(np.linalg.norm(fit.values, 2))
    largest_curvature = 1.0 + sum(float(abs(L).sum(axis=0).max()) for L in (fit.rows, fit.columns))  # at most
    step, momentum = 1 / largest_curvature, 1.0
    for n_iter in range(1, max_iter + 1):
        before = X
        X, nuclear_norm = _threshold(ahead - step * fit.gradient(ahead), step * weight)
        if np.sum((ahead - X) * (X - before)) > 0:
            momentum = 1.0
        last, momentum = momentum, (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = X + (last - 1) / momentum * (X - before)
        if n_iter % _CHECK_EVERY == 0 or n_iter == max_iter:
            objective, gap = _certify(fit, weight, X, nuclear_norm)
            if gap <= tol:
                break
    return Minimum(X, objective, gap, n_iter)


def _threshold(X: np.ndarray, threshold: float) -> tuple[np.ndarray, float]:
    """``argmin_Y 1/2 |Y - X|_F^2 + threshold |Y|_*`` and its nuclear norm."""
    left, sizes, right = scipy.linalg.svd(X, full_matrices=False, check_finite=False)
    rank = np.count_nonzero(sizes > threshold)
    kept = sizes[:rank] - threshold
    return (left[:, :rank] * kept) @ right[:rank], float(np.sum(kept))


def _certify(fit: SmoothFit, weight: float, X: np.ndarray, nuclear_norm: float) -> tuple[float, float]:
    """``F = f(X) + weight |X|_*`` and the gap ``(F - D) / F``, where D bounds every F from below.

    D is a value of the dual of ``h(K X) + weight |X|_*``, where K takes the known entries and the differences along
    edges. The dual point is ``s`` times the gradient of h at K X. It is feasible if ``s |grad f(X)|_2 <= weight``
    and has the value ``D(s) = -s^2 f(X) - s <P(X - M), M>``, which is taken at the best such s.
    """
    f = fit.value(X)
    slope = -float(np.sum((fit.known * X - fit.values) * fit.values))
    size = float(np.linalg.norm(fit.gradient(X), 2))
    s = max(0.0, slope / (2 * f)) if f > 0 else 0.0
    s = weight / size if s * size > weight else s
    objective = f + weight * nuclear_norm
    return objective, max(0.0, (objective - (s * slope - s**2 * f)) / objective)
