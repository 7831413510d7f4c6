"""Nodes whose candidate pairs are to be found, wherever their data is."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from smoothgraph.candidates.choice import NeighborChoice
from smoothgraph.candidates.fixed import Candidates
from smoothgraph.support.input_error import InputError


@dataclass(frozen=True, eq=False)
class NodeData:
    """Nodes with their names, and candidate pairs; ``table`` is None if it is not in memory.

    If identical rows are merged, the candidates join the ``places`` of the nodes. If the nodes have ``groups``, these
    are the groups of what the candidates join, which is split by them. ``known`` is the adjacency of a known graph of
    what the candidates join.
    """

    table: Any
    names: np.ndarray
    candidates: Candidates
    places: Any = None
    groups: Any = None
    known: Any = None


class Nodes(Protocol):
    """Data that was opened: one row per node, in memory or elsewhere."""

    def digest(self) -> str:
        """A hash of the data, to which a checkpoint belongs."""

    def find_pairs(
        self, choice: NeighborChoice, state: dict[str, np.ndarray] | None = None, folder: Path | None = None
    ) -> NodeData:
        """The candidate pairs, or those of a checkpoint's ``state`` and ``folder``."""


def check_node_count(table: Any, nodes: str = "rows") -> None:
    """An InputError unless there are nodes to join."""
    if table.shape[0] < 2:
        counted = "n_samples" if nodes == "rows" else "n_features"
        raise InputError(
            f"A graph needs at least two nodes, got {counted}={table.shape[0]}; nodes are {nodes} "
            f"unless nodes={'columns' if nodes == 'rows' else 'rows'!r}."
        )
