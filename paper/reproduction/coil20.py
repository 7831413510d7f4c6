"""The COIL-20 figures of the paper: objects with about 3 to about 60 images each."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from paper.datasets import Labeled, load_coil20
from paper.reproduction.curves import average
from paper.reproduction.graph_tasks import graphs_of, measure_tasks

SOURCES = (__name__,)
IN_PARALLEL = True


@dataclass(frozen=True)
class Settings:
    """How to draw the images and what to measure.

    The expected class sizes grow quadratically from ``smallest`` to ``largest``. The paper only
    says "non-linearly"; its USPS experiment uses a square.
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
    """Return one piece per draw."""
    return [{"draw": draw} for draw in range(settings.draws)]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """Return the class sizes of one draw, and the measurements of all its graphs.

    The paper shows the number of unreachable nodes, not their share.
    """
    images = sample(_images(data_dir), settings, piece["draw"])
    n_hidden = len(images.y) - round(settings.known_labels * len(images.y))
    rows = []
    for graph, density, W in graphs_of(images.X, settings.densities):
        measured = measure_tasks(
            W,
            images.y,
            known=settings.known_labels,
            label_runs=settings.label_runs,
            cluster_runs=settings.cluster_runs,
            seed=piece["draw"],
        )
        measured["unreachable"] *= n_hidden
        rows.append({"graph": graph, "density": density, **measured})
    return {"rows": rows, "sizes": np.unique(images.y, return_counts=True)[1].tolist()}


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> dict[str, Any]:
    """Return mean and spread over the draws, and the class sizes of the first draw."""
    del settings
    return {"curves": average([result["rows"] for _, result in results]), "sizes": results[0][1]["sizes"]}


def sample(images: Labeled, settings: Settings, seed: int) -> Labeled:
    """Return a random subset, with at least two images per class.

    Each image is drawn with the probability that gives its class the expected size.
    """
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
    return Labeled(images.X[rows], images.y[rows])


@cache
def _images(data_dir: Path | None) -> Labeled:
    return load_coil20(data_dir)
