"""``H x = b`` for the dual's Hessian: conjugate gradients, and LU where they stall."""

import numpy as np

from smoothgraph.problem import Curvature
from smoothgraph.support.factor import factorize

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
        x = _factorize(hessian, b, scale)
        if _ascends(x, b):
            return x
    x, converged = _conjugate_gradients(hessian, b, scale, rtol)
    if not converged and (m <= _SMALL or (n_pairs <= _FACTORABLE * m and m <= _LARGE)):
        direct = _factorize(hessian, b, scale)
        return direct if _ascends(direct, b) else x
    return x


def _ascends(x: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.all(np.isfinite(x)) and b @ x > 0)


def _conjugate_gradients(hessian: Curvature, b: np.ndarray, scale: np.ndarray, rtol: float) -> tuple[np.ndarray, bool]:
    weight = 1 / (hessian.diagonal if np.all(hessian.diagonal > 0) else scale)
    x = np.zeros_like(b)
    residual = b.copy()
    direction = y = residual / scale
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
        y = residual / scale
        rho, previous = residual @ y, rho
        direction = y + (rho / previous) * direction
    return x, False


def _factorize(hessian: Curvature, b: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Sparse LU of the Jacobi-scaled matrix, Sherman-Morrison for r, one refinement."""
    root = np.sqrt(scale)
    matrix = hessian.sparse_part()
    matrix.data /= root[matrix.indices] * np.repeat(root, np.diff(matrix.indptr))
    try:
        factor = factorize(matrix)
    except RuntimeError:  # exactly singular
        return np.full_like(b, np.nan)

    def inverse(y: np.ndarray) -> np.ndarray:
        x = factor.solve(y / root)
        if hessian.r is not None:
            x += solved * (r @ x) / (1 - r @ solved)
        return x / root

    if hessian.r is not None:
        r = hessian.r / root
        solved = factor.solve(r)
        if r @ solved >= 1:  # singular along r, up to rounding
            return np.full_like(b, np.nan)
    x = inverse(b)
    return x + inverse(b - hessian @ x)
