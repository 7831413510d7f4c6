"""Places on Earth in the plane of a map."""

from typing import Any

import numpy as np

from smoothgraph.support.input_error import InputError
from smoothgraph.viz.per_node import check_one_per_node

_SPACING = 0.008  # between nodes that share a place, as a fraction of the extent of the map
_STEEPEST = 85.0  # degrees: at the poles, a degree of longitude has no length
WHOLE_EARTH = 270.0  # degrees: a map of more shows the Earth as usual


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
