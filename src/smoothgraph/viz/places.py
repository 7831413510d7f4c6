"""Places on Earth: read them, find them among attributes, and put them on a map."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from smoothgraph.support.input_error import InputError
from smoothgraph.viz.per_node import check_one_per_node

_SPACING = 0.008  # between nodes that share a place, as a fraction of the extent of the map
_STEEPEST = 85.0  # degrees: at the poles, a degree of longitude has no length
WHOLE_EARTH = 270.0  # degrees: a map of more shows the Earth as usual
_LATITUDE = re.compile("(?<![a-z])(lat|latitude|north|northing|south)(?![a-z])")
_LONGITUDE = re.compile("(?<![a-z])(lon|lng|long|longitude|east|west)(?![a-z])")
_BOTH = re.compile("(?<![a-z])(?:(lat[ _]?(?:lon|lng|long))|(?:lon|lng|long)[ _]?lat)(?![a-z])")
_BACKWARD = re.compile("(?<![a-z])(south|west|s|w)(?![a-z])")  # degrees south and degrees west
_DEGREES = re.compile(r"\s*([+-]?[0-9]+(?:[.,][0-9]*)?)\s*°?\s*([NSEW])\s*", re.IGNORECASE)  # 122.4°W


def find_places(attributes: Mapping[str, np.ndarray]) -> list[str]:
    """Return the names of latitude and longitude among attributes, or of one array of both; none if in doubt.

    GraphML and GEXF have an array as two attributes, such as latlon_0 and latlon_1.
    """
    pairs = [name for name, values in attributes.items() if np.ndim(values) == 2 and _BOTH.search(name.lower())]
    columns = [name for name, values in attributes.items() if np.ndim(values) == 1]
    halves = [[name, f"{name[:-1]}1"] for name in columns if name.endswith("_0") and _BOTH.search(name.lower())]
    if len(halves) == 1 and halves[0][1] in columns:
        return halves[0]
    north = [name for name in columns if _LATITUDE.search(name.lower())]
    east = [name for name in columns if _LONGITUDE.search(name.lower())]
    if len(north) == len(east) == 1 and north != east:
        return [north[0], east[0]]
    return pairs if len(pairs) == 1 else []


def read_places(names: Sequence[str], values: Sequence[np.ndarray]) -> tuple[np.ndarray, bool]:
    """Return the coordinates ``(m, 2)``, latitude first, and whether their names say that they are a map.

    There are two columns, or one array of two. Names decide which is the latitude, and whether degrees count to the
    south or to the west. Texts such as 122.4°W are read.
    """
    columns = [column for array in values for column in _split(array)]
    if len(columns) != 2 or any(column.dtype.kind not in "fiu" for column in columns):
        kinds = " and ".join(str(column.dtype) for column in columns)
        raise InputError(
            f"Expected two numbers per node as coordinates, got {len(columns)} of type {kinds}; name two columns, as "
            "in --coordinates lat,lon."
        )
    lost = np.flatnonzero(~np.isfinite(columns[0] + columns[1]))
    if lost.size:
        raise InputError(f"The coordinates of node {lost[0] + 1} are missing; fill them in.")
    lowered = [name.lower() for name in names]
    both = _BOTH.search(lowered[0])
    if len(names) == 1 or both:
        ordered = columns if both is None or both[1] else columns[::-1]
        return np.column_stack(ordered), both is not None
    columns = [_to_north_and_east(name, column) for name, column in zip(lowered, columns, strict=True)]
    if _LONGITUDE.search(lowered[0]) and _LATITUDE.search(lowered[1]):
        return np.column_stack(columns[::-1]), True
    return np.column_stack(columns), bool(_LATITUDE.search(lowered[0]) and _LONGITUDE.search(lowered[1]))


def _split(array: np.ndarray) -> list[np.ndarray]:
    """Return the columns of an array, with texts such as 122.4°W as numbers."""
    columns = np.column_stack([array]).T
    return [_parse_degrees(column) if column.dtype.kind in "UO" else column for column in columns]


def _parse_degrees(texts: np.ndarray) -> np.ndarray:
    """Return the degrees north or east in texts, or the texts if some of them are none."""
    found = [_DEGREES.fullmatch(str(text)) for text in texts]
    if not all(found):
        return texts
    return np.array([float(m[1].replace(",", ".")) * (-1 if m[2] in "SWsw" else 1) for m in found if m])


def _to_north_and_east(name: str, degrees: np.ndarray) -> np.ndarray:
    """Return degrees north or east; those of a column such as ``lon_west`` are negated if they are positive."""
    on_map = _LATITUDE.search(name) or _LONGITUDE.search(name)
    return -degrees if on_map and _BACKWARD.search(name) and np.all(degrees >= 0) else degrees


def check_places(latitude: Any, longitude: Any, n_nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return degrees north and east for every node, or raise an InputError."""
    return (
        _check_degrees(latitude, n_nodes, "latitude", -90, 90),
        _check_degrees(longitude, n_nodes, "longitude", -180, 360),
    )


def _check_degrees(values: Any, n_nodes: int, what: str, low: float, high: float) -> np.ndarray:
    degrees = np.asarray(values, dtype=float)
    check_one_per_node(degrees, n_nodes, what)
    outside = degrees[~((degrees >= low) & (degrees <= high))]
    if len(outside) == 0:
        return degrees
    if np.any(np.isnan(degrees)):
        remedy = "remove nodes without a place from the graph."
    elif what == "latitude" and np.all(np.abs(degrees) <= 360):
        remedy = "are latitude and longitude swapped?"
    else:
        remedy = "are these meters or radians instead of degrees?"
    raise InputError(f"Expected a {what} between {low} and {high} degrees for every node, got {outside[0]:g}; {remedy}")


def stretch_at(north: np.ndarray) -> float:
    """Return how much longer a degree of latitude is than one of longitude, at the mean latitude."""
    return float(1 / np.cos(np.radians(min(abs(north.mean()), _STEEPEST))))


def unroll(east: np.ndarray) -> np.ndarray:
    """Add 360 to some longitudes if this makes all of them span less, unless they span nearly the whole Earth."""
    around = np.sort(east % 360)
    gaps = np.diff(around, append=around[0] + 360)
    start = around[(np.argmax(gaps) + 1) % len(around)]
    unrolled = start + (east - start) % 360
    span = np.ptp(unrolled)
    if span > WHOLE_EARTH:
        return (east + 180) % 360 - 180
    return unrolled if span < np.ptp(east) - 1e-9 else east


def project(latitude: Any, longitude: Any, n_nodes: int) -> tuple[np.ndarray, float]:
    """Return the positions ``(m, 2)`` of a map in the plane, and by how much it stretches latitudes."""
    north, east = check_places(latitude, longitude, n_nodes)
    stretch = stretch_at(north)
    positions = separate(np.column_stack([unroll(east), north]), stretch)
    return positions * [1, stretch], stretch


def separate(positions: np.ndarray, stretch: float) -> np.ndarray:
    """Move nodes that share a place onto a small circle around it."""
    _, place, counts = np.unique(positions, axis=0, return_inverse=True, return_counts=True)
    place = place.ravel()
    rank = np.argsort(np.argsort(place, kind="stable")) - (np.cumsum(counts) - counts)[place]
    angle = 2 * np.pi * rank / counts[place]
    extent = float(np.max(np.ptp(positions, axis=0) * [1, stretch])) or 1.0
    radius = np.where(counts > 1, _SPACING * extent * np.maximum(1, counts / np.pi), 0.0)[place]
    return positions + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle) / stretch])
