"""Adapters for other Python packages that solve the log-degree problem.

Each adapter converts the parameters, calls a package's public function on
``min 2 z'w - alpha sum(log(S w)) + beta |w|^2``, and times that call alone. The packages stop at
an iteration count or at a tolerance of their own, which is called effort here. The benchmark looks
for the least effort that meets a target, which users of these packages cannot know.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import squareform

from benchmarks.data import Instance
from benchmarks.measure import ALPHA, BETA, all_pairs, clocked

HINT = "pip install 'smoothgraph[bench]'"

_ITERATIONS = tuple(2**k for k in range(4, 20))
_EXPONENTS = tuple(range(2, 13, 2))
_STEP = 0.9  # a share of the largest safe step; graph-structure-learning's default, 0.5, is slower

PeerSolve = Callable[[Instance, float], tuple[float, np.ndarray]]


@dataclass(frozen=True)
class Peer:
    """A package. ``load`` imports it and returns its solver; ``efforts`` are the efforts to try."""

    name: str
    load: Callable[[], PeerSolve]
    efforts: tuple[int, ...]
    max_nodes: float = math.inf


def graph_structure_learning() -> PeerSolve:
    """The paper's Algorithm 1 on the condensed vector of squared distances.

    Its gradient step uses ``2 beta w`` and its proximal step ``2 z``, so its objective is ours,
    with the same alpha and beta. ``edge_tol`` (1e-3 by default) would cut off small weights and
    limit the accuracy, so it is 0. ``step_size`` is a share of ``1 / (2 beta + ||S||)``.
    """
    from graph_learn.smooth_learning import gsp_learn_graph_log_degrees

    def solve(problem: Instance, iterations: float) -> tuple[float, np.ndarray]:
        seconds, W = clocked(
            lambda: gsp_learn_graph_log_degrees(
                problem.z, ALPHA, BETA, maxit=int(iterations), tol=0.0, step_size=_STEP, edge_tol=0.0
            )
        )
        return seconds, squareform(W, checks=False)

    return solve


def pygsp2(*, own_step: bool) -> PeerSolve:
    """The paper's Algorithm 1 on the matrix of squared distances, divided by their maximum.

    It minimizes ``2 (z / c)'W - a sum(log(S W)) + b |W|^2`` with ``c = max(z)``. With
    ``w = c W`` and our objective divided by ``c^2``, that is our problem for
    ``a = alpha / c^2`` and ``b = beta``; the iterates are then those of Algorithm 1 on our
    problem, up to scale. ``gamma`` is the step itself. Its default, 0.04 at any size, exceeds
    the limit ``1 / (2 b + ||S||)`` from 266 nodes on.
    """
    from pygsp2.graph_learning import graph_log_degree

    def solve(problem: Instance, iterations: float) -> tuple[float, np.ndarray]:
        Z, c = problem.matrix(), float(problem.z.max())
        norm = math.sqrt(2 * (problem.n_nodes - 1))
        options = {} if own_step else {"gamma": _STEP / (2 * BETA + norm)}
        with np.errstate(all="ignore"):
            seconds, W = clocked(
                lambda: graph_log_degree(
                    Z, ALPHA / c**2, BETA, tol=0.0, maxiter=int(iterations), verbose=False, **options
                )
            )
            return seconds, c * squareform(W, checks=False)

    return solve


def cvxpy_clarabel() -> PeerSolve:
    """The objective as written, in a new model for every run; an effort of k asks for 10^-k."""
    import cvxpy as cp

    def learn(problem: Instance, tol: float) -> np.ndarray:
        n_edges = len(problem.z)
        ends, edges = np.concatenate(all_pairs(problem.n_nodes)), np.arange(n_edges)
        S = sp.csr_array((np.ones(2 * n_edges), (ends, np.concatenate([edges, edges]))))
        w = cp.Variable(n_edges, nonneg=True)
        objective = 2 * problem.z @ w - ALPHA * cp.sum(cp.log(S @ w)) + BETA * cp.sum_squares(w)
        cp.Problem(cp.Minimize(objective)).solve(solver=cp.CLARABEL, tol_gap_abs=tol, tol_gap_rel=tol, tol_feas=tol)
        return np.full(n_edges, np.nan) if w.value is None else w.value

    def solve(problem: Instance, exponent: float) -> tuple[float, np.ndarray]:
        return clocked(lambda: learn(problem, 10.0**-exponent))

    return solve


PEERS = (
    Peer("graph-structure-learning", graph_structure_learning, _ITERATIONS),
    Peer("pygsp2, its default step", lambda: pygsp2(own_step=True), _ITERATIONS),
    Peer("pygsp2, a safe step given", lambda: pygsp2(own_step=False), _ITERATIONS),
    Peer("CVXPY with Clarabel", cvxpy_clarabel, _EXPONENTS, max_nodes=100),
)
