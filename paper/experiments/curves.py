"""Measurements over density, averaged over draws: the data of the paper's real-data figures."""

from typing import Any

import numpy as np

from paper.experiments.graph_tasks import GRAPHS

Rows = list[dict[str, Any]]
"""One per graph and density, with the keys ``graph`` and ``density`` and the measurements."""

_DIGITS = 5


def averaged(draws: list[Rows]) -> dict[str, Any]:
    """Per graph and measurement: ``mean`` and ``std`` over the draws, in the order of density."""
    densities = sorted({row["density"] for row in draws[0]})
    names = [name for name in draws[0][0] if name not in ("graph", "density")]
    curves: dict[str, Any] = {"densities": densities}
    for graph in GRAPHS:
        rows = [
            sorted((row for row in draw if row["graph"] == graph), key=lambda row: row["density"])
            for draw in draws
        ]
        curves[graph] = {name: _spread(rows, name) for name in names}
    return curves


def _spread(rows: list[Rows], name: str) -> dict[str, list[float]]:
    table = np.array([[row[name] for row in draw] for draw in rows], dtype=float)
    return {
        "mean": np.round(table.mean(axis=0), _DIGITS).tolist(),
        "std": np.round(table.std(axis=0), _DIGITS).tolist(),
    }


def at(curves: dict[str, Any], graph: str, name: str, density: float) -> tuple[float, float]:
    """Mean and spread of a measurement at one density."""
    position = curves["densities"].index(density)
    found = curves[graph][name]
    return found["mean"][position], found["std"][position]
