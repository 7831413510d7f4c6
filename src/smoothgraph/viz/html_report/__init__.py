"""A learned graph as one interactive HTML file."""

from smoothgraph.viz.html_report.report_writer import MOST_EDGES, MOST_NODES, write_report

__all__ = ["MOST_EDGES", "MOST_NODES", "write_report"]
