"""Coordinates of the nodes, among the signals."""

from collections.abc import Iterator
from shlex import quote

import numpy as np

from smoothgraph.io.map_places import find_places, locate_nodes
from smoothgraph.tables.finding import Finding, View


def find_locations(view: View) -> Iterator[Finding]:
    """Yield a finding if signals of the nodes are latitudes and longitudes; those that are set aside give a map."""
    known = find_places(view.table.row_attributes)
    if "coordinates" in view.settled or view.nodes == "columns" or known:
        return
    signals = dict(zip(view.columns, view.values.T, strict=True))
    found = find_places(signals)
    places = locate_nodes({label: signals[label] for label in found})
    if places is not None and np.all(np.nanmax(np.abs(places), axis=0) <= (90, 360)):
        joined = ",".join(found)
        yield Finding(
            "coordinates",
            f"Columns {found[0]!r} and {found[1]!r} look like places on the map, and are learned from.",
            f"To set them aside, use --coordinates {quote(joined)}.",
            tuple(found),
            ("--coordinates", joined),
        )
