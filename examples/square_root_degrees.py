"""
A prior of your own
===================

Write a gentler barrier than the logarithm as one class, use it like any other prior, and make an
estimator of it.
"""

# %%
# A degree prior has four short methods: its value, its conjugate, the point where the conjugate
# attains its maximum, and the second derivative. :doc:`/priors` explains each of them.

from dataclasses import dataclass, field

import matplotlib.pyplot as plt
import numpy as np

import smoothgraph as sg
from smoothgraph.estimators.graph_learner import DensityLearner
from smoothgraph.estimators.learning import Model
from smoothgraph.models import Family
from smoothgraph.priors import DegreePrior, LogDegrees, QuadraticEdges


@dataclass(frozen=True)
class SquareRootDegrees(DegreePrior):
    """``g(d) = -2 alpha sum sqrt(d)``: no node is isolated, but small degrees cost less."""

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


# %%
# A problem takes it in place of a prior of the library. The solver and its certificate need no
# change.

X = np.random.default_rng(0).normal(size=(100, 4))
pairs, edge_prior = sg.Pairs.of(X), QuadraticEdges(1.0)
problem = sg.Problem(pairs, edge_prior=edge_prior, degree_prior=SquareRootDegrees(1.0))
solution = sg.Newton(tol=1e-8).solve(problem)
print(solution)

# %%
# Compare it with the logarithm. Neither leaves a node isolated. Under the square root, the degrees
# of nodes far from the center fall faster, because small degrees cost less.

logarithm = sg.Newton(tol=1e-8).solve(sg.Problem(pairs, edge_prior=edge_prior, degree_prior=LogDegrees(1.0)))
figure, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
distance = np.linalg.norm(X, axis=1)
for name, one in {"logarithm": logarithm, "square root": solution}.items():
    ax.scatter(distance, one.degrees, s=12, label=name)
ax.set(xlabel="distance of the node from the center", ylabel="weighted degree", yscale="log")
ax.legend(frameon=False)

# %%
# To make an estimator of it, say which one parameter ``p`` sets the density. Both priors are in
# proportion to ``p``, so ``p`` has the unit of the distances, as a density search expects.


class SquareRoot(Family):
    """``f = p |w|^2``, ``g = -2 p sum sqrt(d)``."""

    attribute = "p_"
    power = 3  # the edge prior curves in proportion to p, and a lone node wants the degree (p / u)^2

    def priors(self, p: float, n_nodes: int) -> tuple[QuadraticEdges, SquareRootDegrees]:  # noqa: ARG002
        """``alpha = beta = p``."""
        return QuadraticEdges(p), SquareRootDegrees(p)


@dataclass(eq=False, repr=False)
class SquareRootGraph(DensityLearner):
    """``min 2 z'w + p (|w|^2 - 2 sum sqrt(degrees))``, with ``edges_per_node`` or ``p``."""

    p: float | None = field(default=None, kw_only=True)

    def model(self) -> Model:
        """The family, or its problem with the given ``p``."""
        family = SquareRoot()
        return Model(
            problem=lambda pairs: (family.problem(pairs, self.p), {"p_": self.p}),
            own={"p": self.p},
            family=family,
            edges_per_node=self.edges_per_node,
        )


# %%
# The base class does the rest: it reads tables, finds ``p``, searches for neighbors if there are
# many nodes, and joins new nodes.

graph = SquareRootGraph(edges_per_node=8).fit(X)
joined = graph.transform(X[:5] + 0.1)
print(f"{graph.edges_per_node_:.2f} edges per node at p = {graph.p_:.2f}, gap {graph.dual_gap_:.0e}")
print("neighbors of five new nodes:", np.diff(joined.indptr))
plt.show()
