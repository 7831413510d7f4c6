"""Semismooth Newton on the dual: the exact optimum in a few iterations."""

from dataclasses import dataclass

import numpy as np

from smoothgraph.pairs.seam import Weights
from smoothgraph.priors.degree import FixedDegrees
from smoothgraph.problem import DualPoint, Problem
from smoothgraph.solution import Solution, Status
from smoothgraph.solvers.certificate import gap_and_proof
from smoothgraph.solvers.coordinate_ascent import MANY_NODES, ascend, count_unsettled, sweeper_of
from smoothgraph.solvers.interior_point import solve_inside
from smoothgraph.solvers.linear_system import LinearSystem
from smoothgraph.solvers.log_domain import scale_to_degrees
from smoothgraph.solvers.multipliers import add, round_down
from smoothgraph.solvers.neighborhood import Neighborhood
from smoothgraph.solvers.recorder import Recorder
from smoothgraph.solvers.solver import ROUGH, content_with
from smoothgraph.solvers.tangles import untangle
from smoothgraph.solvers.working_set import WorkingSet
from smoothgraph.support.checks import check_number
from smoothgraph.support.input_error import InputError

_ARMIJO = 1e-4
_TO_BOUNDARY = 0.99  # of the way to the edge of the multipliers' domain, at most
_SHORTEST_STEP = 1e-12
_PAST_FIRST_EDGE = 1.01
_ROUNDING = 1e-14
_LOST = 50  # shortened steps after which an interior point is the better way
_LOST_EARLY = 8  # the same where steps are dear, or nodes depend on each other
_FARTHER = 2.5  # times the multipliers of lone nodes: the first working set, if nodes depend on each other
_SHORTENED = 0.5
_PATIENCE = 4  # steps too small to measure before Newton gives up
_INSIDE = 0.9  # of the tolerance: the gap of what is returned, computed once more, must be within it
_DESCENT = 4.0  # beta's factor from one relaxed problem to the next
_LIMIT = 1e-40  # of the comfortable beta: where the descent to beta = 0 is given up
_WARM = 3.0  # a start with a larger relative gap is no better than our own


@dataclass(frozen=True)
class Newton:
    """Maximize the dual by semismooth Newton, until the relative gap is at most ``tol`` and every weight is proved.

    A weight is proved if it is within ``weight_tol`` times the mean weight of the optimum. That is not asked for where
    the edge prior is not strongly convex, as for ``beta = 0``.

    It works for every two priors with smooth conjugates, over any candidate pairs. A small ``beta`` is reached
    through larger ones. ``beta = 0`` is their limit, and the gap is then that of the limit problem itself.
    """

    tol: float = 1e-6
    max_iter: int = 500
    weight_tol: float = 1e-3

    def __post_init__(self) -> None:
        check_number("tol", self.tol, above=0)
        if self.weight_tol != np.inf:
            check_number("weight_tol", self.weight_tol, above=0)
        check_number("max_iter", self.max_iter, minimum=1)

    def solve(self, problem: Problem, *, start: np.ndarray | None = None) -> Solution:
        """The optimum over all candidate pairs; ``start`` is the ``u`` of a similar problem.

        Solve on a working set of cheap pairs, add those that its multipliers show to be missing, and repeat until
        none is. The history's gaps are those on the working set.
        """
        # A trial step may overflow. It is rejected then, and the gap of what is returned is computed anew.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return self._solve(problem, start)

    def _solve(self, problem: Problem, start: np.ndarray | None) -> Solution:
        recorder = Recorder(self.max_iter, self.tol, self.weight_tol)
        warm = _warm_start(problem, problem.start if start is None else start)
        working, u, beta = self._cold_start(problem, recorder) if warm is None else warm
        exact = warm is not None or working.is_everything
        while True:
            tols = (self.tol, self.weight_tol) if exact else (max(self.tol, ROUGH), np.inf)
            status, w, u, beta = _approach(working, u, beta, (_INSIDE * tols[0], tols[1]), recorder)
            if status is Status.MAX_ITER:
                return _finish(recorder, working, w, u, status)
            if status is Status.INFEASIBLE and not working.is_everything:
                working = working.all_pairs()
            elif exact and working.is_enough(u):
                return _finish(recorder, working, w, u, status)
            else:
                working = working.grow(u)
            exact = True

    def _cold_start(self, problem: Problem, recorder: Recorder) -> tuple[WorkingSet, np.ndarray, float]:
        """The cheapest pairs, every node alone, and the beta to come down from."""
        working = WorkingSet.first(problem)
        simpler = problem.pairs.simplify(problem.edge_prior)
        if simpler:
            rough = content_with(self, ROUGH)
            starts = []
            for pairs, edge_prior, copies in simpler:
                if problem.degree_prior.n_nodes not in (None, pairs.n_nodes):
                    continue  # one parameter for each node of each window
                other = Problem(pairs, edge_prior=edge_prior, degree_prior=problem.degree_prior)
                starts.append(np.tile(rough.solve(other).u, copies))
            working = working.grow(*starts)
            points = [working.part.evaluate(u) for u in starts]
            return working, min(points, key=lambda at: at.objective).u, 0.0
        if problem.degree_prior.is_coupled:
            u = working.near.lone_multipliers(problem.edge_prior)
            working = working.grow(_FARTHER * u)
            at = working.part.evaluate(u)
            recorder.begin(at.gap)
            tols = max(self.tol, ROUGH), np.inf
            _, _, u = solve_inside(working.part, working.near, (at.weights, u), tols, recorder)
            return working.grow(u), u, 0.0
        beta = working.near.comfortable_beta
        relaxed = problem.edge_prior.relax(beta)
        if not relaxed.smooth_conjugate:
            raise InputError(
                f"Newton needs a smooth conjugate, which {problem.edge_prior} lacks; take beta > 0, or use PrimalDual."
            )
        u = working.near.lone_multipliers(relaxed)
        if problem.edge_prior.temperature is not None and isinstance(problem.degree_prior, FixedDegrees):
            return working, scale_to_degrees(problem, u), 0.0
        return working, u, beta


def _warm_start(problem: Problem, start: np.ndarray | None) -> tuple[WorkingSet, np.ndarray, float] | None:
    """The working set at ``start``; None if our own start would be no worse."""
    if start is None or not problem.edge_prior.smooth_conjugate:
        return None
    u = np.array(start, dtype=float)
    if u.shape != (problem.pairs.n_nodes,) or not np.all(np.isfinite(u)):
        raise InputError(
            f"start must hold one finite multiplier per node, ({problem.pairs.n_nodes},), "
            f"got shape {u.shape} with {np.sum(~np.isfinite(u))} not finite."
        )
    working = WorkingSet.first(problem).grow(u)
    gap = working.part.evaluate(u).gap
    return (working, u, 0.0) if gap <= _WARM else None


def _approach(
    working: WorkingSet, u: np.ndarray, beta: float, tols: tuple[float, float], recorder: Recorder
) -> tuple[Status, Weights, np.ndarray, float]:
    """Solve on the working set; where Newton's method stalls, an interior point takes over.

    For many nodes, coordinate ascent comes first, and tangles that it leaves are solved by themselves; if most nodes
    are in one, the interior point comes first. Returns the status, the weights, the multipliers, and the ``beta`` that
    was solved for.
    """
    problem, near = working.part, working.near
    start = _settle(problem, near, u, tols[0], recorder) if problem.pairs.n_nodes >= MANY_NODES else u
    if start is None:
        at = problem.evaluate(u)
        return *solve_inside(problem, near, (at.weights, u), tols, recorder), 0.0
    if problem.evaluate(start).gap <= ROUGH:
        u, beta = start, 0.0
    status, w, u, beta = _descend(problem, u, beta, tols, recorder)
    if status is Status.STALLED:
        status, w, u = solve_inside(problem, near, (w, u), tols, recorder)
    return status, w, u, beta


def _settle(problem: Problem, near: Neighborhood, u: np.ndarray, tol: float, recorder: Recorder) -> np.ndarray | None:
    """Multipliers from which Newton's method may take full steps; None if it would not."""
    sweeper = sweeper_of(problem)
    if sweeper is None:
        return u
    before = problem.evaluate(u)
    if before.gap > tol:
        after = ascend(problem, sweeper, u, tol, recorder)
        u = min(after, before, key=count_unsettled).u
    return untangle(problem, near, u, recorder)


def _finish(recorder: Recorder, working: WorkingSet, w: Weights, u: np.ndarray, status: Status) -> Solution:
    """The solution on all pairs, whose gap is that on the working set if this is enough."""
    whole, part = working.problem, working.part
    if working.is_enough(u):
        return recorder.solution(whole, w, u, status, part=part)
    return recorder.solution(whole, whole.pairs.expand(part.pairs, w), u, status)


def _descend(
    problem: Problem, u: np.ndarray, beta: float, tols: tuple[float, float], recorder: Recorder
) -> tuple[Status, Weights, np.ndarray, float]:
    """Solve for ever smaller ``beta``, each from the one before, down to the problem's own.

    On the way every stage is held against the problem itself: a ``beta`` so small that it makes no difference
    within ``tol`` is never reached, nor need it be. Returns the status, the weights, the multipliers and the last
    ``beta``.
    """
    (tol, weight_tol), target, lowest = tols, problem.edge_prior, beta * _LIMIT
    tail = np.zeros_like(u)
    gap = np.inf
    arrived: tuple[Weights, np.ndarray, float] | None = None  # within tol, but perhaps not all weights are proved
    while True:
        prior = target.relax(beta)
        own = prior is target
        stage = problem if own else problem.with_edge_prior(prior)
        stage_tols = (tol, weight_tol) if own else (float(np.clip(gap / 10, tol, ROUGH)), np.inf)
        status, at, w = _iterate(stage, u, tail, stage_tols, recorder)
        u, tail = at.u, at.tail
        if own or status in (Status.MAX_ITER, Status.INFEASIBLE):
            if arrived and status is not Status.CONVERGED:
                return status, *arrived
            return status, w, round_down(at.u, at.tail), beta
        below = at.below_all_costs()
        gap, proved = gap_and_proof(problem, w, below, tols)
        if gap <= tol:
            arrived = w, below, beta
            if proved:
                return Status.CONVERGED, *arrived
        if beta <= lowest:
            return Status.STALLED, *(arrived or (w, below, beta))
        beta /= _DESCENT


class _Arrival:
    """A point whose gap is within its tolerance, but perhaps not the error of its weights.

    It is the answer if no better one can be found.
    """

    def __init__(self, problem: Problem, tols: tuple[float, float]) -> None:
        self._problem, self._tols = problem, tols
        self._found: tuple[DualPoint, Weights] | None = None

    def is_at(self, at: DualPoint, w: Weights) -> bool:
        """Whether the gap and all weights are within their tolerances; if only the gap is, remember the point."""
        gap, proved = gap_and_proof(self._problem, w, round_down(at.u, at.tail), self._tols)
        if gap <= self._tols[0]:
            self._found = at, w
        return proved

    def give_up(self, status: Status, best: DualPoint) -> tuple[Status, DualPoint, Weights]:
        """Why the search ended, and the point that is remembered, or the ``best`` one."""
        return status, *(self._found or (best, _connected_weights(best)))


def _iterate(
    problem: Problem, u: np.ndarray, tail: np.ndarray, tols: tuple[float, float], recorder: Recorder
) -> tuple[Status, DualPoint, Weights]:
    """Newton's method for one problem: ``H p = gradient of the dual``, then a line search."""
    tol, arrival = tols[0], _Arrival(problem, tols)
    at = best = problem.evaluate(u, tail)
    recorder.begin(at.gap)
    damping, unmeasurable, shortened = 1e-2, 0, 0
    patience = _patience(problem)
    while True:
        if at.gap <= best.gap and np.all(np.isfinite(at.u)):
            best = at
        if at.gap <= tol and arrival.is_at(best, best.weights):
            return Status.CONVERGED, best, best.weights
        if recorder.exhausted:
            return arrival.give_up(Status.MAX_ITER, best)
        direction = _direction(at, damping)
        if any(problem.degree_prior.excluded_by(y, problem.pairs) for y in (direction, at.u)):
            return Status.INFEASIBLE, best, best.weights
        slope = float(at.gradient @ direction)
        if slope <= tol * at.scale:  # u has arrived; only rounding keeps the weights from it
            w = at.balanced_weights()
            if arrival.is_at(at, w):
                return Status.CONVERGED, at, w
        step, following, measured = _line_search(at, direction, slope)
        unmeasurable = 0 if measured else unmeasurable + 1
        if following is None or unmeasurable > _PATIENCE or shortened > patience:
            return arrival.give_up(Status.STALLED, best)
        damping = min(1.0, damping * (0.1 if step > _SHORTENED else 4.0))
        at, shortened = following, shortened + (step <= _SHORTENED)
        recorder.note(at.gap)


def _patience(problem: Problem) -> float:
    """How many shortened steps Newton's method is allowed."""
    if problem.pairs.interior(problem.edge_prior) is None:
        return np.inf
    return _LOST_EARLY if problem.degree_prior.is_coupled or problem.pairs.n_nodes >= MANY_NODES else _LOST


def _connected_weights(at: DualPoint) -> Weights:
    """The weights at a point that is not the optimum: no node that must have an edge is without, and all are finite."""
    if at.problem.edge_prior.temperature is not None and not np.all(np.isfinite(at.degrees)):
        return at.limited_weights()
    return at.balanced_weights() if np.any(at.stranded) else at.weights


def _direction(at: DualPoint, damping: float) -> np.ndarray:
    """Newton's direction ``H p = gradient``; a singular ``H`` is damped."""
    hessian = at.curvature()
    curved = bool(np.all(hessian.diagonal > 0))
    if not curved:
        hessian = hessian.damp(damping)
    rtol = min(1e-3, 0.1 * float(np.sqrt(at.gap)))
    direction = LinearSystem(hessian).solve(at.gradient, rtol)
    return _past_first_edge(at, direction, curved=curved)


def _past_first_edge(at: DualPoint, direction: np.ndarray, *, curved: bool) -> np.ndarray:
    """A stranded node goes just past its first edge: there, not farther, the model changes.

    That edge is where its other node will be, or it would recede from one step to the next. If the degree prior is
    ``curved``, the node may want less.
    """
    stranded = at.stranded
    if not np.any(stranded) or at.problem.degree_prior.is_coupled:
        return direction
    rise = at.rise(np.where(stranded, 0.0, direction))
    rise = np.maximum(_PAST_FIRST_EDGE * rise, np.spacing(at.u))
    return np.where(stranded, np.minimum(direction, rise) if curved else rise, direction)


def _line_search(at: DualPoint, direction: np.ndarray, slope: float) -> tuple[float, DualPoint | None, bool]:
    """The largest of 1, 1/2, 1/4, ... that decreases the objective enough (Armijo).

    Where the decrease is too small to be seen among the objective's rounding errors, the full step is taken on
    trust, and the third value is false.
    """
    noise = _ROUNDING * (abs(at.objective - at.conjugate) + abs(at.conjugate))
    measured = slope > noise
    step = min(1.0, _TO_BOUNDARY * at.problem.degree_prior.longest_step(at.u, direction))
    while step > _SHORTEST_STEP:
        following = at.problem.evaluate(*add(at.u, at.tail, step * direction))
        if not measured or following.objective <= at.objective - _ARMIJO * step * slope + noise:
            return step, following, measured
        step /= 2
    return step, None, measured
