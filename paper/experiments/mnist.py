"""The MNIST figure of the paper: "1" against "2" with different shares of the two."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import pdist

from paper.datasets import Labelled, load_mnist
from paper.experiments.curves import averaged
from paper.experiments.graph_tasks import (
    connectivity,
    edges_per_node,
    graphs_of,
    propagations,
)

IN_PARALLEL = True


@dataclass(frozen=True)
class Settings:
    """``proportions`` are the numbers of 1s and 2s; the paper states no share of known labels."""

    proportions: tuple[tuple[int, int], ...] = ((40, 160), (100, 100), (160, 40))
    draws: int = 40
    densities: tuple[float, ...] = (2, 3, 4, 5, 6, 8, 10, 15, 20, 30)
    known_labels: float = 0.1
    label_runs: int = 20


FULL = Settings()
QUICK = replace(FULL, draws=2, densities=(3, 6, 10), label_runs=5)


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """One per proportion and draw."""
    return [
        {"ones": ones, "twos": twos, "draw": draw}
        for ones, twos in settings.proportions
        for draw in range(settings.draws)
    ]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """All graphs of one draw measured, and the mean squared distances within the classes."""
    images = _sample(_ones_and_twos(data_dir), piece)
    rows = [
        {
            "graph": graph,
            "density": density,
            "edges_per_node": edges_per_node(W),
            **_propagation(settings, W, images.y, seed=piece["draw"]),
            **connectivity(W),
        }
        for graph, density, W in graphs_of(images.X, settings.densities)
    ]
    within = {
        str(digit): float(pdist(images.X[images.y == digit], "sqeuclidean").mean())
        for digit in (1, 2)
    }
    return {"rows": rows, "mean_distance": within}


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> dict[str, Any]:
    """Per proportion, mean and spread over the draws; and the mean distances."""
    curves = {}
    for ones, twos in settings.proportions:
        chosen = [r for p, r in results if (p["ones"], p["twos"]) == (ones, twos)]
        curves[f"{ones} to {twos}"] = averaged([result["rows"] for result in chosen])
    distance = {
        digit: round(float(np.mean([r["mean_distance"][digit] for _, r in results])), 1)
        for digit in ("1", "2")
    }
    return {"curves": curves, "mean_distance": distance}


def _propagation(
    settings: Settings, W: sp.csr_array, y: np.ndarray, *, seed: int
) -> dict[str, float]:
    """Error as a share of the unlabelled, unreachable nodes as their number, by class too."""
    draws = list(
        propagations(W, y, known=settings.known_labels, runs=settings.label_runs, seed=seed)
    )
    return {
        "label_error": float(np.mean([np.mean(d.wrong[d.hidden]) for d in draws])),
        "unreachable": float(np.mean([np.sum(d.unreachable) for d in draws])),
        **{
            f"unreachable_{digit}": float(
                np.mean([np.sum(d.unreachable[y == digit]) for d in draws])
            )
            for digit in (1, 2)
        },
    }


def _sample(images: Labelled, piece: dict[str, Any]) -> Labelled:
    rng = np.random.default_rng([piece["ones"], piece["twos"], piece["draw"]])
    chosen = np.concatenate(
        [
            rng.choice(np.flatnonzero(images.y == digit), count, replace=False)
            for digit, count in ((1, piece["ones"]), (2, piece["twos"]))
        ]
    )
    return Labelled(images.X[chosen], images.y[chosen])


@cache
def _ones_and_twos(data_dir: Path | None) -> Labelled:
    X, y = load_mnist(data_dir)
    chosen = (y == 1) | (y == 2)
    return Labelled(X[chosen], y[chosen])
