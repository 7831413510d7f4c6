"""Read a graph that the workers of a cluster wrote in parts."""

from pathlib import Path

import numpy as np

from smoothgraph.io.edge_lists import Edges, graph_of_numbers
from smoothgraph.io.errors import FileError, explain_errors
from smoothgraph.io.file_format import PARTS_FORMATS
from smoothgraph.io.graph_file import GraphFile

_REMEDY = "copy the folder as it was written, or write the graph again"


def read_parts(folder: Path, name: str | None = None) -> GraphFile:
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
    if not {"graph", "n_nodes", "edges_of_parts", "info"} <= common.keys():
        raise FileError("expected a graph in parts, got something else; check the path")
    counts = common["edges_of_parts"]
    paths = [parts.part_path(folder, k) for k in range(len(counts))]
    for path in sorted({*paths} ^ {*folder.glob(f"part-*{parts.part_suffix}")}):
        what = "is missing" if path in paths else "is there, too"
        raise FileError(f"expected {len(paths)} parts, but {path.name} {what}; {_REMEDY}")
    columns = []
    for k, (path, n_edges) in enumerate(zip(paths, counts, strict=True)):
        with explain_errors(path.name, "a part of a graph"):
            edges, about = parts.read_part(path)
            if (about.get("graph"), about.get("part")) != (common["graph"], k):
                raise FileError(f"expected part {k} of the graph in this folder, got something else; {_REMEDY}")
            if any(len(column) != n_edges for column in edges):
                raise FileError(f"expected {n_edges} edges, got {len(edges.weight)}; {_REMEDY}")
            columns.append(edges)
    return graph_of_numbers(common, Edges(*(np.concatenate(column) for column in zip(*columns, strict=True))))
