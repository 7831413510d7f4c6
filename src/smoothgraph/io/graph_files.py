"""Graphs from and to files of any format."""

import io
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from smoothgraph.io.edge_lists import (
    delimited_reader,
    delimited_writer,
    read_parquet_graph,
    write_parquet,
)
from smoothgraph.io.errors import FileError, explained
from smoothgraph.io.graph import GraphFile, graph_to_write
from smoothgraph.io.matrix_graphs import (
    read_matrix_market_graph,
    read_npz_graph,
    write_matrix_market,
    write_npz,
)
from smoothgraph.io.parts import read_parts
from smoothgraph.io.source import STANDARD_STREAM, Source, format_of, label_of, opened
from smoothgraph.io.whole import written_whole
from smoothgraph.io.xml_graphs import read_gexf, read_graphml, write_gexf, write_graphml

_READERS: dict[str, Callable[[BinaryIO], GraphFile]] = {
    "csv": delimited_reader(None),
    "tsv": delimited_reader("\t"),
    "graphml": read_graphml,
    "gexf": read_gexf,
    "npz": read_npz_graph,
    "mtx": read_matrix_market_graph,
    "parquet": read_parquet_graph,
}
_WRITERS: dict[str, Callable[[BinaryIO, GraphFile], None]] = {
    "csv": delimited_writer(","),
    "tsv": delimited_writer("\t"),
    "graphml": write_graphml,
    "gexf": write_gexf,
    "npz": write_npz,
    "mtx": write_matrix_market,
    "parquet": write_parquet,
}
GRAPH_FORMATS = tuple(_READERS)
_SUFFIXES = {f".{name}": name for name in GRAPH_FORMATS}


def read_graph(source: Source, *, format: str | None = None) -> GraphFile:  # noqa: A002
    """The graph in a file, of this package or of others.

    An edge list (csv, tsv, parquet) has columns source, target and maybe weight, or from and to;
    a text file needs no header. Its nodes come in the order in which they first appear, but
    numbers 0, 1, ..., m - 1 in their own; a source without a target is a node without edges. An
    edge may be listed in both directions, with the same weight. Without weights all are 1. Loops
    are dropped.

    Parameters
    ----------
    source : path, or "-"
        "-" is standard input. A folder holds a graph in parts, as Dask workers write it.
    format : one of ``GRAPH_FORMATS``, optional
        By default that of the suffix, and csv for standard input; a folder tells its own.

    Raises
    ------
    FileError
        Whatever is wrong with the file: where, what was expected, what came, what to do.
    """
    with explained(label_of(source, standard="standard input"), "a graph"):
        if source != STANDARD_STREAM and Path(source).is_dir():
            return read_parts(Path(source), format)
        read = _READERS[format_of(source, format, _SUFFIXES)]
        with opened(source) as file:
            return read(file)


def graph_format(target: Source, format: str | None = None) -> str:  # noqa: A002
    """The format that :func:`write_graph` would write, or a FileError if it knows none."""
    try:
        return format_of(target, format, _SUFFIXES)
    except FileError as error:
        raise FileError(f"{target}: {error}") from error


def write_graph(
    target: Source,
    graph: Any,
    *,
    names: Iterable[Any] | None = None,
    attributes: Mapping[str, Any] | None = None,
    info: Mapping[str, Any] | None = None,
    format: str | None = None,  # noqa: A002
) -> None:
    """Write a graph, whole or not at all, with weights that come back to the last bit.

    Every format keeps weights, names and nodes without edges. All but csv and tsv keep the order
    of the nodes. npz, graphml and gexf keep attributes; npz, graphml, mtx and parquet the info.

    Parameters
    ----------
    target : path, or "-"
        "-" is standard output. Missing folders are made.
    graph : fitted graph learner, symmetric adjacency, or GraphFile
        The graph to write.
    names : iterable, optional
        One name per node, all different as text; by default those of the graph, or else 0, 1,
        2, ...
    attributes : mapping of str to array, optional
        One entry per node, such as a label. In graphml and gexf a 2-D array becomes one
        attribute per column.
    info : mapping, optional
        What JSON can hold: settings, a certificate.
    format : one of ``GRAPH_FORMATS``, optional
        By default that of the suffix, and csv for standard output.
    """
    chosen = graph_format(target, format)
    try:
        formatted = io.BytesIO()
        _WRITERS[chosen](formatted, graph_to_write(graph, names, attributes, info))
    except FileError as error:
        label = label_of(target, standard="standard output")
        raise FileError(f"{label}: {error}") from error
    if target == STANDARD_STREAM:
        sys.stdout.buffer.write(formatted.getbuffer())
        sys.stdout.buffer.flush()
        return
    with written_whole(target) as temporary:
        temporary.write_bytes(formatted.getbuffer())
