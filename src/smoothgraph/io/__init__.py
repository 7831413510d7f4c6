"""Files: tables of signals are read, graphs are read and written."""

from smoothgraph.io.errors import FileError
from smoothgraph.io.graph import GraphFile
from smoothgraph.io.graph_files import GRAPH_FORMATS, graph_format, read_graph, write_graph
from smoothgraph.io.table import Table
from smoothgraph.io.table_files import TABLE_FORMATS, read_table
from smoothgraph.io.whole import written_whole

__all__ = [
    "GRAPH_FORMATS",
    "TABLE_FORMATS",
    "FileError",
    "GraphFile",
    "Table",
    "graph_format",
    "read_graph",
    "read_table",
    "write_graph",
    "written_whole",
]
