"""GeoJSON: a graph on the map, for programs such as QGIS. Nodes are points, edges are lines."""

import json
import math
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.attribute_columns import attributes_of, columns_of
from smoothgraph.io.errors import FileError
from smoothgraph.io.file_format import GraphFormat, register
from smoothgraph.io.graph_file import Edges, GraphFile, adjacency_of_edges, list_edges, make_graph, to_json
from smoothgraph.io.map_places import locate_nodes

_RESERVED = {"name", "source", "target", "weight"}


@register
class GeoJson(GraphFormat):
    """Points with the attributes of the nodes, at their latitudes and longitudes, and lines with the weights.

    Without coordinates, a node and its edges have no geometry, which programs accept and cannot show.
    """

    name = "geojson"
    suffixes = (".geojson",)

    def read_graph(self, file: BinaryIO) -> GraphFile:
        content = json.load(file)
        features = content.get("features") if isinstance(content, dict) else None
        if not isinstance(features, list):
            raise FileError("expected a collection of features, got other JSON; check the path")
        rows = [_properties(feature) for feature in features]
        edges = [row for row in rows if "source" in row and "target" in row]
        nodes = [row for row in rows if "name" in row and "target" not in row]
        number = {str(row.pop("name")): k for k, row in enumerate(nodes)}
        for row in edges:
            for end in ("source", "target"):
                if str(row[end]) not in number:
                    raise FileError(
                        f"expected a point with the name of every end of an edge, got none for {row[end]!r}"
                    )
        source, target = (
            np.array([number[str(row[end])] for row in edges], dtype=np.int64) for end in ("source", "target")
        )
        columns = Edges(source, target, np.array([_weight(row) for row in edges], dtype=np.float64))
        info = content.get("smoothgraph", {})
        W = adjacency_of_edges(len(nodes), columns, np.arange(1, len(edges) + 1))
        if len(number) < len(nodes):
            raise FileError("expected names of points that are all different, got some twice; rename one of them")
        return make_graph(W, list(number), attributes_of(nodes, _RESERVED), info)

    def write_graph(self, file: BinaryIO, graph: GraphFile) -> None:
        lines = ",\n".join(json.dumps(feature, allow_nan=False) for feature in _list_features(graph))
        head = f'{{"type": "FeatureCollection", "smoothgraph": {to_json(graph.info)}, "features": [\n'
        file.write(f"{head}{lines}\n]}}\n".encode())


def _list_features(graph: GraphFile) -> Iterator[dict[str, Any]]:
    """Yield the nodes, and then the edges."""
    ids, places = graph.ids, locate_nodes(graph.attributes)
    known = [None] * len(ids) if places is None else [_point_at(*place) for place in places.tolist()]
    columns = columns_of(graph.attributes, _RESERVED)
    for k, name in enumerate(ids):
        properties = {label: _plain(values[k]) for label, values in columns.items()}
        yield _feature("Point", known[k], {"name": name} | properties)
    for i, j, weight in zip(*(column.tolist() for column in list_edges(graph.adjacency)), strict=True):
        ends = None if known[i] is None or known[j] is None else [known[i], known[j]]
        yield _feature("LineString", ends, {"source": ids[i], "target": ids[j], "weight": weight})


def _feature(kind: str, coordinates: Any, properties: dict[str, Any]) -> dict[str, Any]:
    geometry = None if coordinates is None else {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def _point_at(north: float, east: float) -> list[float] | None:
    return [east, north] if math.isfinite(north) and math.isfinite(east) else None


def _plain(value: Any) -> Any:
    """Return a value that JSON can hold: null for NaN and infinity."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _properties(feature: Any) -> dict[str, Any]:
    properties = feature.get("properties") if isinstance(feature, dict) else None
    return dict(properties) if isinstance(properties, dict) else {}


def _weight(row: dict[str, Any]) -> float:
    weight = row.get("weight", 1.0)
    if not isinstance(weight, int | float):
        raise FileError(
            f"edge from {row['source']!r} to {row['target']!r}: expected a number as weight, got {weight!r}; correct it"
        )
    return float(weight)
