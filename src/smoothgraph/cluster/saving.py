"""The edges of a block in a file: arrays only, written whole or not at all."""

from pathlib import Path

import numpy as np

from smoothgraph.cluster.entries import BlockEdges
from smoothgraph.io import atomic_write


def save_block(path: str, edges: BlockEdges) -> None:
    """Write the edges of one block."""
    with atomic_write(Path(path)) as temporary, temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **edges._asdict())


def load_block(path: str) -> BlockEdges:
    """Read the edges of one block."""
    try:
        with np.load(path, allow_pickle=False) as file:
            state = {name: file[name] for name in BlockEdges._fields}
    except (OSError, ValueError, EOFError, KeyError) as error:
        raise ValueError(
            f"{path} does not hold the edges of a checkpoint ({error}); delete the checkpoint."
        ) from error
    first, last = int(state.pop("first")), int(state.pop("last"))
    return BlockEdges(first, last, **state)
