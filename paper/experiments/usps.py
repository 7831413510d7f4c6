"""The USPS figure of the paper: 1001 digits with classes of 3 to 260 images."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from paper.datasets import Labelled, load_usps
from paper.experiments.curves import Rows, averaged
from paper.experiments.graph_tasks import (
    clustering_error,
    connectivity,
    edges_per_node,
    graphs_of,
    label_propagation,
)

IN_PARALLEL = True


@dataclass(frozen=True)
class Settings:
    """The paper draws once; more draws show how much of a number is that draw.

    ``digits`` are those of class 1 to 10, of which ``round(2.6 i^2)`` images are taken; the
    paper does not say which they are.
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
    """One per draw."""
    return [{"draw": draw} for draw in range(settings.draws)]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> Rows:
    """All graphs of one draw, measured."""
    images = sample(_images(data_dir), settings, piece["draw"])
    return [
        {
            "graph": graph,
            "density": density,
            "edges_per_node": edges_per_node(W),
            "clustering_error": clustering_error(W, images.y, runs=settings.cluster_runs),
            **label_propagation(
                W,
                images.y,
                known=settings.known_labels,
                runs=settings.label_runs,
                seed=piece["draw"],
            ),
            **connectivity(W),
        }
        for graph, density, W in graphs_of(images.X, settings.densities)
    ]


def collect(settings: Settings, results: list[tuple[dict[str, Any], Rows]]) -> dict[str, Any]:
    """Mean and spread over the draws."""
    del settings
    return averaged([rows for _, rows in results])


def sample(images: Labelled, settings: Settings, seed: int) -> Labelled:
    """``round(2.6 i^2)`` images of class i, as Zhu et al. (2003) sample them."""
    rng = np.random.default_rng(seed)
    chosen = np.concatenate(
        [
            rng.choice(
                np.flatnonzero(images.y == digit),
                max(2, round(settings.size_factor * i**2)),
                replace=False,
            )
            for i, digit in enumerate(settings.digits, start=1)
        ]
    )
    return Labelled(images.X[chosen], images.y[chosen])


@cache
def _images(data_dir: Path | None) -> Labelled:
    return load_usps(data_dir)
