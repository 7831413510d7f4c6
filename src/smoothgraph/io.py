"""Files: written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import scipy.sparse as sp


@contextmanager
def written_whole(path: Path | str) -> Iterator[Path]:
    """A temporary path beside ``path`` that takes its place once the block has succeeded."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def save_graph(path: Path | str, adjacency: Any) -> None:
    """Write an adjacency as SciPy's ``.npz``, which :func:`scipy.sparse.load_npz` reads."""
    with written_whole(path) as temporary:
        sp.save_npz(temporary, adjacency)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
