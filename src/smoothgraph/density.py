"""The log-degree graph with a given number of edges per node.

By Proposition 2 the shape depends on one number: ``F(Z, alpha, beta) = delta F(theta Z, 1, 1)``
with ``theta = 1 / sqrt(alpha beta)`` and ``delta = sqrt(alpha / beta)``. A larger theta gives
fewer edges, so the density asked for is the root of a one-dimensional search.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from smoothgraph._checks import check_number
from smoothgraph.edges import EdgeSet
from smoothgraph.models import log_degree
from smoothgraph.solution import Solution
from smoothgraph.solvers import Newton

_CLOSE = 0.005  # a density this close, relatively, is the one asked for
_WIDEST = 40.0  # how far from the first guess log(theta) is looked for


class DensityResult(NamedTuple):
    """A solution of ``log_degree(theta * z, alpha=1, beta=1)``, and its ``theta``."""

    solution: Solution
    theta: float


def log_degree_with(
    edges: EdgeSet, z: np.ndarray, *, edges_per_node: float, tol: float = 1e-6
) -> DensityResult:
    """The log-degree graph whose nodes have ``edges_per_node`` neighbours on average.

    Where no graph has that density (ties make it jump, and every node keeps at least one
    edge), the nearest one that was found.
    """
    check_number("edges_per_node", edges_per_node, above=0)
    densest = 2 * edges.n_edges / edges.n_nodes
    if edges_per_node > densest:
        raise ValueError(
            f"edges_per_node must be at most {densest:g}, what the candidate edges allow, "
            f"got {edges_per_node:g}."
        )
    search = _Search(edges, np.asarray(z, dtype=float), edges_per_node, tol)
    first = np.log(theta_guess(edges, search.z, edges_per_node))
    low = high = first
    step = 0.5
    while search(low) < 0 and first - low < _WIDEST:
        low, high, step = low - step, low, 2 * step
    while search(high) > 0 and high - first < _WIDEST:
        low, high, step = high, high + step, 2 * step
    if search(low) > 0 > search(high):
        brentq(search, low, high, xtol=1e-9)
    return search.best


def theta_guess(edges: EdgeSet, z: np.ndarray, edges_per_node: float) -> float:
    """The theta at which a typical node alone would have ``edges_per_node`` neighbours.

    A node whose neighbours are at ``z_1 <= z_2 <= ...`` has k of them if theta is
    ``(k z_k^2 - b_k z_k)^(-1/2)`` with ``b_k = z_1 + ... + z_k`` (Kalofolias and
    Perraudin, 2019). The median over the nodes passes over ties, which make it infinite.
    """
    k = min(int(np.ceil(edges_per_node)) + 1, int(edges.counts.max()))
    _, near = edges.nearest(z, k)
    reach = near[:, -1:]
    inverse = (np.sum(reach - near, axis=1) * reach[:, 0])[np.isfinite(reach[:, 0])]
    usable = inverse[inverse > 0]
    if usable.size:
        return float(1 / np.sqrt(np.median(usable)))
    return float(1 / z.max()) if z.max() > 0 else 1.0


class _Search:
    """``log(edges per node / wanted)`` as a function of log(theta), each solution warm."""

    def __init__(self, edges: EdgeSet, z: np.ndarray, wanted: float, tol: float) -> None:
        self.edges, self.z, self.wanted = edges, z, wanted
        self._newton = Newton(tol=tol)
        self._seen: dict[float, float] = {}
        self._last: DensityResult | None = None
        self.best: DensityResult

    def __call__(self, log_theta: float) -> float:
        """0 once the density is close enough, so that a root finder stops there."""
        if log_theta not in self._seen:
            self._seen[log_theta] = self._evaluate(float(np.exp(log_theta)))
        return self._seen[log_theta]

    def _evaluate(self, theta: float) -> float:
        problem = log_degree(self.edges, theta * self.z)
        start = None if self._last is None else self._last.solution.u * (theta / self._last.theta)
        result = DensityResult(self._newton.solve(problem, start=start), theta)
        first, self._last = self._last is None, result
        if first or self._miss(result) < self._miss(self.best):
            self.best = result
        if self._miss(result) <= np.log1p(_CLOSE):
            return 0.0
        return float(np.log(result.solution.edges_per_node / self.wanted))

    def _miss(self, result: DensityResult) -> float:
        return abs(float(np.log(result.solution.edges_per_node / self.wanted)))
