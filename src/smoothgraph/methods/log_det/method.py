"""What both estimators share: from a table to the costs, from the optimum to the graph."""

from typing import Any

import numpy as np
from scipy.spatial.distance import squareform
from threadpoolctl import threadpool_limits

from smoothgraph.methods.log_det.newton import newton
from smoothgraph.methods.log_det.problem import LogDetProblem
from smoothgraph.methods.method import Found, GraphMethod
from smoothgraph.pairs.distances import distances
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_count, check_number

_MOST_NODES = 5000  # a handful of m x m matrices are held in memory, and inverted


class LogDetMethod(GraphMethod):
    """``c_e = (z_e + 2 l1 mean(z)) / n``, and ``tau = |X|^2 / n`` if ``rho`` is learned."""

    _learns_rho: bool

    def __init__(
        self,
        *,
        l1: float = 0.01,
        nodes: str = "rows",
        tol: float = 1e-6,
        max_iter: int = 100,
    ) -> None:
        self.l1 = l1
        self.nodes = nodes
        self.tol = tol
        self.max_iter = max_iter

    def _find(self, table: np.ndarray) -> Found:
        l1 = check_number("l1", self.l1, minimum=0)
        tol = check_number("tol", self.tol, above=0)
        max_iter = check_count("max_iter", self.max_iter, minimum=1)
        _check_few(table)
        z = distances(table)
        _check_apart(z, l1)
        unit = float(np.mean(z)) * (1 + 2 * l1)  # of the costs, whose mean is then 1
        costs = squareform((z + 2 * l1 * np.mean(z)) / unit)
        np.fill_diagonal(costs, np.inf)
        tau = float(np.vdot(table, table)) / unit if self._learns_rho else None
        problem = LogDetProblem(costs, tau)
        with threadpool_limits(1, user_api="blas"):  # sweeps are sequential, threads only wait
            point, n_iter = newton(problem, tol=tol, max_iter=max_iter)
        self._warn_unless_certified(point.gap, tol=tol, n_iter=n_iter)
        unit /= table.shape[1]
        i, j, w, rho = point.unknowns
        edges, weights = PairSet.with_values(i, j, w / unit, len(table))
        found: dict[str, Any] = {
            "objective_": point.value + problem.total * float(np.log(unit)),
            "dual_gap_": point.gap,
            "n_iter_": n_iter,
        }
        if self._learns_rho:
            found["sigma2_"] = unit / rho
        return Found(edges, weights, found)


def _check_few(table: np.ndarray) -> None:
    if len(table) > _MOST_NODES:
        raise ValueError(
            f"Expected at most {_MOST_NODES} nodes, since matrices over all pairs are inverted, "
            f"got {len(table)}; take a sample of them, or a model that scales, such as "
            "LogDegreeGraph."
        )


def _check_apart(z: np.ndarray, l1: float) -> None:
    if not np.any(z):
        raise ValueError(
            "All nodes have the same values, so that their weights have no bound; expected at "
            "least two that differ."
        )
    if l1 == 0 and not np.all(z):
        raise ValueError(
            f"{np.sum(z == 0)} pairs of nodes coincide, and with l1=0 their weights have no "
            "bound; give l1 > 0, or merge these nodes."
        )
