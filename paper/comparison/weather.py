"""Graphs of weather stations, learned from temperatures and compared with the map.

The data are hourly temperatures of 37 stations in Brittany in January 2014 (the Molène data). The
mean of each station is subtracted, so that altitude does not matter, and the methods see no
coordinates. Every method uses the setting of its grid whose density is nearest to the requested
one.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import haversine_distances

from paper.comparison.method_grids import METHODS, Grid
from paper.comparison.recovery import fit
from paper.datasets import Stations, load_molene
from paper.draws import scale_to_unit_distance
from smoothgraph import PairSet, TimeVaryingGraph
from smoothgraph.support.connectivity import n_components

SOURCES = (__name__,)
IN_PARALLEL = True
MAP, OVER_TIME = "map", "over time"
_EARTH_KM = 6371.0
_DIGITS = 4


@dataclass(frozen=True)
class Settings:
    """The methods, the density, and the coupling of the graph over time."""

    grids: dict[str, Grid] = field(
        default_factory=lambda: {name: method.grid for name, method in METHODS.items() if method.is_sparse}
    )
    edges_per_node: float = 4.0
    nearest: int = 3  # stations that the map joins with each station
    hours: int = 24  # in a window
    gamma: float = 1.0
    coupling: str = "l1"


FULL = Settings()
QUICK = Settings(grids={name: METHODS[name].grid for name in ("log-degree", "k-NN")}, hours=186)


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """Return the map itself, every method, and the graph over time."""
    return [{"graph": name} for name in (MAP, *settings.grids, OVER_TIME)]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """Return one graph, described on the map."""
    stations = load_molene(data_dir)
    places = _Map(stations, settings.nearest)
    if piece["graph"] == MAP:
        return {
            "names": stations.names.tolist(),
            "latitude": stations.latitude.tolist(),
            "longitude": stations.longitude.tolist(),
            **places.describe(places.nearest),
        }
    X = stations.X - stations.X.mean(axis=1, keepdims=True)
    X = scale_to_unit_distance(X)
    if piece["graph"] == OVER_TIME:
        return _over_time(settings, X, places)
    grid = settings.grids[piece["graph"]]
    graphs = [fit(METHODS[piece["graph"]].learner, values, X) for values in grid]
    off = [abs(graph.edges_per_node_ - settings.edges_per_node) for graph in graphs]
    best = int(np.argmin(off))
    return {"parameters": grid[best], **places.describe(graphs[best].adjacency_)}


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> dict[str, Any]:
    """Return the results by the name of the graph."""
    del settings
    return {piece["graph"]: result for piece, result in results}


class _Map:
    """The distances between the stations, and the graph of those that are near each other."""

    def __init__(self, stations: Stations, nearest: int) -> None:
        degrees = np.column_stack([stations.latitude, stations.longitude])
        self._km = _EARTH_KM * haversine_distances(np.radians(degrees))
        order = np.argsort(self._km, axis=1, kind="stable")  # each station itself is first
        edges = PairSet.from_neighbors(order[:, 1 : nearest + 1])
        self.nearest = edges.adjacency(np.ones(edges.n_pairs))

    def describe(self, W: sp.csr_array) -> dict[str, Any]:
        """Return the edges of a graph, their lengths, and the share that join near stations."""
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
    """Return a graph for every window, and how much weight changes between windows."""
    graph = TimeVaryingGraph(
        settings.edges_per_node, gamma=settings.gamma, coupling=settings.coupling, window=settings.hours, nodes="rows"
    ).fit(X)
    total = graph.adjacency_.sum() / 2
    return {
        "windows": [places.describe(W) for W in graph.adjacencies_],
        "first_hours": graph.window_bounds_[:-1].tolist(),
        "changes": (graph.changes_ / total).round(_DIGITS).tolist(),
        "gap": graph.dual_gap_,
    }
