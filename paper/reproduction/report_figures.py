"""The figures of the paper, drawn from the summaries of the experiments."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from paper.reproduction.graph_tasks import GRAPHS
from smoothgraph.viz import draw_edges

COLORS = {"log-degree": "tab:red", "l2-degree": "tab:blue", "k-NN": "tab:gray"}
LABELS = {"log-degree": "log-degree (ours)", "l2-degree": "l2-degree (Dong et al.)", "k-NN": "k-NN"}
_UNREACHABLE = "unreachable nodes (dashed)"
_DASHES = (0, (4, 2))
_BELOW: dict[str, Any] = {"loc": "outside lower center", "ncols": 3, "frameon": False}


def draw_filters(results: dict[str, Any]) -> Figure:
    """Draw the three responses against the graph's frequencies."""
    figure = Figure(figsize=(5, 3.2), layout="constrained")
    ax = figure.subplots()
    for name, values in results.items():
        if name != "at":
            ax.plot(results["at"], values, label=name)
    ax.set(xlabel="eigenvalue λ of L / |L|", ylabel="response g(λ)", ylim=(0, 4), xlim=(0, 1))
    ax.legend(frameon=False)
    return figure


def draw_signals(results: dict[str, Any]) -> Figure:
    """Draw one signal on the graph, before and after each filter."""
    positions = np.array(results["positions"])
    ends = np.array(results["edges"])
    adjacency = sp.coo_array((results["weights"], ends.T), shape=(len(positions),) * 2)
    figure = Figure(figsize=(11, 5.4), layout="constrained")
    for ax, (name, signal) in zip(figure.subplots(1, len(results["signals"])), results["signals"].items(), strict=True):
        draw_edges(ax, adjacency, positions)
        figure.colorbar(_signal_points(ax, positions, np.array(signal)), ax=ax, shrink=0.5)
        ax.set_title(f"{name}\nsmoothness {results['smoothness'][name]:.3f}", fontsize="medium")
    return figure


def _signal_points(ax: Axes, positions: np.ndarray, signal: np.ndarray) -> PathCollection:
    limit = np.abs(signal).max()
    x, y = positions.T
    points = ax.scatter(x, y, c=signal, s=22, cmap="coolwarm", vmin=-limit, vmax=limit, zorder=2)
    ax.set_aspect("equal")
    ax.axis("off")
    return points


def draw_usps(results: dict[str, Any]) -> Figure:
    """Draw clustering, label propagation and connectivity against density."""
    figure, _ = _three_panels(results)
    return figure


def draw_coil20(results: dict[str, Any]) -> Figure:
    """Draw the panels of USPS, and the unreachable nodes beside label propagation."""
    figure, labels = _three_panels(results["curves"])
    labels.set(title="label propagation (solid)")
    counts = _counts_axis(labels, results["curves"], "unreachable")
    counts.set(ylabel=_UNREACHABLE, ylim=(0, None))
    return figure


def draw_mnist(results: dict[str, Any]) -> Figure:
    """Draw label propagation and the unreachable nodes, per proportion of the two classes."""
    figure = Figure(figsize=(12, 3.8), layout="constrained")
    panels = figure.subplots(1, len(results["curves"]), sharey=True, squeeze=False)[0]
    counts: list[Axes] = []
    for ax, (proportion, curves) in zip(panels, results["curves"].items(), strict=True):
        ones, twos = proportion.split(" to ")
        _curves(ax, curves, "label_error")
        ax.set_title(f"{ones} ones, {twos} twos")
        counts.append(_counts_axis(ax, curves, "unreachable"))
        counts[-1].sharey(counts[0])
    panels[0].set(ylabel="label propagation error (solid)", ylim=(0, None))
    counts[0].set_ylim(0, None)
    counts[-1].set_ylabel(_UNREACHABLE)
    figure.legend(*panels[0].get_legend_handles_labels(), **_BELOW)
    return figure


def draw_class_sizes(results: dict[str, Any]) -> Figure:
    """Draw the class sizes of one draw of COIL-20."""
    figure = Figure(figsize=(5, 2.6), layout="constrained")
    ax = figure.subplots()
    ax.bar(np.arange(1, len(results["sizes"]) + 1), results["sizes"], color="tab:gray")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="object", ylabel="images")
    return figure


def _three_panels(curves: dict[str, Any]) -> tuple[Figure, Axes]:
    """Draw clustering, label propagation and connectivity; return also the axes of the second."""
    figure = Figure(figsize=(12, 3.8), layout="constrained")
    clustering, labels, parts = figure.subplots(1, 3)
    _curves(clustering, curves, "clustering_error")
    clustering.set(title="spectral clustering", ylabel="error")
    _curves(labels, curves, "label_error")
    labels.set(title="label propagation", ylabel="error")
    _connectivity(parts, curves)
    figure.legend(*clustering.get_legend_handles_labels(), **_BELOW)
    return figure, labels


def _curves(ax: Axes, curves: dict[str, Any], name: str) -> None:
    """Draw the mean over the draws, plus and minus one standard deviation."""
    for graph in GRAPHS:
        x = curves[graph]["edges_per_node"]["mean"]
        mean, spread = (np.array(curves[graph][name][key]) for key in ("mean", "std"))
        ax.plot(x, mean, color=COLORS[graph], label=LABELS[graph], marker=".")
        ax.fill_between(x, mean - spread, mean + spread, color=COLORS[graph], alpha=0.15, lw=0)
    ax.set_xlabel("edges per node")


def _counts_axis(ax: Axes, curves: dict[str, Any], name: str) -> Axes:
    """Draw a measurement as dashed lines with an axis of its own on the right."""
    right = ax.twinx()
    for graph in GRAPHS:
        x = curves[graph]["edges_per_node"]["mean"]
        right.plot(x, curves[graph][name]["mean"], color=COLORS[graph], linestyle=_DASHES, lw=1)
    return right


def _connectivity(ax: Axes, curves: dict[str, Any]) -> None:
    """Draw the components as solid lines and the isolated nodes, if any, as dashed lines."""
    _curves(ax, curves, "components")
    for graph in GRAPHS:
        isolated = np.array(curves[graph]["isolated"]["mean"])
        x = np.array(curves[graph]["edges_per_node"]["mean"])
        if np.any(isolated > 0):
            ax.plot(x, isolated, color=COLORS[graph], linestyle=_DASHES, lw=1)
    ax.set_yscale("symlog", linthresh=1)
    ax.set(title="components (isolated nodes dashed)", ylim=(0, None))
