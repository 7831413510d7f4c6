"""Names of the rows in a column that is not the first."""

from collections.abc import Iterator
from shlex import quote

from smoothgraph.io.errors import are_names
from smoothgraph.io.text_cells import are_dates
from smoothgraph.tables.finding import Finding, View


def find_row_labels(view: View) -> Iterator[Finding]:
    """Yield a finding if the nodes are rows without names, and a column holds different texts."""
    if view.nodes != "rows" or view.table.row_names is not None:
        return
    for label, cells in view.table.row_attributes.items():
        if cells.dtype.kind == "U" and cells.ndim == 1 and are_names(cells) and not are_dates(cells):
            yield Finding(
                "names",
                f"The rows have no names, and the texts of column {label!r} are all different.",
                f"To take them for names, use --names {quote(label)}.",
                (label,),
                ("--names", label),
            )
            return
