"""The page of the weather stations: a table, maps, and the graph over the month."""

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.figure import Figure

from paper.comparison.methods import METHODS
from paper.comparison.weather import MAP, OVER_TIME
from paper.experiments.markdown import table
from smoothgraph.io import written_whole
from smoothgraph.viz import draw_map, save_picture
from smoothgraph.viz.plots.canvas import light_grid

_COLUMNS = 4
_DAYS_SHOWN = 4
_COLUMNS_OF_TABLE = ("edges_per_node", "components", "mean_km", "shortest_km", "near")

_OPENING = """# Weather stations

Hourly temperatures of 37 stations in Brittany in January 2014 (Météo-France's Molène data, prepared
by Girault, 2015). Each station's mean over the month is taken away; no method sees where the
stations are. `smoothgraph compare weather --data-dir FOLDER` writes this page from scratch.

Every method takes, of its settings in the comparison, the one whose density is nearest
to {edges_per_node:g} edges per node. *Shortest* is the mean length of as many edges if they were
the shortest possible; *near* is the share of edges that join a station with one of its {nearest}
nearest. The map's own graph joins those.
"""
_OVER_TIME = """## Over the month

One graph for every {hours} hours, all learned together: `TimeVaryingGraph({edges_per_node:g},
gamma={gamma:g}, coupling="{coupling}", window={hours})`, with a relative duality gap of {gap:.1e}
for all windows together. *Change* is what the weights differ by from one window to the next, added
up, as a share of the mean total weight; the maps are those around the largest change.
"""


def write_weather(folder: Path, summary: dict[str, Any], *, name: str) -> Path:
    """``folder/name.md`` and its figures in ``folder/figures``."""
    results = summary["results"]
    save_picture(folder / "figures" / f"{name}-maps.png", draw_maps(results))
    save_picture(folder / "figures" / f"{name}-over-time.png", draw_over_time(results))
    path = folder / f"{name}.md"
    with written_whole(path) as temporary:
        temporary.write_text(weather_text(summary, name=name), encoding="utf-8")
    return path


def weather_text(summary: dict[str, Any], *, name: str) -> str:
    """The whole page; it depends on the summary alone."""
    settings, results = summary["settings"], summary["results"]
    figures = f"figures/{name}-maps.png", f"figures/{name}-over-time.png"
    return "\n".join(
        [
            _OPENING.format(**settings),
            stations_table(results),
            f"![The learned graphs on the map]({figures[0]})\n",
            _OVER_TIME.format(gap=results[OVER_TIME]["gap"], **settings),
            f"![The graph over the month]({figures[1]})\n",
        ]
    )


def stations(results: dict[str, Any]) -> list[dict[str, Any]]:
    """One line per graph: how dense, how long its edges are, how many join near stations."""
    return [
        {"graph": "the map itself" if name == MAP else METHODS[name].title}
        | {column: found[column] for column in _COLUMNS_OF_TABLE}
        for name, found in results.items()
        if name != OVER_TIME
    ]


def stations_table(results: dict[str, Any]) -> str:
    """:func:`stations` as Markdown."""
    rows = [
        [
            row["graph"],
            f"{row['edges_per_node']:.2f}",
            str(row["components"]),
            f"{row['mean_km']:.0f}",
            f"{row['shortest_km']:.0f}",
            f"{row['near']:.0%}",
        ]
        for row in stations(results)
    ]
    header = ["graph", *(column.replace("_", " ") for column in _COLUMNS_OF_TABLE)]
    return table(header, rows)


def draw_maps(results: dict[str, Any]) -> Figure:
    """Every graph on the map."""
    graphs = {name: found for name, found in results.items() if name != OVER_TIME}
    n_rows = -(-len(graphs) // _COLUMNS)
    figure = Figure(figsize=(3.6 * _COLUMNS, 2.7 * n_rows), layout="constrained")
    axes = figure.subplots(n_rows, _COLUMNS, squeeze=False).ravel()
    for ax, (name, found) in zip(axes, graphs.items(), strict=False):
        title = "the map itself" if name == MAP else METHODS[name].title
        _draw(ax, results[MAP], found, f"{title}: {found['mean_km']:.0f} km")
    for ax in axes[len(graphs) :]:
        ax.axis("off")
    return figure


def draw_over_time(results: dict[str, Any]) -> Figure:
    """When the graph changes, and the graphs around the largest change."""
    over_time = results[OVER_TIME]
    changes, windows = np.array(over_time["changes"]), over_time["windows"]
    figure = Figure(figsize=(3.6 * _DAYS_SHOWN, 5.6), layout="constrained")
    top, bottom = figure.subfigures(2, 1, squeeze=False)[:, 0]
    ax = top.subplots()
    starts = np.array(over_time["first_hours"]) / 24 + 1
    ax.bar(starts[1:], changes, width=0.8 * (starts[1] - starts[0]), color="tab:blue")
    ax.set(xlabel="day of January 2014 on which the window begins", ylabel="change")
    light_grid(ax, "y")
    shown = _around_largest(changes, len(windows))
    for ax, window in zip(bottom.subplots(1, len(shown), squeeze=False)[0], shown, strict=True):
        _draw(ax, results[MAP], windows[window], f"from day {starts[window]:g}")
    return figure


def _around_largest(changes: np.ndarray, n_windows: int) -> range:
    """The windows before and after the largest change, as many as are shown."""
    count = min(_DAYS_SHOWN, n_windows)
    first = int(np.clip(np.argmax(changes) + 1 - count // 2, 0, n_windows - count))
    return range(first, first + count)


def _draw(ax: Any, places: dict[str, Any], found: dict[str, Any], title: str) -> None:
    i, j = np.array(found["edges"]).T
    shape = (len(places["names"]),) * 2
    upper = sp.coo_array((found["weights"], (i, j)), shape=shape)
    draw_map((upper + upper.T).tocsr(), places["latitude"], places["longitude"], ax=ax)
    ax.set_title(title, fontsize="medium")
    ax.set(xlabel="", ylabel="")
    ax.tick_params(labelsize="x-small")
