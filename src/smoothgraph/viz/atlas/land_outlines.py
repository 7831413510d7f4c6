"""Cut land and borders out of ``world.npz``; its arrays are described in ``convert_topojson.py``."""

from functools import cache
from importlib.resources import as_file, files
from typing import NamedTuple

import numpy as np

_TOLERANCE = 0.008  # degrees, to which world.npz is simplified
_STEPS_PER_DEGREE = 300  # to which its coordinates are rounded
_ALWAYS = 255  # the detail of the ends of lines
_LEAST_EXTENT = 0.25  # degrees: of a map on which an error of _TOLERANCE is hardly visible
_DETAIL = 2500  # parts of the extent of a map that can be told apart


class Outlines(NamedTuple):
    """Rings ``(n, 2)`` around land, with holes in the other direction, and lines ``(n, 2)`` of coasts and borders."""

    land: list[np.ndarray]
    coasts: list[np.ndarray]
    borders: list[np.ndarray]

    def scaled(self, scale: np.ndarray) -> "Outlines":
        """Return the same with all points multiplied by ``scale``."""
        return Outlines(*([line * scale for line in lines] for lines in self))


class _World(NamedTuple):
    """The arrays of ``world.npz``, with the points themselves."""

    points: np.ndarray
    detail: np.ndarray
    line_starts: np.ndarray
    ring_lines: np.ndarray
    ring_starts: np.ndarray
    borders: np.ndarray


def outlines(low: np.ndarray, high: np.ndarray, extent: float) -> Outlines | None:
    """Return what lies between two corners (longitude, latitude), in the detail of a map of this extent in degrees.

    Longitudes may exceed 180 degrees. If the extent is too small for the detail that is known, return None.
    """
    if extent < _LEAST_EXTENT:
        return None
    world = _read_world()
    needed = world.detail >= min(2 * np.log2(max(extent / _DETAIL, _TOLERANCE) / _TOLERANCE), _ALWAYS)
    pieces = np.split(world.points, world.line_starts[1:-1])
    masks = np.split(needed, world.line_starts[1:-1])
    lines = [piece[mask] for piece, mask in zip(pieces, masks, strict=True)]
    rings = [_join(chain, lines) for chain in np.split(world.ring_lines, world.ring_starts[1:-1])]
    around = [copy for ring in rings if len(ring) > 3 for copy in _copies(ring, low, high)]
    crossing = [copy for k in world.borders for copy in _copies(lines[k], low, high)]
    land = [_clip_ring(ring, low, high) for ring in around]
    return Outlines(
        [ring for ring in land if len(ring) > 2],
        [part for ring in around for part in _clip_line(np.vstack([ring, ring[:1]]), low, high)],
        [part for line in crossing for part in _clip_line(line, low, high)],
    )


@cache
def _read_world() -> _World:
    with as_file(files("smoothgraph.viz.atlas") / "world.npz") as path, np.load(path, allow_pickle=False) as arrays:
        content = dict(arrays)
    total = np.cumsum(content.pop("shift").T, axis=0, dtype=np.int64)
    starts = content["line_starts"]
    points = total + np.repeat(content.pop("starts") - total[starts[:-1]], np.diff(starts), axis=0)
    return _World(points=points / _STEPS_PER_DEGREE, **content)


def _join(chain: np.ndarray, lines: list[np.ndarray]) -> np.ndarray:
    """Return a ring of lines; one around a pole is closed through the pole."""
    points = np.concatenate([lines[k] for k in chain])
    east = np.unwrap(points[:, 0], period=360)
    ring = np.column_stack([east, points[:, 1]])
    if abs(east[-1] - east[0]) > 180:
        pole = np.copysign(90.0, points[0, 1])
        ring = np.vstack([ring, [[east[-1], pole], [east[0], pole]]])
    return ring


def _copies(points: np.ndarray, low: np.ndarray, high: np.ndarray) -> list[np.ndarray]:
    """Return the points, moved by multiples of 360 degrees, wherever their frame meets that between two corners."""
    least, most = points.min(axis=0), points.max(axis=0)
    if least[1] > high[1] or most[1] < low[1]:
        return []
    turns = range(int(np.ceil((low[0] - most[0]) / 360)), int(np.floor((high[0] - least[0]) / 360)) + 1)
    return [points + np.array([360.0 * turn, 0.0]) for turn in turns]


def _clip_ring(ring: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return the part of a ring between two corners (Sutherland and Hodgman, 1974)."""
    for axis, sign, bound in ((0, 1, low[0]), (0, -1, high[0]), (1, 1, low[1]), (1, -1, high[1])):
        inside = sign * (ring[:, axis] - bound)
        after, following = np.roll(inside, -1), np.roll(ring, -1, axis=0)
        crosses = (inside >= 0) != (after >= 0)
        share = np.divide(inside, inside - after, out=np.zeros(len(ring)), where=crosses)
        both = np.stack([ring, ring + share[:, None] * (following - ring)], axis=1)
        ring = both[np.column_stack([inside >= 0, crosses])]
    return ring


def _clip_line(line: np.ndarray, low: np.ndarray, high: np.ndarray) -> list[np.ndarray]:
    """Return the parts of a line whose segments meet the frame between two corners and are not on a seam."""
    start, end = line[:-1], line[1:]
    meets = np.all((np.maximum(start, end) >= low) & (np.minimum(start, end) <= high), axis=1)
    meets &= ~(_on_seam(start) & _on_seam(end))
    first = np.flatnonzero(meets & ~np.append(False, meets[:-1]))
    last = np.flatnonzero(meets & ~np.append(meets[1:], False))
    return [line[a : b + 2] for a, b in zip(first, last, strict=True)]


def _on_seam(points: np.ndarray) -> np.ndarray:
    """Return which points lie on the 180th meridian, where rings are cut, or at a pole, through which one is closed."""
    return (np.abs(points[:, 0] % 360 - 180) < 0.01) | (np.abs(points[:, 1]) == 90)
