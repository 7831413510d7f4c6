"""What changes from one graph to another on the same nodes, or on some of the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.support.adjacency import adjacency_of

CHANGES = ("shared", "new", "lost")


@dataclass(frozen=True, eq=False)
class GraphChanges:
    """Every edge of either graph, once.

    Attributes
    ----------
    names : list of str
        The nodes: those of the first graph, and then those that only the second one has.
    ends : (n, 2) array
        The two nodes of every edge.
    before, after : arrays
        The weight of every edge in the first and in the second graph, 0 if there is none.
    """

    names: list[str]
    ends: np.ndarray
    before: np.ndarray
    after: np.ndarray

    @property
    def kinds(self) -> np.ndarray:
        """The number of each edge's change in ``CHANGES``."""
        return np.where(self.before == 0, 1, np.where(self.after == 0, 2, 0))

    @property
    def counts(self) -> dict[str, int]:
        """How many edges are shared, new, and lost."""
        return dict(zip(CHANGES, np.bincount(self.kinds, minlength=3).tolist(), strict=True))

    def rows(self) -> Iterator[tuple[str, str, str, float, float]]:
        """Yield the names of the ends, the change, and the two weights of every edge."""
        columns = (self.ends.tolist(), self.kinds.tolist(), self.before.tolist(), self.after.tolist())
        for (i, j), kind, before, after in zip(*columns, strict=True):
            yield self.names[i], self.names[j], CHANGES[kind], before, after


def find_changes(before: Any, before_names: Sequence[str], after: Any, after_names: Sequence[str]) -> GraphChanges:
    """Return the edges of two graphs, whose nodes are matched by their names.

    Examples
    --------
    >>> from smoothgraph.changes import find_changes
    >>> chain = [[0, 2, 0], [2, 0, 1], [0, 1, 0]]
    >>> find_changes(chain, ["a", "b", "c"], [[0, 3], [3, 0]], ["b", "a"]).counts
    {'shared': 1, 'new': 0, 'lost': 1}
    """
    names = list(dict.fromkeys([*before_names, *after_names]))
    place = {name: k for k, name in enumerate(names)}
    old, new = (
        _spread(adjacency_of(graph), np.array([place[name] for name in own]), len(names))
        for graph, own in ((before, before_names), (after, after_names))
    )
    i, j = sp.triu(old + new, k=1).nonzero()
    return GraphChanges(names, np.stack([i, j], axis=1), *(np.asarray(W[i, j]).ravel() for W in (old, new)))


def _spread(W: sp.csr_array, places: np.ndarray, n_nodes: int) -> sp.csr_array:
    """Return ``W`` among more nodes, with its own at these places."""
    edges = W.tocoo()
    return sp.coo_array((edges.data, (places[edges.row], places[edges.col])), shape=(n_nodes, n_nodes)).tocsr()
