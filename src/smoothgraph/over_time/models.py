"""The model of all windows as a problem ready to solve, and with a given density."""

from dataclasses import replace
from typing import cast

import numpy as np

from smoothgraph.density import DensityResult, in_units, search_density
from smoothgraph.over_time.coupling import COUPLINGS, CoupledEdges
from smoothgraph.over_time.problem import CoupledProblem
from smoothgraph.over_time.solver import CoupledNewton
from smoothgraph.pairs.pattern import EdgeSet
from smoothgraph.priors import LogDegrees
from smoothgraph.solvers import Newton
from smoothgraph.support.checks import check_number


def time_varying(
    pairs: EdgeSet,
    z: np.ndarray,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    gamma: float = 1.0,
    coupling: str = "l2",
) -> CoupledProblem:
    """``min sum_t [2 z_t'w_t - alpha 1'log(S w_t) + beta |w_t|^2] + c sum_t |w_t+1 - w_t|``.

    The last term is ``gamma beta |.|^2`` (coupling "l2") or ``gamma sqrt(alpha beta) |.|_1``
    ("l1"), so that ``F(Z, alpha, beta, gamma) = delta F(theta Z, 1, 1, gamma)`` as for one graph.
    ``z`` has one row per window.
    """
    check_coupling(coupling)
    alpha, beta = check_number("alpha", alpha, above=0), check_number("beta", beta, above=0)
    gamma = check_number("gamma", gamma, minimum=0)
    prior = _prior(coupling, alpha=alpha, beta=beta, gamma=gamma, n_windows=len(z))
    return CoupledProblem.over_time(pairs, z, prior, LogDegrees(alpha))


def time_varying_with(
    pairs: EdgeSet,
    z: np.ndarray,
    *,
    edges_per_node: float,
    gamma: float = 1.0,
    coupling: str = "l2",
    solver: CoupledNewton | None = None,
) -> DensityResult:
    """The graphs whose nodes have ``edges_per_node`` neighbours, averaged over nodes and windows.

    The solution is that of ``time_varying(pairs, theta * z, gamma=gamma, coupling=coupling)``.
    """
    tame, unit = in_units(z)
    base = time_varying(pairs, tame, gamma=gamma, coupling=coupling)

    def at(beta: float) -> CoupledProblem:
        prior = _prior(coupling, alpha=1.0, beta=beta, gamma=gamma, n_windows=len(z))
        return cast(CoupledProblem, base.with_priors(prior, base.degree_prior))

    # Of a solver the search asks for `tol` and `solve` alone.
    engine = cast(Newton, solver or CoupledNewton())
    beta, solution = search_density(at, base, edges_per_node, engine, None)
    theta = float(1 / np.sqrt(beta))
    scaled = replace(
        solution,
        problem=time_varying(pairs, theta * tame, gamma=gamma, coupling=coupling),
        active_weights=solution.active_weights / theta,
        u=solution.u * theta,
    )
    return DensityResult(scaled, theta / unit)


def check_coupling(coupling: str) -> None:
    """A ValueError unless there is such a coupling."""
    if coupling not in COUPLINGS:
        raise ValueError(f"coupling must be 'l2' or 'l1', got {coupling!r}.")


def _prior(
    coupling: str, *, alpha: float, beta: float, gamma: float, n_windows: int
) -> CoupledEdges:
    unit = beta if coupling == "l2" else float(np.sqrt(alpha * beta))
    return COUPLINGS[coupling](beta, gamma * unit, n_windows)
