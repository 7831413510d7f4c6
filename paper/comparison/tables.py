"""Tables of the comparison, from the summaries of its methods."""

from typing import Any

import numpy as np

from paper.comparison.methods import METHODS
from paper.comparison.recovery import METRICS
from paper.experiments.markdown import METRIC_NAMES, table
from paper.experiments.paper import SIGNALS

Results = dict[str, Any]  # what Recovery.collect returns, by method


def numbers_of_signals(results: Results) -> list[str]:
    """The numbers of signals that were drawn, as all methods have them."""
    return list(next(iter(results.values())))


def cells(of_method: Any, n_signals: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Graph, signal and what was found, for every pair of them."""
    return [
        (graph, signal, found)
        for graph, by_signal in of_method[n_signals].items()
        for signal, found in by_signal.items()
    ]


def mean_of(of_method: Any, n_signals: str, metric: str) -> float:
    """The mean of a metric over all graphs and signals."""
    return float(np.mean([found[metric]["mean"] for *_, found in cells(of_method, n_signals)]))


def overview(results: Results) -> list[dict[str, Any]]:
    """One line per method, over all settings: quality, density, time and certificate."""
    rows = []
    for name, of_method in results.items():
        row: dict[str, Any] = {"method": METHODS[name].title}
        for n_signals in numbers_of_signals(results):
            row[f"F {n_signals}"] = mean_of(of_method, n_signals, "f_measure")
        everywhere = [
            found for n in numbers_of_signals(results) for *_, found in cells(of_method, n)
        ]
        gaps = [found["largest_gap"] for found in everywhere]
        row["edges_per_node"] = float(np.mean([found["edges_per_node"] for found in everywhere]))
        row["ms"] = 1000 * float(np.median([found["seconds"] for found in everywhere]))
        row["largest_gap"] = None if None in gaps else max(gaps)
        row["at_end"] = sum(found["at_the_end"] for found in everywhere)
        rows.append(row)
    return sorted(rows, key=lambda row: -row[f"F {numbers_of_signals(results)[0]}"])


def overview_table(results: Results) -> str:
    """:func:`overview` as Markdown."""
    rows = overview(results)
    header = [name.replace("_", " ") for name in rows[0]]
    return table(header, [[_shown(value) for value in row.values()] for row in rows])


def metric_table(results: Results, n_signals: str, metric: str) -> str:
    """A metric of every method on every graph and signal; the best of each in bold."""
    names = list(results)
    header = ["graph", "signals", *(METHODS[name].title for name in names)]
    rows = []
    for graph in next(iter(results.values()))[n_signals]:
        for signal in SIGNALS:
            means = [results[name][n_signals][graph][signal][metric]["mean"] for name in names]
            best = max(means) if metric == "f_measure" else min(means)
            shown = [f"**{mean:.3f}**" if mean == best else f"{mean:.3f}" for mean in means]
            rows.append([graph if signal == SIGNALS[0] else "", signal, *shown])
    return table(header, rows, left=2)


def metric_tables(results: Results) -> str:
    """Every metric for every number of signals."""
    return "\n".join(
        f"**{METRIC_NAMES[metric]}, {n_signals} signals**\n\n"
        + metric_table(results, n_signals, metric)
        for n_signals in numbers_of_signals(results)
        for metric in METRICS
    )


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:.3f}" if 1e-3 <= value < 1 else f"{value:.3g}"
    return str(value)
