"""Coordinates of the nodes, among the signals or set aside."""

from collections.abc import Iterator
from shlex import quote

import numpy as np

from smoothgraph.io.map_places import find_pair, name_places
from smoothgraph.tables.finding import Finding, View


def find_locations(view: View) -> Iterator[Finding]:
    """Yield a finding if the nodes have latitudes and longitudes, which nobody has called coordinates yet."""
    if "coordinates" in view.settled:
        return
    known = name_places(view.table.row_attributes if view.nodes == "rows" else view.table.column_attributes)
    if known is not None:
        yield Finding(
            "coordinates",
            f"The places of the nodes are known, by {' and '.join(map(repr, known))}.",
            f"To draw the graph on a map, use --coordinates {quote(','.join(known))}.",
            known,
            ("--coordinates", ",".join(known)),
        )
        return
    pair = find_pair(view.columns)
    if view.nodes != "rows" or pair is None:
        return
    latitude, longitude = (view.values[:, view.columns.index(label)] for label in pair)
    if np.nanmax(np.abs(latitude)) <= 90 and np.nanmax(np.abs(longitude)) <= 360:
        yield Finding(
            "coordinates",
            f"Columns {pair[0]!r} and {pair[1]!r} look like places on the map, and are learned from.",
            f"To set them aside, use --coordinates {quote(','.join(pair))}.",
            pair,
            ("--coordinates", ",".join(pair)),
        )
