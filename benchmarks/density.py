"""Measure the cost of a density: the search against one solve, a path against separate fits.

    python -m benchmarks.density [--data-dir DIR]

The script alternates between the two calls on the same data and reports the median ratio.
"""

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.base import clone

import smoothgraph as sg
from benchmarks.data import digits_like, usps_1001
from benchmarks.measure import clocked
from smoothgraph.density import search_density
from smoothgraph.models import Family, L2Degree, LogDegree

DENSITIES = (2, 4, 6, 10, 20, 30)
REPEATS = 5
FAMILIES: dict[str, Family] = {"log-degree": LogDegree(), "l2-degree": L2Degree()}


def ratio(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """Return the median seconds of ``other``, and the time of ``one`` as a multiple of them."""
    one(), other()
    times = [(clocked(one)[0], clocked(other)[0]) for _ in range(REPEATS)]
    return median(b for _, b in times), median(a / b for a, b in times)


def search_against_solve(X: np.ndarray, k: float) -> dict[str, tuple[float, float]]:
    """For both models, compare the search for a parameter with one cold solve at that parameter."""
    pattern, z = sg.PairSet.all_pairs(len(X)), sg.distances(X)
    solver = sg.Newton(tol=1e-9)  # the accuracy at which a search counts edges

    def compare(family: Family) -> tuple[float, float]:
        p = search_density(family, sg.Pairs(pattern, z), k).p
        return ratio(  # each time on pairs without any cache
            lambda: search_density(family, sg.Pairs(pattern, z), k),
            lambda: solver.solve(family.problem(sg.Pairs(pattern, z), p)),
        )

    return {name: compare(family) for name, family in FAMILIES.items()}


def path_against_fits(X: np.ndarray, learner: sg.GraphLearner) -> tuple[float, float]:
    """Compare the path with separate fits at all densities."""
    return ratio(
        lambda: sg.density_path(X, DENSITIES, learner=learner),
        lambda: [clone(learner).set_params(edges_per_node=k).fit(X) for k in DENSITIES],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, help="folder with usps.npz (keys X, y)")
    folder = parser.parse_args().data_dir
    data = {"digits-1000": digits_like(1000), "digits-4000": digits_like(4000)}
    if folder is not None:
        data["USPS-1001"] = usps_1001(folder).X
    warnings.simplefilter("ignore", sg.DensityWarning)
    console = Console(width=None if Console().is_terminal else 120)
    searches = Table("data", "model", *map(str, DENSITIES), title="search / one solve, by density")
    paths = Table("data", "model", "separate fits", "path / fits", title="path of all densities")
    for name, X in data.items():
        results = [search_against_solve(X, k) for k in DENSITIES]
        for model in results[0]:
            searches.add_row(name, model, *(f"{result[model][1]:.2f}" for result in results))
        for learner in (sg.LogDegreeGraph(), sg.L2DegreeGraph()):
            seconds, share = path_against_fits(X, learner)
            paths.add_row(name, type(learner).__name__, f"{seconds:.3g} s", f"{share:.2f}")
    console.print(searches)
    console.print(paths)


if __name__ == "__main__":
    main()
