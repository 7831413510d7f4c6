"""Names of files, checked before anything is computed."""

import os
from pathlib import Path
from typing import Literal

GraphFormat = Literal["csv", "tsv", "graphml", "gexf", "npz", "mtx", "parquet"]


def check_outputs(
    source: str,
    out: Path | str | None,
    *,
    suffixes: tuple[str, ...] = (),
    picture: Path | None = None,
) -> None:
    """A ValueError if something cannot be written, or would replace what is read.

    ``suffixes`` are those that ``out`` may have, if it is a file.
    """
    taken = {} if source == "-" else {Path(source).resolve(): "it is the file to be read"}
    for target in (out, picture):
        if target is None or target == "-":
            continue
        place = Path(target).resolve()
        if place in taken:
            raise ValueError(f"{target} cannot be written: {taken[place]}; give another name.")
        if place.is_dir():
            raise ValueError(f"{target} cannot be written: it is a folder; name a file in it.")
        if not os.access(_existing(place.parent), os.W_OK):
            raise ValueError(f"{target} cannot be written: the folder does not allow it.")
        taken[place] = "it is to be written twice"
    if suffixes and out not in (None, "-") and Path(str(out)).suffix.lower() not in suffixes:
        raise ValueError(f"Expected a name that ends in {' or '.join(suffixes)}, got {out}.")
    if picture is not None:
        from smoothgraph.plotting.saving import check_picture  # deferred: matplotlib

        check_picture(picture)


def _existing(folder: Path) -> Path:
    """The folder, or the nearest above it that exists."""
    return folder if folder.exists() else _existing(folder.parent)
