"""Graphs recovered from artificial signals by one method, over a grid of its parameters.

The draws are those of Tables 2 and 4 of the paper. Data is scaled to a mean squared distance of
1, so that one grid fits all. Every method has as many parameter settings as every other.
"""

import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning

from paper.experiments.artificial import Draws, GraphChoice, draw, paper_graphs
from paper.experiments.artificial import pieces as draws_of
from paper.experiments.paper import SIGNALS, TABLE_2
from smoothgraph import DensityWarning, distances
from smoothgraph.metrics import GraphScores, compare

METRICS = GraphScores._fields
_DIGITS = 6


def _four_graphs() -> dict[str, GraphChoice]:
    """The graphs of the paper, one reading of each."""
    return {name: choice for name, choice in paper_graphs().items() if name in TABLE_2}


@dataclass(frozen=True)
class Settings(Draws):
    """What is drawn, with how many signals at a time, and the parameters that are tried."""

    graphs: dict[str, GraphChoice] = field(default_factory=_four_graphs)
    numbers_of_signals: tuple[int, ...] = (1000, 100)
    grid: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Recovery:
    """The experiment of one method: ``learner`` with each setting of the grid, on each draw."""

    learner: BaseEstimator
    FULL: Settings
    QUICK: Settings
    IN_PARALLEL: bool = True

    def pieces(self, settings: Settings) -> list[dict[str, Any]]:
        """Every graph with every kind of signal and number of them, again and again."""
        return [
            {"n_signals": n_signals} | piece
            for n_signals in settings.numbers_of_signals
            for piece in draws_of(settings)
        ]

    def compute(
        self, settings: Settings, piece: dict[str, Any], data_dir: Path | None
    ) -> list[dict[str, Any]]:
        """Scores, density, seconds and certificate at every setting; it needs no data."""
        del data_dir
        truth, X = draw(replace(settings, n_signals=piece["n_signals"]), piece)
        X = X / np.sqrt(distances(X).mean())
        fitted(self.learner, settings.grid[0], X[:12, :12])  # what is compiled once is not timed
        found = []
        for values in settings.grid:
            started = perf_counter()
            graph = fitted(self.learner, values, X)
            seconds = perf_counter() - started
            gap = getattr(graph, "dual_gap_", None)
            found.append(
                {
                    "scores": [round(score, _DIGITS) for score in compare(graph, truth)],
                    "edges_per_node": float(graph.edges_per_node_),
                    "seconds": round(seconds, _DIGITS),
                    "gap": None if gap is None else float(gap),
                }
            )
        return found

    def collect(
        self, settings: Settings, results: list[tuple[dict[str, Any], Any]]
    ) -> dict[str, dict[str, dict[str, Any]]]:
        """Per number of signals, graph and signal: :func:`at_its_best`."""
        return {
            str(n_signals): {
                graph: {
                    signal: at_its_best(
                        settings.grid,
                        [
                            found
                            for piece, found in results
                            if (piece["n_signals"], piece["graph"], piece["signal"])
                            == (n_signals, graph, signal)
                        ],
                    )
                    for signal in SIGNALS
                }
                for graph in settings.graphs
            }
            for n_signals in settings.numbers_of_signals
        }


def at_its_best(grid: tuple[dict[str, Any], ...], draws: list[Any]) -> dict[str, Any]:
    """Per metric the best mean over the draws; the rest where the F-measure is best.

    ``at_the_end`` says whether that is the first or the last setting of the grid, beyond which
    there may be a better one.
    """
    scores = np.array([[at["scores"] for at in draw] for draw in draws])  # draw, setting, metric
    means, spreads = scores.mean(axis=0), scores.std(axis=0)
    best: dict[str, Any] = {}
    for column, metric in enumerate(METRICS):
        pick = int(np.argmax(means[:, column]) if column == 0 else np.argmin(means[:, column]))
        best[metric] = {
            "mean": round(float(means[pick, column]), 4),
            "std": round(float(spreads[pick, column]), 4),
        }
    pick = int(np.argmax(means[:, 0]))
    there = [draw[pick] for draw in draws]
    gaps = [at["gap"] for at in there if at["gap"] is not None]
    return best | {
        "parameters": grid[pick],
        "at_the_end": len(grid) > 1 and pick in (0, len(grid) - 1),
        "edges_per_node": round(float(np.mean([at["edges_per_node"] for at in there])), 2),
        "seconds": float(f"{np.median([at['seconds'] for at in there]):.3g}"),
        "largest_gap": float(f"{max(gaps):.2g}") if gaps else None,
    }


def fitted(learner: BaseEstimator, values: dict[str, Any], X: np.ndarray) -> Any:
    """A copy of the learner with these parameters, fitted, without a warning."""
    with warnings.catch_warnings():  # the certificate tells
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DensityWarning)
        return clone(learner).set_params(**values).fit(X)
