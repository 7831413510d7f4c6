"""All experiments of the paper, in the order of the report, and what the report says of each.

To add an experiment, write a module with the members of :class:`paper.runner.Experiment`, and give
it an :class:`Entry`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from paper.datasets import load_coil20, load_mnist, load_usps
from paper.estimates import with_errors
from paper.pages import Summary
from paper.published import TABLE_2, TABLE_4
from paper.reproduction import (
    choices,
    claims,
    coil20,
    filters,
    mnist,
    report_figures,
    report_tables,
    signals,
    table2,
    table4,
    texts,
    timing,
    usps,
)
from paper.reproduction.claims import Claim
from paper.runner import Experiment


def _nothing_claimed(results: Any) -> list[Claim]:
    del results
    return []


def _stored(summary: Summary) -> Any:
    return summary["results"]


def _stored_with_errors(summary: Summary) -> Any:
    return with_errors(summary["results"], summary["settings"]["repetitions"])


@dataclass(frozen=True)
class Entry:
    """An experiment, the data it needs, and its section of the report.

    ``read`` returns the results of a summary as claims, figures and table expect them.
    """

    experiment: Experiment
    title: str
    about: str
    load: Callable[[Path | None], Any] | None = None
    read: Callable[[Summary], Any] = _stored
    claims: Callable[[Any], list[Claim]] = _nothing_claimed
    figures: Mapping[str, Callable[[Any], Figure]] = field(default_factory=dict)
    table: Callable[[Any], str] | None = None


ENTRIES: dict[str, Entry] = {
    "table2": Entry(
        table2,
        "Table 2: graphs from 1000 smooth signals",
        texts.TABLES,
        read=_stored_with_errors,
        claims=partial(claims.table_claims, table=TABLE_2),
        table=partial(report_tables.artificial_tables, published=TABLE_2),
    ),
    "table4": Entry(
        table4,
        "Table 4: graphs from 100 smooth signals",
        texts.TABLES,
        read=_stored_with_errors,
        claims=partial(claims.table_claims, table=TABLE_4),
        table=partial(report_tables.artificial_tables, published=TABLE_4),
    ),
    "choices": Entry(choices, "What the text leaves open", texts.CHOICES, table=report_tables.choices_table),
    "filters": Entry(filters, "The filters", texts.FILTERS, figures={"filters": report_figures.draw_filters}),
    "signals": Entry(signals, "Smooth signals", texts.SIGNALS, figures={"signals": report_figures.draw_signals}),
    "usps": Entry(
        usps,
        "1001 USPS digits",
        texts.USPS,
        load=load_usps,
        claims=claims.usps_claims,
        figures={"usps": report_figures.draw_usps},
        table=report_tables.curves_table,
    ),
    "mnist": Entry(
        mnist,
        "MNIST, 1 against 2",
        texts.MNIST,
        load=load_mnist,
        claims=claims.mnist_claims,
        figures={"mnist": report_figures.draw_mnist},
        table=report_tables.mnist_tables,
    ),
    "coil20": Entry(
        coil20,
        "COIL-20",
        texts.COIL20,
        load=load_coil20,
        claims=claims.coil20_claims,
        figures={"coil20-sizes": report_figures.draw_class_sizes, "coil20": report_figures.draw_coil20},
        table=lambda results: report_tables.curves_table(results["curves"]),
    ),
    "timing": Entry(
        timing, "Time", texts.TIMING, load=load_usps, claims=claims.timing_claims, table=report_tables.timing_table
    ),
}

EXPERIMENTS: dict[str, Experiment] = {name: entry.experiment for name, entry in ENTRIES.items()}
