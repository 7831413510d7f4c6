"""Where the paper's text leaves a choice: the plausible readings, and how far each is from it."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from smoothgraph.experiments import artificial, table2
from smoothgraph.experiments.artificial import METRICS, GraphChoice
from smoothgraph.experiments.paper import METHODS, SIGNALS, TABLE_2, stated

IN_PARALLEL = True
P = 3 / table2.FULL.n_nodes


@dataclass(frozen=True)
class Choice:
    """One reading: of which graph of the paper, and how it is drawn and smoothed."""

    graph: str
    draw: GraphChoice
    strength: float = 10.0


CHOICES = {
    "weights exp(-d²/2σ²), as stated": Choice("random geometric", GraphChoice("random_geometric")),
    "weights exp(-d²/σ²)": Choice(
        "random geometric", GraphChoice("random_geometric", {"sigma": 0.2 / 2**0.5})
    ),
    **{
        f"decay {decay:g}": Choice("non-uniform", GraphChoice("non_uniform", {"decay": decay}))
        for decay in (1.0, 2.0, 3.0, 5.0, 10.0)
    },
    "decay 3, threshold 0.01": Choice(
        "non-uniform", GraphChoice("non_uniform", {"decay": 3.0, "threshold": 0.01})
    ),
    "each pair with probability 3/m, as stated": Choice(
        "Erdős-Rényi", GraphChoice("erdos_renyi", {"p": P})
    ),
    "the same, drawn until connected": Choice(
        "Erdős-Rényi", GraphChoice("connected_erdos_renyi", {"p": P})
    ),
    "each of the two orders of a pair with probability 3/m": Choice(
        "Erdős-Rényi", GraphChoice("erdos_renyi", {"p": 1 - (1 - P) ** 2})
    ),
    **{
        f"filters twice as strong: {name}": Choice(name, draw, strength=20.0)
        for name, draw in artificial.paper_graphs().items()
    },
}


@dataclass(frozen=True)
class Settings:
    """The settings of Table 2 with other graphs, at the optimum only."""

    base: artificial.Settings
    choices: dict[str, Choice]


FULL = Settings(
    replace(table2.FULL, repetitions=10, as_run_betas=(), as_run_alphas=()), dict(CHOICES)
)
QUICK = Settings(
    replace(table2.QUICK, as_run_betas=(), as_run_alphas=()),
    {name: CHOICES[name] for name in ("decay 3", "decay 10")},
)


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """Those of the tables, per choice."""
    return [
        {"choice": name, **piece}
        for name, choice in settings.choices.items()
        for piece in artificial.pieces(_of(settings, choice))
    ]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """As for the tables."""
    return artificial.compute(_of(settings, settings.choices[piece["choice"]]), piece, data_dir)


def collect(
    settings: Settings, results: list[tuple[dict[str, Any], Any]]
) -> dict[str, dict[str, Any]]:
    """Per choice: its scores by signal, and how far they are from Table 2 on average."""
    summary = {}
    for name, choice in settings.choices.items():
        own = [(piece, result) for piece, result in results if piece["choice"] == name]
        scores = artificial.collect(_of(settings, choice), own)[choice.graph]
        summary[name] = {
            "graph": choice.graph,
            "strength": choice.strength,
            "distance": round(_distance(choice.graph, scores), 4),
            "scores": scores,
        }
    return summary


def _of(settings: Settings, choice: Choice) -> artificial.Settings:
    return replace(settings.base, graphs={choice.graph: choice.draw}, strength=choice.strength)


def _distance(graph: str, scores: dict[str, Any]) -> float:
    """The mean absolute difference from the paper over all its numbers for the graph."""
    differences = []
    for signal in SIGNALS:
        for method in METHODS:
            ours = scores[signal][artificial.column_of(method)]
            theirs = stated(TABLE_2, graph, signal, method)
            differences += [abs(ours[metric]["mean"] - theirs[metric]) for metric in METRICS]
    return float(np.mean(differences))
