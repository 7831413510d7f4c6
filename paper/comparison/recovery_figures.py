"""Figures of the comparison, drawn from the results of its methods."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from paper.comparison.method_grids import METHODS
from paper.comparison.recovery_tables import Results, cells, mean_of, numbers_of_signals
from smoothgraph.viz.plots.style import light_grid

_BESIDE: dict[str, Any] = {"loc": "outside right", "frameon": False}
_DARK = 0.45  # F-measures below this have dark cells, on which black text is hard to read


def draw_f_measures(results: Results) -> Figure:
    """Draw the F-measure of every method on every graph and signal, best methods on top."""
    counts = numbers_of_signals(results)
    names = sorted(results, key=lambda name: -mean_of(results[name], counts[0], "f_measure"))
    figure = Figure(figsize=(14, 1.4 + 0.36 * len(names) * len(counts)), layout="constrained")
    panels = figure.subplots(len(counts), 1, squeeze=False)[:, 0]
    for ax, n_signals in zip(panels, counts, strict=True):
        _draw_heat_map(ax, results, names, n_signals)
    return figure


def _draw_heat_map(ax: Axes, results: Results, names: list[str], n_signals: str) -> None:
    columns = [f"{graph}\n{signal}" for graph, signal, _ in cells(results[names[0]], n_signals)]
    values = np.array([[found["f_measure"]["mean"] for *_, found in cells(results[name], n_signals)] for name in names])
    ax.imshow(values, cmap="viridis", vmin=0, vmax=1, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        bold = value == values[:, column].max()
        ax.text(
            column,
            row,
            f"{value:.2f}",
            ha="center",
            va="center",
            color="white" if value < _DARK else "black",
            fontsize="small",
            fontweight="bold" if bold else "normal",
        )
    ax.set_yticks(range(len(names)), [METHODS[name].title for name in names], fontsize="small")
    ax.set_xticks(range(len(columns)), columns, fontsize="x-small")
    ax.set_title(f"F-measure, {n_signals} signals", fontsize="medium")


def draw_quality_and_time(results: Results) -> Figure:
    """Draw the mean F-measure of every sparse method against the time of one fit."""
    counts = numbers_of_signals(results)
    sparse = {name: found for name, found in results.items() if METHODS[name].is_sparse}
    figure = Figure(figsize=(5 * len(counts) + 2, 4.5), layout="constrained")
    panels = figure.subplots(1, len(counts), squeeze=False, sharey=True)[0]
    for ax, n_signals in zip(panels, counts, strict=True):
        for number, (name, of_method) in enumerate(sparse.items()):
            x = np.median([found["seconds"] for *_, found in cells(of_method, n_signals)])
            y = mean_of(of_method, n_signals, "f_measure")
            ax.plot(1000 * x, y, label=METHODS[name].title, **_marker(number))
        ax.set(xscale="log", xlabel="milliseconds for one fit")
        ax.xaxis.set_major_formatter("{x:g}")
        ax.set_title(f"{n_signals} signals", fontsize="medium")
        light_grid(ax)
    panels[0].set_ylabel("mean F-measure")
    handles, titles = panels[0].get_legend_handles_labels()
    figure.legend(handles=handles, labels=titles, **_BESIDE)
    return figure


def _marker(number: int) -> dict[str, Any]:
    """Return a shape and a color that no other method has."""
    shape = "os^D"[number // 10]
    return {"marker": shape, "color": f"C{number % 10}", "linestyle": "none"}
