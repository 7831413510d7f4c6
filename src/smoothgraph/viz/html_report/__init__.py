"""A learned graph as one interactive HTML file."""

from smoothgraph.viz.html_report.report_writer import write_report
from smoothgraph.viz.html_report.shown_graphs import MOST_EDGES, MOST_NODES

__all__ = ["MOST_EDGES", "MOST_NODES", "write_report"]
