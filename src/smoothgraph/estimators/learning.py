"""A pass of learning: solve, take in the pairs that are missing, until none is."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.candidates.fixed import Candidates
from smoothgraph.candidates.nodes import NodeData
from smoothgraph.density import DensityWarning, Nearby, search_density
from smoothgraph.estimators.checkpoint import Checkpoint
from smoothgraph.models import Family, refuse_both
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.problem import Problem
from smoothgraph.solution import Solution
from smoothgraph.solvers import Solver
from smoothgraph.support.stages import stage

_ROUGH = 1e-3  # the gap of a solution that only shows where more pairs are needed
_EDGES_PER_NODE = 10.0  # if nothing is asked for


class Start(NamedTuple):
    """What an earlier fit found: multipliers, density, and the family's parameter if searched."""

    u: np.ndarray
    edges_per_node: float
    p: float | None

    def scale(self, factor: float) -> "Start":
        """The same for distances that are ``factor`` times as large."""
        if not np.isfinite(factor):
            return self
        return self._replace(u=factor * self.u, p=None if self.p is None else factor * self.p)

    @classmethod
    def of(cls, learned: "Learned") -> "Start":
        """What was just learned."""
        return cls(learned.solution.u, learned.solution.edges_per_node, learned.p)

    def fit_to(self, data: NodeData) -> "Start | None":
        """The same for nodes that may be merged; None if there are other nodes."""
        if len(self.u) != len(data.names):
            return None
        return self if data.places is None else self._replace(u=self.u[data.places.first])

    def save(self) -> dict[str, np.ndarray]:
        """As arrays for a checkpoint."""
        return {name: np.array(value) for name, value in self._asdict().items() if value is not None}

    @classmethod
    def load(cls, state: dict[str, np.ndarray]) -> "Start | None":
        """From a checkpoint that was saved after a solution; else None."""
        if "u" not in state:
            return None
        p = float(state["p"]) if "p" in state else None
        return cls(state["u"], float(state["edges_per_node"]), p)


class Learned(NamedTuple):
    """A solution, the model's fitted attributes, and the family's parameter if it was searched."""

    solution: Solution
    parameters: dict[str, Any]
    p: float | None = None
    warning: DensityWarning | None = None


@dataclass(frozen=True, eq=False)
class Model:
    """What to solve on given pairs: a density of a family, or its own parameters.

    ``problem(pairs)`` returns the problem with the model's ``own`` parameters, and the fitted attributes.
    """

    problem: Callable[[CandidatePairs], tuple[Problem, dict[str, float]]]
    own: dict[str, Any]
    family: Family | None = None
    edges_per_node: float | None = None

    def solve(self, pairs: CandidatePairs, solver: Solver, start: Start | None = None) -> Learned:
        """The solution on these pairs."""
        wanted = self.density(pairs)
        if wanted is None:
            problem, attributes = self.problem(pairs)
            u = None if start is None else start.u
            return Learned(solver.solve(problem, start=u), attributes)
        assert self.family is not None, "only a family has a density"
        near = None if start is None or start.p is None else Nearby(start.p, start.u, start.edges_per_node)
        solution, p, warning = search_density(self.family, pairs, wanted, solver, near)
        return Learned(solution, {self.family.attribute: self.family.report(p)}, p, warning)

    def density(self, pairs: CandidatePairs) -> float | None:
        """``edges_per_node``, its default, or None if the model's own parameters are given."""
        if self.edges_per_node is not None:
            refuse_both(self.edges_per_node, **self.own)
            return self.edges_per_node
        if self.family is None or any(value is not None for value in self.own.values()):
            return None
        m = pairs.n_nodes
        wanted = max(1.0, min(_EDGES_PER_NODE, (m - 1) / 2))
        whole = 2 * np.ceil(wanted * m / 2) / m  # an odd number of ends is no graph's
        return float(min(2 * pairs.n_pairs / m, whole))


@dataclass(frozen=True, eq=False)
class Learning:
    """All that a fit needs once the data was read."""

    model: Model
    solver: Solver
    candidates: Candidates
    start: Start | None = None
    checkpoint: Checkpoint | None = None

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return self.candidates.pairs.n_nodes

    def run(self) -> Learned:
        """Solve, take in the pairs that the multipliers show to be missing, until none is."""
        start, candidates = self.start, self.candidates
        while True:
            if self.checkpoint is not None and (state := candidates.save()) is not None:
                self.checkpoint.save(state | ({} if start is None else start.save()))
            solver = self.solver
            if candidates.provisional:
                solver = replace(solver, tol=max(solver.tol, _ROUGH))  # type: ignore[type-var]
            with stage("solve"):
                learned = self.model.solve(candidates.pairs, solver, start)
            with stage("pricing"):
                done = candidates.cover(learned.solution.u)
            if done:
                return learned
            start = Start.of(learned)
            del learned  # and with it the pairs as they were
