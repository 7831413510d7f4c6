"""Base classes of file formats, and the registry that finds a format by name or suffix.

A format is one class in one file in ``smoothgraph/io/formats``. It inherits from the base classes that say what it
can do, and :func:`register` makes it known.
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, TypeVar

from smoothgraph.io.errors import FileError
from smoothgraph.io.graph_file import Edges, GraphFile
from smoothgraph.io.table_file import Table, TableOptions
from smoothgraph.support.input_error import InputError

Source = Path | str  # "-" is standard input or output
_DEFAULT = "csv"  # the format of standard input and output


class FileFormat(ABC):
    """A file format; see its subclasses for what it can do."""

    name: ClassVar[str]  #: What ``format=``, ``--format``, and ``--to`` call it, such as "csv".
    suffixes: ClassVar[tuple[str, ...]]  #: How its files end, in lowercase, such as ".csv".


class TableFormat(FileFormat):
    """A format of which tables are read."""

    has_keys: ClassVar[bool] = False  #: Whether a file may hold several tables, of which ``options.key`` chooses one.

    @abstractmethod
    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        """Return the table in a seekable file."""


class GraphFormat(FileFormat):
    """A format of which graphs are read and written."""

    @abstractmethod
    def read_graph(self, file: BinaryIO) -> GraphFile:
        """Return the graph in a seekable file."""

    @abstractmethod
    def write_graph(self, file: BinaryIO, graph: GraphFile) -> None:
        """Write the graph to a file in memory."""


class PartsFormat(FileFormat):
    """A format in which the workers of a cluster write one graph to one folder, in parts.

    Every part holds some of the edges and a dict ``about`` that says to which graph it belongs. The common file
    holds what the parts share, by default as JSON. It is written last: a folder without it is incomplete.
    """

    part_suffix: ClassVar[str]  #: How the files or folders of the parts end.
    common_file: ClassVar[str]  #: The name of the common file, by which a folder of this format is recognized.

    @abstractmethod
    def write_part(self, path: Path, edges: Edges, about: dict[str, Any]) -> None:
        """Write a part; a worker may be asked to do it again."""

    @abstractmethod
    def read_part(self, path: Path) -> tuple[Edges, dict[str, Any]]:
        """Return the edges of a part, and what it is about."""

    def write_common(self, folder: Path, common: dict[str, Any]) -> None:
        """Write what all parts share."""
        (folder / self.common_file).write_text(json.dumps(common), encoding="utf-8")

    def read_common(self, folder: Path) -> dict[str, Any]:
        """Return what all parts share."""
        return json.loads((folder / self.common_file).read_text(encoding="utf-8"))

    def part_path(self, folder: Path, part: int) -> Path:
        """Return the path of a part."""
        return folder / f"part-{part:05d}{self.part_suffix}"


TABLE_FORMATS: dict[str, TableFormat] = {}
GRAPH_FORMATS: dict[str, GraphFormat] = {}
PARTS_FORMATS: dict[str, PartsFormat] = {}

F = TypeVar("F", bound=FileFormat)


def register(format_class: type[F]) -> type[F]:
    """Make a format known by its name and its suffixes; it replaces one of the same name. Use it as a decorator."""
    new = format_class()
    name, suffixes = getattr(new, "name", None), getattr(new, "suffixes", None)
    if not name or not isinstance(suffixes, tuple) or not all(re.fullmatch(r"\.[^A-Z]+", s) for s in suffixes):
        raise InputError(
            "expected a name such as 'csv' and a tuple of suffixes in lowercase with their dots such as ('.csv',), "
            f"got name = {name!r} and suffixes = {suffixes!r}; set both in the class."
        )
    for known in (*TABLE_FORMATS.values(), *GRAPH_FORMATS.values(), *PARTS_FORMATS.values()):
        taken = set(known.suffixes) & set(new.suffixes)
        if taken and known.name != new.name:
            raise InputError(
                f"expected suffixes that no other format has, got {taken.pop()}, which belongs to {known.name}; "
                f"choose another suffix, or name the format {known.name!r} to replace it."
            )
    if isinstance(new, TableFormat):
        TABLE_FORMATS[new.name] = new
    if isinstance(new, GraphFormat):
        GRAPH_FORMATS[new.name] = new
    if isinstance(new, PartsFormat):
        PARTS_FORMATS[new.name] = new
    return format_class


def find_format(source: Source, name: str | None, formats: Mapping[str, F]) -> F:
    """Return the format of this name, or else of the source's suffix; CSV for a standard stream."""
    if name is not None and name not in formats:
        raise FileError(f"expected one of the formats {_join(list(formats))}, got {name!r}; choose one of these")
    if source == "-":
        return formats[name or _DEFAULT]
    if Path(source).is_dir():
        raise FileError(
            "expected a file, got a folder; give a file inside it, or let Dask workers read a folder of Parquet files "
            "or a Zarr array (smoothgraph learn --workers)"
        )
    found = formats[name] if name is not None else match_suffix(source, formats)
    if found is None:
        suffixes = [suffix for known in formats.values() for suffix in known.suffixes]
        raise FileError(
            f"expected a name that ends in {_join(suffixes)}, got {Path(source).suffix or 'no suffix'}; rename the "
            "file, or choose its format (format=; --format of a table, --to of a graph to write): "
            f"{_join(list(formats))}"
        )
    return found


def match_suffix(source: Source, formats: Mapping[str, F]) -> F | None:
    """Return the format that the suffix of a file belongs to, or None."""
    suffix = Path(source).suffix.lower()
    return next((found for found in formats.values() if suffix in found.suffixes), None)


def _join(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " or " + words[-1]
