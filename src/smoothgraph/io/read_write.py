"""Read tables, and read and write graphs, in any registered format."""

import io
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.atomic import atomic_write, name_full_disk
from smoothgraph.io.compression import name_inside, unpack
from smoothgraph.io.errors import FileError, explain_errors, graph_not_table, name_file
from smoothgraph.io.file_format import GRAPH_FORMATS, PARTS_FORMATS, TABLE_FORMATS, Source, find_format, match_suffix
from smoothgraph.io.graph_file import Edges, GraphFile, gather_graph, graph_of_numbers
from smoothgraph.io.node_lists import list_nodes
from smoothgraph.io.table_file import Table, TableOptions
from smoothgraph.support.wording import agree

_STANDARD = "-"  # standard input and output
_REMEDY = "copy the folder as it was written, or write the graph again"


def read_table(  # noqa: PLR0913 (what can be said of a table)
    source: Source,
    *,
    format: str | None = None,  # noqa: A002
    key: str | None = None,
    names: str | None = None,
    aside: Collection[str] = (),
    header: bool | None = None,
    categories: bool = False,
    missing: Collection[Any] = (),
    drop: Collection[str] = (),
    skip_rows: int = 0,
    encoding: str | None = None,
    long: Sequence[str] = (),
) -> Table:
    """Read the signals in a file, one row per node, and what the file holds besides.

    Any problem with the file is a FileError: where, what was expected, what was found, what to try.

    Parameters
    ----------
    source : path, or "-"
        "-" is standard input. A file may be compressed (.gz, .bz2, .xz, or .zip with one file).
    format : one of ``TABLE_FORMATS``, optional
        By default the suffix decides; standard input is CSV.
    key : str, optional
        The array to take from an .npz or HDF5 file, by default ``X`` or the only matrix. In an .h5ad file:
        ``"obsm/X_pca"`` (the default, if it is there), ``"X"``, ``"layers/counts"``...
    names : str, optional
        The column or array of row names. By default it is the first column, if its cells are texts that are all
        different, or if it is called "", "id" or "index" and its cells are whole numbers that are all different.
    aside : collection of str
        Columns or arrays that are not signals: labels, coordinates. Text is set aside anyway, unless it is of
        categories.
    header : bool, optional
        Whether the first row of a text file names the columns. By default it does unless all of its cells are
        numbers; 0, 1, 2, ... are names, too.
    categories : bool
        Whether columns of text in CSV, TSV, and Parquet files are signals, for ``metric="gower"``. Their values are the
        numbers of the texts in ``Table.categories``.
    missing : collection of numbers or texts
        Values that mean that there is none, such as -999 or "n.a.", in addition to empty cells, NaN, and the like.
    drop : collection of str
        Columns, or rows by their names, to leave out.
    skip_rows : int
        The number of rows above the header of a text or a spreadsheet.
    encoding : str, optional
        The encoding of a text, such as "latin-1". By default it is UTF-8, or UTF-16, or else Western European (cp1252),
        which a note says.
    long : sequence of three str
        The columns of a long (tidy) table that hold the rows, the columns, and the values of the table to make of it:
        ``("date", "station", "temperature")``.

    Examples
    --------
    .. code-block:: python

        table = read_table("stations.csv", names="station", aside=["lat", "lon"])
        graph = LogDegreeGraph(edges_per_node=5).fit(table.values)
    """
    texts = tuple(map(str, missing))
    options = TableOptions(
        key, names, tuple(aside), header, categories, texts, tuple(drop), skip_rows, encoding, tuple(long)
    )
    return _read_table(source, format, options)


def read_node_table(source: Source) -> dict[str, np.ndarray]:
    """Return the columns of a file that describes nodes, as texts."""
    return _read_table(source, None, TableOptions(texts_only=True)).row_attributes


def _read_table(source: Source, format: str | None, options: TableOptions) -> Table:  # noqa: A002
    with explain_errors(_label(source, "standard input"), "a table"):
        name = _name(source)
        if format is None and match_suffix(name, GRAPH_FORMATS) and not match_suffix(name, TABLE_FORMATS):
            raise graph_not_table()
        found = find_format(name, format, TABLE_FORMATS)
        if options.key is not None and not found.has_keys:
            keyed = " or ".join(name for name, known in TABLE_FORMATS.items() if known.has_keys)
            raise FileError(f"expected a key only for {keyed}, got key={options.key!r} for {found.name}; leave it out")
        with _open(source) as file:
            return found.read_table(file, options)


def read_graph(source: Source, *, format: str | None = None) -> GraphFile:  # noqa: A002
    """Read the graph in a file, written by this package or by another program.

    An edge list (csv, tsv, parquet) has columns source, target and optionally weight, or from and to; a text file
    needs no header. Nodes come in the order in which they first appear, except that 0, 1, ..., m - 1 come in
    numerical order. A source without a target is a node without edges. An edge may be listed in both directions,
    with the same weight. If the file has no weights, all are 1. Loops are dropped. Any problem is a FileError.

    Parameters
    ----------
    source : path, or "-"
        "-" is standard input. A folder holds a graph in parts, as Dask workers write it.
    format : one of ``GRAPH_FORMATS``, optional
        By default the suffix decides; standard input is CSV. A folder tells its own format.
    """
    with explain_errors(_label(source, "standard input"), "a graph"):
        if source != _STANDARD and Path(source).is_dir():
            return _read_parts(Path(source), format)
        found = find_format(_name(source), format, GRAPH_FORMATS)
        with _open(source) as file:
            return found.read_graph(file)


def _read_parts(folder: Path, name: str | None) -> GraphFile:
    """Return the graph of all parts in a folder, which must be of the format named, if any."""
    parts = next((known for known in PARTS_FORMATS.values() if (folder / known.common_file).is_file()), None)
    if parts is None:
        names = " nor ".join(known.common_file for known in PARTS_FORMATS.values())
        raise FileError(
            f"expected a file, got a folder that is not a graph in parts: it has neither {names}, which is written "
            "last; give a file inside it, or write the graph again"
        )
    if name not in (None, parts.name):
        raise FileError(f"expected a graph in {name}, got parts in {parts.name}; leave out the format")
    common = parts.read_common(folder)
    known = {"graph", "n_nodes", "edges_of_parts", "info"}
    if not isinstance(common, dict) or not known <= common.keys() or not isinstance(common["edges_of_parts"], list):
        raise FileError("expected a graph in parts, got something else; check the path")
    counts = common["edges_of_parts"]
    paths = [parts.part_path(folder, k) for k in range(len(counts))]
    for path in sorted({*paths} ^ {*folder.glob(f"part-*{parts.part_suffix}")}):
        what = "is missing" if path in paths else "is there, too"
        raise FileError(
            f"expected {len(paths)} {agree(len(paths), 'part', 'parts')}, but {path.name} {what}; {_REMEDY}"
        )
    columns = []
    for k, (path, n_edges) in enumerate(zip(paths, counts, strict=True)):
        with explain_errors(path.name, "a part of a graph"):
            edges, about = parts.read_part(path)
            if (about.get("graph"), about.get("part")) != (common["graph"], k):
                raise FileError(f"expected part {k} of the graph in this folder, got something else; {_REMEDY}")
            if any(len(column) != n_edges for column in edges):
                raise FileError(
                    f"expected {n_edges} {agree(n_edges, 'edge', 'edges')}, got {len(edges.weight)}; {_REMEDY}"
                )
            columns.append(edges)
    return graph_of_numbers(common, Edges(*(np.concatenate(column) for column in zip(*columns, strict=True))))


def graph_format(target: Source, format: str | None = None) -> str:  # noqa: A002
    """Return the name of the format that :func:`write_graph` would write, or raise a FileError."""
    with name_file(str(target)):
        return find_format(target, format, GRAPH_FORMATS).name


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

    Every format keeps weights, names and nodes without edges. All but csv and tsv keep the order of the nodes. npz,
    graphml, gexf, geojson and parquet keep attributes; npz, graphml, geojson, mtx and parquet keep info.

    Parameters
    ----------
    target : path, or "-"
        "-" is standard output. Missing folders are made.
    graph : fitted graph learner, symmetric adjacency, or GraphFile
        The graph to write.
    names : iterable, optional
        One name per node, all different as text. By default the names of the graph, or else 0, 1, 2, ...
    attributes : mapping of str to array, optional
        Arrays with one entry per node, such as a label. In graphml, gexf and geojson a 2-D array becomes one
        attribute per column. geojson needs latitudes and longitudes, as "lat" and "lon" or as "latlon".
    info : mapping, optional
        Anything that JSON can hold: settings, a certificate.
    format : one of ``GRAPH_FORMATS``, optional
        By default the suffix decides; standard output is CSV.
    """
    chosen = GRAPH_FORMATS[graph_format(target, format)]
    content = io.BytesIO()
    with name_file(_label(target, "standard output")):
        chosen.write_graph(content, gather_graph(graph, names, attributes, info))
    _write_bytes(target, content.getbuffer())


def write_nodes(target: Source, graph: GraphFile) -> None:
    """Write a CSV with a row per node: its name, number of neighbors, degree, component, and attributes."""
    _write_bytes(target, list_nodes(graph).encode("utf-8"))


def _write_bytes(target: Source, content: bytes | memoryview) -> None:
    """Write a file, whole or not at all, or to standard output."""
    if target == _STANDARD:
        with name_full_disk("standard output"):
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        return
    with atomic_write(target) as temporary:
        temporary.write_bytes(content)


def _label(source: Source, standard: str) -> str:
    return standard if source == _STANDARD else str(source)


def _name(source: Source) -> Source:
    """Return the name whose suffix tells the format: that of the file inside, if the source is compressed."""
    return source if source == _STANDARD else name_inside(Path(source))


@contextmanager
def _open(source: Source) -> Iterator[BinaryIO]:
    """Yield a seekable binary file; pipes, standard input, and what is compressed are read into memory."""
    if source == _STANDARD:
        yield io.BytesIO(sys.stdin.buffer.read())
        return
    try:
        opened = Path(source).open("rb")  # noqa: SIM115
    except FileNotFoundError as error:
        raise FileError("expected a file, but it does not exist; check the path") from error
    except PermissionError as error:
        raise FileError("expected a readable file, but permission is denied; check who owns it") from error
    with opened as file:
        yield unpack(Path(source), file if file.seekable() else io.BytesIO(file.read()))
