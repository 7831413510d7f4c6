"""The MNIST figure of the paper: "1" against "2" in different proportions."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import pdist

from paper.datasets import Labeled, load_mnist
from paper.reproduction.curves import average
from paper.reproduction.graph_tasks import connectivity, count_unreachable, edges_per_node, graphs_of, propagate_labels

SOURCES = (__name__,)
IN_PARALLEL = True


@dataclass(frozen=True)
class Settings:
    """How to draw the images and what to measure.

    ``proportions`` are the numbers of 1s and 2s. The paper does not state the share of known
    labels.
    """

    proportions: tuple[tuple[int, int], ...] = ((40, 160), (100, 100), (160, 40))
    draws: int = 40
    densities: tuple[float, ...] = (2, 3, 4, 5, 6, 8, 10, 15, 20, 30)
    known_labels: float = 0.1
    label_runs: int = 20


FULL = Settings()
QUICK = replace(FULL, draws=2, densities=(3, 6, 10), label_runs=5)


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """Return one piece per proportion and draw."""
    return [
        {"ones": ones, "twos": twos, "draw": draw}
        for ones, twos in settings.proportions
        for draw in range(settings.draws)
    ]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """Return the measurements of all graphs of one draw, and the distances within the classes."""
    images = _sample(_ones_and_twos(data_dir), piece)
    rows = [
        {
            "graph": graph,
            "density": density,
            "edges_per_node": edges_per_node(W),
            **_measure_labels(settings, W, images.y, seed=piece["draw"]),
            **connectivity(W),
        }
        for graph, density, W in graphs_of(images.X, settings.densities)
    ]
    within = {str(digit): float(pdist(images.X[images.y == digit], "sqeuclidean").mean()) for digit in (1, 2)}
    return {"rows": rows, "mean_distance": within}


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> dict[str, Any]:
    """Return mean and spread over the draws, per proportion, and the mean distances."""
    curves = {}
    for ones, twos in settings.proportions:
        chosen = [r for p, r in results if (p["ones"], p["twos"]) == (ones, twos)]
        curves[f"{ones} to {twos}"] = average([result["rows"] for result in chosen])
    distance = {
        digit: round(float(np.mean([r["mean_distance"][digit] for _, r in results])), 1) for digit in ("1", "2")
    }
    return {"curves": curves, "mean_distance": distance}


def _measure_labels(settings: Settings, W: sp.csr_array, y: np.ndarray, *, seed: int) -> dict[str, float]:
    """Return the error as a share of the unlabeled nodes, and the number of unreachable nodes."""
    draws = list(propagate_labels(W, y, known=settings.known_labels, runs=settings.label_runs, seed=seed))
    return {
        "label_error": float(np.mean([np.mean(d.wrong[d.hidden]) for d in draws])),
        "unreachable": count_unreachable(draws),
        "unreachable_1": count_unreachable(draws, y == 1),
        "unreachable_2": count_unreachable(draws, y == 2),
    }


def _sample(images: Labeled, piece: dict[str, Any]) -> Labeled:
    rng = np.random.default_rng([piece["ones"], piece["twos"], piece["draw"]])
    chosen = np.concatenate(
        [
            rng.choice(np.flatnonzero(images.y == digit), count, replace=False)
            for digit, count in ((1, piece["ones"]), (2, piece["twos"]))
        ]
    )
    return Labeled(images.X[chosen], images.y[chosen])


@cache
def _ones_and_twos(data_dir: Path | None) -> Labeled:
    X, y = load_mnist(data_dir)
    chosen = (y == 1) | (y == 2)
    return Labeled(X[chosen], y[chosen])
