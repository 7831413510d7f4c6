"""Smooth tables of low rank, by accelerated proximal gradients with a duality gap."""

import numpy as np
import scipy.linalg

from smoothgraph.tasks.smooth_fit import Minimum, SmoothFit

_CHECK_EVERY = 10  # iterations: a check of the gap costs about as much as one iteration


def solve_low_rank(fit: SmoothFit, strength: float, *, tol: float, max_iter: int) -> Minimum:
    """``argmin f(X) + weight |X|_*`` with ``weight = strength |P(M)|_2``.

    FISTA (Beck and Teboulle, 2009). Each step thresholds the singular values; the momentum restarts when it points
    uphill (O'Donoghue and Candès, 2015). The ``distance`` of the result is the relative duality gap.
    """
    step = 1 / fit.largest_curvature
    X = ahead = np.zeros_like(fit.values)
    if not np.any(fit.values):
        return Minimum(X, 0.0, 0.0, 0)
    weight = strength * float(np.linalg.norm(fit.values, 2))
    momentum = 1.0
    for n_iter in range(1, max_iter + 1):
        before = X
        X, nuclear_norm = _threshold(ahead - step * fit.gradient(ahead), step * weight)
        if np.sum((ahead - X) * (X - before)) > 0:
            momentum = 1.0
        longer = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = X + (momentum - 1) / longer * (X - before)
        momentum = longer
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
    slope = -float(np.sum(fit.misfit(X) * fit.values))
    size = float(np.linalg.norm(fit.gradient(X), 2))
    s = max(0.0, slope / (2 * f)) if f > 0 else 0.0
    if s * size > weight:
        s = weight / size
    objective = f + weight * nuclear_norm
    return objective, max(0.0, (objective - (s * slope - s**2 * f)) / objective)
