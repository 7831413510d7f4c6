"""Independent ways to the same graphs: CVXPY from the formulas, and sweeps over the windows."""

from dataclasses import replace

import cvxpy as cp
import numpy as np

from benchmarks.reference import summation
from smoothgraph import Newton, Pairs, Problem
from smoothgraph.priors import LogDegrees, QuadraticEdges, SquaredDegrees


def objective(pattern, z, w, *, alpha, beta, strength, coupling):
    """The joint objective, in NumPy, with the coupling's own factor ``strength``."""
    degrees = np.array([summation(pattern) @ row for row in w])
    changes = np.diff(w, axis=0)
    penalty = np.sum(changes**2) if coupling == "l2" else np.sum(np.abs(changes))
    apart = 2 * np.sum(z * w) - alpha * np.sum(np.log(degrees)) + beta * np.sum(w**2)
    return apart + strength * penalty


def cvxpy_graphs(pattern, z, *, alpha=1.0, beta, strength, coupling, degree_prior=None):
    """The optimal value and weights; the degree prior is ``LogDegrees(alpha)`` unless another is given."""
    w = cp.Variable(z.shape, nonneg=True)
    changes = w[1:] - w[:-1]
    penalty = cp.sum_squares(changes) if coupling == "l2" else cp.sum(cp.abs(changes))
    value, constraints = _degree_terms(degree_prior or LogDegrees(alpha), cp.vec(w @ summation(pattern).T, order="C"))
    total = 2 * cp.sum(cp.multiply(z, w)) + value + beta * cp.sum_squares(w) + strength * penalty
    model = cp.Problem(cp.Minimize(total), constraints)
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    assert model.status == "optimal"
    return model.value, w.value


def _degree_terms(prior, d):
    """``g(d)`` and the constraints on the degrees of all nodes in all windows."""
    if isinstance(prior, LogDegrees):
        return -prior.alpha * cp.sum(cp.log(d)), []
    if isinstance(prior, SquaredDegrees):
        return prior.alpha * cp.sum_squares(d), [cp.sum(d) == prior.total]
    return 0, [d == np.broadcast_to(prior.degree, d.shape)]


def swept_graphs(pattern, z, *, alpha, beta, strength, n_sweeps=40):
    """The l2 graphs by the original algorithm: each window in turn, drawn to its neighbors."""
    solver, degrees = Newton(tol=1e-12), LogDegrees(alpha)
    windows = [Problem(Pairs(pattern, row), edge_prior=QuadraticEdges(beta), degree_prior=degrees) for row in z]
    w = np.array([solver.solve(problem).w for problem in windows])
    u = [None] * len(z)
    for _ in range(n_sweeps):
        for t, problem in enumerate(windows):
            beside = w[[s for s in (t - 1, t + 1) if 0 <= s < len(z)]]
            prior = QuadraticEdges(beta, w0=beside.mean(axis=0), strength=strength * len(beside))
            solution = solver.solve(replace(problem, edge_prior=prior), start=u[t])
            w[t], u[t] = solution.w, solution.u
    return w
