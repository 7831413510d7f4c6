"""Read a graph that the workers of a cluster wrote in parts."""

from pathlib import Path
from typing import Any

import numpy as np

from smoothgraph.io.edge_lists import Edges, graph_of_numbers
from smoothgraph.io.errors import FileError, explain_errors
from smoothgraph.io.file_format import PARTS_FORMATS, PartsFormat
from smoothgraph.io.graph_file import GraphFile


def read_parts(folder: Path, name: str | None = None) -> GraphFile:
    """Return the graph of all parts in a folder, which must be of the format named, if any."""
    parts = _find_parts_format(folder)
    if name not in (None, parts.name):
        raise FileError(f"expected a graph in {name}, got parts in {parts.name}; leave out the format")
    common = parts.read_common(folder)
    if not {"graph", "n_nodes", "edges_of_parts", "info"} <= common.keys():
        raise FileError("expected a graph in parts, got something else; check the path")
    counts = common["edges_of_parts"]
    _check_part_names(parts, folder, len(counts))
    columns = [
        _read_part(parts, parts.part_path(folder, k), (common["graph"], k), count) for k, count in enumerate(counts)
    ]
    edges = Edges(*(np.concatenate(column) for column in zip(*columns, strict=True)))
    return graph_of_numbers(common, edges)


def _find_parts_format(folder: Path) -> PartsFormat:
    for parts in PARTS_FORMATS.values():
        if (folder / parts.common_file).is_file():
            return parts
    names = " nor ".join(parts.common_file for parts in PARTS_FORMATS.values())
    raise FileError(
        f"expected a file, got a folder that is not a graph in parts: it has neither {names}, "
        "which is written last; give a file inside it, or write the graph again"
    )


def _check_part_names(parts: PartsFormat, folder: Path, n_parts: int) -> None:
    """Raise a FileError unless the folder has exactly these parts."""
    expected = {parts.part_path(folder, part) for part in range(n_parts)}
    found = set(folder.glob(f"part-*{parts.part_suffix}"))
    for path in sorted(expected ^ found):
        what = "is missing" if path in expected else "is there, too"
        raise FileError(
            f"expected {n_parts} parts, but {path.name} {what}; copy the folder as it was "
            "written, or write the graph again"
        )


def _read_part(parts: PartsFormat, path: Path, identity: tuple[Any, int], n_edges: int) -> Edges:
    """Return the edges of a part if it is this part of this graph, and complete."""
    with explain_errors(path.name, "a part of a graph"):
        edges, about = parts.read_part(path)
        if (about.get("graph"), about.get("part")) != identity:
            raise FileError(
                f"expected part {identity[1]} of the graph in this folder, got something else; "
                "copy the folder as it was written, or write the graph again"
            )
        if any(len(column) != n_edges for column in edges):
            raise FileError(
                f"expected {n_edges} edges, got {len(edges.weight)}; the part was changed: write the graph again"
            )
        return edges
