"""Zarr: graphs in parts, as a group of groups."""

from pathlib import Path
from typing import Any

import numpy as np

from smoothgraph.io.file_format import PartsFormat, register
from smoothgraph.io.graph_file import Edges
from smoothgraph.support.optional import load_optional

# What Zarr reads from a chunk that is lost; no edge has such ends or such a weight.
_LOST = (-1, -1, np.nan)


@register
class Zarr(PartsFormat):
    """A group of arrays source, target and weight per part, in a group of what they share."""

    name = "zarr"
    suffixes = (".zarr",)
    part_suffix = ""
    common_file = "zarr.json"

    def write_part(self, path: Path, edges: Edges, about: dict[str, Any]) -> None:
        group = _open_group(path, "w", attributes=about)
        for name, column, lost in zip(Edges._fields, edges, _LOST, strict=True):
            group.create_array(name, data=column, fill_value=lost)

    def read_part(self, path: Path) -> tuple[Edges, dict[str, Any]]:
        group = _open_group(path, "r")
        return Edges(*(group[name][:] for name in Edges._fields)), group.attrs.asdict()

    def write_common(self, folder: Path, common: dict[str, Any]) -> None:
        _open_group(folder, "a", attributes=common)

    def read_common(self, folder: Path) -> dict[str, Any]:
        return _open_group(folder, "r").attrs.asdict()


def _open_group(path: Path, mode: str, **options: Any) -> Any:
    return load_optional("zarr", needed_by="writing or reading Zarr", extra="dask").open_group(
        path, mode=mode, **options
    )
