"""What a file of a graph holds."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.arrays import attribute
from smoothgraph.io.errors import FileError
from smoothgraph.io.names import first_repetition


@dataclass(frozen=True, eq=False)
class GraphFile:
    """A graph and what was written with it.

    Attributes
    ----------
    adjacency : csr_array
        Symmetric, weights >= 0, nothing on the diagonal.
    names : list of str, or None
        None if the nodes are numbers, 0, 1, 2, ...
    attributes : dict
        Arrays with one entry per node, such as a label.
    info : dict
        What JSON can hold: settings, a certificate.
    """

    adjacency: sp.csr_array
    names: list[str] | None = None
    attributes: dict[str, np.ndarray] = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        """The names, or 0, 1, 2, ... as text."""
        return self.names or [str(k) for k in range(self.adjacency.shape[0])]


def graph_to_write(
    graph: Any,
    names: Iterable[Any] | None,
    attributes: Mapping[str, Any] | None,
    info: Mapping[str, Any] | None,
) -> GraphFile:
    """All that is written, checked; what is not given is taken from the graph."""
    from smoothgraph.support.adjacency import adjacency_of

    if isinstance(graph, GraphFile):
        names = graph.names if names is None else names
        attributes = graph.attributes if attributes is None else attributes
        info = graph.info if info is None else info
    elif names is None:
        names = getattr(graph, "node_names_", None)
    W = adjacency_of(graph)
    listed = None if names is None else [_text(name) for name in names]
    arrays = {name: attribute(np.asarray(values)) for name, values in (attributes or {}).items()}
    return _checked(GraphFile(W, listed, arrays, dict(info or {})))


def graph_read(
    adjacency: Any,
    names: list[str] | None,
    attributes: dict[str, np.ndarray] | None = None,
    info: dict[str, Any] | None = None,
) -> GraphFile:
    """The graph that was read, checked."""
    from smoothgraph.support.adjacency import adjacency_of

    if 0 in adjacency.shape:
        raise FileError("expected a graph of at least one node, got none; check how it was written")
    try:
        W = adjacency_of(adjacency)
    except ValueError as error:
        raise FileError(f"expected a weighted undirected graph. {error}") from error
    return _checked(GraphFile(W, names, attributes or {}, info or {}))


def json_of(info: Mapping[str, Any]) -> str:
    """The info as JSON in ASCII, with NumPy's numbers and arrays as plain ones."""
    try:
        return json.dumps(info, default=lambda value: value.tolist())
    except (AttributeError, TypeError, ValueError) as error:
        raise FileError(
            f"expected info that JSON can hold, got something else ({error}); use texts, numbers, "
            "lists and dicts"
        ) from error


def _text(name: Any) -> str:
    return np.datetime_as_string(name) if isinstance(name, np.datetime64) else str(name)


def _checked(graph: GraphFile) -> GraphFile:
    """The graph; names that are 0, 1, 2, ... are left out."""
    n_nodes = graph.adjacency.shape[0]
    for label, values in graph.attributes.items():
        if values.shape[:1] != (n_nodes,) or values.ndim > 2:
            raise FileError(
                f"expected an attribute {label!r} with one entry per node, {n_nodes}, got shape "
                f"{values.shape}; give as many, or leave it out"
            )
    names = graph.names
    if names is None:
        return graph
    if len(names) != n_nodes:
        raise FileError(
            f"expected one name per node, {n_nodes}, got {len(names)}; give as many, or leave "
            "them out"
        )
    _refuse_bad_names(names)
    if names == [str(k) for k in range(n_nodes)]:
        names = None
    return GraphFile(graph.adjacency, names, graph.attributes, graph.info)


def _refuse_bad_names(names: list[str]) -> None:
    for k, name in enumerate(names):
        if not isinstance(name, str) or not name or "\0" in name or not _is_unicode(name):
            raise FileError(
                f"node {k}: expected a name, some text without NUL and lone surrogates, got "
                f"{name!r}; rename the node"
            )
    twice = first_repetition(names)
    if twice is not None:
        raise FileError(
            f"node {twice[0]} and node {twice[1]}: expected names that are all different, got "
            f"{names[twice[0]]!r} twice; rename one of them"
        )


def _is_unicode(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)
