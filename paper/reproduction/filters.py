"""The appendix figure of the three filters."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paper import draws

SOURCES = (__name__,)
IN_PARALLEL = False


@dataclass(frozen=True)
class Settings:
    """The ``strength`` is alpha in the paper's table of filters."""

    strength: float = 10.0
    points: int = 201


FULL = QUICK = Settings()


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """Return a single piece."""
    del settings
    return [{}]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, list[float]]:
    """Return the three responses on (0, 1], where the generative one is finite."""
    del piece, data_dir
    at = np.linspace(0, 1, settings.points)[1:]
    responses = {name: g(at) for name, g in draws.filters(settings.strength).items()}
    return {name: np.round(values, 6).tolist() for name, values in {"at": at, **responses}.items()}


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> Any:
    """Return the result of the only piece."""
    del settings
    return results[0][1]
