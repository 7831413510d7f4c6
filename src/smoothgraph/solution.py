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

    CONVERGED = "the relative gap (or, if asked for, the relative change) and all weights are within their tolerances"
    MAX_ITER = "stopped at max_iter before reaching them; raise max_iter"
    STALLED = "no further progress is possible in this precision"
    INFEASIBLE = "no weights on the candidate pairs have the degrees asked for; add pairs or change degrees"


@dataclass(frozen=True)
class Step:
    """One line of a solver's history."""

    iteration: int
    seconds: float
    gap: float


@dataclass(frozen=True)
class Certificate:
    """The relative duality gap, and what it proves: no weight is farther from the optimum than ``weight_error``.

    The error is infinite if nothing is proved.
    """

    gap: float
    weight_error: float
    mean_weight: float

    @property
    def relative_error(self) -> float:
        """``weight_error`` in units of the mean weight of an edge."""
        if self.weight_error == 0:
            return 0.0
        return self.weight_error / self.mean_weight if self.mean_weight > 0 else np.inf


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
    certificate: Certificate
    status: Status
    history: tuple[Step, ...]

    @property
    def gap(self) -> float:
        """The relative duality gap."""
        return self.certificate.gap

    @property
    def weight_error(self) -> float:
        """A bound on how far any weight is from the optimum, those of pairs without an edge included."""
        return self.certificate.weight_error

    @cached_property
    def proved_edges(self) -> sp.csr_array:
        """The edges that the optimum has, too: their weights are larger than ``weight_error``."""
        return self.adjacency > self.weight_error

    @cached_property
    def multiplier_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """``low`` and ``high``, between which the optimal multipliers are.

        So the optimum has an edge if ``2 z_ij < low_i + low_j``, and has none if ``2 z_ij >= high_i + high_j``.
        """
        at = self.problem.evaluate(self.u)
        return self.problem.degree_prior.multiplier_bounds(self.u, at.lack(self.w, self.degrees))

    @cached_property
    def n_open_pairs(self) -> int:
        """How many candidate pairs are neither proved to be edges of the optimum nor proved to be none."""
        present, possible = (self.problem.pairs.count_below(self.problem.edge_prior, u) for u in self.multiplier_bounds)
        return possible - present

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
