"""The page of the weather stations: a table, maps, and the graph over the month."""

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.figure import Figure

from paper.comparison.method_grids import METHODS
from paper.comparison.weather import MAP, OVER_TIME
from paper.pages import Summary, outdated_note, provenance_section, table, write_page
from paper.results import ResultsFolder
from smoothgraph.viz import draw_map
from smoothgraph.viz.plots.style import light_grid

_MAPS_PER_ROW = 4
_WINDOWS_DRAWN = 4
_COMMAND = "python -m paper compare weather --data-dir FOLDER"
_MEASUREMENTS = ("edges_per_node", "components", "mean_km", "shortest_km", "near")

_OPENING = """# Weather stations

The data are hourly temperatures of 37 stations in Brittany in January 2014 (Météo-France's Molène
data, prepared by Girault, 2015). The mean of each station over the month is subtracted, and no
method sees where the stations are. `python -m paper compare weather --data-dir FOLDER` computes
everything and writes this page.

Of its settings in [the comparison](index.md), every method uses the one whose density is nearest
to {edges_per_node:g} edges per node. *Shortest km* is the mean length that the same number of
edges would have if they were the shortest possible. *Near* is the share of edges that join a
station with one of its {nearest} nearest. The map's own graph joins those.
"""
_OVER_TIME = """## Over the month

One graph for every {hours} hours, all learned together by `TimeVaryingGraph({edges_per_node:g},
gamma={gamma:g}, coupling="{coupling}", window={hours})`, with a relative duality gap of {gap:.1e}
for all windows together. *Change* is the sum of all differences between the weights of one window
and the next, as a share of the mean total weight. The maps are those around the largest change.
"""


def weather_page_name(folder: ResultsFolder) -> str:
    """Return the name of the page."""
    return "quick-weather" if folder.quick else "weather"


def write_weather(folder: ResultsFolder, summary: Summary, *, is_outdated: bool) -> Path:
    """Write the page and its figures."""
    results = summary["results"]
    text = weather_text(summary, folder=folder, is_outdated=is_outdated)
    figures = {"maps": draw_maps(results), "over-time": draw_over_time(results)}
    return write_page(folder.path, weather_page_name(folder), text, figures)


def weather_text(summary: Summary, *, folder: ResultsFolder, is_outdated: bool = False) -> str:
    """Return the whole page; ``is_outdated`` says that earlier code computed the results."""
    settings, results = summary["settings"], summary["results"]
    page, outdated = weather_page_name(folder), ["weather"] if is_outdated else []
    parts = [
        _OPENING.format(**settings),
        *outdated_note({"weather": "Weather stations"}, outdated, _COMMAND),
        stations_table(results),
        f"![The learned graphs on the map](figures/{page}-maps.png)\n",
        _OVER_TIME.format(gap=results[OVER_TIME]["gap"], **settings),
        f"![The graph over the month](figures/{page}-over-time.png)\n",
        provenance_section(
            {"weather": summary},
            outdated,
            results_folder=folder.subfolder,
            describe=lambda settings: f"{len(settings['grids'])} methods",
        ),
    ]
    return "\n".join(parts)


def describe_stations(results: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one row per graph: density, length of its edges, share of near stations."""
    return [
        {"graph": _title(name)} | {column: found[column] for column in _MEASUREMENTS}
        for name, found in results.items()
        if name != OVER_TIME
    ]


def stations_table(results: dict[str, Any]) -> str:
    """Return :func:`describe_stations` as Markdown."""
    rows = [
        [
            row["graph"],
            f"{row['edges_per_node']:.2f}",
            str(row["components"]),
            f"{row['mean_km']:.0f}",
            f"{row['shortest_km']:.0f}",
            f"{row['near']:.0%}",
        ]
        for row in describe_stations(results)
    ]
    header = ["graph", *(column.replace("_", " ") for column in _MEASUREMENTS)]
    return table(header, rows)


def _title(name: str) -> str:
    return "the map itself" if name == MAP else METHODS[name].title


def draw_maps(results: dict[str, Any]) -> Figure:
    """Draw every graph on the map."""
    graphs = {name: found for name, found in results.items() if name != OVER_TIME}
    n_rows = -(-len(graphs) // _MAPS_PER_ROW)
    figure = Figure(figsize=(3.6 * _MAPS_PER_ROW, 2.7 * n_rows), layout="constrained")
    axes = figure.subplots(n_rows, _MAPS_PER_ROW, squeeze=False).ravel()
    for ax, (name, found) in zip(axes, graphs.items(), strict=False):
        _draw(ax, results[MAP], found, f"{_title(name)}: {found['mean_km']:.0f} km")
    for ax in axes[len(graphs) :]:
        ax.axis("off")
    return figure


def draw_over_time(results: dict[str, Any]) -> Figure:
    """Draw when the graph changes, and the graphs around the largest change."""
    over_time = results[OVER_TIME]
    changes, windows = np.array(over_time["changes"]), over_time["windows"]
    figure = Figure(figsize=(3.6 * _WINDOWS_DRAWN, 5.6), layout="constrained")
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
    """Return the windows to draw: those before and after the largest change."""
    count = min(_WINDOWS_DRAWN, n_windows)
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
