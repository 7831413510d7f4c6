"""The page of the comparison: tables and pictures of all results in a folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from paper.comparison import picture, tables
from paper.comparison.methods import METHODS
from paper.experiments.markdown import table
from smoothgraph.io import written_whole
from smoothgraph.viz import save_picture

_OPENING = """# All methods, side by side

Every method of the related work on the paper's artificial settings: four graphs of {n_nodes} nodes,
three kinds of smooth signals, {counts} of them with {noise:.0%} noise, drawn {repetitions} times as
for Tables 2 and 4 of `smoothgraph reproduce`. `smoothgraph compare` writes this page from scratch.

- *Parameters are chosen in the same way for all*: each method has {n_settings} settings; the one
  with the best mean over the draws counts, for each graph, kind and number of signals, and for
  each metric. This needs the true graph: it tells what a method can do, as the paper's tables do.
- *F*, the F-measure of the edges, whatever their weights, with as many signals as are named: 1 is
  the true graph. Edge and degree errors are relative; 0 is the true graph.
- *Edges per node*, *ms* and *largest gap* are those where the F-measure is best. Milliseconds are
  those of one fit on one core, data to graph, the median over all settings, while the other cores
  worked, too: compare them with each other. The gap is the relative duality gap, the certificate of
  the optimum; *none* where the graph is not the certified solution of a problem.
- *At end*: how often the best setting was the first or the last of the grid, beyond
  which there may be a better one, unless the model ends there, too (a penalty of 0, one neighbour).
  The Gaussian kernel is dense: its F-measure says nothing.
"""
_FIGURES: dict[str, Callable[[tables.Results], Figure]] = {
    "f-measures": picture.draw_f_measures,
    "quality-and-time": picture.draw_quality_and_time,
}


def write_page(folder: Path, summaries: dict[str, Any], *, name: str) -> Path:
    """``folder/name.md`` and its figures in ``folder/figures``."""
    results = {method: summary["results"] for method, summary in summaries.items()}
    for figure, draw in _FIGURES.items():
        save_picture(folder / "figures" / f"{name}-{figure}.png", draw(results))
    path = folder / f"{name}.md"
    with written_whole(path) as temporary:
        temporary.write_text(page_text(summaries, name=name), encoding="utf-8")
    return path


def page_text(summaries: dict[str, Any], *, name: str) -> str:
    """The whole page; it depends on the summaries alone."""
    results = {method: summary["results"] for method, summary in summaries.items()}
    parts = [
        _opening(summaries),
        "## In short\n",
        tables.overview_table(results),
        *(f"![{figure.replace('-', ' ')}](figures/{name}-{figure}.png)\n" for figure in _FIGURES),
        "## Every metric\n",
        tables.metric_tables(results),
        "## Settings and versions\n",
        _settings_table(summaries),
    ]
    return "\n".join(parts)


def _opening(summaries: dict[str, Any]) -> str:
    settings = next(iter(summaries.values()))["settings"]
    return _OPENING.format(
        n_nodes=settings["n_nodes"],
        counts=" or ".join(str(count) for count in settings["numbers_of_signals"]),
        noise=settings["noise"],
        repetitions=settings["repetitions"],
        n_settings=len(settings["grid"]),
    )


def _settings_table(summaries: dict[str, Any]) -> str:
    """What was tried, with what, and how long it took."""
    rows = [
        [
            METHODS[method].title,
            _span(summary["settings"]["grid"]),
            f"{summary['seconds_of_work']:.0f}",
            ", ".join(f"{package} {number}" for package, number in summary["versions"].items()),
        ]
        for method, summary in summaries.items()
    ]
    return table(["method", "parameters tried", "seconds of work", "versions"], rows, left=2)


def _span(grid: list[dict[str, Any]]) -> str:
    """Each parameter's values, in short."""
    spans = []
    for parameter in grid[0]:
        values = list(dict.fromkeys(values[parameter] for values in grid))
        shown = [_number(value) for value in values]
        inner = ", ".join(shown) if len(shown) <= 3 else f"{shown[0]}, {shown[1]}, ... {shown[-1]}"
        spans.append(f"{parameter}: {inner}")
    return "; ".join(spans)


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
