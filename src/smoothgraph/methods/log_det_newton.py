"""Newton's method for ``min -log det(Q) + linear``, over the weights of as few candidate pairs as possible."""

import numba
import numpy as np
import scipy.sparse as sp
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse.csgraph import minimum_spanning_tree

from smoothgraph.methods.log_det_problem import LogDetProblem, Point, Unknowns
from smoothgraph.support.input_error import InputError

_NEAREST = 5  # neighbors of each node among the first candidates
_NEW_PER_NODE = 4  # candidates added at a time, unless the graph has more edges than that
_FORCING = 0.1  # the accuracy of a step, as a share of the gap
_ARMIJO = 1e-4  # the share of the predicted decrease that a step must achieve
_SHORTEST_STEP = 1e-12
_ROUNDING = 1e-13  # relative error of the objective
_WIDEST = 1e15  # the largest ratio of two costs
_PATIENCE = 4  # the number of steps without measurable decrease before Newton gives up
_ROUNDS = 5  # the most rounds of sweeps and one linear system per step
_SWEEPS = 20  # the most sweeps per round
_MOST_FREE = 3000  # the most weights in a linear system; for more, sweeps are cheaper
_RIDGE = 1e-13  # relative to the diagonal: keeps a nearly singular matrix positive definite
_SHARES = (1.0, 0.5, 0.25, 0.1, 0.01)  # of a move; the first one that descends is taken
_KEPT = 0.1  # the smallest share of rho that a step leaves


def solve_by_newton(problem: LogDetProblem, *, tol: float, max_iter: int) -> tuple[Point, int]:
    """Return the point with the smallest gap, optimal over all pairs, and the number of steps.

    The method stops at a relative gap of ``tol`` or after ``max_iter`` steps. A step minimizes the second-order
    model over the pairs of positive weight and those that violate ``a_e'Theta a_e <= c_e`` most, as in QUIC (Hsieh
    et al., 2011).
    """
    empty = problem.without_edges()
    if empty is not None:
        return empty, 0
    rng = np.random.default_rng(0)
    at = best = _start(problem)
    unmeasurable = 0
    for n_iter in range(max_iter):
        if best.gap <= tol or unmeasurable > _PATIENCE:
            return best, n_iter
        unknowns = _with_violators(at)
        step = newton_step(at, unknowns, max(min(_FORCING, at.gap) * at.gap, _FORCING * tol), rng)
        noise = _ROUNDING * (problem.total + abs(at.value))
        following = _line_search(at, step, noise)
        if following is None:
            return best, n_iter
        unmeasurable = unmeasurable + 1 if abs(step.slope) <= noise else 0
        at = following
        best = at if at.gap < best.gap else best
    return best, max_iter


def _start(problem: LogDetProblem) -> Point:
    """Start with ``w ~ 1 / c``, optimal on a tree, on the cheapest tree and nearest neighbors."""
    c, m = problem.costs, problem.n_nodes
    k = min(_NEAREST, m - 1)
    chosen = minimum_spanning_tree(c).toarray() > 0
    np.put_along_axis(chosen, np.argpartition(c, k - 1, axis=1)[:, :k], values=True, axis=1)
    i, j = np.nonzero(np.triu(chosen | chosen.T))
    w = (m - 1) / len(i) / c[i, j]
    rho = 0.0 if problem.tau is None else 1 / problem.tau
    point = problem.at(Unknowns(i, j, w, rho))
    spread = np.max(c[i, j]) / np.min(c)
    if point is None or spread > _WIDEST:
        raise InputError(
            f"The costs of the pairs differ by a factor of {spread:.1g}, too much "
            "for double precision; merge nodes that nearly coincide or raise l1."
        )
    return point


def _with_violators(at: Point) -> Unknowns:
    """Return the positive weights, and zeros on the pairs that violate their bound most."""
    i, j, w, rho = at.unknowns
    positive = w > 0
    i, j, w = i[positive], j[positive], w[positive]
    excess = np.triu(at.resistances / at.problem.costs, 1)
    excess[i, j] = 0
    new_i, new_j = np.nonzero(excess > 1)
    room = max(_NEW_PER_NODE * at.problem.n_nodes, len(w))
    if len(new_i) > room:
        largest = np.argpartition(-excess[new_i, new_j], room)[:room]
        new_i, new_j = new_i[largest], new_j[largest]
    return Unknowns(np.append(i, new_i), np.append(j, new_j), np.append(w, np.zeros(len(new_i))), rho)


def _line_search(at: Point, step: "Step", noise: float) -> Point | None:
    """Return the point after the largest share 1, 1/2, 1/4, ... that decreases the value enough.

    A full step whose decrease is too small to measure is taken on trust.
    """
    share = 1.0
    while share > _SHORTEST_STEP:
        moved = step.x._replace(w=step.x.w + share * step.w, rho=step.x.rho + share * step.rho)
        following = at.problem.at(moved)
        if following is not None and (
            abs(step.slope) <= noise or following.value <= at.value + _ARMIJO * share * step.slope + noise
        ):
            return following
        share /= 2
    return None


def newton_step(at: Point, x: Unknowns, goal: float, rng: np.random.Generator) -> "Step":
    """Return a step by coordinate descent, until a sweep changes resistances by at most ``goal``.

    Descent is slow among nodes that nearly coincide. There, the linear system of the positive weights takes it
    further.
    """
    step = Step(at, x)
    for _ in range(_ROUNDS):
        for _ in range(_SWEEPS):
            if step.sweep(rng) <= goal:
                return step
        step.solve()
    return step


class Step:
    """The second-order model at a point over the candidates ``x``, and their change so far, ``w`` and ``rho``."""

    def __init__(self, at: Point, x: Unknowns) -> None:
        self.x, self.theta, self.tau = x, at.theta, at.problem.tau
        self.ends = np.stack([x.i, x.j], axis=1)
        self.resistances = at.resistances[x.i, x.j]
        self.gradient = at.problem.costs[x.i, x.j] - self.resistances
        self.w, self.rho = np.zeros(len(x.w)), 0.0
        self.product = np.zeros_like(self.theta)  # Theta times the step's change of Q
        self.slope_rho = self.curvature_rho = 0.0
        if self.tau is not None:
            self.slope_rho = self.tau - float(np.trace(self.theta)) - 1 / x.rho
            self.curvature_rho = float(np.vdot(self.theta, self.theta)) + 1 / x.rho**2

    @property
    def slope(self) -> float:
        """The slope of the objective along the step."""
        return float(self.gradient @ self.w) + self.slope_rho * self.rho

    def sweep(self, rng: np.random.Generator) -> float:
        """Optimize every coordinate once; return the largest relative change of a resistance.

        The order of the nodes is random, as cyclic descent is slow where all weights are coupled.
        """
        rank = rng.permutation(len(self.theta))
        order = np.argsort(np.min(rank[self.ends], axis=1))
        change = _sweep(order, self.ends, self.x.w, self.gradient, self.theta, self.w, self.product)
        if self.tau is None:
            return change
        slope = self.slope_rho + float(np.vdot(self.product, self.theta)) + self.rho / self.x.rho**2
        move = max(self.rho - slope / self.curvature_rho, (_KEPT - 1) * self.x.rho) - self.rho
        self.rho += move
        self.product += move * self.theta
        return max(change, abs(move) * self.curvature_rho / self.tau)

    def solve(self) -> None:
        """Move toward the minimum over the positive weights and rho, clipped at zero."""
        free = np.flatnonzero(self.x.w + self.w > 0)
        if len(free) > _MOST_FREE:
            return
        try:
            move = self._minimum_over(free)
        except LinAlgError:  # numerically singular
            return
        w, rho = move[: len(free)], float(np.sum(move[len(free) :]))
        before = self._value(self.product, self.w, self.rho)
        for share in _SHARES:
            moved = self.w.copy()
            moved[free] = np.maximum(moved[free] + share * w, -self.x.w[free])
            moved_rho = max(self.rho + share * rho, (_KEPT - 1) * self.x.rho)
            product = self._product(moved, moved_rho)
            if self._value(product, moved, moved_rho) < before:
                self.w, self.rho, self.product = moved, moved_rho, product
                return

    def _minimum_over(self, free: np.ndarray) -> np.ndarray:
        """Return the move of the free weights and, if learned, rho to where their slopes vanish."""
        i, j = self.x.i[free], self.x.j[free]
        M = self.product @ self.theta
        slopes = self.gradient[free] + M[i, i] + M[j, j] - 2 * M[i, j]
        scale = self.resistances[free]  # the square roots of the curvatures
        across = self.theta[i] - self.theta[j]
        hessian = (across[:, i] - across[:, j]) ** 2
        if self.tau is not None:
            slope = self.slope_rho + np.trace(M) + self.rho / self.x.rho**2
            slopes, scale = np.append(slopes, slope), np.append(scale, self.curvature_rho**0.5)
            with_rho = np.sum(across**2, axis=1)[:, None]
            hessian = np.block([[hessian, with_rho], [with_rho.T, self.curvature_rho]])
        hessian /= scale[:, None] * scale
        hessian[np.diag_indices(len(scale))] += _RIDGE
        return cho_solve(cho_factor(hessian), -slopes / scale) / scale

    def _value(self, product: np.ndarray, w: np.ndarray, rho: float) -> float:
        """Return the change of the objective that the model predicts for a step."""
        linear = float(self.gradient @ w) + self.slope_rho * rho
        curved = float(np.vdot(product, product.T))
        if self.tau is not None:
            curved += (rho / self.x.rho) ** 2
        return linear + curved / 2

    def _product(self, w: np.ndarray, rho: float) -> np.ndarray:
        """``Theta (L(w) + rho I)``."""
        i, j, m = self.x.i, self.x.j, len(self.theta)
        W = sp.coo_array((w, (i, j)), shape=(m, m)).tocsr()
        degrees = np.bincount(i, w, m) + np.bincount(j, w, m) + rho
        return np.ascontiguousarray((degrees[:, None] * self.theta - (W + W.T) @ self.theta).T)


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _sweep(  # noqa: PLR0917  (arrays, as in all kernels)
    order: np.ndarray,
    ends: np.ndarray,
    w: np.ndarray,
    gradient: np.ndarray,
    theta: np.ndarray,
    step: np.ndarray,
    product: np.ndarray,
) -> float:
    """Optimize each coordinate of ``step``; return the largest relative change of a resistance.

    The curvature of an edge is its squared resistance, and ``product`` is ``Theta L(step)``.
    """
    m = theta.shape[0]
    largest = 0.0
    for e in order:
        i, j = ends[e, 0], ends[e, 1]
        resistance = theta[i, i] + theta[j, j] - 2.0 * theta[i, j]
        slope = gradient[e]
        for k in range(m):
            slope += (theta[i, k] - theta[j, k]) * (product[i, k] - product[j, k])
        moved = max(step[e] - slope / (resistance * resistance), -w[e])
        change = moved - step[e]
        if change != 0.0:
            step[e] = moved
            largest = max(largest, abs(change) * resistance)
            for k in range(m):
                added = change * (theta[i, k] - theta[j, k])
                product[k, i] += added
                product[k, j] -= added
    return largest
