"""A graph in parts, each written by the worker that has its edges."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from smoothgraph.io.atomic import atomic_folder
from smoothgraph.io.edge_lists import Edges
from smoothgraph.io.errors import FileError
from smoothgraph.io.file_format import PARTS_FORMATS
from smoothgraph.io.graph_file import to_json


@dataclass(frozen=True)
class PartTarget:
    """Where a worker writes its part, as often as it is asked to, and what the part is about."""

    folder: Path
    format: str
    about: dict[str, Any]

    def write(self, i: np.ndarray, j: np.ndarray, weights: np.ndarray) -> int:
        """Write edges between nodes in any order; their number.

        A FileError is what a worker says: an OSError would be taken for its death.
        """
        parts = PARTS_FORMATS[self.format]
        path = parts.part_path(self.folder, self.about["part"])
        if not self.folder.is_dir():
            raise FileError(
                f"{self.folder.parent}: expected a folder that all workers see, but one of them "
                "does not see what is made there; write to a folder that they share"
            )
        ends = np.asarray(i, dtype=np.int64), np.asarray(j, dtype=np.int64)
        try:
            parts.write_part(path, Edges(np.minimum(*ends), np.maximum(*ends), weights), self.about)
        except OSError as error:
            raise FileError(
                f"{path}: a worker cannot write it ({error.strerror or error}); check the place, "
                "its permissions and its space"
            ) from error
        return len(weights)


def write_parts(graph: Any, folder: Path | str, format: str, info: Mapping[str, Any]) -> None:  # noqa: A002
    """The edges of a RemoteGraph, whole or not at all."""
    edges, parts = graph.weights.edges, PARTS_FORMATS[format]
    common = {"graph": uuid4().hex, "n_nodes": graph.n_nodes, "info": json.loads(to_json(info))}
    with atomic_folder(Path(folder).absolute()) as temporary:
        targets = [
            PartTarget(temporary, format, common | {"part": part}) for part in range(graph.n_parts)
        ]
        counts = graph.weights.from_blocks("write", edges.local(graph.order), targets)
        for part in range(len(counts)):
            if not parts.part_path(temporary, part).exists():
                raise FileError(
                    f"{folder}: expected a folder that all workers share, but part {part} was "
                    "written elsewhere; write to such a folder"
                )
        parts.write_common(temporary, common | {"edges_of_parts": counts})
