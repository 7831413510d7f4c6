"""What is solved on given pairs, where it starts, and what comes out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.candidates.nodes import NodeData
from smoothgraph.density import Nearby, search_density
from smoothgraph.models import Family, refuse_both
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.problem import Problem
from smoothgraph.solution import Solution
from smoothgraph.solvers import Solver

AUTO = "auto"  # what is chosen from the data
_EDGES_PER_NODE = 10.0  # if nothing is asked for


class Start(NamedTuple):
    """What an earlier fit found: multipliers, density, the family's parameter if searched, weights of the nodes."""

    u: np.ndarray
    edges_per_node: float
    p: float | None
    node_weights: np.ndarray | None = None

    def scale(self, factor: float) -> "Start":
        """The same for distances that are ``factor`` times as large."""
        if not np.isfinite(factor):
            return self
        return self._replace(u=factor * self.u, p=None if self.p is None else factor * self.p)

    @classmethod
    def of(cls, learned: "Learned") -> "Start":
        """What was just learned."""
        return cls(learned.solution.u, learned.solution.edges_per_node, learned.p, learned.node_weights)

    def fit_to(self, data: NodeData) -> "Start | None":
        """The same for nodes that may be merged, or split by groups; None if there are other nodes."""
        n_nodes = data.candidates.pairs.n_nodes if data.places is None or data.groups is not None else len(data.names)
        if len(self.u) != n_nodes:
            return None
        return self if data.places is None or data.groups is not None else self.take(data.places.first)

    def take(self, nodes: np.ndarray) -> "Start":
        """The same for some of the nodes."""
        weights = None if self.node_weights is None else self.node_weights[nodes]
        return self._replace(u=self.u[nodes], node_weights=weights)

    def add_nodes(self, u: np.ndarray) -> "Start":
        """The same with more nodes, whose multipliers are ``u``."""
        weights = None if self.node_weights is None else np.append(self.node_weights, np.ones(len(u)))
        return self._replace(u=np.append(self.u, u), node_weights=weights)

    def save(self) -> dict[str, np.ndarray]:
        """As arrays for a checkpoint."""
        return {name: np.array(value) for name, value in self._asdict().items() if value is not None}

    @classmethod
    def load(cls, state: dict[str, np.ndarray]) -> "Start | None":
        """From a checkpoint that was saved after a solution; else None."""
        if "u" not in state:
            return None
        p = float(state["p"]) if "p" in state else None
        return cls(state["u"], float(state["edges_per_node"]), p, state.get("node_weights"))


class Learned(NamedTuple):
    """A solution, the model's fitted attributes, the family's parameter if it was searched, and weights of the nodes.

    ``warnings`` are what the user should know.
    """

    solution: Solution
    parameters: dict[str, Any]
    p: float | None = None
    node_weights: np.ndarray | None = None
    warnings: tuple[Warning, ...] = ()


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
        family = self.family
        assert family is not None, "only a family has a density"
        near = None if start is None or start.p is None else Nearby(start.p, start.u, start.edges_per_node)
        solution, p, warning = search_density(family, pairs, wanted, solver, near)
        told = () if warning is None else (warning,)
        return Learned(solution, {family.attribute: family.report(p)}, p, warnings=told)

    def density(self, pairs: CandidatePairs) -> float | None:
        """``edges_per_node``, its default, or None if the model's own parameters are given."""
        if self.edges_per_node is not None:
            refuse_both(self.edges_per_node, **self.own)
            return self.edges_per_node
        if self.family is None or any(value is not None for value in self.own.values()):
            return None
        m = pairs.n_joined
        wanted = max(1.0, min(_EDGES_PER_NODE, (m - 1) / 2))
        whole = 2 * np.ceil(wanted * m / 2) / m  # an odd number of ends is no graph's
        return float(min(2 * pairs.n_pairs / m, whole))
