"""Tables from files of any format."""

from collections.abc import Collection
from typing import Any

from smoothgraph.io.delimited import read_delimited
from smoothgraph.io.errors import FileError, a_graph_instead, explained
from smoothgraph.io.h5ad import read_h5ad
from smoothgraph.io.hdf5 import read_hdf5
from smoothgraph.io.matrix_market import read_matrix_market
from smoothgraph.io.npy import read_npy, read_npz
from smoothgraph.io.parquet import read_parquet
from smoothgraph.io.source import Source, format_of, label_of, opened
from smoothgraph.io.table import Table

_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".npy": "npy",
    ".npz": "npz",
    ".mtx": "mtx",
    ".h5": "hdf5",
    ".hdf5": "hdf5",
    ".h5ad": "h5ad",
}
TABLE_FORMATS = tuple(dict.fromkeys(_SUFFIXES.values()))
_GRAPHS_ONLY = (".graphml", ".gexf")
_READERS: dict[str, Any] = {
    "csv": read_delimited,
    "tsv": read_delimited,
    "parquet": read_parquet,
    "npy": read_npy,
    "npz": read_npz,
    "mtx": read_matrix_market,
    "hdf5": read_hdf5,
    "h5ad": read_h5ad,
}
_WITH_KEY = ("npz", "hdf5", "h5ad")
_WITH_HEADER = ("csv", "tsv")


def read_table(
    source: Source,
    *,
    format: str | None = None,  # noqa: A002
    key: str | None = None,
    names: str | None = None,
    aside: Collection[str] = (),
    header: bool | None = None,
) -> Table:
    """The signals in a file, one row per node, and what stands beside them.

    Parameters
    ----------
    source : path, or "-"
        "-" is standard input.
    format : one of ``TABLE_FORMATS``, optional
        By default that of the suffix, and csv for standard input.
    key : str, optional
        Which array of an .npz or HDF5 file, by default ``X`` or the only table; of an .h5ad
        file ``"obsm/X_pca"`` (the default, if there), ``"X"``, ``"layers/counts"``, ...
    names : str, optional
        The column or array of row names. By default the first column if its cells are texts that
        are all different, or whole numbers that are if it is called "", "id" or "index".
    aside : collection of str
        Columns or arrays that are no signals: labels, coordinates. Columns of text are set aside
        anyway.
    header : bool, optional
        Whether the first row of a text file names the columns; by default if not all of its
        cells are numbers, or if they are 0, 1, 2, ...

    Raises
    ------
    FileError
        Whatever is wrong with the file: where, what was expected, what came, what to do.

    Examples
    --------
    .. code-block:: python

        table = read_table("stations.csv", names="station", aside=["lat", "lon"])
        graph = LogDegreeGraph(edges_per_node=5).fit(table.values)
    """
    with explained(label_of(source, standard="standard input"), "a table"):
        _refuse_graphs(source, format)
        format = format_of(source, format, _SUFFIXES)  # noqa: A001
        options: dict[str, Any] = {"names": names, "aside": tuple(aside)}
        if format in _WITH_KEY:
            options["key"] = key
        elif key is not None:
            raise FileError(
                f"expected a key for {' or '.join(_WITH_KEY)} only, got key={key!r} for {format}; "
                "leave it out"
            )
        if format in _WITH_HEADER:
            options["header"] = header
            options["delimiter"] = "\t" if format == "tsv" else None
        with opened(source) as file:
            return _READERS[format](file, **options)


def _refuse_graphs(source: Source, format: str | None) -> None:  # noqa: A002
    if format is None and str(source).lower().endswith(_GRAPHS_ONLY):
        raise a_graph_instead()
