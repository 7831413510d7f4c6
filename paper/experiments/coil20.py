"""The COIL-20 figures of the paper: objects with about 3 to about 60 images each."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from paper.datasets import Labelled, load_coil20
from paper.experiments.curves import averaged
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
    """The expected class sizes grow from ``smallest`` to ``largest`` as a square.

    The paper says "non-linearly"; the square is that of its USPS experiment.
    """

    draws: int = 20
    smallest: float = 3
    largest: float = 60
    densities: tuple[float, ...] = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30)
    known_labels: float = 0.5
    label_runs: int = 100
    cluster_runs: int = 100


FULL = Settings()
QUICK = replace(FULL, draws=1, densities=(4, 6, 10), label_runs=5, cluster_runs=5)


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """One per draw."""
    return [{"draw": draw} for draw in range(settings.draws)]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """All graphs of one draw, measured, and the class sizes."""
    images = sample(_images(data_dir), settings, piece["draw"])
    rows = []
    for graph, density, W in graphs_of(images.X, settings.densities):
        labels = label_propagation(
            W,
            images.y,
            known=settings.known_labels,
            runs=settings.label_runs,
            seed=piece["draw"],
        )
        n_hidden = len(images.y) - round(settings.known_labels * len(images.y))
        rows.append(
            {
                "graph": graph,
                "density": density,
                "edges_per_node": edges_per_node(W),
                "clustering_error": clustering_error(W, images.y, runs=settings.cluster_runs),
                "label_error": labels["label_error"],
                "unreachable": labels["unreachable"] * n_hidden,
                **connectivity(W),
            }
        )
    return {"rows": rows, "sizes": np.unique(images.y, return_counts=True)[1].tolist()}


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> dict[str, Any]:
    """Mean and spread over the draws, and the class sizes of the first."""
    del settings
    return {
        "curves": averaged([result["rows"] for _, result in results]),
        "sizes": results[0][1]["sizes"],
    }


def sample(images: Labelled, settings: Settings, seed: int) -> Labelled:
    """Each image with its class's probability, two of each class at least."""
    rng = np.random.default_rng(seed)
    objects = np.unique(images.y)
    rise = np.linspace(0, 1, len(objects)) ** 2
    expected = settings.smallest + (settings.largest - settings.smallest) * rise
    chosen = []
    for label, size in zip(objects, expected, strict=True):
        own = np.flatnonzero(images.y == label)
        count = max(2, rng.binomial(len(own), size / len(own)))
        chosen.append(rng.choice(own, count, replace=False))
    rows = np.concatenate(chosen)
    return Labelled(images.X[rows], images.y[rows])


@cache
def _images(data_dir: Path | None) -> Labelled:
    return load_coil20(data_dir)
