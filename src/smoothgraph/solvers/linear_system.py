"""``H x = b`` for the dual's Hessian: conjugate gradients, and LU where they stall."""

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from smoothgraph.problem import Curvature
from smoothgraph.support.factor import factorize, factorize_indefinite

_CG_ITERATIONS = 100  # before a factorization is tried
_CG_ITERATIONS_LARGE = 1000  # where a factorization may fill in without bounds
_FOREST = 2  # edges per node up to which a factorization hardly fills in, and comes first
_FACTORABLE = 8  # and up to which it still beats conjugate gradients that stall
_LARGE = 30_000
_SMALL = 3000  # nodes up to which any matrix is factorized


def solve(hessian: Curvature, b: np.ndarray, rtol: float) -> np.ndarray:
    """``x`` with ``|H x - b| <= rtol |b|`` in the gap's own norm, or the best at hand.

    A degree that is off by ``r_i`` adds ``r_i^2 / (2 diagonal_i)`` to the duality gap, so that is how residuals are
    weighed: a far-away node's tiny degree counts in full. Whatever is returned is a direction of ascent for the
    gradient ``b``.
    """
    scale = hessian.jacobi
    m, n_pairs = len(b), hessian.n_pairs
    if n_pairs <= _FOREST * m and m <= _LARGE:
        x = _factorize(hessian, b)
        if _ascends(x, b):
            return x
    x, converged = _conjugate_gradients(hessian, b, scale, rtol)
    if not converged and (m <= _SMALL or (n_pairs <= _FACTORABLE * m and m <= _LARGE)):
        direct = _factorize(hessian, b)
        return direct if _ascends(direct, b) else x
    return x


def _ascends(x: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.all(np.isfinite(x)) and b @ x > 0)


def _conjugate_gradients(hessian: Curvature, b: np.ndarray, scale: np.ndarray, rtol: float) -> tuple[np.ndarray, bool]:
    weight = 1 / (hessian.diagonal if np.all(hessian.diagonal > 0) else scale)
    x = np.zeros_like(b)
    residual = b.copy()
    precondition = _preconditioner(hessian, scale)
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


def _preconditioner(hessian: Curvature, scale: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """The inverse of the diagonal, or of the blocks of parts that a degree prior couples."""
    if hessian.coupling is None:
        return lambda residual: residual / scale
    return factorize((sp.diags_array(scale) + hessian.coupling).tocsc()).solve


def _factorize(hessian: Curvature, b: np.ndarray) -> np.ndarray:
    """Sparse LU of the scaled matrix, one refinement, Sherman-Morrison for r."""
    m, matrix = len(b), hessian.sparse_part()
    root = _equilibrate(matrix, m)
    try:
        factor = (factorize if len(root) == m else factorize_indefinite)(matrix)
    except RuntimeError:  # exactly singular
        return np.full_like(b, np.nan)

    def inverse(y: np.ndarray) -> np.ndarray:
        y = np.concatenate([y, np.zeros(len(root) - m)]) / root
        x = factor.solve(y)
        return ((x + factor.solve(y - matrix @ x)) / root)[:m]

    x = inverse(b)
    if hessian.r is None:
        return x
    r, solved = hessian.r, inverse(hessian.r)
    # A product of 1 is singular along r, up to rounding.
    return x + solved * (r @ x) / (1 - r @ solved) if r @ solved < 1 else np.full_like(b, np.nan)


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
