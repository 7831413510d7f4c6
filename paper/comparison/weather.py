"""Stations that have the same weather: learned graphs held against the map.

Hourly temperatures of 37 stations in Brittany, January 2014 (the Molène data). Each station's mean
is taken away, so that height above the sea does not decide; the graphs see no coordinates. Of its
grid every method takes the setting whose density is nearest to the one asked for.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import haversine_distances

from paper.comparison.methods import METHODS, Grid
from paper.comparison.recovery import fitted
from paper.datasets import Stations, load_molene
from smoothgraph import PairSet, TimeVaryingGraph, distances
from smoothgraph.support.connectivity import n_components

IN_PARALLEL = True
MAP, OVER_TIME = "map", "over time"
_EARTH_KM = 6371.0
_DIGITS = 4


@dataclass(frozen=True)
class Settings:
    """Which methods, how dense, and how the graph over time is coupled."""

    grids: dict[str, Grid] = field(
        default_factory=lambda: {
            name: method.grid for name, method in METHODS.items() if method.is_sparse
        }
    )
    edges_per_node: float = 4.0
    nearest: int = 3  # stations on the map
    hours: int = 24  # of a window
    gamma: float = 1.0
    coupling: str = "l1"


FULL = Settings()
QUICK = Settings(grids={name: METHODS[name].grid for name in ("log-degree", "k-NN")}, hours=186)


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """The map itself, every method, and the graph over time."""
    return [{"graph": name} for name in (MAP, *settings.grids, OVER_TIME)]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """One graph, and how it lies on the map."""
    stations = load_molene(data_dir)
    places = _Map(stations, settings.nearest)
    if piece["graph"] == MAP:
        return {
            "names": stations.names.tolist(),
            "latitude": stations.latitude.tolist(),
            "longitude": stations.longitude.tolist(),
            **places.described(places.nearest),
        }
    X = stations.X - stations.X.mean(axis=1, keepdims=True)
    X = X / np.sqrt(distances(X).mean())
    if piece["graph"] == OVER_TIME:
        return _over_time(settings, X, places)
    grid = settings.grids[piece["graph"]]
    graphs = [fitted(METHODS[piece["graph"]].learner, values, X) for values in grid]
    off = [abs(graph.edges_per_node_ - settings.edges_per_node) for graph in graphs]
    best = int(np.argmin(off))
    return {"parameters": grid[best], **places.described(graphs[best].adjacency_)}


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> dict[str, Any]:
    """By the name of the graph."""
    del settings
    return {piece["graph"]: result for piece, result in results}


class _Map:
    """Where the stations are, and the graph of those that are near each other."""

    def __init__(self, stations: Stations, nearest: int) -> None:
        degrees = np.column_stack([stations.latitude, stations.longitude])
        self._km = _EARTH_KM * haversine_distances(np.radians(degrees))
        order = np.argsort(self._km, axis=1, kind="stable")  # each station itself comes first
        edges = PairSet.from_neighbors(order[:, 1 : nearest + 1])
        self.nearest = edges.adjacency(np.ones(edges.n_pairs))

    def described(self, W: sp.csr_array) -> dict[str, Any]:
        """The edges of a graph, how long they are, and how many join stations that are near."""
        edges = PairSet.from_mask(W)
        km = self._km[edges.rows, edges.cols]
        shortest = np.sort(self._km[np.triu_indices_from(self._km, k=1)])[: edges.n_pairs]
        near = edges.weights_of(self.nearest) > 0
        return {
            "edges": np.column_stack([edges.rows, edges.cols]).tolist(),
            "weights": edges.weights_of(W).round(_DIGITS).tolist(),
            "edges_per_node": round(2 * edges.n_pairs / edges.n_nodes, _DIGITS),
            "components": n_components(W),
            "mean_km": round(float(km.mean()), _DIGITS),
            "shortest_km": round(float(shortest.mean()), _DIGITS),
            "near": round(float(near.mean()), _DIGITS),
        }


def _over_time(settings: Settings, X: np.ndarray, places: _Map) -> dict[str, Any]:
    """A graph for every window, and how much of its weight changes from one to the next."""
    graph = TimeVaryingGraph(
        settings.edges_per_node,
        gamma=settings.gamma,
        coupling=settings.coupling,
        window=settings.hours,
        nodes="rows",
    ).fit(X)
    total = graph.adjacency_.sum() / 2
    return {
        "windows": [places.described(W) for W in graph.adjacencies_],
        "first_hours": graph.window_bounds_[:-1].tolist(),
        "changes": (graph.changes_ / total).round(_DIGITS).tolist(),
        "gap": graph.dual_gap_,
    }
