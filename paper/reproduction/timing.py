"""The "Time" paragraph of the paper: its two algorithms on 1001 USPS images, beside Newton's."""

from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from paper.datasets import load_usps
from paper.reproduction import usps
from paper.reproduction.artificial import LARGEST_GAP
from smoothgraph import Newton, Pairs, PairSet, PrimalDual, distances, models
from smoothgraph.density import search_density
from smoothgraph.problem import Problem
from smoothgraph.solution import Solution

SOURCES = (__name__,)
IN_PARALLEL = False


@dataclass(frozen=True)
class Settings:
    """Which problems to solve, and how.

    The paper states the tolerance, but neither the step size nor the unit of the distances.
    ``steps`` are shares of the largest step allowed, ``units`` multiples of the mean distance. The
    other densities use the last step and unit 1.
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
QUICK = replace(FULL, other_densities=(), steps=(0.9,), units=(1.0,), max_iter=300, sample=usps.QUICK)


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """Return, per model and density, Newton's method and the paper's algorithm.

    At the main density the algorithm runs with each step and unit.
    """
    every = [(step, unit) for step in settings.steps for unit in settings.units]
    last = [(settings.steps[-1], 1.0)]
    return [
        {"model": model, "density": density, "step": step, "unit": unit}
        for model in ("log-degree", "l2-degree")
        for density in (settings.density, *settings.other_densities)
        for step, unit in [(None, 1.0), *(every if density == settings.density else last)]
    ]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """Return what one solve took, at the parameter whose optimum has the requested density."""
    problem = _problem(settings, piece, data_dir)
    if piece["step"] is None:
        solver: Newton | PrimalDual = Newton(tol=settings.newton_tol)
        solver.solve(problem)  # the first call compiles
    else:
        solver = PrimalDual(tol=settings.tol, stop="change", step=piece["step"], max_iter=settings.max_iter)
    start = perf_counter()
    solution = solver.solve(problem)
    return {"seconds": round(perf_counter() - start, 4), **_describe(solution)}


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> list[dict[str, Any]]:
    """Return one row per solve."""
    del settings
    return [{**piece, **result} for piece, result in results]


def _problem(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> Problem:
    images = usps.sample(load_usps(data_dir), settings.sample, seed=0)
    all_pairs = PairSet.all_pairs(len(images.y))
    z = distances(images.X, all_pairs)
    pairs = Pairs(all_pairs, z / (z.mean() * piece["unit"]))
    if piece["model"] == "log-degree":
        p = search_density(models.LogDegree(), pairs, piece["density"]).p
        return models.log_degree(pairs, alpha=1.0, beta=p**2)
    p = search_density(models.L2Degree(), pairs, piece["density"]).p
    return models.l2_degree(pairs, alpha=p)


def _describe(solution: Solution) -> dict[str, Any]:
    return {
        "iterations": solution.n_iter,
        "converged": solution.converged,
        "gap": float(f"{min(solution.gap, LARGEST_GAP):.2g}"),
        "edges_per_node": round(solution.edges_per_node, 3),
        "components": solution.n_components,
        "isolated": solution.n_isolated,
    }
