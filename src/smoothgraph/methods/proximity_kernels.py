"""Compiled search for a third node that lies between two."""

import numba


@numba.njit(cache=True, nogil=True, error_model="numpy")
def mark_free_pairs(first, last, Z, nearest, adds, free):
    """Write whether no node k lies between i and j, for each i from ``first`` to ``last`` and each ``j > i``.

    Node k lies between them if ``z_ik + z_jk < z_ij``, or ``max(z_ik, z_jk) < z_ij`` unless ``adds``. Row i of
    ``nearest`` has the nodes in the order of their distance to i, so that a node between is found early.
    """
    m = Z.shape[0]
    for i in range(first, last):
        for j in range(i + 1, m):
            limit, found = Z[i, j], False
            for p in range(m):
                k = nearest[i, p]
                here = Z[i, k]
                if here >= limit:
                    break
                between = here + Z[j, k] < limit if adds else Z[j, k] < limit
                if between and k not in (i, j):
                    found = True
                    break
            free[i, j] = not found
