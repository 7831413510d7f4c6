"""A degree prior for a part of the nodes, whose other multipliers are held."""

from dataclasses import dataclass, field

import numpy as np

from smoothgraph.priors.prior import DegreePrior

_STIFF = 1e100  # the curvature of a multiplier that is held: it does not move


@dataclass(frozen=True, eq=False)
class HeldNodes(DegreePrior):
    """``prior`` at the ``free`` nodes, and ``-u_i d_i`` at the others, whose multipliers ``held`` are given.

    It is the prior of a larger problem, as the free nodes see it while all other nodes hold still.
    """

    prior: DegreePrior
    free: np.ndarray
    held: np.ndarray
    needs_edges: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "needs_edges", self.free & self.prior.needs_edges)

    @property
    def n_nodes(self) -> int:
        """The number of nodes, held ones included."""
        return len(self.free)

    @property
    def domain(self) -> tuple[float, float]:
        """That of the prior."""
        return self.prior.domain

    def admit(self, u: np.ndarray) -> np.ndarray:
        """``u`` at free nodes."""
        return np.where(self.free, u, self.held)

    def longest_step(self, u: np.ndarray, direction: np.ndarray) -> float:
        """That of the free nodes."""
        return self.prior.longest_step(u[self.free], direction[self.free])

    def value(self, d: np.ndarray) -> float:
        """``g`` of the free nodes, and ``-u_i d_i`` at the others."""
        others = ~self.free
        return self.prior.value(d[self.free]) - float(self.held[others] @ d[others])

    def conjugate(self, u: np.ndarray) -> float:
        """``g*`` of the free nodes."""
        return self.prior.conjugate(u[self.free])

    def divergence(self, d: np.ndarray, u: np.ndarray) -> float:
        """That of the free nodes."""
        return self.prior.divergence(d[self.free], u[self.free])

    def maximizer(self, u: np.ndarray) -> np.ndarray:
        """That of the prior; at a held node any degree would do."""
        wanted = np.ones_like(u)
        wanted[self.free] = self.prior.maximizer(u[self.free])
        return wanted

    def curvature(self, u: np.ndarray) -> tuple[np.ndarray, None]:
        """That of the prior, and so much at a held node that it does not move."""
        curvature = np.full_like(u, _STIFF)
        curvature[self.free], _ = self.prior.curvature(u[self.free])
        return curvature, None

    def gap_scale(self, u: np.ndarray, d: np.ndarray, conjugate: float) -> float:
        """That of the free nodes."""
        return self.prior.gap_scale(u[self.free], d[self.free], conjugate)

    def violation(self, d: np.ndarray) -> float:
        """That of the free nodes."""
        return self.prior.violation(d[self.free])
