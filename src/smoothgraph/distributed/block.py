"""What a worker keeps and does: the edges of some consecutive nodes.

Vectors come in local numbers, the block's own nodes and then its halo; what goes back is one
number per own node. So a pass over all edges sends about m numbers out and m back.
"""

from typing import Any, NamedTuple

import numpy as np

from smoothgraph.distributed import _kernels
from smoothgraph.distributed.ascent import Ascent
from smoothgraph.distributed.entries import BlockEdges, Entries
from smoothgraph.distributed.saving import save_block
from smoothgraph.distributed.writing import PartTarget
from smoothgraph.neighbors.between import Pairs
from smoothgraph.priors import EdgePrior


class Place(NamedTuple):
    """Where the dual is looked at, as a block sees it."""

    u: np.ndarray
    tail: np.ndarray
    edge_prior: EdgePrior


class Correction(NamedTuple):
    """What makes weights balanced: see ``Evaluation.balanced_weights``."""

    wanted: np.ndarray
    ratio: np.ndarray
    lost: np.ndarray
    rise: np.ndarray


class Block(Ascent):
    """The edges of the nodes ``first <= i < last``, a working set of them, and their sums."""

    def __init__(self, edges: BlockEdges) -> None:
        self.first, self.last = edges.first, edges.last
        self._halo = edges.halo
        self._all = Entries.of(edges, self._halo)
        self._scale, self._mask = 1.0, np.ones(len(edges.z), dtype=bool)
        self._narrowed: Entries | None = self._all

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
        v = self._slacks(at)
        w = at.edge_prior.maximizer(v)
        return self._sums(self._part, w), at.edge_prior.conjugate(v)

    def curve(self, at: Place) -> tuple[np.ndarray, int]:
        """Keep the curvature of the edges; its sums at the own nodes, and how many ends curve."""
        c = at.edge_prior.curvature(self._slacks(at))
        active = c > 0
        self._curved, self._c = self._part.select(active), c[active]
        return self._sums(self._curved, self._c), len(self._c)

    def product(self, x: np.ndarray) -> np.ndarray:
        """The own rows of ``S diag(c) S' x``."""
        out = np.empty(self._curved.n_rows)
        rows = self._curved
        _kernels.row_products(rows.indptr, rows.split, rows.cols, self._c, x, out)
        return out

    def curved_pairs(self) -> Pairs:
        """The edges that curve and their curvature, as pairs of nodes."""
        return self._pairs(self._curved, self._c)

    def largest_pair_sum(self, y: np.ndarray) -> float:
        """The largest ``y_i + y_j`` over the edges."""
        return float(np.max(y[self._part.rows] + y[self._part.cols], initial=-np.inf))

    def rise(self, at: Place, change: np.ndarray | None) -> np.ndarray:
        """How far each own node must rise until its first edge is active."""
        idleness = self._idleness(at)
        if change is not None:
            moved = change[self._part.rows] + change[self._part.cols]
            idleness = np.maximum(idleness - moved, 0)
        return self._least(idleness)

    def excess(self, at: Place) -> np.ndarray:
        """The largest ``max(v, 0) / 2`` at each own node."""
        return -self._least(-np.maximum(self._slacks(at), 0) / 2, most=0.0)

    # -- weights -------------------------------------------------------------

    def sums_of(
        self, at: Place, correction: Correction | None, factor: float, prior: EdgePrior
    ) -> tuple[np.ndarray, float, float, int]:
        """Of the weights: degrees, and over all ends ``z'w``, ``f(w)`` and how many there are."""
        w = self._weights(at, correction) * factor
        degrees = self._sums(self._part, w)
        return degrees, float(self._part.z @ w), prior.value(w), int(np.count_nonzero(w))

    def weighted_pairs(self, at: Place, correction: Correction | None, factor: float) -> Pairs:
        """The edges with a weight, each once: nodes and weights."""
        w = self._weights(at, correction) * factor
        active = w > 0
        return self._pairs(self._part.select(active), w[active])

    def write(
        self,
        at: Place,
        correction: Correction | None,
        factor: float,
        nodes: np.ndarray,
        target: PartTarget,
    ) -> int:
        """Write the edges with a weight, between ``nodes`` of the local numbers; how many."""
        w = self._weights(at, correction) * factor
        once = self._part.upper[w[self._part.upper] > 0]
        return target.write(nodes[self._part.rows[once]], nodes[self._part.cols[once]], w[once])

    def _weights(self, at: Place, correction: Correction | None) -> np.ndarray:
        w = at.edge_prior.maximizer(self._slacks(at))
        if correction is None:
            return w
        wanted, ratio, lost, rise = correction
        rows, cols = self._part.rows, self._part.cols
        smaller = np.where(self._part.lower, cols, rows)
        larger = np.where(self._part.lower, rows, cols)
        lesser = np.where(wanted[smaller] <= wanted[larger], smaller, larger)
        w = w * ratio[lesser]
        if np.any(lost):
            best = lost[lesser] & (self._idleness(at) <= rise[lesser])
            w[best] = wanted[lesser[best]]
        return w

    # -- helpers -------------------------------------------------------------

    @property
    def _nodes(self) -> np.ndarray:
        """The node of every local number."""
        return np.concatenate([np.arange(self.first, self.last, dtype=np.int32), self._halo])

    def _slacks(self, at: Place) -> np.ndarray:
        part = self._part
        v = np.empty(len(part.z))
        _kernels.slacks(part.indptr, part.cols, at.u, at.tail, part.z, v)
        return v

    def _idleness(self, at: Place) -> np.ndarray:
        return np.maximum(at.edge_prior.threshold - self._slacks(at), 0)

    def _sums(self, entries: Entries, w: np.ndarray) -> np.ndarray:
        out = np.empty(entries.n_rows)
        _kernels.row_sums(entries.indptr, entries.split, w, out)
        return out

    def _least(self, values: np.ndarray, most: float = np.inf) -> np.ndarray:
        out = np.full(self._part.n_rows, most)
        _kernels.row_least(self._part.indptr, values, out)
        return out

    def _pairs(self, entries: Entries, values: np.ndarray) -> Pairs:
        once = entries.upper
        rows = self.first + entries.rows[once]
        return Pairs(rows, self._nodes[entries.cols[once]], values[once])
