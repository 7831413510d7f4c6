"""Sets of pairs of nodes, and the paper's Table 1: Laplacian, adjacency and vector form.

The vector form lists one number per pair ``i < j``, row by row. Over all pairs that is the order of
:func:`scipy.spatial.distance.squareform`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs import pair_kernels as kernels
from smoothgraph.support.input_error import InputError
from smoothgraph.support.threads import row_blocks, run_blocks


@dataclass(frozen=True, eq=False)
class PairSet:
    """Pairs ``i < j`` of nodes, as an upper-triangular CSR pattern.

    Build one with :meth:`all_pairs`, :meth:`from_neighbors`, :meth:`from_mask` or
    :meth:`from_pairs`.
    """

    n_nodes: int
    indptr: np.ndarray
    cols: np.ndarray

    @classmethod
    def all_pairs(cls, n_nodes: int) -> "PairSet":
        """Return all ``m (m - 1) / 2`` pairs of nodes."""
        _check_node_count(n_nodes)
        counts = np.arange(n_nodes - 1, -1, -1, dtype=np.int64)
        indptr = np.concatenate([[0], np.cumsum(counts)])
        cols = np.empty(indptr[-1], dtype=np.int32)
        run_blocks(row_blocks(indptr), lambda first, last: kernels.fill_all_pairs(first, last, n_nodes, indptr, cols))
        return cls(n_nodes, indptr, cols)

    @classmethod
    def from_pairs(cls, i: Any, j: Any, n_nodes: int) -> "PairSet":
        """Return the pairs ``{i[e], j[e]}``, given in either order.

        Repeats are merged. A pair of a node with itself is an error.
        """
        _check_node_count(n_nodes)
        i, j = np.asarray(i), np.asarray(j)
        if i.shape != j.shape or i.ndim != 1:
            raise InputError(f"i and j must be two lists of equal length, got shapes {i.shape} and {j.shape}.")
        if i.size == 0:
            return cls(n_nodes, np.zeros(n_nodes + 1, np.int64), np.zeros(0, np.int32))
        if not (np.issubdtype(i.dtype, np.integer) and np.issubdtype(j.dtype, np.integer)):
            raise InputError(f"Node numbers must be integers, got {i.dtype} and {j.dtype}.")
        low, high = np.minimum(i, j).astype(np.int64), np.maximum(i, j).astype(np.int64)
        if low.min() < 0 or high.max() >= n_nodes:
            raise InputError(f"Node numbers must lie between 0 and {n_nodes - 1}, got {low.min()} to {high.max()}.")
        if np.any(low == high):
            raise InputError(f"A pair joins two different nodes, but node {low[low == high][0]} is paired with itself.")
        keys = np.unique(low * n_nodes + high)
        indptr = np.searchsorted(keys, np.arange(n_nodes + 1, dtype=np.int64) * n_nodes)
        return cls(n_nodes, indptr.astype(np.int64), (keys % n_nodes).astype(np.int32))

    @classmethod
    def with_values(
        cls, i: np.ndarray, j: np.ndarray, values: np.ndarray, n_nodes: int
    ) -> tuple["PairSet", np.ndarray]:
        """Return the pairs ``{i[e], j[e]}`` and their values, in the order of the vector form.

        If a pair is repeated, any one of its values is kept.
        """
        starts = _ends_of(np.bincount(np.minimum(i, j), minlength=n_nodes))
        cols, sorted_values = np.empty(len(i), np.int32), np.empty(len(i))
        kernels.scatter_pairs(i, j, values, starts, cols, sorted_values)
        counts = np.empty(n_nodes, np.int64)
        blocks = row_blocks(starts)
        run_blocks(blocks, lambda a, b: kernels.sort_rows(a, b, starts, cols, sorted_values, counts))
        indptr = _ends_of(counts)
        if indptr[-1] == len(i):
            return cls(n_nodes, indptr, cols), sorted_values
        out, out_values = np.empty(indptr[-1], np.int32), np.empty(indptr[-1])
        arrays = starts, indptr, cols, sorted_values, out, out_values
        run_blocks(blocks, lambda a, b: kernels.close_gaps(a, b, *arrays))
        return cls(n_nodes, indptr, out), out_values

    @classmethod
    def from_neighbors(cls, neighbors: Any) -> "PairSet":
        """Return the pairs of ``i`` with the nodes in ``neighbors[i]``.

        ``neighbors`` is an ``(m, k)`` array, as k-NN searches return it, or a list of lists. A pair enters once
        even if both ends name it. A node that names itself, as in a k-NN query on its own data, is skipped.
        """
        lengths = [len(row) for row in neighbors]
        i = np.repeat(np.arange(len(lengths)), lengths)
        j = np.concatenate([np.asarray(row, dtype=np.int64) for row in neighbors]) if lengths else i
        return cls.from_pairs(i[i != j], j[i != j], len(lengths))

    @classmethod
    def from_mask(cls, mask: Any) -> "PairSet":
        """Return the pairs with an entry on either side of the diagonal.

        An entry is a true value of a dense matrix, or a stored value of a sparse one.
        """
        if not sp.issparse(mask):
            mask = sp.coo_array(np.asarray(mask, dtype=bool))
        if mask.ndim != 2 or mask.shape[0] != mask.shape[1]:
            raise InputError(f"A mask must be a square matrix, got shape {mask.shape}.")
        coo = mask.tocoo()
        off = coo.row != coo.col
        return cls.from_pairs(coo.row[off], coo.col[off], mask.shape[0])

    @property
    def n_pairs(self) -> int:
        """The number of pairs."""
        return len(self.cols)

    @property
    def is_complete(self) -> bool:
        """Whether every pair of nodes is here."""
        return self.n_pairs == self.n_nodes * (self.n_nodes - 1) // 2

    @cached_property
    def rows(self) -> np.ndarray:
        """The smaller end of each pair."""
        return np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.indptr))

    @cached_property
    def counts(self) -> np.ndarray:
        """The number of pairs at each node."""
        if self.is_complete:
            return np.full(self.n_nodes, self.n_nodes - 1)
        return np.diff(self.indptr) + np.bincount(self.cols, minlength=self.n_nodes)

    @cached_property
    def norm(self) -> float:
        """An upper bound of ``||S||_2``, which all pairs attain: ``sqrt(2 (m - 1))``."""
        if self.n_pairs == 0:
            return 0.0
        return float(np.sqrt(self.pair_sums(self.counts.astype(float)).max()))

    def merge(self, values: np.ndarray, other: "PairSet", other_values: np.ndarray) -> tuple["PairSet", np.ndarray]:
        """Return the pairs of both sets and their values; a pair of both keeps the one it has here."""
        counts = np.empty(self.n_nodes, np.int64)
        self.run(kernels.count_union, other.indptr, other.cols, counts)
        indptr = _ends_of(counts)
        cols, merged = np.empty(indptr[-1], np.int32), np.empty(indptr[-1])
        self.run(kernels.write_union, values, other.indptr, other.cols, other_values, indptr, cols, merged)
        return PairSet(self.n_nodes, indptr, cols), merged

    def select(self, ids: np.ndarray) -> "PairSet":
        """Return the pairs at the increasing positions ``ids``."""
        return PairSet(self.n_nodes, np.searchsorted(ids, self.indptr), self.cols[ids])

    def positions(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return the positions of the pairs ``{i[e], j[e]}``, all of which must be here."""
        low, high = np.minimum(i, j).astype(np.int64), np.maximum(i, j)
        keys = self.rows.astype(np.int64) * self.n_nodes + self.cols
        return np.searchsorted(keys, low * self.n_nodes + high)

    def contains(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return whether each of the pairs ``{i[e], j[e]}`` is here."""
        if len(i) == 0 or self.n_pairs == 0:  # where SciPy would give a sparse array
            return np.zeros(len(i), dtype=bool)
        ones, shape = np.ones(self.n_pairs, dtype=bool), (self.n_nodes, self.n_nodes)
        pattern = sp.csr_array((ones, self.cols, self.indptr), shape=shape)
        return np.asarray(pattern[np.minimum(i, j), np.maximum(i, j)]).ravel()

    # -- S and its transpose -------------------------------------------------

    def degree_sums(self, w: np.ndarray) -> np.ndarray:
        """``S w``: the sum of ``w`` over the pairs at each node."""
        return self.add_at_nodes(kernels.degree_sums, self._check(w))

    def pair_sums(self, u: np.ndarray) -> np.ndarray:
        """``S' u``: ``u_i + u_j`` for each pair."""
        u = np.ascontiguousarray(u, dtype=float)
        if u.shape != (self.n_nodes,):
            raise InputError(f"Expected one number per node, ({self.n_nodes},), got {u.shape}.")
        return self.fill(kernels.pair_sums, u)

    # -- Table 1 -------------------------------------------------------------

    def adjacency(self, w: np.ndarray) -> sp.csr_array:
        """``W``: symmetric, with a zero diagonal; only nonzero weights are stored."""
        w = self._check(w)
        kept = np.flatnonzero(w)
        i, j, weights = self.rows[kept], self.cols[kept], w[kept]
        both = (np.concatenate([i, j]), np.concatenate([j, i]))
        matrix = sp.coo_array((np.concatenate([weights, weights]), both), shape=(self.n_nodes, self.n_nodes)).tocsr()
        matrix.sort_indices()
        return matrix

    def laplacian(self, w: np.ndarray) -> sp.csr_array:
        """``L = D - W`` with ``D = diag(S w)``."""
        return (sp.diags_array(self.degree_sums(w)) - self.adjacency(w)).tocsr()

    def weights_of(self, matrix: Any) -> np.ndarray:
        """Return the vector form of an adjacency ``W`` or of a Laplacian ``L`` on these pairs.

        The sign off the diagonal tells the two apart.
        """
        matrix = sp.csr_array(matrix) if sp.issparse(matrix) else np.asarray(matrix)
        if matrix.shape != (self.n_nodes, self.n_nodes):
            raise InputError(f"Expected a matrix of shape ({self.n_nodes}, {self.n_nodes}), got {matrix.shape}.")
        if self.n_pairs == 0:  # where SciPy would give a sparse array
            return np.zeros(0)
        return np.abs(np.asarray(matrix[self.rows, self.cols]).ravel())

    def mirror(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the symmetric CSR pattern (indptr, columns) and its values."""
        indptr = _ends_of(self.counts)
        cols, both = np.empty(2 * self.n_pairs, dtype=np.int32), np.empty(2 * self.n_pairs)
        arrays = self.indptr, self.cols, values, indptr, cols, both
        run_blocks(row_blocks(indptr), lambda first, last: kernels.mirror(first, last, *arrays))
        return indptr, cols, both

    # -- how kernels are run -------------------------------------------------

    @cached_property
    def blocks(self) -> list[tuple[int, int]]:
        """The ranges of rows that threads work on."""
        return row_blocks(self.indptr)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """The range of pairs in each of the ``blocks``."""
        return [(int(self.indptr[first]), int(self.indptr[last])) for first, last in self.blocks]

    def run(self, kernel: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Return ``kernel(first, last, indptr, cols, *arguments)`` for each of the ``blocks``."""
        return run_blocks(self.blocks, lambda first, last: kernel(first, last, self.indptr, self.cols, *arguments))

    def fill(self, kernel: Callable[..., Any], *arguments: Any) -> np.ndarray:
        """Return what the kernel writes, one number per pair."""
        out = np.empty(self.n_pairs)
        self.run(kernel, *arguments, out)
        return out

    def add_at_nodes(self, kernel: Callable[..., Any], *arguments: Any) -> np.ndarray:
        """Return what the kernel adds up at the nodes; each thread has an array of its own."""

        def block(first: int, last: int) -> np.ndarray:
            out = np.zeros(self.n_nodes)
            kernel(first, last, self.indptr, self.cols, *arguments, out)
            return out

        parts = run_blocks(self.blocks, block)
        return parts[0] if len(parts) == 1 else np.sum(parts, axis=0)

    def _check(self, w: np.ndarray) -> np.ndarray:
        w = np.ascontiguousarray(w, dtype=float)
        if w.shape != (self.n_pairs,):
            raise InputError(f"Expected one number per pair, ({self.n_pairs},), got {w.shape}.")
        return w


def _ends_of(counts: np.ndarray) -> np.ndarray:
    """``indptr`` of rows with so many pairs."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def _check_node_count(n_nodes: int) -> None:
    if n_nodes < 2:
        raise InputError(f"A graph needs at least two nodes, got {n_nodes}. Add rows to the data.")
