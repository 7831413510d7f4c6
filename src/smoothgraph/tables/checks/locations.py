"""Coordinates of the nodes, among the signals or set aside."""

from collections.abc import Iterator
from shlex import quote

import numpy as np

from smoothgraph.io.map_places import find_places, locate_nodes
from smoothgraph.tables.finding import Finding, View


def find_locations(view: View) -> Iterator[Finding]:
    """Yield a finding if the nodes have latitudes and longitudes, which nobody has called coordinates yet."""
    if "coordinates" in view.settled:
        return
    known = find_places(view.table.row_attributes if view.nodes == "rows" else view.table.column_attributes)
    if known:
        what = f"The places of the nodes are known, by {' and '.join(map(repr, known))}."
        yield _propose(known, what, "To draw the graph on a map")
    elif view.nodes == "rows":
        signals = dict(zip(view.columns, view.values.T, strict=True))
        found = find_places(signals)
        places = locate_nodes({label: signals[label] for label in found})
        if places is not None and np.all(np.nanmax(np.abs(places), axis=0) <= (90, 360)):
            what = f"Columns {found[0]!r} and {found[1]!r} look like places on the map, and are learned from."
            yield _propose(found, what, "To set them aside")


def _propose(labels: list[str], what: str, purpose: str) -> Finding:
    """Return the finding that columns are coordinates."""
    joined = ",".join(labels)
    return Finding(
        "coordinates", what, f"{purpose}, use --coordinates {quote(joined)}.", tuple(labels), ("--coordinates", joined)
    )
