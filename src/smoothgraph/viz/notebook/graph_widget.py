"""A widget that shows graphs in a notebook, with the scripts of the report."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from operator import index
from typing import Any

import anywidget
import numpy as np
import traitlets

from smoothgraph.support.input_error import InputError
from smoothgraph.viz.html_report.assets import LIBRARIES, library, read, show_graph
from smoothgraph.viz.html_report.compressed import compress
from smoothgraph.viz.html_report.html_page import fill_content
from smoothgraph.viz.html_report.report_writer import collect
from smoothgraph.viz.palettes import find_palette

_LEAST_HEIGHT = 240


class _Nodes(traitlets.List):
    """Numbers of nodes: a list, an array, or any other sequence of them."""

    def validate(self, obj: Any, value: Any) -> Any:
        try:
            return super().validate(obj, [index(node) for node in value])
        except TypeError as error:
            raise InputError(f"Expected the numbers of nodes, such as [0, 5], got {value!r}.") from error


class GraphWidget(anywidget.AnyWidget):
    """One graph, or several of the same nodes, to explore in a notebook: zoom, hover, search, filter, select.

    Attributes
    ----------
    selection : list of int
        The numbers of the selected nodes, in ascending order. The user selects nodes in the picture; set it to select
        them from Python. ``widget.observe(function, "selection")`` calls a function at every change. Where the widget
        shows regions, all nodes of a region are selected together.
    selected_names : list of str
        Their names.
    height : int
        The height in pixels.
    """

    selection = _Nodes(traitlets.Int())
    height = traitlets.Int(520).tag(sync=True)
    title = traitlets.Unicode("").tag(sync=True)
    _selected = traitlets.List(traitlets.Int()).tag(sync=True)
    _payload = traitlets.Bytes().tag(sync=True)
    _esm = traitlets.Unicode().tag(sync=True)

    def __init__(self, payload: bytes, names: Sequence[str], region: np.ndarray, *, title: str, height: int) -> None:
        self._names, self._region = list(names), region
        super().__init__(_esm=_script(), _payload=payload, title=title, height=height)

    @property
    def selected_names(self) -> list[str]:
        """The names of the selected nodes."""
        return [self._names[node] for node in self.selection]

    @traitlets.validate("selection")
    def _check_selection(self, proposal: Any) -> list[int]:
        nodes = sorted(set(proposal["value"]))
        if nodes and not 0 <= nodes[0] <= nodes[-1] < len(self._names):
            raise InputError(f"Expected numbers of nodes, from 0 to {len(self._names) - 1}, got {proposal['value']}.")
        return np.flatnonzero(np.isin(self._region, self._region[nodes])).tolist()

    @traitlets.observe("selection")
    def _show_selection(self, change: Any) -> None:
        shown = np.unique(self._region[change["new"]]).tolist()
        if shown != sorted(self._selected):
            self._selected = shown

    @traitlets.observe("_selected")
    def _read_selection(self, change: Any) -> None:
        self.selection = np.flatnonzero(np.isin(self._region, change["new"])).tolist()


def explore(  # noqa: PLR0913 (each option is a part of the page)
    graphs: Any,
    *,
    names: Iterable[Any] | None = None,
    attributes: Mapping[str, Any] | None = None,
    positions: Any = None,
    places: Any = None,
    stability: Any = None,
    times: Sequence[Any] | None = None,
    title: str = "",
    palette: str | Sequence[str] | None = None,
    height: int = 520,
) -> GraphWidget:
    """Return a widget to explore one graph, or graphs of several densities or times, in a notebook.

    It is the page of :func:`write_report` in a cell, and tells Python which nodes the user selects. It works wherever
    anywidget does: Jupyter, VS Code, Colab, marimo.

    Parameters
    ----------
    graphs, names, attributes, positions, places, stability, times, palette
        As in :func:`write_report`.
    title : str, optional
        The heading.
    height : int
        The height in pixels.

    Examples
    --------
    .. code-block:: python

        widget = explore(density_path(table, [4, 8, 16]), attributes={"label": y})
        widget  # the last line of a cell shows it
        table.iloc[widget.selection]
    """
    if height < _LEAST_HEIGHT:
        raise InputError(f"Expected a height of at least {_LEAST_HEIGHT} pixels, got {height}.")
    colors = find_palette(palette)
    shown, payload = collect(
        graphs, names=names, attributes=attributes, positions=positions, places=places, stability=stability, times=times
    )
    data = compress(payload | {"palette": asdict(colors)})
    return GraphWidget(data, shown.all_names, shown.region, title=str(title), height=height)


@cache
def _script() -> str:
    """Return the module that shows the page in a shadow root; the libraries are local to it."""
    content = f'<style>{_style()}</style><div class="page">{fill_content("", "")}</div>'
    wrapped = [
        f"const {name} = (() => {{ const module = {{}}, exports = (module.exports = {{}});\n{library(name)}\n"
        "return module.exports; })();"
        for name in LIBRARIES
    ]
    return "\n".join([*wrapped, show_graph(), f"const CONTENT = {json.dumps(content)};", _read("widget.js")])


def _style() -> str:
    """Return the style of the page, for a shadow root, with the theme of the notebook instead of the system's."""
    own = read("page.css").replace(
        "@media screen and (prefers-color-scheme: dark) {\n  :root", "@media screen {\n  :host(.dark)"
    )
    return own.replace(":root", ":host") + _read("widget.css")


def _read(name: str) -> str:
    return (files("smoothgraph.viz.notebook") / name).read_text(encoding="utf-8")
