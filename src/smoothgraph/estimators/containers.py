"""What tables come in: DataFrames of any library, labeled arrays of xarray, masked arrays, tensors, and so on."""

from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from smoothgraph.estimators.mixed_table import holds_numbers
from smoothgraph.support.frames import other_frame
from smoothgraph.support.input_error import InputError, checked_by_others
from smoothgraph.support.wording import agree, list_some

_SIDES = ("rows", "columns")
# How to keep the columns of numbers, in the languages of some libraries.
_REMEDIES = {"pandas": "X.select_dtypes('number')", "polars": "X.select(polars.selectors.numeric())"}


def arrange(X: Any, nodes: str) -> tuple[Any, str]:
    """``X``, and on which side its nodes are: "rows" or "columns".

    If ``nodes`` is a dimension of a DataArray, it becomes the rows, and all others together become the columns.
    """
    dims = X.dims if _is_labeled_array(X) else ()
    if nodes in dims:
        ordered = X.transpose(nodes, ...)
        names = {nodes: X.coords[nodes]} if nodes in X.coords else {}
        return type(X)(np.asarray(ordered).reshape(X.sizes[nodes], -1), dims=(nodes, "signals"), coords=names), "rows"
    if nodes not in _SIDES:
        known = "" if not dims else f", or one of the dimensions {', '.join(map(repr, dims))}"
        raise InputError(f"nodes must be 'rows' or 'columns'{known}, got {nodes!r}.")
    if dims and len(dims) != 2:
        raise InputError(
            f"Expected an array with 2 dimensions, got {len(dims)}; name the dimension of the nodes, for example "
            f"nodes={dims[0]!r}."
        )
    return X, nodes


def check_numbers(estimator: Any, X: Any, *, reset: bool = True, **options: Any) -> Any:
    """``X`` as an array of NumPy or SciPy, and scikit-learn's record of its columns in the estimator.

    ``options`` are those of scikit-learn's ``check_array``.
    """
    numbers = plain_numbers(X, missing=getattr(estimator, "missing", "error"))
    with checked_by_others():
        if numbers is X:
            return validate_data(estimator, X, reset=reset, **options)
        table = check_array(numbers, estimator=estimator, **options)
        columns = X if hasattr(X, "columns") else numbers
        validate_data(estimator, columns, reset=reset, skip_check_array=True)
    return table


def plain_numbers(X: Any, *, missing: str = "error") -> Any:
    """``X`` as scikit-learn takes it: a DataFrame of pandas, an array of NumPy or SciPy, or a list, with its own types.

    Masked values become NaN if ``missing`` ones are allowed.
    """
    if isinstance(X, np.ma.MaskedArray):
        return _without_mask(X, missing)
    if isinstance(X, np.ndarray | list | tuple) or sp.issparse(X):
        return X
    if hasattr(X, "data_vars"):
        raise InputError(
            f"Expected one table, got a {type(X).__name__} of {', '.join(map(repr, X.data_vars)) or 'no variables'}; "
            "take one of its variables, such as X[name], or X.to_dataarray() with nodes=dimension."
        )
    if hasattr(X, "select_dtypes"):  # of pandas
        text = [str(name) for name, column in X.items() if not holds_numbers(column, or_booleans=True)]
        _refuse_text_columns(text, "pandas")
        return X
    frame = other_frame(X)
    if isinstance(frame, nw.LazyFrame):
        raise InputError(f"Expected a table in memory, got a {type(X).__name__}; call X.collect() first.")
    if frame is not None:
        text = [column.name for column in frame.iter_columns() if not _may_be_numbers(column)]
        _refuse_text_columns(text, str(frame.implementation))
        return _numbers_of(frame)
    return _on_this_machine(X) if hasattr(X, "__dlpack__") else X


def node_names(X: Any, *, columns: bool, n_nodes: int) -> np.ndarray:
    """The labels of a pandas index or of the columns, or the coordinates of xarray; otherwise 0, 1, 2, ..."""
    if _is_labeled_array(X):
        dimension = X.dims[int(columns)]
        return np.asarray(X.coords[dimension]) if dimension in X.coords else np.arange(n_nodes)
    frame = other_frame(X)
    if columns and frame is not None:
        return np.asarray(frame.columns)
    labels = getattr(X, "columns" if columns else "index", None)
    return np.arange(n_nodes) if labels is None or callable(labels) else np.asarray(labels)


def _is_labeled_array(X: Any) -> bool:
    return hasattr(X, "dims") and hasattr(X, "coords") and not hasattr(X, "data_vars")


def _without_mask(X: np.ma.MaskedArray, missing: str) -> np.ndarray:
    """The values of a masked array: what is below a mask is no data."""
    if not np.ma.is_masked(X):
        return X.data
    if missing != "pairwise":
        raise InputError(
            f"Expected numbers, but {np.count_nonzero(X.mask)} values of X are masked; leave them out with "
            "missing='pairwise', which most learners have, or fill them in, as smoothgraph.tasks.MatrixCompletion does."
        )
    return np.ma.filled(X if X.dtype.kind == "f" else X.astype(float), np.nan)


def _refuse_text_columns(text: list[str], library: str) -> None:
    """An InputError that names the columns that hold no numbers, if there are any."""
    if text:
        remedy = _REMEDIES.get(library)
        raise InputError(
            f"Expected columns of numbers, but {list_some([repr(name) for name in text])} "
            f"{agree(len(text), 'holds', 'hold')} something else; leave {agree(len(text), 'it', 'them')} out"
            f"{f', for example by {remedy}' if remedy else ''}. Graph learners take categories with metric='gower', if "
            "the rows are the nodes."
        )


def _may_be_numbers(column: nw.Series) -> bool:
    return column.dtype.is_numeric() or column.dtype == nw.Boolean or bool(column.is_null().all())


def _numbers_of(frame: nw.DataFrame) -> np.ndarray:
    """The columns side by side, in the smallest type that holds them all; NaN where there is none."""
    columns = []
    for column in frame.iter_columns():
        plain = column.dtype.is_integer() or column.dtype.is_float()
        columns.append((column if plain else column.cast(nw.Float64())).to_numpy())
    return np.column_stack(columns) if columns else np.empty((len(frame), 0))


def _on_this_machine(X: Any) -> np.ndarray:
    """A tensor of torch, or an array of another library, as one of NumPy."""
    try:
        if hasattr(X, "detach"):  # of torch, with gradients, or in a layout or a type that NumPy does not know
            X = X.detach().to_dense()
            X = X if X.dtype.itemsize != 2 or not X.is_floating_point() else X.float()
        return np.asarray(X)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise InputError(
            f"Expected an array in the memory of the computer, got a {type(X).__module__}.{type(X).__name__} that "
            f"NumPy cannot read: {error}. Move it there, for example by X.cpu()."
        ) from error
