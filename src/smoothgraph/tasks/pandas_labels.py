"""Pandas in, pandas out."""

from typing import Any

import numpy as np


def copy_labels(source: Any, values: np.ndarray) -> Any:
    """Return ``values`` as a DataFrame or Series labeled like ``source``, if that is one."""
    if hasattr(source, "columns"):
        return type(source)(values, index=source.index, columns=source.columns)
    if hasattr(source, "index") and hasattr(source, "name"):
        return type(source)(values, index=source.index, name=source.name)
    return values
