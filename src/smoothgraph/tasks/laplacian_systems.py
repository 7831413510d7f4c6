"""Linear systems of graph Laplacians with many right-hand sides."""

import warnings

import numpy as np
import scipy.sparse as sp

from smoothgraph.support.factor import factorize
from smoothgraph.support.threads import one_blas_thread

_FACTORED = 3000  # nodes: of more, a sparse factor takes longer than conjugate gradients
_MOST_STEPS = 10_000


def solve_definite(A: sp.csr_array, B: np.ndarray) -> np.ndarray:
    """Return X with ``A X = B``, for the positive definite A of some nodes of a graph."""
    if A.shape[0] > _FACTORED:
        return solve_columns(A, B)
    return _solve_scaled(A, B)


def solve_laplacian(L: sp.csr_array, B: np.ndarray, component: np.ndarray) -> np.ndarray:
    """Return some X with ``L X = B``, where the columns of B sum to 0 on every component of the graph."""
    if L.shape[0] > _FACTORED:
        return solve_columns(L, B)
    by_degree = np.lexsort((-L.diagonal(), component))
    first = by_degree[np.unique(component[by_degree], return_index=True)[1]]
    others = np.setdiff1d(np.arange(L.shape[0]), first)  # the node of the largest degree of each component is 0
    X = np.zeros_like(B, dtype=float)
    if len(others) > 0:
        X[others] = _solve_scaled(L[others][:, others], B[others])
    return X


def _solve_scaled(A: sp.csr_array, B: np.ndarray) -> np.ndarray:
    """Return X with ``A X = B`` by a factor of A with a diagonal of ones: tiny weights then count like all others."""
    root = sp.diags_array(1 / np.sqrt(A.diagonal()))
    with one_blas_thread:
        return root @ factorize((root @ A @ root).tocsc()).solve(root @ B)


def solve_columns(A: sp.csr_array, B: np.ndarray, *, tol: float = 1e-10) -> np.ndarray:
    """Return X with ``|A x - b| <= tol |b|`` for all columns, by conjugate gradients with A's diagonal.

    A is positive definite; or semidefinite, if every column is in its range. A step multiplies A by all columns at
    once. If 10,000 steps do not suffice, a ConvergenceWarning says so.
    """
    diagonal = A.diagonal()[:, None]
    inverse = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=diagonal > 0)
    goal = tol * np.linalg.norm(B, axis=0)
    X = np.zeros_like(B, dtype=float)
    todo = np.flatnonzero(goal > 0)
    R = np.array(B[:, todo], dtype=float)
    Z = inverse * R
    P, slope = Z.copy(), np.sum(R * Z, axis=0)
    for _ in range(_MOST_STEPS):
        if len(todo) == 0:
            return X
        AP = A @ P
        step = slope / np.sum(P * AP, axis=0)
        X[:, todo] += step * P
        R -= step * AP
        going = np.linalg.norm(R, axis=0) > goal[todo]
        if not np.all(going):
            todo, R, P, slope = todo[going], R[:, going], P[:, going], slope[going]
        Z = inverse * R
        before, slope = slope, np.sum(R * Z, axis=0)
        P = Z + (slope / before) * P
    from sklearn.exceptions import ConvergenceWarning  # deferred: scikit-learn takes long to import

    warnings.warn(
        f"{len(todo)} of {B.shape[1]} systems of the graph Laplacian were not solved to a relative residual of {tol:g} "
        f"in {_MOST_STEPS} steps: weights of very different size make them hard. Drop the smallest weights.",
        ConvergenceWarning,
        stacklevel=3,
    )
    return X
