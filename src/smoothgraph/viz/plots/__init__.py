"""Pictures of graphs, of what is in them and of how they were found.

Every function draws on the axes it is given, or on a new figure of its own, and returns the
axes; :func:`save_picture` writes them to a file. Nothing here needs a screen or ``pyplot``.
"""

from smoothgraph.viz.plots.adjacency import draw_adjacency
from smoothgraph.viz.plots.convergence import draw_convergence
from smoothgraph.viz.plots.edges import draw_edges
from smoothgraph.viz.plots.graph import draw_graph
from smoothgraph.viz.plots.histograms import draw_histograms
from smoothgraph.viz.plots.map import draw_map
from smoothgraph.viz.plots.path import draw_path
from smoothgraph.viz.plots.saving import save_picture

__all__ = [
    "draw_adjacency",
    "draw_convergence",
    "draw_edges",
    "draw_graph",
    "draw_histograms",
    "draw_map",
    "draw_path",
    "save_picture",
]
