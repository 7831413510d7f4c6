"""The answer: weights, multipliers, and how close they are to the optimum."""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs.seam import CandidatePairs, Weights
from smoothgraph.problem import Problem
from smoothgraph.support.connectivity import n_components, n_isolated


class Status(Enum):
    """How a solver ended; the value is the message for the user."""

    CONVERGED = "the relative gap (or, if asked for, the relative change) is within tol"
    MAX_ITER = "stopped at max_iter before reaching tol; raise max_iter"
    STALLED = "no further progress toward tol is possible in this precision; see the gap reached"
    INFEASIBLE = "no weights on the candidate pairs have the degrees asked for; add pairs or change degrees"


@dataclass(frozen=True)
class Step:
    """One line of a solver's history."""

    iteration: int
    seconds: float
    gap: float


@dataclass(frozen=True, eq=False)
class Solution:
    """Weights, multipliers ``u`` and their certificate for a problem.

    Only edges are stored: ``edges`` are the pairs with a weight, and ``weights`` belong to them.
    """

    problem: Problem
    edges: CandidatePairs
    weights: Weights
    n_edges: int
    u: np.ndarray
    gap: float
    status: Status
    history: tuple[Step, ...]

    @property
    def converged(self) -> bool:
        """Whether the solver met its tolerance."""
        return self.status is Status.CONVERGED

    @property
    def n_iter(self) -> int:
        """The number of iterations."""
        return self.history[-1].iteration

    @cached_property
    def w(self) -> Weights:
        """The weight of every candidate pair, where the pairs are."""
        return self.problem.pairs.expand(self.edges, self.weights)

    @cached_property
    def adjacency(self) -> sp.csr_array:
        """The learned graph: symmetric CSR, zero diagonal, no stored zeros."""
        return self.edges.adjacency(self.weights)

    @cached_property
    def laplacian(self) -> sp.csr_array:
        """``L = D - W``."""
        return (sp.diags_array(self.degrees) - self.adjacency).tocsr()

    @cached_property
    def degrees(self) -> np.ndarray:
        """The weighted degrees ``S w``."""
        return self.problem.totals(self.w).degrees

    @property
    def primal(self) -> float:
        """The objective at the weights."""
        return self.problem.primal(self.w)

    @property
    def dual(self) -> float:
        """The dual objective at ``u``, a lower bound of the optimum."""
        return self.problem.dual(self.u)

    @property
    def edges_per_node(self) -> float:
        """The mean number of neighbors: each edge counts at both of its ends."""
        return 2 * self.n_edges / self.problem.pairs.n_joined

    @cached_property
    def n_components(self) -> int:
        """The number of connected components, isolated nodes included."""
        return n_components(self.adjacency)

    @cached_property
    def n_isolated(self) -> int:
        """The number of nodes without an edge."""
        return n_isolated(self.adjacency)

    def __repr__(self) -> str:
        return (
            f"Solution({self.problem.pairs.n_joined} nodes, {self.n_edges} edges, "
            f"relative gap {self.gap:.2g}, {self.status.name})"
        )
