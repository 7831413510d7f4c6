"""Results with the labels of what was given."""

from typing import Any

import numpy as np


def labelled_like(signals: Any, values: np.ndarray) -> Any:
    """The values with the index and the columns, or the name, that pandas signals have."""
    if hasattr(signals, "columns"):
        return type(signals)(values, index=signals.index, columns=signals.columns)
    if hasattr(signals, "index") and hasattr(signals, "name"):
        return type(signals)(values, index=signals.index, name=signals.name)
    return values
