"""Zarr: graphs in parts, as a group of groups."""

from pathlib import Path
from typing import Any

import numpy as np

from smoothgraph.io.edge_lists import Edges
from smoothgraph.io.file_format import PartsFormat, register
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
        """Write a group of three arrays."""
        group = _zarr("writing").open_group(path, mode="w", attributes=about)
        for name, column, lost in zip(Edges._fields, edges, _LOST, strict=True):
            group.create_array(name, data=column, fill_value=lost)

    def read_part(self, path: Path) -> tuple[Edges, dict[str, Any]]:
        """Return the edges of a part, and what it is about."""
        group = _zarr("reading").open_group(path, mode="r")
        return Edges(*(group[name][:] for name in Edges._fields)), group.attrs.asdict()

    def write_common(self, folder: Path, common: dict[str, Any]) -> None:
        """Write the attributes of the outer group."""
        _zarr("writing").open_group(folder, mode="a", attributes=common)

    def read_common(self, folder: Path) -> dict[str, Any]:
        """Return the attributes of the outer group."""
        return _zarr("reading").open_group(folder, mode="r").attrs.asdict()


def _zarr(doing: str) -> Any:
    return load_optional("zarr", needed_by=f"{doing} Zarr", extra="dask")
