"""What is known of nodes and edges, as lists of Python objects."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import narwhals as nw
import numpy as np

from smoothgraph.estimators.graph_learner import GraphLearner
from smoothgraph.support.adjacency import bridges_of
from smoothgraph.support.frames import other_frame
from smoothgraph.support.input_error import InputError


def choose_names(graph: Any, names: Iterable[Any] | None, n_nodes: int) -> list[Any]:
    """Return one name per node as Python objects, except that dates stay NumPy scalars."""
    if names is None:
        names = graph.node_names_ if isinstance(graph, GraphLearner) else range(n_nodes)
    if isinstance(names, np.ndarray) and names.dtype.kind not in "mM":
        names = names.tolist()
    labels = list(names)
    if len(labels) != n_nodes:
        raise InputError(
            f"Expected one name per node, {n_nodes}, got {len(labels)}; add or remove names, or leave them out."
        )
    return labels


def check_distinct(labels: list[Any]) -> list[Any]:
    """Return the labels; raise an InputError if one is repeated."""
    repeated = [label for label, count in Counter(labels).items() if count > 1]
    if repeated:
        raise InputError(
            f"Expected all names to be different, got {repeated[0]!r} more than once; "
            f"pass other names, for example names=range({len(labels)})."
        )
    return labels


def list_attributes(attributes: Any, n_nodes: int) -> dict[str, list[Any]]:
    """Return the values of each attribute of the nodes, from a mapping or from the columns of a DataFrame."""
    if attributes is None:
        return {}
    frame = other_frame(attributes)
    if isinstance(frame, nw.DataFrame):
        attributes = {str(column.name): column.to_list() for column in frame.iter_columns()}
    values = {str(name): np.asarray(column).tolist() for name, column in attributes.items()}
    for name, column in values.items():
        if len(column) != n_nodes:
            raise InputError(
                f"Expected one value per node, {n_nodes}, got {len(column)} of the attribute {name!r}; give them in "
                "the order of the nodes."
            )
    return values


def mark_bridges(graph: Any, source: np.ndarray, target: np.ndarray) -> list[bool]:
    """Return whether each edge was added to connect the graph; False if nobody knows."""
    bridges = {frozenset(ends) for ends in bridges_of(graph).tolist()}
    return [frozenset(ends) in bridges for ends in zip(source.tolist(), target.tolist(), strict=True)]
