"""``H x = b`` for the dual's Hessian: conjugate gradients, and LU where they stall."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from smoothgraph.problem import Curvature
from smoothgraph.solvers.forest import Forest
from smoothgraph.support.factor import factorize, factorize_indefinite

_CG_ITERATIONS = 100  # before a factorization is tried
_CG_ITERATIONS_LARGE = 1000  # where a factorization may fill in without bounds
_SPARSE = 2  # edges per node up to which a factorization hardly fills in, and comes first
_LARGE = 30_000
_SMALL = 3000  # nodes up to which any matrix is factorized


@dataclass(frozen=True, eq=False)
class LinearSystem:
    """Newton's equations for one matrix and any right-hand side."""

    hessian: Curvature

    def solve(self, b: np.ndarray, rtol: float) -> np.ndarray:
        """``x`` with ``|H x - b| <= rtol |b|`` in the gap's own norm, or the best at hand.

        A degree that is off by ``r_i`` adds ``r_i^2 / (2 diagonal_i)`` to the duality gap, so that is how residuals are
        weighed: a far-away node's tiny degree counts in full. Whatever is returned is a direction of ascent for the
        gradient ``b``.
        """
        m, n_pairs = len(b), self.hessian.n_pairs
        if n_pairs <= _SPARSE * m and m <= _LARGE:
            x = self._inverse(b)
            if _ascends(x, b):
                return x
        x, converged = self._conjugate_gradients(b, rtol)
        if not converged and m <= _SMALL:
            direct = self._inverse(b)
            return direct if _ascends(direct, b) else x
        return x

    def _conjugate_gradients(self, b: np.ndarray, rtol: float) -> tuple[np.ndarray, bool]:
        hessian, precondition = self.hessian, self._preconditioner
        weight = 1 / (hessian.diagonal if np.all(hessian.diagonal > 0) else hessian.jacobi)
        x = np.zeros_like(b)
        residual = b.copy()
        direction = y = precondition(residual)
        rho = residual @ y
        target = rtol**2 * (residual**2 @ weight)
        for _ in range(_CG_ITERATIONS if len(b) <= _SMALL else _CG_ITERATIONS_LARGE):
            product = hessian @ direction
            curvature = direction @ product
            if curvature <= 0:  # singular along this direction, up to rounding
                return (x if np.any(x) else direction), False
            step = rho / curvature
            x += step * direction
            residual -= step * product
            if residual**2 @ weight <= target:
                return x, True
            y = precondition(residual)
            rho, previous = residual @ y, rho
            direction = y + (rho / previous) * direction
        return x, False

    @cached_property
    def _preconditioner(self) -> Callable[[np.ndarray], np.ndarray]:
        """The inverse of a forest, of the blocks of parts that a degree prior couples, or of the diagonal."""
        hessian = self.hessian
        if hessian.coupling is not None:
            return factorize((sp.diags_array(hessian.jacobi) + hessian.coupling).tocsc()).solve
        forest = Forest.of(hessian)
        return forest.solve if forest else lambda residual: residual / hessian.jacobi

    @cached_property
    def _inverse(self) -> Callable[[np.ndarray], np.ndarray]:
        """Sparse LU of the scaled matrix, one refinement, Sherman-Morrison for r."""
        hessian, matrix = self.hessian, self.hessian.sparse_part()
        m = len(hessian.diagonal)
        root = _equilibrate(matrix, m)
        try:
            factor = (factorize if len(root) == m else factorize_indefinite)(matrix)
        except RuntimeError:  # exactly singular
            return lambda b: np.full_like(b, np.nan)

        def inverse(y: np.ndarray) -> np.ndarray:
            y = np.concatenate([y, np.zeros(len(root) - m)]) / root
            x = factor.solve(y)
            return ((x + factor.solve(y - matrix @ x)) / root)[:m]

        if hessian.r is None:
            return inverse
        r, solved = hessian.r, inverse(hessian.r)
        if not r @ solved < 1:  # a product of 1 is singular along r, up to rounding
            return lambda b: np.full_like(b, np.nan)

        def inverse_with_r(b: np.ndarray) -> np.ndarray:
            x = inverse(b)
            return x + solved * (r @ x) / (1 - r @ solved)

        return inverse_with_r


def _ascends(x: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.all(np.isfinite(x)) and b @ x > 0)


def _equilibrate(matrix: sp.csc_array, m: int) -> np.ndarray:
    """Divide row and column k by ``root_k``, which is returned: then no entry is much larger than 1.

    The first ``m`` are nodes, with a positive diagonal. The rest are pairs.
    """
    root = np.sqrt(np.abs(matrix.diagonal()))
    column = np.repeat(np.arange(len(root)), np.diff(matrix.indptr))
    of_pairs = (column >= m) & (matrix.indices < m)
    root[m:] = 0
    np.maximum.at(root, column[of_pairs], 1 / root[matrix.indices[of_pairs]])
    matrix.data /= root[matrix.indices] * root[column]
    return root
