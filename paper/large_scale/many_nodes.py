"""The experiment on many nodes: generated data, and MNIST, from a thousand rows on."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paper.datasets import load_mnist
from paper.large_scale.restricted import compare

SOURCES = (__name__,)
IN_PARALLEL = False
_WARM_UP = 400
_LATENT, _FEATURES, _NOISE, _TAIL = 12, 68, 0.1, 5.0


@dataclass(frozen=True)
class Settings:
    """Data sets by name with the numbers of rows and the edges per node to ask for."""

    cases: tuple[tuple[str, tuple[int, ...], int], ...]
    seed: int = 0


FULL = Settings(
    (
        ("sphere", (1000, 4000, 16000, 64000, 256000), 10),
        ("vectors", (1000, 4000, 16000, 64000), 10),
        ("vectors", (1000, 4000, 16000, 64000, 256000), 5),
        ("MNIST", (1000, 4000, 16000, 60000), 15),
        ("vectors", (1000000,), 5),
    )
)
QUICK = Settings((("sphere", (500, 1000), 10), ("vectors", (500, 1000), 10)))


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """Return every data set with every number of rows."""
    return [{"data": data, "n": n, "k": k} for data, sizes, k in settings.cases for n in sizes]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """Return the comparison of the restricted graph with the exact one."""
    X = load_rows(piece["data"], piece["n"], settings.seed, data_dir)
    compare(X[:_WARM_UP], piece["k"])  # compile before the clock starts
    return {"features": X.shape[1]} | compare(X, piece["k"])


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> dict[str, Any]:
    """Return all rows in order."""
    del settings
    return {"rows": [piece | result for piece, result in results]}


def load_rows(data: str, n: int, seed: int, data_dir: Path | None) -> np.ndarray:
    """Return ``n`` rows: points of a sphere, vectors like those of words, or images of MNIST.

    A vector is a direction with 12 latent dimensions of heavy tails (Student's t) in 68 features, plus noise.
    """
    rng = np.random.default_rng(seed)
    if data == "MNIST":
        return load_mnist(data_dir).X[:60000][rng.permutation(60000)[:n]]
    if data == "sphere":
        points = rng.normal(size=(n, 3))
    else:
        frame = rng.normal(size=(_LATENT, _FEATURES)) / np.sqrt(_LATENT)
        points = rng.standard_t(_TAIL, size=(n, _LATENT)) @ frame + _NOISE * rng.normal(size=(n, _FEATURES))
    return points / np.linalg.norm(points, axis=1, keepdims=True)
