"""The main page of the comparison: tables and figures of all methods in a folder."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from paper.comparison import recovery_figures, recovery_tables
from paper.comparison.method_grids import METHODS
from paper.pages import Summary, outdated_note, provenance_section, write_page
from paper.results import ResultsFolder

_OPENING = """# All methods, side by side

This page compares every method of the related work on the paper's artificial data: four graphs of
{n_nodes} nodes and three kinds of smooth signals, {counts} of them with {noise:.0%} noise, drawn
{repetitions} times as for Tables 2 and 4 of [the reproduction](../reproduction/index.md).
`python -m paper compare` computes everything and writes this page.

- *All methods choose their parameters in the same way.* Each method has {n_settings} settings. For
  each graph, kind and number of signals, and for each metric, the setting with the best mean over
  the draws counts. This needs the true graph: it shows what a method can do, as the paper's tables
  do.
- *F* is the F-measure of the edges, whatever their weights, with the given number of signals; 1 is
  the true graph. Edge and degree errors are relative; 0 is the true graph.
- *±* is the standard error, which tells how far a mean over the draws may be off by chance. All
  methods learn from the same draws, so the difference of two methods may be less uncertain.
- *Edges per node*, *ms* and *largest gap* belong to the setting with the best F-measure. A time is
  the milliseconds of one fit on one core, from data to graph, the median over all settings. The
  other cores were busy as well, so compare the times only with each other. The gap is the relative
  duality gap, which certifies the optimum; *none* means that the graph is not the certified
  solution of a problem.
- *At end* counts how often the best setting was the first or the last of the grid. A better one
  may lie beyond, unless the model ends there as well (a penalty of 0, one neighbor). The Gaussian
  kernel is dense, so its F-measure says nothing.
"""
_FIGURES: dict[str, Callable[[recovery_tables.Results], Figure]] = {
    "f-measures": recovery_figures.draw_f_measures,
    "quality-and-time": recovery_figures.draw_quality_and_time,
}


def write_recovery(folder: ResultsFolder, summaries: dict[str, Summary], outdated: Collection[str]) -> Path:
    """Write the main page and its figures."""
    results = recovery_tables.read_results(summaries)
    text = recovery_text(summaries, folder=folder, outdated=outdated)
    drawings = {figure: draw(results) for figure, draw in _FIGURES.items()}
    return write_page(folder.path, folder.page, text, drawings)


def recovery_text(summaries: dict[str, Summary], *, folder: ResultsFolder, outdated: Collection[str] = ()) -> str:
    """Return the whole page; ``outdated`` names the results of earlier code."""
    results = recovery_tables.read_results(summaries)
    titles = {name: METHODS[name].title for name in summaries}
    parts = [
        _opening(summaries),
        *outdated_note(titles, outdated, "python -m paper compare NAMES"),
        "## In short\n",
        recovery_tables.overview_table(results),
        *(f"![{figure.replace('-', ' ')}](figures/{folder.page}-{figure}.png)\n" for figure in _FIGURES),
        "## Every metric\n",
        recovery_tables.metric_tables(results),
        provenance_section(
            summaries,
            outdated,
            results_folder=folder.subfolder,
            describe=lambda settings: _describe_grid(settings["grid"]),
        ),
    ]
    return "\n".join(parts)


def _opening(summaries: dict[str, Summary]) -> str:
    settings = next(iter(summaries.values()))["settings"]
    return _OPENING.format(
        n_nodes=settings["n_nodes"],
        counts=" or ".join(str(count) for count in settings["numbers_of_signals"]),
        noise=settings["noise"],
        repetitions=settings["repetitions"],
        n_settings=len(settings["grid"]),
    )


def _describe_grid(grid: list[dict[str, Any]]) -> str:
    """Shorten the values of each parameter."""
    spans = []
    for parameter in grid[0]:
        values = list(dict.fromkeys(values[parameter] for values in grid))
        texts = [f"{value:.4g}" if isinstance(value, float) else str(value) for value in values]
        inner = ", ".join(texts) if len(texts) <= 3 else f"{texts[0]}, {texts[1]}, ... {texts[-1]}"
        spans.append(f"{parameter}: {inner}")
    return "; ".join(spans)
