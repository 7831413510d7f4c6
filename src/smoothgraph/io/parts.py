"""Graphs in parts: a folder of Parquet files, or a Zarr group of groups.

Every part holds edges of its own, as arrays source, target and weight, and says to which graph
it belongs. What all parts have in common is written last, so that a folder without it was not
written to the end.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.io.edge_lists import graph_about, write_parquet_edges
from smoothgraph.io.errors import FileError, explained
from smoothgraph.io.graph import GraphFile
from smoothgraph.io.parquet import GRAPH_METADATA, arrow_table
from smoothgraph.io.whole import written_whole
from smoothgraph.support.optional import load_optional

_COMMON = "_graph.json"  # of Parquet parts; the underscore hides it from readers of tables
_GROUP = "zarr.json"
_MISSING = {"source": -1, "target": -1, "weight": np.nan}  # what stands for a lost chunk


class Edges(NamedTuple):
    """Every edge once: its smaller end, its larger end, its weight."""

    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray


class PartsFormat(NamedTuple):
    """How parts and what they have in common are written and read; parts end in ``suffix``."""

    suffix: str
    write: Callable[[Path, Edges, dict[str, Any]], None]
    read: Callable[[Path], tuple[Edges, dict[str, Any]]]
    write_common: Callable[[Path, dict[str, Any]], None]
    read_common: Callable[[Path], dict[str, Any]]

    def path(self, folder: Path, part: int) -> Path:
        """Where a part is."""
        return folder / f"part-{part:05d}{self.suffix}"


def _write_parquet(path: Path, edges: Edges, about: dict[str, Any]) -> None:
    with written_whole(path) as temporary, temporary.open("wb") as file:
        write_parquet_edges(file, edges, about | {"names": None})


def _read_parquet(path: Path) -> tuple[Edges, dict[str, Any]]:
    with path.open("rb") as file:
        table = arrow_table(file)
    about = json.loads((table.schema.metadata or {}).get(GRAPH_METADATA, b"{}"))
    return Edges(*(table[name].to_numpy() for name in Edges._fields)), about


def _write_json(folder: Path, about: dict[str, Any]) -> None:
    (folder / _COMMON).write_text(json.dumps(about), encoding="utf-8")


def _read_json(folder: Path) -> dict[str, Any]:
    return json.loads((folder / _COMMON).read_text(encoding="utf-8"))


def _write_zarr(path: Path, edges: Edges, about: dict[str, Any]) -> None:
    group = _zarr("writing").open_group(path, mode="w", attributes=about)
    for name, column in edges._asdict().items():
        group.create_array(name, data=column, fill_value=_MISSING[name])


def _read_zarr(path: Path) -> tuple[Edges, dict[str, Any]]:
    group = _zarr("reading").open_group(path, mode="r")
    return Edges(*(group[name][:] for name in Edges._fields)), group.attrs.asdict()


def _write_group(folder: Path, about: dict[str, Any]) -> None:
    _zarr("writing").open_group(folder, mode="a", attributes=about)


def _read_group(folder: Path) -> dict[str, Any]:
    return _zarr("reading").open_group(folder, mode="r").attrs.asdict()


def _zarr(doing: str) -> Any:
    return load_optional("zarr", needed_by=f"{doing} Zarr", extra="dask")


PARTS_FORMATS = {
    "parquet": PartsFormat(".parquet", _write_parquet, _read_parquet, _write_json, _read_json),
    "zarr": PartsFormat("", _write_zarr, _read_zarr, _write_group, _read_group),
}


def read_parts(folder: Path, format: str | None = None) -> GraphFile:  # noqa: A002
    """The graph of all parts; ``format`` is what they are expected to be."""
    found = _format_in(folder)
    if format not in (None, found):
        raise FileError(f"expected a graph in {format}, got parts in {found}; leave out the format")
    parts = PARTS_FORMATS[found]
    common = parts.read_common(folder)
    if not {"graph", "n_nodes", "edges_of_parts", "info"} <= common.keys():
        raise FileError("expected a graph in parts, got something else; check the path")
    _check_names(parts, folder, len(common["edges_of_parts"]))
    columns = [
        _read_part(parts, parts.path(folder, part), common | {"part": part, "n_edges": n_edges})
        for part, n_edges in enumerate(common["edges_of_parts"])
    ]
    edges = Edges(*(np.concatenate(column) for column in zip(*columns, strict=True)))
    about = {"names": None, "n_nodes": common["n_nodes"], "info": common["info"]}
    return graph_about(about, *edges, np.arange(1, len(edges.weight) + 1))


def _format_in(folder: Path) -> str:
    for name, file in (("parquet", _COMMON), ("zarr", _GROUP)):
        if (folder / file).is_file():
            return name
    raise FileError(
        f"expected a file, got a folder, and not one of a graph in parts: neither {_COMMON} nor "
        f"{_GROUP} is in it, of which one is written last; give a file inside it, or write the "
        "graph again"
    )


def _check_names(parts: PartsFormat, folder: Path, n_parts: int) -> None:
    """A FileError unless the folder has these parts and no others."""
    expected = {parts.path(folder, part) for part in range(n_parts)}
    found = set(folder.glob(f"part-*{parts.suffix}"))
    for path in sorted(expected ^ found):
        what = "is missing" if path in expected else "is there, too"
        raise FileError(
            f"expected {n_parts} parts, but {path.name} {what}; copy the folder as it was "
            "written, or write the graph again"
        )


def _read_part(parts: PartsFormat, path: Path, expected: dict[str, Any]) -> Edges:
    with explained(path.name, "a part of a graph"):
        edges, about = parts.read(path)
        if (about.get("graph"), about.get("part")) != (expected["graph"], expected["part"]):
            raise FileError(
                f"expected part {expected['part']} of the graph of this folder, got something "
                "else; copy the folder as it was written, or write the graph again"
            )
        if any(len(column) != expected["n_edges"] for column in edges):
            raise FileError(
                f"expected {expected['n_edges']} edges, got {len(edges.weight)}; the part was "
                "changed: write the graph again"
            )
        return edges
