"""DataFrames of libraries other than pandas, such as polars and pyarrow."""

from typing import Any

import narwhals as nw


def other_frame(X: Any) -> nw.DataFrame | nw.LazyFrame | None:
    """Return the interface of narwhals to a DataFrame; None for one of pandas, and for anything else."""
    if nw.dependencies.is_pandas_dataframe(X):
        return None
    frame = nw.from_native(X, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame | nw.LazyFrame) else None
