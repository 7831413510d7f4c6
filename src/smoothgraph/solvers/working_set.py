"""The few candidate pairs worth computing with, grown until they are proved enough."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from smoothgraph.problem import Problem
from smoothgraph.solvers.neighborhood import Neighborhood

_MANY = 12  # pairs per node from which on a working set pays
_MARGIN = 0.5  # how far beyond the present multipliers it reaches, in local scales


@dataclass(frozen=True, eq=False)
class WorkingSet:
    """The pairs with ``2 cost_e < reach_i + reach_j``, and the cheapest of every node.

    All other weights are zero for every ``u <= reach``. So whatever is optimal on the working set at such a ``u``
    is optimal on all pairs. A ``reach`` of None means all pairs.
    """

    problem: Problem
    near: Neighborhood = field(repr=False)
    reach: np.ndarray | None

    @classmethod
    def first(cls, problem: Problem, most: int = _MANY) -> "WorkingSet":
        """The cheapest pairs of every node, or all pairs if there are at most ``most`` per node."""
        pairs = problem.pairs
        few = not problem.edge_prior.sparse or pairs.n_pairs <= most * pairs.n_nodes
        reach = None if few else np.full(pairs.n_nodes, -np.inf)
        return cls(problem, Neighborhood(problem), reach)

    @cached_property
    def part(self) -> Problem:
        """The problem on the working set alone."""
        if self.reach is None:
            return self.problem
        near = self.near.farthest
        return self.problem.on(self.problem.pairs.select(self.problem.edge_prior, self.reach, near))

    @property
    def is_everything(self) -> bool:
        """Whether no pair is left out."""
        return self.part.pairs.n_pairs == self.problem.pairs.n_pairs

    def all_pairs(self) -> "WorkingSet":
        """Leave nothing out."""
        return replace(self, reach=None)

    def grow(self, *multipliers: np.ndarray) -> "WorkingSet":
        """Take in the pairs that are edges at these multipliers, or if they grew a little."""
        if self.reach is None:
            return self
        beyond = [u + _MARGIN * self.near.spread for u in multipliers]
        return replace(self, reach=np.maximum.reduce([self.reach, *beyond]))

    def is_enough(self, u: np.ndarray) -> bool:
        """Whether every pair left out has weight zero at ``u``."""
        if self.reach is None or np.all(u <= self.reach):
            return True
        whole, part = self.problem, self.part
        return whole.pairs.count_below(whole.edge_prior, u) == part.pairs.count_below(part.edge_prior, u)
