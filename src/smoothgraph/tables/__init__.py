"""Tables before they become graphs: what their columns are, what deserves a second look, and transforms."""

from smoothgraph.tables.finding import Finding
from smoothgraph.tables.table_report import TableReport, check_table

__all__ = ["Finding", "TableReport", "check_table"]
