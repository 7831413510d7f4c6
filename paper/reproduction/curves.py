"""Measurements against density, averaged over draws: the data of the paper's figures."""

from typing import Any

import numpy as np

from paper.reproduction.graph_tasks import GRAPHS

Rows = list[dict[str, Any]]
"""One row per graph and density: the keys ``graph`` and ``density``, and the measurements."""

_DIGITS = 5


def average(draws: list[Rows]) -> dict[str, Any]:
    """Return ``mean`` and ``std`` over the draws, per graph and measurement, by density."""
    densities = sorted({row["density"] for row in draws[0]})
    names = [name for name in draws[0][0] if name not in ("graph", "density")]
    curves: dict[str, Any] = {"densities": densities}
    for graph in GRAPHS:
        rows = [
            sorted((row for row in draw if row["graph"] == graph), key=lambda row: row["density"]) for draw in draws
        ]
        curves[graph] = {name: _mean_and_std(rows, name) for name in names}
    return curves


def _mean_and_std(rows: list[Rows], name: str) -> dict[str, list[float]]:
    table = np.array([[row[name] for row in draw] for draw in rows], dtype=float)
    return {
        "mean": np.round(table.mean(axis=0), _DIGITS).tolist(),
        "std": np.round(table.std(axis=0), _DIGITS).tolist(),
    }


def at(curves: dict[str, Any], graph: str, name: str, density: float) -> tuple[float, float]:
    """Return the mean and the spread of a measurement at one density."""
    position = curves["densities"].index(density)
    found = curves[graph][name]
    return found["mean"][position], found["std"][position]
