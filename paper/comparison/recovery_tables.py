"""Tables of the comparison, made from the results of its methods."""

from collections.abc import Mapping
from math import isnan
from statistics import median
from typing import Any

import numpy as np

from paper.comparison.method_grids import METHODS
from paper.estimates import Estimate, average, estimate, with_errors
from paper.pages import Summary, table
from paper.published import SIGNALS
from paper.scores import METRIC_NAMES, METRICS, best

Results = dict[str, Any]  # by method, what Recovery.collect returns, with standard errors


def read_results(summaries: Mapping[str, Summary]) -> Results:
    """Return the results of each method, with the standard errors of their means."""
    return {
        name: with_errors(summary["results"], summary["settings"]["repetitions"]) for name, summary in summaries.items()
    }


def numbers_of_signals(results: Results) -> list[str]:
    """Return the numbers of signals, which are the same for all methods."""
    return list(next(iter(results.values())))


def cells(of_method: Any, n_signals: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Return graph, signal and what was found, for every pair of graph and signal."""
    return [
        (graph, signal, found)
        for graph, by_signal in of_method[n_signals].items()
        for signal, found in by_signal.items()
    ]


def mean_of(of_method: Any, n_signals: str, metric: str) -> float:
    """Return the mean of a metric over all graphs and signals."""
    return float(np.mean([found[metric]["mean"] for *_, found in cells(of_method, n_signals)]))


def estimate_of(of_method: Any, n_signals: str, metric: str) -> Estimate:
    """Return :func:`mean_of` with its standard error; graphs and signals are drawn independently."""
    return average([estimate(found[metric]) for *_, found in cells(of_method, n_signals)])


def overview(results: Results) -> list[dict[str, Any]]:
    """Return quality, density, time and certificate over all settings, one row per method.

    The standard error of ``F`` is beside it, as ``F error``; for a single draw it is None.
    """
    return [
        {name: value for key, cell in row.items() for name, value in _plain(key, cell).items()}
        for row in _overview_rows(results)
    ]


def _plain(name: str, value: Any) -> dict[str, Any]:
    """Return the value by its name; an estimate is two values, its mean and its error."""
    if not isinstance(value, Estimate):
        return {name: value}
    return {name: value.mean, f"{name} error": None if isnan(value.error) else value.error}


def _overview_rows(results: Results) -> list[dict[str, Any]]:
    rows = []
    for name, of_method in results.items():
        row: dict[str, Any] = {"method": METHODS[name].title}
        for n_signals in numbers_of_signals(results):
            row[f"F {n_signals}"] = estimate_of(of_method, n_signals, "f_measure")
        everywhere = [found for n in numbers_of_signals(results) for *_, found in cells(of_method, n)]
        gaps = [found["largest_gap"] for found in everywhere]
        row["edges_per_node"] = float(np.mean([found["edges_per_node"] for found in everywhere]))
        row["ms"] = 1000 * float(np.median([found["seconds"] for found in everywhere]))
        row["largest_gap"] = None if None in gaps else max(gaps)
        row["at_end"] = sum(found["at_the_end"] for found in everywhere)
        rows.append(row)
    return sorted(rows, key=lambda row: -row[f"F {numbers_of_signals(results)[0]}"].mean)


def overview_table(results: Results) -> str:
    """Return :func:`overview` as Markdown, with each error after its mean."""
    rows = _overview_rows(results)
    header = [name.replace("_", " ") for name in rows[0]]
    return table(header, [[_format(value) for value in row.values()] for row in rows])


def metric_table(results: Results, n_signals: str, metric: str) -> str:
    """Return a metric of every method on every graph and signal, the best of each in bold."""
    names = list(results)
    header = ["graph", "signals", *(METHODS[name].title for name in names)]
    rows = []
    for graph in next(iter(results.values()))[n_signals]:
        for signal in SIGNALS:
            means = [results[name][n_signals][graph][signal][metric]["mean"] for name in names]
            top = best(metric)(means)
            numbers = [f"**{mean:.3f}**" if mean == top else f"{mean:.3f}" for mean in means]
            rows.append([graph if signal == SIGNALS[0] else "", signal, *numbers])
    return table(header, rows, left=2)


def metric_tables(results: Results) -> str:
    """Return a table for every metric and number of signals, after the range of its errors."""
    return "\n".join(
        f"**{METRIC_NAMES[metric]}, {n_signals} signals**\n\n"
        + _errors_text(results, n_signals, metric)
        + metric_table(results, n_signals, metric)
        for n_signals in numbers_of_signals(results)
        for metric in METRICS
    )


def _errors_text(results: Results, n_signals: str, metric: str) -> str:
    """Say how large the standard errors are; single draws have none."""
    errors = [found[metric]["error"] for one in results.values() for *_, found in cells(one, n_signals)]
    if any(map(isnan, errors)):
        return ""
    return f"The standard errors are {min(errors):.3f} to {max(errors):.3f} (median {median(errors):.3f}).\n\n"


def _format(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, Estimate):
        return str(value)
    if isinstance(value, float):
        return f"{value:.3f}" if 1e-3 <= value < 1 else f"{value:.3g}"
    return str(value)
