"""Group the nodes of a large graph into regions: heavily joined nodes, and about equally many in each."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

_LEAST_PROGRESS = 0.03  # of the groups that have to disappear in a round
_JITTER = 0.05  # so that equal weights find partners everywhere at once


def find_regions(W: sp.csr_array, most: int, *, seed: int = 0) -> np.ndarray:
    """Return the region of each node, at most ``most`` in all.

    In each round, two groups join if either is the other's heaviest neighbor, relative to the product of their
    sizes (heavy-edge matching, as in Karypis and Kumar, 1998).
    """
    rng = np.random.default_rng(seed)
    region = np.arange(W.shape[0])
    groups = W
    while groups.shape[0] > most:
        sizes = np.bincount(region)
        joined = _join_partners(groups, sizes, rng)
        n_joined = joined.max() + 1
        if n_joined > (1 - _LEAST_PROGRESS) * groups.shape[0]:  # stars, or many small components
            joined = _join_in_order(groups, most)
        region = joined[region]
        groups = contract(groups, joined)
    return region


def contract(W: sp.csr_array, region: np.ndarray) -> sp.csr_array:
    """Return the sums of the weights between regions."""
    members = sp.csr_array((np.ones(len(region)), (region, np.arange(len(region)))))
    between = (members @ W @ members.T).tocsr()
    between = (between - sp.diags_array(between.diagonal())).tocsr()
    between.eliminate_zeros()
    return between


def _join_partners(groups: sp.csr_array, sizes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return new groups, in which those that prefer each other are one."""
    m = groups.shape[0]
    edges = groups.tocoo()
    luck = rng.random(m)
    jitter = 1 + _JITTER * ((luck[edges.row] + luck[edges.col]) % 1)
    appeal = edges.data / (sizes[edges.row] * sizes[edges.col]) * jitter
    order = np.lexsort([appeal, edges.row])  # the most appealing neighbor of each row comes last
    last = np.flatnonzero(np.diff(edges.row[order], append=-1))
    favorite = np.arange(m)
    favorite[edges.row[order][last]] = edges.col[order][last]
    mutual = favorite[favorite] == np.arange(m)
    first = np.where(mutual, np.minimum(favorite, np.arange(m)), np.arange(m))
    return np.unique(first, return_inverse=True)[1]


def _join_in_order(groups: sp.csr_array, most: int) -> np.ndarray:
    """Return ``most`` groups of those that follow each other when sorted by component."""
    m = groups.shape[0]
    _, component = connected_components(groups, directed=False)
    joined = np.empty(m, dtype=np.int64)
    joined[np.argsort(component, kind="stable")] = np.arange(m) * most // m
    return joined
