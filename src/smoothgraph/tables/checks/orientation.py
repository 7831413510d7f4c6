"""Whether the rows or the columns are the nodes."""

from collections.abc import Iterator

from smoothgraph.tables.finding import Finding, View


def find_orientation(view: View) -> Iterator[Finding]:
    """Yield a finding if the rows are times, but are taken for the nodes, or if there is only one node."""
    if len(view.columns if view.nodes == "columns" else view.values) < 2:
        yield Finding("orientation", f"There is one node only, as there is one of the {view.nodes}.", "Add others.")
    if view.nodes == "rows" and view.ordered:
        yield Finding(
            "orientation",
            "The nodes are the rows, which follow each other in time.",
            "If the columns are the sensors, use --nodes columns.",
            options=("--nodes", "columns"),
        )
