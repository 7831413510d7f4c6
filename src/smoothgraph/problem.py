"""The problem: data and priors, its primal, its dual and the gap between them.

The names used everywhere below the API, defined once:

- ``m`` nodes, candidate edges ``e = {i, j}``, squared distances ``z_e``;
- ``w_e >= 0`` the edge weights, ``d = S w`` the weighted degrees;
- ``f`` the edge prior, ``g`` the degree prior;
- ``u`` the multipliers of ``d = S w``, one per node, and ``v_e = u_i + u_j - 2 z_e``.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from smoothgraph.pairs.curvature import Curvature, Hessian
from smoothgraph.pairs.pattern import EdgeSet
from smoothgraph.priors.base import DegreePrior, EdgePrior
from smoothgraph.support.threads import run_blocks

if TYPE_CHECKING:
    from smoothgraph.solvers.sweeps import Sweeps
    from smoothgraph.solvers.working_set import WorkingSet

_A_FEW_ULPS = 1e-15
CHEAPEST = 6  # edges per node: enough for a solver to start with


@dataclass(frozen=True, eq=False)
class Problem:
    """``minimise 2 z'w + f(w) + g(S w) over w >= 0``.

    Its dual is ``maximise -g*(-u) - f*(v)``, and a primal value minus a dual value
    bounds the distance of both from the optimum.
    """

    edges: EdgeSet
    z: np.ndarray
    edge_prior: EdgePrior = field(kw_only=True)
    degree_prior: DegreePrior = field(kw_only=True)

    def __post_init__(self) -> None:
        z = np.ascontiguousarray(self.z, dtype=float)
        _check_distances(z, self.edges)
        object.__setattr__(self, "z", z)
        _check_size("edge_prior", self.edge_prior.n_edges, self.edges.n_edges, "candidate edge")
        _check_size("degree_prior", self.degree_prior.n_nodes, self.edges.n_nodes, "node")
        if self.degree_prior.needs_edges and np.any(self.edges.counts == 0):
            raise ValueError(
                f"{type(self.degree_prior).__name__} gives every node a positive degree, but "
                f"{_listed(np.flatnonzero(self.edges.counts == 0))} no candidate edge; "
                "add edges there or drop the nodes."
            )

    # -- what a solver sees --------------------------------------------------

    def evaluate(self, u: np.ndarray, tail: np.ndarray | None = None) -> "Evaluation":
        """The dual at ``u``; ``tail`` is what rounding took from it (``u + tail`` is meant)."""
        return Evaluation(self, u, np.zeros_like(u) if tail is None else tail)

    # -- values --------------------------------------------------------------

    def primal(self, w: np.ndarray) -> float:
        """``2 z'w + f(w) + g(S w)``."""
        degrees = self.edges.degree_sums(w)
        return 2 * float(self.z @ w) + self.edge_prior.value(w) + self.degree_prior.value(degrees)

    def dual(self, u: np.ndarray) -> float:
        """``-g*(-u) - f*(S'u - 2z)``: never above the optimum."""
        return -self.degree_prior.conjugate(u) - self.evaluate(u).conjugate

    def gap(self, w: np.ndarray, u: np.ndarray) -> float:
        """The relative duality gap: ``(primal - dual) / (|u'd| + |f*(v)|)`` plus any violation.

        The two terms of the scale are those that the dual balances (for log-degree the
        first is ``alpha m`` at the optimum); unlike the objective they do not shift
        with the scale of the distances.
        """
        at = self.evaluate(u)
        degrees = self.edges.degree_sums(w)
        dual = -self.degree_prior.conjugate(u) - at.conjugate
        return self._relative(self.primal(w) - dual, scale_of(u, degrees, at.conjugate), degrees)

    def feasible(self, w: np.ndarray) -> np.ndarray:
        """``w`` rescaled towards a hard constraint on the degrees, if there is one."""
        return w * self.degree_prior.rescale(self.edges.degree_sums(w))

    # -- parts and relatives -------------------------------------------------

    def restrict(self, ids: np.ndarray) -> "Problem":
        """The problem over the candidate edges ``ids`` alone, in increasing order."""
        if len(ids) == self.edges.n_edges:
            return self
        return Problem(
            self.edges.select(ids),
            self.z[ids],
            edge_prior=self.edge_prior.take(ids),
            degree_prior=self.degree_prior,
        )

    def working_set(self) -> "WorkingSet":
        """The few edges that a solver begins with."""
        from smoothgraph.solvers.working_set import WorkingSet  # which builds on this module

        return WorkingSet(self)

    def sweeps(self) -> "Sweeps":
        """Coordinate ascent over the nodes."""
        from smoothgraph.solvers.sweeps import Sweeps  # as above

        return Sweeps(self)

    def with_priors(self, edge_prior: EdgePrior, degree_prior: DegreePrior) -> "Problem":
        """The same data under other priors; what was found out about the data is kept."""
        other = replace(self, edge_prior=edge_prior, degree_prior=degree_prior)
        if other.cost is self.z and self.cost is self.z:
            vars(other)["cheapest"] = self.cheapest
        return other

    def distances_of(self, ids: np.ndarray) -> np.ndarray:
        """The distances of the candidate edges ``ids``; infinity for an id of -1."""
        return np.where(ids >= 0, self.z[np.maximum(ids, 0)], np.inf)

    def nearest_distances(self, k: int) -> np.ndarray:
        """The ``k`` smallest distances at each node, ``(m, k)``; infinity where there are fewer."""
        return self.edges.nearest(self.z, k)[1]

    @cached_property
    def cheapest(self) -> tuple[np.ndarray, np.ndarray]:
        """The ids and costs of the few cheapest candidate edges of every node."""
        return self.edges.nearest(self.cost, CHEAPEST)

    @cached_property
    def cost(self) -> np.ndarray:
        """``z + threshold / 2``: a weight is zero if and only if ``u_i + u_j <= 2 cost_e``."""
        threshold = self.edge_prior.threshold
        if not self.sparse or not np.any(threshold):
            return self.z
        return self.z + threshold / 2

    @property
    def sparse(self) -> bool:
        """Whether the edge prior sets weights to zero."""
        return bool(np.all(np.isfinite(self.edge_prior.threshold)))

    def _relative(self, gap: float, scale: float, degrees: np.ndarray) -> float:
        if not np.isfinite(gap):
            return np.inf
        relative = abs(gap) / scale if scale > 0 else abs(gap)
        return relative + self.degree_prior.violation(degrees)


def scale_of(u: np.ndarray, degrees: np.ndarray, conjugate: float) -> float:
    """``|u'd| + |f*(v)|``, what a gap is relative to."""
    return abs(float(u @ degrees)) + abs(conjugate)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The dual of a problem at one ``u``: the three operations that a solver asks for.

    ``degrees`` (of the weights at ``u``), ``curvature`` and ``weights``.
    """

    problem: Problem
    u: np.ndarray
    tail: np.ndarray

    @cached_property
    def _v(self) -> np.ndarray:
        return self.problem.edges.slacks(self.u, self.tail, self.problem.z)

    @cached_property
    def weights(self) -> np.ndarray:
        """``w = f*'(v)``."""
        v = self._v  # which takes threads of its own
        w = np.empty_like(v)

        def fill(first: int, last: int) -> None:
            part = slice(first, last)
            w[part] = self.problem.edge_prior.take(part).maximizer(v[part])

        run_blocks(self.problem.edges.spans, fill)
        return w

    @cached_property
    def conjugate(self) -> float:
        """``f*(v)``."""
        v = self._v

        def of_part(first: int, last: int) -> float:
            part = slice(first, last)
            return self.problem.edge_prior.take(part).conjugate(v[part])

        return float(np.sum(run_blocks(self.problem.edges.spans, of_part)))

    @cached_property
    def degrees(self) -> np.ndarray:
        """``S w``."""
        return self.problem.edges.degree_sums(self.weights)

    @cached_property
    def objective(self) -> float:
        """Minus the dual, which Newton minimises."""
        at_nodes = self.problem.degree_prior.conjugate(self.u)
        return at_nodes + self.conjugate if np.isfinite(at_nodes) else np.inf

    @cached_property
    def gradient(self) -> np.ndarray:
        """The gradient of the dual: wanted minus present degrees."""
        return self.problem.degree_prior.maximizer(self.u) - self.degrees

    @cached_property
    def gap(self) -> float:
        """The relative gap between the weights and ``u``.

        Here ``f(w) + f*(v) = v'w``, which leaves ``g(d) + g*(-u) + u'd``.
        """
        prior = self.problem.degree_prior
        gap = prior.value(self.degrees) + prior.conjugate(self.u) + float(self.u @ self.degrees)
        return self.problem._relative(gap, self.scale, self.degrees)

    @cached_property
    def scale(self) -> float:
        """What the gap is relative to."""
        return scale_of(self.u, self.degrees, self.conjugate)

    def curvature(self) -> Curvature:
        """The generalised Hessian of minus the dual."""
        c = self.problem.edge_prior.curvature(self._v)
        active = np.flatnonzero(c > 0)
        diagonal, r = self.problem.degree_prior.curvature(self.u)
        return Hessian(self.problem.edges.select(active), c[active], diagonal=diagonal, r=r)

    @property
    def stranded(self) -> np.ndarray:
        """The nodes that must have an edge and have none."""
        return (self.degrees == 0) & self.problem.degree_prior.needs_edges

    def distance_to_activity(self, change: np.ndarray | None = None) -> np.ndarray:
        """How far each node's ``u`` must rise until its first edge is active; 0 if one is.

        With ``change``: of a node without active edges, after the others' ``u`` has changed so.
        """
        edges, idleness = self.problem.edges, self._idleness
        if change is not None:
            idleness = np.maximum(idleness - edges.pair_sums(change), 0)
        rise = np.full(edges.n_nodes, np.inf)
        np.minimum.at(rise, edges.rows, idleness)
        np.minimum.at(rise, edges.cols, idleness)
        return rise

    def balanced_weights(self) -> np.ndarray:
        """The weights, each scaled so that the lesser of its nodes has the degree it wants.

        A far-away node's weights are differences of large numbers and the first to lose
        their digits; its neighbours, whose degrees are larger by far, do not notice the
        correction. A node that lost all its edges to rounding gets its best one back.
        """
        edges = self.problem.edges
        wanted = np.maximum(self.problem.degree_prior.maximizer(self.u), 0)  # no weight is negative
        ratio = np.divide(wanted, self.degrees, out=np.ones_like(self.u), where=self.degrees > 0)
        lesser = np.where(wanted[edges.rows] <= wanted[edges.cols], edges.rows, edges.cols)
        w = self.weights * ratio[lesser]
        lost = self.stranded
        if np.any(lost):
            rise = self.distance_to_activity()
            best = lost[lesser] & (self._idleness <= rise[lesser])
            w[best] = wanted[lesser[best]]
        return w

    def below_all_costs(self) -> np.ndarray:
        """Multipliers with ``u_i + u_j <= 2 z_e`` on every edge, as the limit beta = 0 wants."""
        edges = self.problem.edges
        excess = np.maximum(self._v, 0) / 2
        largest = np.zeros(edges.n_nodes)
        np.maximum.at(largest, edges.rows, excess)
        np.maximum.at(largest, edges.cols, excess)
        return self.lowered(largest)

    def lowered(self, excess: np.ndarray) -> np.ndarray:
        """``u - excess`` and a little less."""
        return self.u - excess - _A_FEW_ULPS * np.abs(self.u)

    @cached_property
    def _idleness(self) -> np.ndarray:
        """How far each edge is from being active."""
        return np.maximum(self.problem.edge_prior.threshold - self._v, 0)


def posed(edges: Any, z: Any, *, edge_prior: EdgePrior, degree_prior: DegreePrior) -> Problem:
    """The problem on edges in memory, or on edges elsewhere, which pose it themselves."""
    if isinstance(edges, EdgeSet):
        return Problem(edges, z, edge_prior=edge_prior, degree_prior=degree_prior)
    return edges.problem(z, edge_prior=edge_prior, degree_prior=degree_prior)


def _check_distances(z: np.ndarray, edges: EdgeSet) -> None:
    if z.shape != (edges.n_edges,):
        raise ValueError(
            f"Expected one distance per candidate edge, ({edges.n_edges},), got {z.shape}."
        )
    if z.size == 0:
        raise ValueError("There is no candidate edge to choose from; allow at least one pair.")
    check_range(z.min(), z.max())


def check_range(low: float, high: float) -> None:
    """A ValueError unless the smallest and the largest distance are possible ones."""
    if not np.isfinite(low + high):
        raise ValueError(
            "The distances contain NaN or infinity; drop those rows or fill them in first."
        )
    if low < 0:
        raise ValueError(f"Distances must be >= 0, but the smallest is {low:g}.")


def _check_size(prior: str, size: int | None, expected: int, unit: str) -> None:
    if size is not None and size != expected:
        raise ValueError(
            f"The {prior} must have one parameter per {unit}, ({expected},), got ({size},)."
        )


def _listed(nodes: np.ndarray) -> str:
    shown = ", ".join(map(str, nodes[:5])) + (", ..." if len(nodes) > 5 else "")
    return f"node {shown} has" if len(nodes) == 1 else f"{len(nodes)} nodes ({shown}) have"
