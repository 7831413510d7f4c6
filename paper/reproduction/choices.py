"""Where the paper's text leaves a choice: how far plausible readings are from its numbers."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from paper.draws import SPARSER_GEOMETRIC, GraphChoice, paper_graphs
from paper.published import METHODS, SIGNALS, TABLES, published_scores
from paper.reproduction import artificial, table2, table4
from paper.scores import METRICS

SOURCES = (__name__,)
IN_PARALLEL = True
_P = 3 / table2.FULL.n_nodes
_SPARSER = SPARSER_GEOMETRIC.arguments


@dataclass(frozen=True)
class Choice:
    """One reading of the text: the graph it is about, how to draw it, and the filter strength."""

    graph: str
    draw: GraphChoice
    strength: float = 10.0


def _non_uniform(decay: float, **arguments: float) -> Choice:
    return Choice("non-uniform", GraphChoice("non_uniform", {"decay": decay, **arguments}))


CHOICES = {
    "weights exp(-d²/2σ²), as stated": Choice("random geometric", GraphChoice("random_geometric")),
    "weights exp(-d²/σ²)": Choice("random geometric", GraphChoice("random_geometric", _SPARSER)),
    "weights exp(-d²/σ²), drawn until connected": Choice("random geometric", SPARSER_GEOMETRIC),
    **{f"decay {decay:g}": _non_uniform(decay) for decay in (1.0, 2.0, 3.0, 5.0, 10.0)},
    **{f"decay {decay:g}, threshold 0.01": _non_uniform(decay, threshold=0.01) for decay in (1.0, 2.0, 3.0)},
    "decay 2, weights exp(-d²/σ²)": _non_uniform(2.0, **_SPARSER),
    "each pair with probability 3/m, as stated": Choice("Erdős-Rényi", GraphChoice("erdos_renyi", {"p": _P})),
    "the same, drawn until connected": Choice("Erdős-Rényi", GraphChoice("connected_erdos_renyi", {"p": _P})),
    "each of the two orders of a pair with probability 3/m": Choice(
        "Erdős-Rényi", GraphChoice("erdos_renyi", {"p": 1 - (1 - _P) ** 2})
    ),
    **{
        f"{name}, filters twice as strong": Choice(name, draw, strength=20.0)
        for name, draw in paper_graphs().items()
        if "," not in name
    },
}


@dataclass(frozen=True)
class Settings:
    """The settings of both tables, with other graphs and at the optimum only."""

    repetitions: int
    choices: dict[str, Choice]
    tables: dict[str, artificial.Settings]


def _settings(repetitions: int, choices: dict[str, Choice], **tables: Any) -> Settings:
    at_optimum = {
        name: replace(table, repetitions=repetitions, graphs={}, as_run_betas=(), as_run_alphas=())
        for name, table in tables.items()
    }
    return Settings(repetitions, choices, at_optimum)


FULL = _settings(10, CHOICES, table2=table2.FULL, table4=table4.FULL)
QUICK = _settings(1, {name: CHOICES[name] for name in ("decay 2", "decay 10")}, table4=table4.QUICK)


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """Return the pieces of the tables for every choice."""
    return [
        {"choice": name, "table": table, **piece}
        for name, choice in settings.choices.items()
        for table in settings.tables
        for piece in artificial.pieces(_table_settings(settings, table, choice))
    ]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """Return what the tables compute for a piece."""
    choice = settings.choices[piece["choice"]]
    return artificial.compute(_table_settings(settings, piece["table"], choice), piece, data_dir)


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> dict[str, dict[str, Any]]:
    """Return F-measures and the mean distance from the paper's scores, per choice and table."""
    summary: dict[str, dict[str, Any]] = {}
    for name, choice in settings.choices.items():
        summary[name] = {"graph": choice.graph, "strength": choice.strength, "tables": {}}
        for table in settings.tables:
            own = [(p, r) for p, r in results if (p["choice"], p["table"]) == (name, table)]
            scores = artificial.collect(_table_settings(settings, table, choice), own)[choice.graph]
            summary[name]["tables"][table] = {
                "distance": round(_distance(table, choice.graph, scores), 4),
                "f_measure": {
                    signal: {
                        method: scores[signal][artificial.optimum_column(method)]["f_measure"]["mean"]
                        for method in METHODS
                    }
                    for signal in SIGNALS
                },
            }
    return summary


def _table_settings(settings: Settings, table: str, choice: Choice) -> artificial.Settings:
    return replace(settings.tables[table], graphs={choice.graph: choice.draw}, strength=choice.strength)


def _distance(table: str, graph: str, scores: dict[str, Any]) -> float:
    """Return the mean absolute difference from all numbers that the paper has for the graph."""
    differences = []
    for signal in SIGNALS:
        for method in METHODS:
            ours = scores[signal][artificial.optimum_column(method)]
            theirs = published_scores(TABLES[table], graph, signal, method)
            differences += [abs(ours[metric]["mean"] - theirs[metric]) for metric in METRICS]
    return float(np.mean(differences))
