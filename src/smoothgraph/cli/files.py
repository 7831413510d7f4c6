"""Names of files, checked before anything is computed."""

from pathlib import Path
from typing import Literal

GraphFormat = Literal["csv", "tsv", "graphml", "gexf", "npz", "mtx", "parquet"]


def check_outputs(source: str, *targets: Path | str | None) -> None:
    """A ValueError if what is to be written would replace what is read, or each other."""
    seen = {} if source == "-" else {Path(source).resolve(): "it is the file to be read"}
    for target in targets:
        if target is None or target == "-":
            continue
        place = Path(target).resolve()
        if place in seen:
            raise ValueError(f"{target} cannot be written: {seen[place]}; give another name.")
        if place.is_dir():
            raise ValueError(f"{target} cannot be written: it is a folder; name a file in it.")
        seen[place] = "it is to be written twice"
