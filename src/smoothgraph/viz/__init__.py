"""Draw graphs with Matplotlib, or explore them in a browser.

Each ``draw_`` function draws on the axes it receives, or on those of a new figure, and returns the axes.
:func:`save_picture` writes them to a file. None of these functions needs a display or ``pyplot``. They need
Matplotlib (``pip install 'smoothgraph[plot]'``), while :func:`layout` and :func:`write_report` do without it.
:func:`explore` returns a widget for notebooks (``pip install 'smoothgraph[notebook]'``).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from smoothgraph.support.optional import load_optional

if TYPE_CHECKING:
    from smoothgraph.viz.html_report import write_report as write_report
    from smoothgraph.viz.node_layout import layout as layout
    from smoothgraph.viz.notebook.graph_widget import explore as explore
    from smoothgraph.viz.plots.changed_edges import draw_changes as draw_changes
    from smoothgraph.viz.plots.convergence import draw_convergence as draw_convergence
    from smoothgraph.viz.plots.density_curves import draw_density_choice as draw_density_choice
    from smoothgraph.viz.plots.density_curves import draw_path as draw_path
    from smoothgraph.viz.plots.edge_lines import draw_edges as draw_edges
    from smoothgraph.viz.plots.geographic import draw_map as draw_map
    from smoothgraph.viz.plots.heatmap import draw_adjacency as draw_adjacency
    from smoothgraph.viz.plots.histograms import draw_histograms as draw_histograms
    from smoothgraph.viz.plots.node_link import draw_graph as draw_graph
    from smoothgraph.viz.plots.picture_files import save_picture as save_picture

_LOADED_WHEN_USED = {
    "draw_adjacency": "plots.heatmap",
    "draw_changes": "plots.changed_edges",
    "draw_convergence": "plots.convergence",
    "draw_density_choice": "plots.density_curves",
    "draw_edges": "plots.edge_lines",
    "draw_graph": "plots.node_link",
    "draw_histograms": "plots.histograms",
    "draw_map": "plots.geographic",
    "draw_path": "plots.density_curves",
    "explore": "notebook.graph_widget",
    "layout": "node_layout",
    "save_picture": "plots.picture_files",
    "write_report": "html_report",
}

_NEEDS = {"plots.": ("matplotlib", "plot"), "notebook.": ("anywidget", "notebook")}

__all__ = sorted(_LOADED_WHEN_USED)


def __getattr__(name: str) -> Any:
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _LOADED_WHEN_USED[name]
    for folder, (package, extra) in _NEEDS.items():
        if module.startswith(folder):
            load_optional(package, needed_by=f"{__name__}.{name}", extra=extra)
    return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return list(__all__)
