"""The "Time" paragraph of the paper: its two algorithms on 1001 USPS images, and Newton."""

from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from paper.datasets import load_usps
from paper.experiments import usps
from paper.experiments.artificial import LARGEST_GAP
from smoothgraph import Newton, Pairs, PairSet, PrimalDual, distances, models
from smoothgraph.density import l2_degree_with, log_degree_with
from smoothgraph.problem import Problem
from smoothgraph.solution import Solution

IN_PARALLEL = False


@dataclass(frozen=True)
class Settings:
    """The paper states the tolerance, but neither the step nor the unit of the distances.

    ``steps`` are shares of the largest step allowed, ``units`` multiples of the mean distance;
    the other densities have the last step and unit 1.
    """

    density: float = 10
    other_densities: tuple[float, ...] = (6,)
    steps: tuple[float, ...] = (0.5, 0.99)
    units: tuple[float, ...] = (0.25, 0.5, 1.0)
    tol: float = 1e-4
    newton_tol: float = 1e-6
    max_iter: int = 5000
    sample: usps.Settings = usps.FULL


FULL = Settings()
QUICK = replace(
    FULL, other_densities=(), steps=(0.9,), units=(1.0,), max_iter=300, sample=usps.QUICK
)


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """Per model: Newton and its algorithm with each step and unit, then the other densities."""
    every = [(step, unit) for step in settings.steps for unit in settings.units]
    last = [(settings.steps[-1], 1.0)]
    return [
        {"model": model, "density": density, "step": step, "unit": unit}
        for model in ("log-degree", "l2-degree")
        for density in (settings.density, *settings.other_densities)
        for step, unit in [(None, 1.0), *(every if density == settings.density else last)]
    ]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """One solve at the parameter whose optimum has the density asked for."""
    problem = _problem(settings, piece, data_dir)
    if piece["step"] is None:
        solver: Newton | PrimalDual = Newton(tol=settings.newton_tol)
        solver.solve(problem)  # the first call compiles
    else:
        solver = PrimalDual(
            tol=settings.tol, stop="change", step=piece["step"], max_iter=settings.max_iter
        )
    start = perf_counter()
    solution = solver.solve(problem)
    return {"seconds": round(perf_counter() - start, 4), **_described(solution)}


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> list[dict[str, Any]]:
    """One row per solve."""
    del settings
    return [{**piece, **result} for piece, result in results]


def _problem(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> Problem:
    images = usps.sample(load_usps(data_dir), settings.sample, seed=0)
    edges = PairSet.all_pairs(len(images.y))
    z = distances(images.X, edges)
    z = z / (z.mean() * piece["unit"])
    if piece["model"] == "log-degree":
        theta = log_degree_with(edges, z, edges_per_node=piece["density"]).parameter
        return models.log_degree(Pairs(edges, z), alpha=1.0, beta=theta**-2)
    alpha = l2_degree_with(edges, z, edges_per_node=piece["density"]).parameter
    return models.l2_degree(Pairs(edges, z), alpha=alpha)


def _described(solution: Solution) -> dict[str, Any]:
    return {
        "iterations": solution.n_iter,
        "converged": solution.converged,
        "gap": float(f"{min(solution.gap, LARGEST_GAP):.2g}"),
        "edges_per_node": round(solution.edges_per_node, 3),
        "components": solution.n_components,
        "isolated": solution.n_isolated,
    }
