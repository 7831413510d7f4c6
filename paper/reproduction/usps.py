"""The USPS figure of the paper: 1001 digits in classes of 3 to 260 images."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from paper.datasets import Labeled, load_usps
from paper.reproduction.curves import Rows, average
from paper.reproduction.graph_tasks import graphs_of, measure_tasks

SOURCES = (__name__,)
IN_PARALLEL = True


@dataclass(frozen=True)
class Settings:
    """How to draw the images and what to measure.

    The paper draws once; several draws show how much a number depends on the draw. Class i has
    ``round(2.6 i^2)`` images of the i-th of the ``digits``; the paper does not say which digit it
    is.
    """

    draws: int = 10
    densities: tuple[float, ...] = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30)
    digits: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
    size_factor: float = 2.6
    known_labels: float = 0.1
    label_runs: int = 100
    cluster_runs: int = 100


FULL = Settings()
QUICK = replace(FULL, draws=1, densities=(4, 6, 10), size_factor=0.8, label_runs=5, cluster_runs=5)


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """Return one piece per draw."""
    return [{"draw": draw} for draw in range(settings.draws)]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> Rows:
    """Return the measurements of all graphs of one draw."""
    images = sample(_images(data_dir), settings, piece["draw"])
    return [
        {
            "graph": graph,
            "density": density,
            **measure_tasks(
                W,
                images.y,
                known=settings.known_labels,
                label_runs=settings.label_runs,
                cluster_runs=settings.cluster_runs,
                seed=piece["draw"],
            ),
        }
        for graph, density, W in graphs_of(images.X, settings.densities)
    ]


def collect(settings: Settings, results: list[tuple[dict[str, Any], Rows]]) -> dict[str, Any]:
    """Return mean and spread over the draws."""
    del settings
    return average([rows for _, rows in results])


def sample(images: Labeled, settings: Settings, seed: int) -> Labeled:
    """Return ``round(2.6 i^2)`` images of class i, as Zhu et al. (2003) sample them."""
    rng = np.random.default_rng(seed)
    chosen = np.concatenate(
        [
            rng.choice(np.flatnonzero(images.y == digit), max(2, round(settings.size_factor * i**2)), replace=False)
            for i, digit in enumerate(settings.digits, start=1)
        ]
    )
    return Labeled(images.X[chosen], images.y[chosen])


@cache
def _images(data_dir: Path | None) -> Labeled:
    return load_usps(data_dir)
