"""Files: read tables of signals, read and write graphs."""

from smoothgraph.io import formats as formats  # registers the formats
from smoothgraph.io.atomic import atomic_write
from smoothgraph.io.errors import FileError
from smoothgraph.io.file_format import GRAPH_FORMATS, TABLE_FORMATS
from smoothgraph.io.graph_file import GraphFile
from smoothgraph.io.python_tables import table_from
from smoothgraph.io.read_write import graph_format, read_graph, read_table, write_graph
from smoothgraph.io.table_file import Table

__all__ = [
    "GRAPH_FORMATS",
    "TABLE_FORMATS",
    "FileError",
    "GraphFile",
    "Table",
    "atomic_write",
    "graph_format",
    "read_graph",
    "read_table",
    "table_from",
    "write_graph",
]
