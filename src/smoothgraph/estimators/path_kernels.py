"""Compiled Dijkstra searches that stop at the nearest nodes. They hold no GIL, so threads can run them side by side."""

import heapq

import numba
import numpy as np


@numba.njit(cache=True, nogil=True, error_model="numpy")
def nearest_by_path(first, last, starts, start_nodes, start_lengths, indptr, indices, lengths, k, out_nodes, out_paths):
    """Write the ``k`` nodes nearest to each source, by length of path, and these lengths; fewer if it reaches fewer.

    Source ``s`` is joined to the nodes ``start_nodes[starts[s]:starts[s + 1]]`` by ``start_lengths``. From there on
    paths go along the edges. Rows of the output are sorted by length, then by node; what is not reached stays as it is.
    """
    n_nodes = indptr.shape[0] - 1
    best, seen, done = np.full(n_nodes, np.inf), np.full(n_nodes, -1), np.full(n_nodes, -1)
    for s in range(first, last):
        heap = [(0.0, 0)]
        heap.clear()
        for e in range(starts[s], starts[s + 1]):
            j = start_nodes[e]
            if seen[j] != s or start_lengths[e] < best[j]:
                seen[j], best[j] = s, start_lengths[e]
                heapq.heappush(heap, (start_lengths[e], np.int64(j)))
        found = 0
        while len(heap) > 0 and found < k:
            length, i = heapq.heappop(heap)
            if done[i] == s:
                continue
            done[i] = s
            out_nodes[s, found], out_paths[s, found] = i, length
            found += 1
            for e in range(indptr[i], indptr[i + 1]):
                j, through = indices[e], length + lengths[e]
                if done[j] != s and (seen[j] != s or through < best[j]):
                    seen[j], best[j] = s, through
                    heapq.heappush(heap, (through, np.int64(j)))
