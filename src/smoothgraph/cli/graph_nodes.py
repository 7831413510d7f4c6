"""The nodes of a graph in a file: their names, labels and places, as its attributes have them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smoothgraph.io import GraphFile
from smoothgraph.io.errors import FileError, explain_errors, refuse_unknown
from smoothgraph.io.file_format import GRAPH_FORMATS, TABLE_FORMATS, match_suffix
from smoothgraph.io.map_places import find_places, read_places
from smoothgraph.support.input_error import InputError

NO_NAMES = "none"


@dataclass(frozen=True, eq=False)
class GraphNodes:
    """What a picture or a report shows of the nodes."""

    names: Sequence[str] | None
    labels: np.ndarray | None
    attributes: dict[str, np.ndarray]  # all but the coordinates, the labels first
    coordinates: np.ndarray | None  # (m, 2), latitude first
    on_map: bool


def read_graph_file(source: str, format: str | None) -> GraphFile:  # noqa: A002 (as everywhere)
    """Read a graph; of a file that can only be a table, say so."""
    from smoothgraph.io import read_graph

    if format is None and match_suffix(source, TABLE_FORMATS) and not match_suffix(source, GRAPH_FORMATS):
        raise InputError(
            f"{source}: expected a graph, but this file holds a table; learn its graph with smoothgraph learn."
        )
    return read_graph(source, format=format)


def describe_nodes(
    graph: GraphFile, *, names: str | None, label: str | None, places: Sequence[str], title: str
) -> GraphNodes:
    """Return the nodes; ``names``, ``label`` and ``places`` are attributes, and ``title`` names the file in errors.

    Without ``places``, they are found by their names, such as latitude and longitude, or x and y.
    """
    attributes = dict(graph.attributes)
    with explain_errors(title, "a graph"):
        for wanted in (label, None if names == NO_NAMES else names, *places):
            refuse_unknown(wanted, attributes, what="attributes")
        places = places or find_places(attributes) or _find_plane(attributes)
        try:
            coordinates, on_map = read_places(places, attributes) if places else (None, False)
        except InputError as error:
            raise FileError(str(error).rstrip(".")) from error
    labels = None if label is None else attributes[label]
    first = {} if label is None else {label: attributes[label]}
    return GraphNodes(
        names=_choose_names(graph, names),
        labels=labels,
        attributes=first | {name: values for name, values in attributes.items() if name not in places},
        coordinates=coordinates,
        on_map=on_map,
    )


def _choose_names(graph: GraphFile, wanted: str | None) -> Sequence[str] | None:
    if wanted is None:
        return graph.names
    return None if wanted == NO_NAMES else [str(value) for value in graph.attributes[wanted]]


def _find_plane(attributes: dict[str, np.ndarray]) -> list[str]:
    """Return "x" and "y" if both are numbers of every node."""
    found = [attributes.get(name, np.array([])) for name in ("x", "y")]
    complete = all(a.dtype.kind in "fiu" and a.size and np.all(np.isfinite(a)) for a in found)
    return ["x", "y"] if complete else []
