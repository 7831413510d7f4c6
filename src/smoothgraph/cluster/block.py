"""What a worker keeps and does: the edges of some consecutive nodes.

Vectors come in local numbers, the block's own nodes and then its halo; what goes back is one
number per own node. So a pass over all edges sends about m numbers out and m back.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from smoothgraph.cluster import _kernels, dual
from smoothgraph.cluster.ascent import Ascent
from smoothgraph.cluster.dual import Correction, Place
from smoothgraph.cluster.entries import BlockEdges, Entries
from smoothgraph.cluster.saving import save_block
from smoothgraph.cluster.writing import PartTarget
from smoothgraph.priors import EdgePrior
from smoothgraph.search.between import Pairs


class Block(Ascent):
    """The edges of the nodes ``first <= i < last``, a working set of them, and their sums."""

    def __init__(self, edges: BlockEdges) -> None:
        self.first, self.last = edges.first, edges.last
        self._halo = edges.halo
        self._all = Entries.of(edges, self._halo)
        self._scale, self._mask = 1.0, np.ones(len(edges.z), dtype=bool)
        self._narrowed: Entries | None = self._all

    def do(self, method: str, box: list[tuple[Any, ...]]) -> Any:
        """``method(*arguments)`` with the arguments in the box."""
        return getattr(self, method)(*box[0])

    # -- what there is -------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """What the client must know."""
        z = self._all.z
        return {
            "halo": self._halo,
            "n_ends": len(z),
            "most": int(np.max(np.diff(self._all.indptr), initial=0)),
            "fewest": int(np.min(np.diff(self._all.indptr), initial=np.iinfo(np.int32).max)),
            "low": float(np.min(z, initial=np.inf)),
            "high": float(np.max(z, initial=0.0)),
        }

    def nearest(self, k: int, scale: float) -> np.ndarray:
        """The ``k`` smallest distances of each node."""
        values = np.full((self._all.n_rows, k), np.inf)
        _kernels.row_nearest(self._all.indptr, self._all.z, values)
        return scale * values

    def contains(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Whether each of the pairs, ``i`` of which are here, is an edge."""
        found = np.empty(len(i), dtype=bool)
        rows = self._all.indptr, self._all.cols, self._nodes
        _kernels.find_in_rows(*rows, i - self.first, j, found)
        return found

    def edges(self) -> BlockEdges:
        """All edges, as they came."""
        part = self._all
        return BlockEdges(self.first, self.last, part.indptr, self._nodes[part.cols], part.z)

    def save(self, path: str) -> None:
        """Write all edges to a file."""
        save_block(path, self.edges())

    # -- the working set -----------------------------------------------------

    def begin(self, farthest: np.ndarray | None, scale: float) -> int:
        """Work on all edges, or on those up to the ``farthest`` of either end; their ends here."""
        self._scale, self._mask = scale, np.full(len(self._all.z), farthest is None)
        if farthest is not None:
            _kernels.mark_nearest(*self._whole, farthest, self._mask)
        return self._chosen()

    def grow(self, reach: np.ndarray) -> int:
        """Take in all edges with ``2 z_e < reach_i + reach_j``; how many ends are here then."""
        _kernels.mark_below(*self._whole, reach, self._mask)
        return self._chosen()

    def is_enough(self, u: np.ndarray) -> bool:
        """Whether every edge with ``2 z_e < u_i + u_j`` is in the working set."""
        return _kernels.mark_below(*self._whole, u, self._mask.copy()) == 0

    def _chosen(self) -> int:
        self._narrowed = None
        return int(np.count_nonzero(self._mask))

    @property
    def _whole(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
        """All edges and the scale of their distances."""
        return self._all.indptr, self._all.cols, self._all.z, self._scale

    @property
    def _part(self) -> Entries:
        """The working set."""
        if self._narrowed is None:
            self._narrowed = self._all.select(self._mask, self._scale)
        return self._narrowed

    # -- the dual ------------------------------------------------------------

    def evaluate(self, at: Place) -> tuple[np.ndarray, float]:
        """The degrees of the own nodes, and ``f*(v)`` over all ends here."""
        parts = [dual.evaluated(piece, at) for piece in self._part.pieces]
        return _joined(part[0] for part in parts), sum(part[1] for part in parts)

    def curve(self, at: Place) -> tuple[np.ndarray, int]:
        """Keep the curvature of the edges; its sums at the own nodes, and how many ends curve."""
        self._curved = [dual.curved(piece, at) for piece in self._part.pieces]
        sums = _joined(dual.row_sums(entries, c) for entries, c in self._curved)
        return sums, sum(len(c) for _, c in self._curved)

    def product(self, x: np.ndarray) -> np.ndarray:
        """The own rows of ``S diag(c) S' x``."""
        return _joined(dual.product(entries, c, x) for entries, c in self._curved)

    def curved_pairs(self) -> Pairs:
        """The edges that curve and their curvature, as pairs of nodes."""
        return _named([_once(*entries_and_c) for entries_and_c in self._curved], self._nodes)

    def largest_pair_sum(self, y: np.ndarray) -> float:
        """The largest ``y_i + y_j`` over the edges."""
        sums = (dual.pair_sums(piece, y) for piece in self._part.pieces)
        return max(float(np.max(some, initial=-np.inf)) for some in sums)

    def rise(self, at: Place, change: np.ndarray | None) -> np.ndarray:
        """How far each own node must rise until its first edge is active."""
        return _joined(dual.rise(piece, at, change) for piece in self._part.pieces)

    def excess(self, at: Place) -> np.ndarray:
        """The largest ``max(v, 0) / 2`` at each own node."""
        return _joined(dual.excess(piece, at) for piece in self._part.pieces)

    # -- weights -------------------------------------------------------------

    def sums_of(
        self, at: Place, correction: Correction | None, factor: float, prior: EdgePrior
    ) -> tuple[np.ndarray, float, float, int]:
        """Of the weights: degrees, and over all ends ``z'w``, ``f(w)`` and how many there are."""
        parts = []
        for piece in self._part.pieces:
            w = dual.weights(piece, at, correction) * factor
            sums = float(piece.z @ w), prior.value(w), int(np.count_nonzero(w))
            parts.append((dual.row_sums(piece, w), *sums))
        degrees, products, values, counts = zip(*parts, strict=True)
        return np.concatenate(degrees), sum(products), sum(values), sum(counts)

    def weighted_pairs(self, at: Place, correction: Correction | None, factor: float) -> Pairs:
        """The edges with a weight, each once: nodes and weights."""
        return _named(self._weighted(at, correction, factor), self._nodes)

    def write(
        self,
        at: Place,
        correction: Correction | None,
        factor: float,
        names: np.ndarray,
        target: PartTarget,
    ) -> int:
        """Write the edges with a weight, between the names of local numbers; how many."""
        return target.write(*_named(self._weighted(at, correction, factor), names))

    def _weighted(self, at: Place, correction: Correction | None, factor: float) -> list[Pairs]:
        found = []
        for piece in self._part.pieces:
            w = dual.weights(piece, at, correction) * factor
            found.append(_once(piece.select(w > 0), w[w > 0]))
        return found

    # -- helpers -------------------------------------------------------------

    @property
    def _nodes(self) -> np.ndarray:
        """The node of every local number."""
        return np.concatenate([np.arange(self.first, self.last, dtype=np.int32), self._halo])


def _once(entries: Entries, values: np.ndarray) -> Pairs:
    """Every edge once, between local numbers."""
    once = entries.upper
    return Pairs(entries.rows[once], entries.cols[once], values[once])


def _named(parts: list[Pairs], names: np.ndarray) -> Pairs:
    """The pairs between the names of local numbers."""
    i, j, values = Pairs.joined(parts)
    return Pairs(names[i], names[j], values)


def _joined(parts: Iterable[np.ndarray]) -> np.ndarray:
    return np.concatenate(list(parts))
