"""Coordinates of the nodes among the signals."""

from collections.abc import Iterator

import numpy as np

from smoothgraph.io.map_places import find_pair
from smoothgraph.tables.finding import Finding, View


def find_locations(view: View) -> Iterator[Finding]:
    """Yield a finding if the rows are the nodes, and two columns are latitudes and longitudes."""
    pair = find_pair(view.columns)
    if view.nodes != "rows" or pair is None or "coordinates" in view.settled:
        return
    latitude, longitude = (view.values[:, view.columns.index(label)] for label in pair)
    if np.nanmax(np.abs(latitude)) <= 90 and np.nanmax(np.abs(longitude)) <= 360:
        yield Finding(
            "coordinates",
            f"Columns {pair[0]!r} and {pair[1]!r} look like places on the map, and are learned from.",
            f"To set them aside, use --coordinates {','.join(pair)}.",
            pair,
            ("--coordinates", ",".join(pair)),
        )
