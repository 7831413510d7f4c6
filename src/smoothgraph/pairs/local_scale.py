"""Local scales: how far a node is from its neighbors, so that sparse and dense regions of the data count alike.

A distance is divided by the scales of its two nodes, and squared: ``(z_ij / (s_i s_j))^2``. The square matters where
the graph is sparse. A pair is an edge if this is below the mean of two multipliers. The larger the power, the more the
larger of the two decides, as it does in a k-nearest-neighbor graph. So a node gets edges to its nearest neighbors even
if these have enough of their own, and the graph hangs together with fewer edges.
"""

import numpy as np

from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.support.input_error import InputError

NEIGHBOR = 15  # 7 to 30 give graphs of the same quality, measured by the errors of label propagation
_LARGEST = 1e150  # a quotient whose square is a number


def localize(z: np.ndarray, scale_i: np.ndarray, scale_j: np.ndarray) -> np.ndarray:
    """``(z_ij / (s_i s_j))^2``."""
    return np.minimum(z / (scale_i * scale_j), _LARGEST) ** 2


def check_scale(scale: object) -> None:
    """Raise an InputError unless ``scale`` is one of the choices."""
    if scale not in ("global", "local"):
        raise InputError(f"scale must be 'global' or 'local', got {scale!r}.")


def local_scales(pairs: CandidatePairs) -> np.ndarray:
    """``s_i``: the square root of the distance to the 15th nearest neighbor, among the candidate pairs.

    A node with fewer pairs has the scale of the farthest of them.
    """
    return scales_from(pairs.nearest(min(NEIGHBOR, max(1, pairs.pairs_per_node[1]))))


def scales_from(nearest: np.ndarray) -> np.ndarray:
    """The scales of nodes with these nearest distances, infinite where there is none.

    A scale is positive: where so many nodes coincide that it would be zero, it is the smallest of the others.
    """
    scale = np.sqrt(np.max(nearest, axis=1, where=np.isfinite(nearest), initial=0.0))
    positive = scale[scale > 0]
    return np.where(scale > 0, scale, np.min(positive) if positive.size else 1.0)
