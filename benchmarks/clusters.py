"""Data for the large benchmarks: points in clusters of very uneven size and density."""

import numpy as np

N_FEATURES = 50
_N_CLUSTERS = 100
_INTRINSIC = 12  # the number of dimensions in which a cluster is wide
# Standard deviations of the logarithms. They give factors of about 100 and 25.
_SIZES, _WIDTHS = 1.0, 0.7
_APART = 3.0
_FLESH = 0.2  # the width in all other directions, as a share of the cluster's width


def uneven_clusters(n_nodes: int, *, seed: int = 0) -> np.ndarray:
    """Return ``n_nodes`` rows of 50 float32 features, in random order."""
    rng = np.random.default_rng(seed)
    sizes = np.exp(_SIZES * rng.normal(size=_N_CLUSTERS))
    widths = np.exp(_WIDTHS * rng.normal(size=_N_CLUSTERS)).astype(np.float32)
    centers = _APART * rng.normal(size=(_N_CLUSTERS, N_FEATURES)).astype(np.float32)
    frames = rng.normal(size=(_N_CLUSTERS, _INTRINSIC, N_FEATURES)).astype(np.float32)
    frames /= np.sqrt(np.float32(N_FEATURES))
    member = rng.choice(_N_CLUSTERS, n_nodes, p=sizes / sizes.sum())
    X = _FLESH * rng.standard_normal((n_nodes, N_FEATURES), dtype=np.float32)
    for cluster in range(_N_CLUSTERS):
        rows = np.flatnonzero(member == cluster)
        wide = rng.standard_normal((len(rows), _INTRINSIC), dtype=np.float32) @ frames[cluster]
        X[rows] = centers[cluster] + widths[cluster] * (X[rows] + wide)
    return X
