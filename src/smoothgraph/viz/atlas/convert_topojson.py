"""Convert Natural Earth's countries from TopoJSON to ``world.npz``; the README beside this file says when and how.

Run ``python convert_topojson.py countries-10m.json`` in this folder. The script is not part of the installed package.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

TOLERANCE = 0.008  # degrees of latitude: a coast may be simplified by about 900 m
STEPS_PER_DEGREE = 300  # to which coordinates are rounded
COARSEST = 10.0  # degrees: no map is so small that it needs less detail
SMALLEST = 0.03  # degrees: islands of a smaller extent are left out


def convert(topology: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return the arrays of ``world.npz``: lines shared by rings, how much each point matters, and the rings of land.

    ``starts`` are the first points of the lines, and ``shift`` the differences between consecutive points of all lines,
    0 at their first points. ``detail`` is the logarithm of the tolerance up to which a point is kept, in half octaves
    above ``TOLERANCE``; the ends of lines have 255. The ring r
    consists of the lines ``ring_lines[ring_starts[r]:ring_starts[r + 1]]``, which world-atlas has in the right
    direction. ``borders`` are the lines between two countries.
    """
    scale, origin = (np.array(topology["transform"][name]) for name in ("scale", "translate"))
    lines = [_unroll(np.cumsum(np.array(arc), axis=0) * scale + origin) for arc in topology["arcs"]]
    countries, land = (topology["objects"][name]["geometries"] for name in ("countries", "land"))
    rings = [ring for part in land for ring in _rings_of(part) if _extent(ring, lines) > SMALLEST]
    on_land = {k for ring in rings for k in ring}
    between, coasts = (
        {max(k, ~k) for part in parts for ring in _rings_of(part) for k in ring} for parts in (countries, land)
    )
    borders = sorted(between - coasts)
    used = sorted(on_land | set(borders))
    number = {k: new for new, k in enumerate(used)}
    thinned = [_thin(lines[k]) for k in used]
    rounded = [np.round(points * STEPS_PER_DEGREE).astype(np.int32) for points, _ in thinned]
    shift = np.concatenate([np.diff(points, axis=0, prepend=points[:1]) for points in rounded])
    return {
        "starts": np.array([points[0] for points in rounded]),
        "shift": shift.T.astype(np.int16),  # smaller in this order
        "detail": np.concatenate([detail for _, detail in thinned]),
        "line_starts": np.cumsum([0, *(len(points) for points, _ in thinned)], dtype=np.int32),
        "ring_lines": np.array([number[k] for ring in rings for k in ring], dtype=np.int32),
        "ring_starts": np.cumsum([0, *map(len, rings)], dtype=np.int32),
        "borders": np.array([number[k] for k in borders], dtype=np.int32),
    }


def _rings_of(geometry: dict[str, Any]) -> list[list[int]]:
    """Return the rings of a polygon or of several, as numbers of arcs."""
    if geometry.get("type") == "Polygon":
        return geometry["arcs"]
    return [ring for polygon in geometry.get("arcs", []) for ring in polygon]


def _unroll(points: np.ndarray) -> np.ndarray:
    """Return points whose longitudes do not jump at the 180th meridian."""
    return np.column_stack([np.unwrap(points[:, 0], period=360), points[:, 1]])


def _extent(ring: list[int], lines: list[np.ndarray]) -> float:
    return max(np.ptp(np.concatenate([lines[max(k, ~k)] for k in ring]), axis=0))


def _thin(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the points that a tolerance keeps, and the detail of each (Douglas and Peucker, 1973)."""
    kept_up_to = _tolerances(points)
    kept = kept_up_to >= TOLERANCE
    detail = np.ceil(2 * np.log2(np.clip(kept_up_to[kept], TOLERANCE, COARSEST) / TOLERANCE))
    return points[kept], np.where(np.isinf(kept_up_to[kept]), 255, detail).astype(np.uint8)


def _tolerances(points: np.ndarray) -> np.ndarray:
    """Return the largest tolerance at which each point is kept; infinity at the ends."""
    plane = points * [np.cos(np.radians(points[:, 1].mean())), 1]
    result = np.full(len(points), np.inf)
    waiting = [(0, len(points) - 1, np.inf)]
    while waiting:
        first, last, limit = waiting.pop()
        if last - first < 2:
            continue
        away = _distances(plane[first + 1 : last], plane[first], plane[last])
        middle = first + 1 + int(np.argmax(away))
        result[middle] = limit = min(limit, away.max())
        waiting += [(first, middle, limit), (middle, last, limit)]
    return result


def _distances(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the distances from points to a segment."""
    along = end - start
    share = np.clip((points - start) @ along / max(along @ along, 1e-300), 0, 1)
    return np.linalg.norm(points - start - share[:, None] * along, axis=1)


if __name__ == "__main__":
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        arrays = convert(json.load(file))
    np.savez_compressed("world.npz", **arrays)  # type: ignore[arg-type]
