"""The optimum of a problem by a general solver, CVXPY with Clarabel, from the formulas alone."""

import numpy as np
import scipy.sparse as sp

from smoothgraph import PairSet, Problem
from smoothgraph.priors import FixedDegrees, LogDegrees, QuadraticEdges, SquaredDegrees


def summation(pattern: PairSet) -> sp.csr_array:
    """Return S as a matrix, built independently of the kernels."""
    e = np.arange(pattern.n_pairs)
    rows, cols = np.concatenate([pattern.rows, pattern.cols]), np.concatenate([e, e])
    return sp.csr_array((np.ones(2 * len(e)), (rows, cols)), shape=(pattern.n_nodes, len(e)))


def reference_optimum(problem: Problem, tol: float = 1e-8) -> tuple[float, np.ndarray] | None:
    """Return the optimal value and weights; None if the solver does not vouch for them."""
    import cvxpy as cp

    pairs, f, g = problem.pairs, problem.edge_prior, problem.degree_prior
    w = cp.Variable(pairs.n_pairs, nonneg=True)
    d = summation(pairs.pattern) @ w
    objective, constraints = 2 * pairs.z @ w, []
    if isinstance(f, QuadraticEdges):
        objective += f.beta * cp.sum_squares(w)
        if f.w0 is not None:
            objective += f.strength * cp.sum_squares(w - f.w0)
    else:
        objective += 4 * f.sigma**2 * (-cp.sum(cp.entr(w)) - cp.sum(w))
    if isinstance(g, LogDegrees):
        objective -= cp.sum(cp.multiply(g.alpha, cp.log(d)))
    elif isinstance(g, SquaredDegrees):
        objective += g.alpha * cp.sum_squares(d)
        constraints = [cp.sum(d) == g.total]
    elif isinstance(g, FixedDegrees):
        constraints = [d == np.broadcast_to(g.degree, pairs.n_nodes)]
    model = cp.Problem(cp.Minimize(objective), constraints)
    try:
        model.solve(solver=cp.CLARABEL, tol_gap_abs=tol, tol_gap_rel=tol, tol_feas=tol)
    except cp.SolverError:
        return None
    return (model.value, w.value) if model.status == "optimal" else None
