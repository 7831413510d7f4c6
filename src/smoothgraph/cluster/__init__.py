"""The same solver on a Dask cluster: rows, search, edges and their sums are on the workers.

The client keeps a few numbers per node and makes every decision; see docs/cluster.md.
"""

import os
import sys
from typing import Any

import numpy as np

from smoothgraph.cluster.client import active_client


def is_distributed(X: Any) -> bool:
    """Whether ``X`` is a Dask collection or a path; nothing is imported to find out."""
    if isinstance(X, str | os.PathLike):
        return True
    dask = sys.modules.get("dask")
    return dask is not None and bool(dask.is_dask_collection(X))


def is_elsewhere(X: Any) -> bool:
    """Whether ``X`` is for workers to read: the same, or a memory map while a client is active."""
    on_disk = isinstance(X, np.memmap) and getattr(X, "_mmap", None) is not None  # no copy
    return is_distributed(X) or (on_disk and active_client() is not None)
