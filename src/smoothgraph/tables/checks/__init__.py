"""The checks of tables, one per file: each yields findings about a view of a table."""

from collections.abc import Callable, Iterator

from smoothgraph.tables.checks.class_columns import find_classes
from smoothgraph.tables.checks.locations import find_locations
from smoothgraph.tables.checks.long_tables import find_long_table
from smoothgraph.tables.checks.orientation import find_orientation
from smoothgraph.tables.checks.outliers import find_outliers
from smoothgraph.tables.checks.row_labels import find_row_labels
from smoothgraph.tables.checks.scales import find_scales
from smoothgraph.tables.checks.seasons import find_seasons
from smoothgraph.tables.checks.sentinels import find_sentinels
from smoothgraph.tables.checks.totals import find_totals
from smoothgraph.tables.checks.trends import find_trends
from smoothgraph.tables.finding import Finding, View

Check = Callable[[View], Iterator[Finding]]

#: All checks, in the order in which their findings are told.
CHECKS: tuple[Check, ...] = (
    find_long_table,
    find_orientation,
    find_row_labels,
    find_classes,
    find_locations,
    find_sentinels,
    find_totals,
    find_outliers,
    find_trends,
    find_seasons,
    find_scales,
)
