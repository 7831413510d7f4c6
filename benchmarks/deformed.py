"""Real data of any size: images of MNIST, each deformed at random, by their 50 principal components.

The first ``n`` rows of a larger data set are the data set of ``n`` rows. Blocks of rows are kept in the folder for
temporary files.
"""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np

from paper.datasets import load_mnist

N_COMPONENTS = 50
_SIDE = 28  # pixels of an image
_BLOCK = 50_000  # images that are deformed together
_THREADS_PER_BLOCK = 10
_FOR_COMPONENTS = 20_000  # images that the principal components are of
_CONTROLS = 4  # points per side whose shifts are drawn; those of the pixels between them are interpolated
_BEND, _SHIFT = 1.3, 1.0  # standard deviations of the shifts, in pixels: of each point, and of all of them
_TURN, _GROW = 0.12, 0.06  # of the rotation, in radians, and of the logarithm of the size


def deformed_mnist(n_nodes: int, folder: Path | None = None, *, seed: int = 0) -> np.ndarray:
    """Return ``n_nodes`` rows of 50 float32 features; ``folder`` is where MNIST is."""
    cache = Path(tempfile.gettempdir()) / f"deformed-mnist-{seed}"
    cache.mkdir(exist_ok=True)
    blocks = [_kept_block(block, cache, folder, seed) for block in range(-(-n_nodes // _BLOCK))]
    return np.concatenate(blocks)[:n_nodes]


def _kept_block(block: int, cache: Path, folder: Path | None, seed: int) -> np.ndarray:
    path = cache / f"{block}.npy"
    if not path.exists():
        basis = cache / "components.npy"
        if not basis.exists():
            np.save(basis, _components(_deform(folder, seed, 0)[:_FOR_COMPONENTS]))
        mean, *components = np.load(basis)
        np.save(path, (_deform(folder, seed, block) - mean) @ np.array(components).T)
    return np.load(path)


def _components(images: np.ndarray) -> np.ndarray:
    """Return the mean of the images, and below it their principal components."""
    mean = images.mean(axis=0)
    off = images - mean
    directions = np.linalg.eigh(off.T @ off)[1][:, ::-1]
    return np.vstack([mean, directions[:, :N_COMPONENTS].T])


def _deform(folder: Path | None, seed: int, block: int) -> np.ndarray:
    """Return one block of deformed images, with gray levels from 0 to 1."""
    rng = np.random.default_rng([seed, block])
    images = load_mnist(folder).X.astype(np.float32).reshape(-1, _SIDE, _SIDE)
    chosen = rng.choice(len(images), _BLOCK)
    fields = _fields(rng, _BLOCK)
    deformed = np.empty((_BLOCK, _SIDE, _SIDE), np.float32)

    def part(rows: np.ndarray) -> None:
        _resample(images, chosen[rows], fields[rows], deformed[rows[0] : rows[-1] + 1])

    with ThreadPoolExecutor() as pool:
        list(pool.map(part, np.array_split(np.arange(_BLOCK), _THREADS_PER_BLOCK)))
    return deformed.reshape(_BLOCK, -1)


def _fields(rng: np.random.Generator, n: int) -> np.ndarray:
    """Draw where each pixel of ``n`` images comes from, as rows and columns: ``(n, 2, 28, 28)``."""
    at = np.linspace(0, _CONTROLS - 1, _SIDE)[:, None] - np.arange(_CONTROLS)
    hats = np.maximum(1 - np.abs(at), 0).astype(np.float32)
    controls = _BEND * rng.standard_normal((n, 2, _CONTROLS, _CONTROLS), dtype=np.float32)
    controls += _SHIFT * rng.standard_normal((n, 2, 1, 1), dtype=np.float32)
    angle = _TURN * rng.standard_normal(n, dtype=np.float32)
    size = np.exp(_GROW * rng.standard_normal(n, dtype=np.float32))
    off = np.linspace(-0.5, 0.5, _CONTROLS, dtype=np.float32) * (_SIDE - 1)
    y, x = off[:, None], off[None, :]
    cosine, sine = ((size * f(angle))[:, None, None] for f in (np.cos, np.sin))
    middle = np.float32((_SIDE - 1) / 2)
    controls[:, 0] += middle + cosine * y - sine * x
    controls[:, 1] += middle + sine * y + cosine * x
    return hats @ controls @ hats.T


@numba.njit(cache=True, nogil=True)
def _resample(images: np.ndarray, chosen: np.ndarray, fields: np.ndarray, out: np.ndarray) -> None:
    """Read the chosen images at the places that the fields give, between four pixels each, and 0 outside."""
    side = images.shape[1]
    for e in range(len(chosen)):
        image = images[chosen[e]]
        for r in range(side):
            for c in range(side):
                y, x = fields[e, 0, r, c], fields[e, 1, r, c]
                top, left = int(np.floor(y)), int(np.floor(x))
                total = np.float32(0)
                for i in range(max(top, 0), min(top + 2, side)):
                    for j in range(max(left, 0), min(left + 2, side)):
                        total += image[i, j] * (1 - abs(y - i)) * (1 - abs(x - j))
                out[e, r, c] = total
