"""Draw the pictures of which-graph.md, with the points that its first code defines.

python docs/draw_choices.py
"""

import re
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from smoothgraph import LogDegreeGraph, SmoothGraph
from smoothgraph.viz import draw_density_choice, draw_graph

FOLDER = Path(__file__).parent
SIZE = 3.6  # inches of a panel
DOT = 9  # square points
COPIES = 20


def main() -> None:
    X = points()
    draw("scale", X, {"global scale": LogDegreeGraph(6), "local scales": LogDegreeGraph(6, scale="local")})
    draw("connected", X, {"not connected": LogDegreeGraph(6), "connected": LogDegreeGraph(6, connected=True)})
    draw("metric", X, {"squared Euclidean": SmoothGraph(6), "cosine": SmoothGraph(6, metric="cosine")})
    local = LogDegreeGraph(6, scale="local")
    draw("floor", X, {"no floor": local, "min_edges=4": LogDegreeGraph(6, scale="local", min_edges=4)})
    draw_copies(X)
    draw_densities(X)
    draw_groups(X)


def points() -> np.ndarray:
    """Return the points of the page."""
    page = (FOLDER / "which-graph.md").read_text(encoding="utf-8")
    code = re.search(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert code is not None, "the page defines its points"
    names: dict[str, Any] = {}
    exec(code[1], names)
    return names["X"]


def draw(name: str, X: np.ndarray, learners: dict[str, Any]) -> None:
    """Draw the graph of each learner, side by side, under its title."""
    figure, axes = panels(len(learners))
    for ax, (title, learner) in zip(axes, learners.items(), strict=True):
        show(learner.fit(X), X, ax, title)
    save(name, figure)


def draw_copies(X: np.ndarray) -> None:
    """Draw the sparse group with copies of one point, which stand beside each other on a circle."""
    crowd = X[60:120]
    copied = int(np.argmin(np.sum((crowd - crowd.mean(axis=0)) ** 2, axis=1)))
    rows = np.vstack([crowd, np.repeat(crowd[[copied]], COPIES - 1, axis=0)])
    copies = np.r_[copied, 60 : len(rows)]
    angle = 2 * np.pi * np.arange(COPIES) / COPIES
    places = rows.copy()
    places[copies] += 0.35 * np.column_stack([np.cos(angle), np.sin(angle)])
    figure, axes = panels(2)
    for ax, merge in zip(axes, (False, True), strict=True):
        title = "identical rows merged" if merge else "identical rows as they are"
        show(LogDegreeGraph(6, merge_identical=merge).fit(rows), places, ax, title)
    save("identical", figure)


def draw_densities(X: np.ndarray) -> None:
    """Draw three densities, and how one is chosen."""
    figure, axes = panels(4)
    for ax, density in zip(axes, (3, 6, 12), strict=False):
        show(SmoothGraph(density, connected=False).fit(X), X, ax, f"{density} edges per node")
    draw_density_choice(SmoothGraph().fit(X), ax=axes[3])
    save("density", figure)


def draw_groups(X: np.ndarray) -> None:
    """Draw points of which every other one belongs to a group that is moved up."""
    group = np.arange(len(X)) % 2
    moved = X + np.outer(group, [0, 2])
    figure, axes = panels(2)
    for ax, groups in zip(axes, (None, group), strict=True):
        graph = SmoothGraph(6).fit(moved, groups=groups)
        draw_graph(graph, moved, labels=np.array(["not moved", "moved"])[group], ax=ax)
        ax.set_title("without groups" if groups is None else "a share of 0.1 for the other group")
        ax.collections[1].set_sizes([DOT])
    save("groups", figure)


def show(graph: Any, places: np.ndarray, ax: Axes, title: str) -> None:
    """Draw a graph with small dots under a title."""
    draw_graph(graph, places, ax=ax).set_title(title)
    ax.collections[1].set_sizes([DOT])


def panels(count: int) -> tuple[Figure, np.ndarray]:
    """Return a figure, and its axes in a row or a square."""
    rows = 1 if count < 4 else 2
    columns = count // rows
    figure = Figure(figsize=(1.2 * SIZE * columns, SIZE * rows), layout="constrained")
    return figure, np.ravel(figure.subplots(rows, columns))


def save(name: str, figure: Figure) -> None:
    figure.savefig(FOLDER / "images" / f"which-graph-{name}.png", dpi=110)


if __name__ == "__main__":
    main()
