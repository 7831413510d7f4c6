"""Sparse matrices from files, with nothing in them believed."""

from typing import Any

from smoothgraph.io.errors import FileError

_ALWAYS_FITS = 10_000_000
_EMPTY_PER_VALUE = 100


def refuse_mostly_empty(shape: tuple[int, ...], n_values: int) -> None:
    """A few values in a matrix of a billion rows are a damaged header, not a table."""
    longest = max(shape, default=0)
    if longest > _ALWAYS_FITS and longest > _EMPTY_PER_VALUE * n_values:
        raise FileError(
            f"expected a matrix that its values fill, got a shape of {shape} with only "
            f"{n_values} values; its header is wrong, or empty rows and columns must be taken out"
        )


def checked_sparse(matrix: Any) -> Any:
    """The matrix, if its shape is plausible and all its indices lie inside."""
    if matrix.ndim != 2:
        raise FileError(f"expected a matrix, got a sparse array of shape {matrix.shape}")
    refuse_mostly_empty(matrix.shape, matrix.nnz)
    if matrix.dtype.kind not in "biuf":
        raise FileError(
            f"expected a sparse matrix of real numbers, got {matrix.dtype}; save real numbers"
        )
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)
    return matrix
