"""Tables made of the arrays of xarray: one dimension gives the rows, and the others give the columns."""

import itertools
from typing import Any

import numpy as np

from smoothgraph.io.errors import FileError, are_names
from smoothgraph.io.table_file import Table, TableOptions, finish_table, leave_out, to_attribute

_ROWS = ("time", "date", "year", "month", "day", "t")  # dimensions that are rows, whatever their place


def table_of_data_array(array: Any, options: TableOptions) -> Table:
    """Return the table of a DataArray: its times, or else its first dimension, are the rows.

    Every combination of the other dimensions is a column, such as a station, or a cell of a grid. Coordinates become
    attributes of the rows or the columns. Columns without any value, such as the sea in a map of the land, are left
    out.
    """
    if array.ndim < 2 or array.dtype.kind not in "biuf":
        raise FileError(
            f"expected numbers with two dimensions or more, got {array.dtype} with {array.ndim}; choose another "
            "variable (--key, or key=)"
        )
    rows = next((dim for dim in array.dims if _is_time(array, dim)), array.dims[0])
    others = [dim for dim in array.dims if dim != rows]
    ordered = array.transpose(rows, *others)
    values = np.asarray(ordered.values, dtype=np.float64).reshape(ordered.shape[0], -1)
    about = [(name, coordinate) for name, coordinate in ordered.coords.items() if coordinate.ndim]
    about_rows = {str(name): to_attribute(c.values) for name, c in about if c.dims == (rows,)}
    grid = ordered.isel({rows: 0}, drop=True)
    about_columns = {
        str(name): to_attribute(c.broadcast_like(grid).transpose(*others).values.reshape(-1))
        for name, c in about
        if rows not in c.dims
    }
    notes = [f"The rows are the dimension {rows!r}, the columns are {' x '.join(map(repr, others))}."]
    row_names = _take_names(about_rows, str(rows))
    named = _take_names(about_columns, str(others[0])) if len(others) == 1 else None
    labels = named or _name_cells(grid, others)
    table = Table(
        values, row_names, labels, about_rows, about_columns, notes, names_from=str(rows) if row_names else None
    )
    return finish_table(_without_empty_columns(table), options)


def _without_empty_columns(table: Table) -> Table:
    labels, empty = table.column_labels, np.all(np.isnan(table.values), axis=0)
    if empty.any():
        table.notes.append(f"Left out, because they are empty: {empty.sum()} of {len(labels)} columns.")
    return leave_out(table, [labels[k] for k in np.flatnonzero(empty)])


def choose_variable(dataset: Any, key: str | None) -> Any:
    """Return the variable of this name, or the only one of numbers with two dimensions or more."""
    known = [str(name) for name, array in dataset.data_vars.items() if array.ndim > 1 and array.dtype.kind in "biuf"]
    if key is not None and key in dataset.data_vars:
        return dataset[key]
    if key is None and len(known) == 1:
        return dataset[known[0]]
    found = ", ".join(f"{name} {dataset[name].sizes.mapping}" for name in known) or "none"
    raise FileError(
        f"expected one variable of numbers with two dimensions or more, got {key or len(known)!r} of these: {found}; "
        "choose one (--key, or key=)"
    )


def _is_time(array: Any, dim: Any) -> bool:
    return str(dim).lower() in _ROWS or (dim in array.coords and array.coords[dim].dtype.kind == "M")


def _take_names(about: dict[str, np.ndarray], name: str) -> list[str] | None:
    """Move the names out of the attributes, if they are different texts."""
    names = about.get(name)
    if names is None or names.dtype.kind != "U" or not are_names(names):
        return None
    return [str(text).removesuffix(".000000000").removesuffix("T00:00:00") for text in about.pop(name)]


def _name_cells(grid: Any, dims: list[Any]) -> list[str]:
    """Return names such as "lat=50, lon=10", or the positions where there are no coordinates."""
    parts = []
    for dim in dims:
        along = grid.coords[dim].values if dim in grid.coords else np.arange(grid.sizes[dim])
        parts.append([f"{dim}={value:g}" if along.dtype.kind in "iuf" else f"{dim}={value}" for value in along])
    return [", ".join(texts) for texts in itertools.product(*parts)]
