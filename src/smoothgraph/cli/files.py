"""Names of files, checked before anything is computed."""

from pathlib import Path
from typing import Literal

GraphFormat = Literal["csv", "tsv", "graphml", "gexf", "npz", "mtx", "parquet"]


def check_outputs(source: str, out: Path | str | None, *, picture: Path | None = None) -> None:
    """A ValueError if something cannot be written, or would replace what is read."""
    taken = {} if source == "-" else {Path(source).resolve(): "it is the file to be read"}
    for target in (out, picture):
        if target is None or target == "-":
            continue
        place = Path(target).resolve()
        if place in taken:
            raise ValueError(f"{target} cannot be written: {taken[place]}; give another name.")
        if place.is_dir():
            raise ValueError(f"{target} cannot be written: it is a folder; name a file in it.")
        taken[place] = "it is to be written twice"
    if picture is not None:
        from smoothgraph.plotting.saving import check_picture  # deferred: matplotlib

        check_picture(picture)
