"""Where Newton starts: every node as if its neighbors had its own multiplier."""

from functools import cached_property

import numpy as np

from smoothgraph.priors.prior import EdgePrior
from smoothgraph.problem import Problem
from smoothgraph.solvers.root import monotone_root

_CHEAPEST = 6  # pairs per node: enough for a start
_HALVINGS = 4


class Neighborhood:
    """The costs of the few cheapest candidate pairs of every node of a problem."""

    def __init__(self, problem: Problem) -> None:
        self._degree_prior = problem.degree_prior
        self._cost = problem.pairs.nearest(_CHEAPEST, problem.edge_prior)

    @property
    def farthest(self) -> np.ndarray:
        """The cost of the last of these pairs, per node."""
        return self._cost[:, -1]

    @cached_property
    def comfortable_beta(self) -> float:
        """The beta at which a typical node would have about six neighbors.

        A node alone has the neighbors nearer than its multiplier: with ``u = z_k``, ``beta = sum over j < k of (z_k
        - z_j) / degree(u)``. Below this beta the dual has sharp corners, and Newton does better to come down from
        here.
        """
        near = self._cost
        finite = np.isfinite(near)
        reach = np.max(near, axis=1, initial=0.0, where=finite)
        excess = np.sum(reach[:, None] - near, axis=1, where=finite)
        with np.errstate(divide="ignore"):
            degree = self._degree_prior.lone_degree(reach)
        for amount in (excess, reach):  # the second where all distances are equal
            usable = (amount > 0) & (degree > 0)
            if np.any(usable):
                return float(np.median(amount[usable] / degree[usable]))
        return 0.0

    def lone_multipliers(self, edge_prior: EdgePrior) -> np.ndarray:
        """The root ``u_i`` of ``sum over j of f*'(2 u_i - 2 cost_ij) = degree(u_i)``, per node."""
        low_end, high_end = self._degree_prior.domain
        if low_end == high_end:
            return np.full(len(self._cost), low_end)
        cost, prior = self._cost, edge_prior.lone()

        def too_large(u: np.ndarray) -> np.ndarray:
            w = prior.maximizer(2 * (u[:, None] - cost).ravel()).reshape(cost.shape)
            with np.errstate(divide="ignore"):
                return np.sum(w, axis=1) > self._degree_prior.lone_degree(u)

        # A node without any candidate pair starts with the others' typical multiplier.
        nearest = np.where(np.isfinite(cost[:, 0]), cost[:, 0], np.median(cost[np.isfinite(cost)]))
        return self._degree_prior.admit(monotone_root(too_large, nearest, self.spread, low_end, halvings=_HALVINGS))

    @cached_property
    def spread(self) -> np.ndarray:
        """A positive scale per node: how far its nearest costs lie apart, or what there is."""
        finite = np.isfinite(self._cost)
        reach = np.max(self._cost, axis=1, initial=0.0, where=finite)
        spread = reach - np.where(finite[:, 0], self._cost[:, 0], reach)
        spread = np.where(spread > 0, spread, np.abs(reach))
        positive = spread[spread > 0]
        return np.where(spread > 0, spread, np.median(positive) if positive.size else 1.0)
