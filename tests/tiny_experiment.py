"""An experiment small enough to watch: files in its data folder say what ran and what happens.

Every piece adds its number to ``computed`` when it starts. Piece 2 waits while there is a file
``hold 2``, raises if there is ``fail 2``, and gives NaN if there is ``nan 2``.
"""

import time
from dataclasses import dataclass

import numpy as np

SOURCES = (__name__,)
IN_PARALLEL = True


@dataclass(frozen=True)
class Settings:
    count: int = 4
    sizes: tuple[int, ...] = (3, 5)
    seed: int = 0


FULL = Settings()
QUICK = Settings(count=2)


def pieces(settings):
    return [{"number": number} for number in range(settings.count)]


def compute(settings, piece, data_dir):
    number = piece["number"]
    with (data_dir / "computed").open("a") as log:
        log.write(f"{number}\n")
    while (data_dir / f"hold {number}").exists():
        time.sleep(0.01)
    if (data_dir / f"fail {number}").exists():
        raise RuntimeError(f"piece {number} failed")
    rng = np.random.default_rng([settings.seed, number])
    values = [float(rng.normal(size=size).sum()) for size in settings.sizes]
    return {"values": [np.nan] if (data_dir / f"nan {number}").exists() else values}


def collect(settings, results):
    return {
        "numbers": [piece["number"] for piece, _ in results],
        "sums": [sum(result["values"]) for _, result in results],
    }


def computed(data_dir):
    """The numbers of the pieces that were started, in order."""
    log = data_dir / "computed"
    return sorted(int(line) for line in log.read_text().split()) if log.exists() else []
