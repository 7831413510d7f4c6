"""A prior of one's own: a gentler barrier than the logarithm.

Run it with ``python examples/square_root_degrees.py``.
"""

from dataclasses import dataclass

import numpy as np

import smoothgraph as sg
from smoothgraph.priors import DegreePrior, QuadraticEdges


@dataclass(frozen=True)
class SquareRootDegrees(DegreePrior):
    """``g(d) = -2 alpha sum sqrt(d)``: no node is isolated, but small degrees come cheaper."""

    alpha: float

    needs_edges = True

    @property
    def domain(self) -> tuple[float, float]:
        """``u > 0``: otherwise ``-u'd - g(d)`` has no maximum."""
        return (0.0, np.inf)

    def value(self, d: np.ndarray) -> float:
        """``-2 alpha sum sqrt(d)``."""
        return -2 * self.alpha * float(np.sum(np.sqrt(d)))

    def conjugate(self, u: np.ndarray) -> float:
        """``alpha^2 sum 1 / u``, the maximum of ``-u'd + 2 alpha sum sqrt(d)``."""
        return np.inf if np.any(u <= 0) else self.alpha**2 * float(np.sum(1 / u))

    def maximizer(self, u: np.ndarray) -> np.ndarray:
        """``(alpha / u)^2``, where that maximum is attained."""
        return (self.alpha / u) ** 2

    def curvature(self, u: np.ndarray) -> tuple[np.ndarray, None]:
        """``2 alpha^2 / u^3``, the second derivative of the conjugate."""
        return 2 * self.alpha**2 / u**3, None


def main() -> sg.Solution:
    X = np.random.default_rng(0).normal(size=(100, 4))
    edges = sg.EdgeSet.all_pairs(100)
    problem = sg.Problem(
        edges,
        sg.distances(X, edges),
        edge_prior=QuadraticEdges(1.0),
        degree_prior=SquareRootDegrees(1.0),
    )
    return sg.Newton(tol=1e-8).solve(problem)


if __name__ == "__main__":
    print(main())
