"""Candidate edges, and the paper's Table 1: Laplacian, adjacency and vector form.

The vector form lists the weights of the pairs i < j row by row, which over all
pairs is the order of :func:`scipy.spatial.distance.squareform`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs import kernels as _kernels
from smoothgraph.support.threads import row_blocks, run_blocks


@dataclass(frozen=True, eq=False)
class EdgeSet:
    """Pairs ``i < j`` that may become edges, as an upper-triangular CSR pattern.

    Build one with :meth:`all_pairs`, :meth:`from_neighbors`, :meth:`from_mask` or
    :meth:`from_pairs`.
    """

    n_nodes: int
    indptr: np.ndarray
    cols: np.ndarray

    @classmethod
    def all_pairs(cls, n_nodes: int) -> "EdgeSet":
        """Every pair of nodes: ``m (m - 1) / 2`` edges."""
        _check_node_count(n_nodes)
        counts = np.arange(n_nodes - 1, -1, -1, dtype=np.int64)
        indptr = np.concatenate([[0], np.cumsum(counts)])
        cols = np.empty(indptr[-1], dtype=np.int32)
        run_blocks(
            row_blocks(indptr),
            lambda first, last: _kernels.fill_all_pairs(first, last, n_nodes, indptr, cols),
        )
        return cls(n_nodes, indptr, cols)

    @classmethod
    def from_pairs(cls, i: Any, j: Any, n_nodes: int) -> "EdgeSet":
        """The pairs ``{i[e], j[e]}`` in either order; repeats are merged, loops are refused."""
        _check_node_count(n_nodes)
        i, j = np.asarray(i), np.asarray(j)
        if i.shape != j.shape or i.ndim != 1:
            raise ValueError(
                f"i and j must be two lists of equal length, got shapes {i.shape} and {j.shape}."
            )
        if i.size == 0:
            return cls(n_nodes, np.zeros(n_nodes + 1, np.int64), np.zeros(0, np.int32))
        if not (np.issubdtype(i.dtype, np.integer) and np.issubdtype(j.dtype, np.integer)):
            raise ValueError(f"Node numbers must be integers, got {i.dtype} and {j.dtype}.")
        low, high = np.minimum(i, j).astype(np.int64), np.maximum(i, j).astype(np.int64)
        if low.min() < 0 or high.max() >= n_nodes:
            raise ValueError(
                f"Node numbers must lie between 0 and {n_nodes - 1}, "
                f"got {low.min()} to {high.max()}."
            )
        if np.any(low == high):
            raise ValueError(
                f"An edge joins two different nodes, but node {low[low == high][0]} joins itself."
            )
        keys = np.unique(low * n_nodes + high)
        indptr = np.searchsorted(keys, np.arange(n_nodes + 1, dtype=np.int64) * n_nodes)
        return cls(n_nodes, indptr.astype(np.int64), (keys % n_nodes).astype(np.int32))

    @classmethod
    def with_values(
        cls, i: np.ndarray, j: np.ndarray, values: np.ndarray, n_nodes: int
    ) -> tuple["EdgeSet", np.ndarray]:
        """The pairs in either order and their values; of repeats any one is kept."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(np.minimum(i, j), minlength=n_nodes))])
        cols, sorted_values = np.empty(len(i), np.int32), np.empty(len(i))
        counts = _kernels.rows_of_pairs(i, j, values, starts, cols, sorted_values)
        indptr = np.concatenate([[0], np.cumsum(counts)])
        if indptr[-1] < len(i):
            kept = np.repeat(starts[:-1] - indptr[:-1], counts) + np.arange(indptr[-1])
            cols, sorted_values = cols[kept], sorted_values[kept]
        return cls(n_nodes, indptr, cols), sorted_values

    @classmethod
    def from_neighbors(cls, neighbors: Any) -> "EdgeSet":
        """``neighbors[i]`` lists the nodes that ``i`` may join, as k-NN searches return them.

        An ``(m, k)`` array or a list of lists. A pair enters once even if both ends
        name it; a node that names itself, as a k-NN query on its own data does, is skipped.
        """
        lengths = [len(row) for row in neighbors]
        i = np.repeat(np.arange(len(lengths)), lengths)
        j = np.concatenate([np.asarray(row, dtype=np.int64) for row in neighbors]) if lengths else i
        return cls.from_pairs(i[i != j], j[i != j], len(lengths))

    @classmethod
    def from_mask(cls, mask: Any) -> "EdgeSet":
        """The pairs with an entry, on either side of the diagonal, stored (sparse) or true."""
        if not sp.issparse(mask):
            mask = sp.coo_array(np.asarray(mask, dtype=bool))
        if mask.ndim != 2 or mask.shape[0] != mask.shape[1]:
            raise ValueError(f"A mask must be a square matrix, got shape {mask.shape}.")
        coo = mask.tocoo()
        off = coo.row != coo.col
        return cls.from_pairs(coo.row[off], coo.col[off], mask.shape[0])

    @property
    def n_edges(self) -> int:
        """The number of candidate edges."""
        return len(self.cols)

    @property
    def is_complete(self) -> bool:
        """Whether every pair of nodes is a candidate."""
        return self.n_edges == self.n_nodes * (self.n_nodes - 1) // 2

    @cached_property
    def rows(self) -> np.ndarray:
        """The smaller end of each edge."""
        return np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.indptr))

    @cached_property
    def counts(self) -> np.ndarray:
        """How many candidate edges touch each node."""
        if self.is_complete:
            return np.full(self.n_nodes, self.n_nodes - 1)
        return np.diff(self.indptr) + np.bincount(self.cols, minlength=self.n_nodes)

    @property
    def most_at_a_node(self) -> int:
        """The largest of the ``counts``."""
        return int(self.counts.max())

    @cached_property
    def norm(self) -> float:
        """An upper bound of ``||S||_2``, attained by all pairs: ``sqrt(2 (m - 1))``."""
        if self.n_edges == 0:
            return 0.0
        return float(np.sqrt(self.pair_sums(self.counts.astype(float)).max()))

    def select(self, ids: np.ndarray) -> "EdgeSet":
        """The edges at the increasing positions ``ids``."""
        return EdgeSet(self.n_nodes, np.searchsorted(ids, self.indptr), self.cols[ids])

    def positions(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Where the pairs ``{i[e], j[e]}``, all of which must be here, stand in the vector form."""
        low, high = np.minimum(i, j).astype(np.int64), np.maximum(i, j)
        keys = self.rows.astype(np.int64) * self.n_nodes + self.cols
        return np.searchsorted(keys, low * self.n_nodes + high)

    def contains(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Whether each of the pairs ``{i[e], j[e]}`` is here."""
        if len(i) == 0 or self.n_edges == 0:  # where SciPy would give a sparse array
            return np.zeros(len(i), dtype=bool)
        ones, shape = np.ones(self.n_edges, dtype=bool), (self.n_nodes, self.n_nodes)
        pattern = sp.csr_array((ones, self.cols, self.indptr), shape=shape)
        return np.asarray(pattern[np.minimum(i, j), np.maximum(i, j)]).ravel()

    # -- S and its transpose -------------------------------------------------

    def degree_sums(self, w: np.ndarray) -> np.ndarray:
        """``S w``: the weighted degree of every node."""
        w = self._checked(w)
        return self._accumulate(
            lambda first, last, out: _kernels.degree_sums(
                first, last, self.indptr, self.cols, w, out
            )
        )

    def pair_sums(self, u: np.ndarray) -> np.ndarray:
        """``S' u``: ``u_i + u_j`` on every edge."""
        u = np.ascontiguousarray(u, dtype=float)
        if u.shape != (self.n_nodes,):
            raise ValueError(f"Expected one number per node, ({self.n_nodes},), got {u.shape}.")
        return self._fill(
            lambda first, last, out: _kernels.pair_sums(first, last, self.indptr, self.cols, u, out)
        )

    def largest_pair_sum(self, u: np.ndarray) -> float:
        """The largest ``u_i + u_j`` of any edge."""
        return float(self.pair_sums(u).max())

    def slacks(self, u: np.ndarray, tail: np.ndarray, z: np.ndarray) -> np.ndarray:
        """``v_e = u_i + u_j - 2 z_e`` at the multiplier ``u + tail``."""
        return self._fill(
            lambda first, last, out: _kernels.slacks(
                first, last, self.indptr, self.cols, u, tail, z, out
            )
        )

    def hessian_product(self, c: np.ndarray, x: np.ndarray) -> np.ndarray:
        """``S diag(c) S' x``."""
        return self._accumulate(
            lambda first, last, out: _kernels.hessian_product(
                first, last, self.indptr, self.cols, c, x, out
            )
        )

    def mirrored(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Every edge at both of its ends: the symmetric pattern's indptr, columns and values."""
        indptr = np.concatenate([[0], np.cumsum(self.counts)])
        cols = np.empty(2 * self.n_edges, dtype=np.int32)
        both = np.empty(2 * self.n_edges)
        _kernels.mirrored(self.indptr, self.cols, values, indptr, cols, both)
        return indptr, cols, both

    # -- search over the edges -----------------------------------------------

    def nearest(self, z: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The ``k`` edges of smallest ``z`` at each node: ids and values, ``(m, k)`` each.

        A node with fewer than ``k`` edges is filled up with id -1 and value infinity.
        """

        def block(first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
            ids = np.full((self.n_nodes, k), -1, dtype=np.int64)
            values = np.full((self.n_nodes, k), np.inf)
            _kernels.nearest_edges(first, last, self.indptr, self.cols, z, ids, values)
            return ids, values

        parts = run_blocks(self._blocks, block)
        if len(parts) == 1:
            return parts[0]
        ids = np.concatenate([part[0] for part in parts], axis=1)
        values = np.concatenate([part[1] for part in parts], axis=1)
        order = np.argsort(values, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(ids, order, 1), np.take_along_axis(values, order, 1)

    def below(self, z: np.ndarray, u: np.ndarray) -> np.ndarray:
        """The increasing positions of the edges with ``2 z_e < u_i + u_j``."""
        parts = run_blocks(
            self._blocks,
            lambda first, last: _kernels.edges_below(first, last, self.indptr, self.cols, z, u),
        )
        return np.concatenate(parts)

    # -- Table 1 -------------------------------------------------------------

    def adjacency(self, w: np.ndarray) -> sp.csr_array:
        """``W``: symmetric, zero diagonal, only the nonzero weights stored."""
        w = self._checked(w)
        kept = np.flatnonzero(w)
        i, j, weights = self.rows[kept], self.cols[kept], w[kept]
        both = (np.concatenate([i, j]), np.concatenate([j, i]))
        matrix = sp.coo_array(
            (np.concatenate([weights, weights]), both), shape=(self.n_nodes, self.n_nodes)
        ).tocsr()
        matrix.sort_indices()
        return matrix

    def laplacian(self, w: np.ndarray) -> sp.csr_array:
        """``L = D - W`` with ``D = diag(S w)``."""
        return (sp.diags_array(self.degree_sums(w)) - self.adjacency(w)).tocsr()

    def weights_of(self, matrix: Any) -> np.ndarray:
        """The vector form on these edges of an adjacency ``W`` or a Laplacian ``L``.

        The two are told apart by their sign off the diagonal.
        """
        matrix = sp.csr_array(matrix) if sp.issparse(matrix) else np.asarray(matrix)
        if matrix.shape != (self.n_nodes, self.n_nodes):
            raise ValueError(
                f"Expected a matrix of shape ({self.n_nodes}, {self.n_nodes}), got {matrix.shape}."
            )
        if self.n_edges == 0:  # where SciPy would give a sparse array
            return np.zeros(0)
        return np.abs(np.asarray(matrix[self.rows, self.cols]).ravel())

    # -- how the kernels are run ---------------------------------------------

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """The edges of each block of rows that a thread of its own works on."""
        return [(int(self.indptr[first]), int(self.indptr[last])) for first, last in self._blocks]

    @cached_property
    def _blocks(self) -> list[tuple[int, int]]:
        return row_blocks(self.indptr)

    def _checked(self, w: np.ndarray) -> np.ndarray:
        w = np.ascontiguousarray(w, dtype=float)
        if w.shape != (self.n_edges,):
            raise ValueError(f"Expected one number per edge, ({self.n_edges},), got {w.shape}.")
        return w

    def _fill(self, kernel: Callable[[int, int, np.ndarray], Any]) -> np.ndarray:
        out = np.empty(self.n_edges)
        run_blocks(self._blocks, lambda first, last: kernel(first, last, out))
        return out

    def _accumulate(self, kernel: Callable[[int, int, np.ndarray], Any]) -> np.ndarray:
        def block(first: int, last: int) -> np.ndarray:
            out = np.zeros(self.n_nodes)
            kernel(first, last, out)
            return out

        parts = run_blocks(self._blocks, block)
        return parts[0] if len(parts) == 1 else np.sum(parts, axis=0)


def _check_node_count(n_nodes: int) -> None:
    if n_nodes < 2:
        raise ValueError(f"A graph needs at least two nodes, got {n_nodes}. Add rows to the data.")
