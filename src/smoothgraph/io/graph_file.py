"""What a file of a graph holds, and the checks that every graph passes."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.array_tables import to_attribute
from smoothgraph.io.errors import FileError
from smoothgraph.io.name_checks import refuse_duplicates

_NOT_IN_NAMES = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, eq=False)
class GraphFile:
    """A graph and what is stored with it.

    Attributes
    ----------
    adjacency : csr_array
        Symmetric, with weights >= 0 and an empty diagonal.
    names : list of str, or None
        None if the nodes are called 0, 1, 2, ...
    attributes : dict
        Arrays with one entry per node, such as a label.
    info : dict
        Anything that JSON can hold: settings, a certificate.
    """

    adjacency: sp.csr_array
    names: list[str] | None = None
    attributes: dict[str, np.ndarray] = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        """The names, or "0", "1", "2", ... if there are none."""
        return self.names or [str(k) for k in range(self.adjacency.shape[0])]


def gather_graph(
    graph: Any, names: Iterable[Any] | None, attributes: Mapping[str, Any] | None, info: Mapping[str, Any] | None
) -> GraphFile:
    """Return the checked graph to write; what is not given is taken from ``graph``."""
    from smoothgraph.support.adjacency import adjacency_of

    if isinstance(graph, GraphFile):
        names = graph.names if names is None else names
        attributes = graph.attributes if attributes is None else attributes
        info = graph.info if info is None else info
    elif names is None:
        names = getattr(graph, "node_names_", None)
    texts = None if names is None else [str(name) for name in names]
    arrays = {name: to_attribute(np.asarray(values)) for name, values in (attributes or {}).items()}
    return _check_graph(adjacency_of(graph), texts, arrays, dict(info or {}))


def make_graph(
    adjacency: Any,
    names: list[str] | None = None,
    attributes: dict[str, np.ndarray] | None = None,
    info: dict[str, Any] | None = None,
) -> GraphFile:
    """Return the checked graph of what a file holds; ``adjacency`` may be dense or sparse."""
    from smoothgraph.support.adjacency import adjacency_of

    if 0 in adjacency.shape:
        raise FileError("expected a graph with at least one node, got none; check how the file was written")
    try:
        W = adjacency_of(adjacency)
    except ValueError as error:
        raise FileError(f"expected a weighted undirected graph. {error}") from error
    return _check_graph(W, names, attributes or {}, info or {})


def to_json(info: Mapping[str, Any]) -> str:
    """Return ASCII JSON; NumPy numbers and arrays become plain ones."""
    try:
        return json.dumps(info, default=lambda value: value.tolist())
    except (AttributeError, TypeError, ValueError) as error:
        raise FileError(
            f"expected info that JSON can hold, got something else ({error}); use strings, numbers, lists and dicts"
        ) from error


def _check_graph(
    adjacency: sp.csr_array, names: list[str] | None, attributes: dict[str, np.ndarray], info: dict[str, Any]
) -> GraphFile:
    """Return the graph, without its names if they are just 0, 1, 2, ..."""
    n_nodes = adjacency.shape[0]
    for label, values in attributes.items():
        if values.shape[:1] != (n_nodes,) or values.ndim > 2:
            raise FileError(
                f"expected an attribute {label!r} with one entry per node, {n_nodes}, got shape {values.shape}; give "
                "one entry per node, or leave it out"
            )
    unnamed = GraphFile(adjacency, None, attributes, info)
    if names is None or names == unnamed.ids:
        return unnamed
    if len(names) != n_nodes:
        raise FileError(
            f"expected one name per node, {n_nodes}, got {len(names)}; give one name per node, or leave the names out"
        )
    for k, name in enumerate(names):
        if not isinstance(name, str) or not name or _NOT_IN_NAMES.search(name):
            raise FileError(
                f"node {k}: expected a name, which is text without NUL or lone surrogates, got {name!r}; rename it"
            )
    refuse_duplicates(names, "node", range(n_nodes))
    return GraphFile(adjacency, names, attributes, info)
