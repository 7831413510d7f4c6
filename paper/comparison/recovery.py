"""Graphs that one method recovers from artificial signals, over a grid of its parameters.

The draws are those of Tables 2 and 4 of the paper. The data is scaled to a mean squared distance of
1, so that one grid fits all draws. All methods have the same number of parameter settings.
"""

import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning

from paper import draws
from paper.draws import Draws, GraphChoice, draw, paper_graphs, scale_to_unit_distance
from paper.published import SIGNALS, TABLE_2
from paper.scores import METRICS, best
from smoothgraph import DensityWarning
from smoothgraph.metrics import compare

_DIGITS = 6


def _four_graphs() -> dict[str, GraphChoice]:
    """Return the graphs of the paper, one reading of each."""
    return {name: choice for name, choice in paper_graphs().items() if name in TABLE_2}


@dataclass(frozen=True)
class Settings(Draws):
    """What to draw, how many signals at a time, and which parameters to try."""

    graphs: dict[str, GraphChoice] = field(default_factory=_four_graphs)
    numbers_of_signals: tuple[int, ...] = (1000, 100)
    grid: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Recovery:
    """The experiment of one method: the learner with each setting of its grid, on each draw."""

    learner: BaseEstimator
    FULL: Settings
    QUICK: Settings
    IN_PARALLEL: bool = True

    @property
    def SOURCES(self) -> tuple[str, ...]:
        """The experiment's module, the learner's module, and the learner with its parameters."""
        return (__name__, type(self.learner).__module__, repr(self.learner))

    def pieces(self, settings: Settings) -> list[dict[str, Any]]:
        """Return every draw with every number of signals."""
        return [
            {"n_signals": n_signals} | piece
            for n_signals in settings.numbers_of_signals
            for piece in draws.pieces(settings)
        ]

    def compute(self, settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> list[dict[str, Any]]:
        """Return scores, density, seconds and certificate of every setting on one draw."""
        del data_dir
        truth, X = draw(replace(settings, n_signals=piece["n_signals"]), piece)
        X = scale_to_unit_distance(X)
        fit(self.learner, settings.grid[0], X[:12, :12])  # compile before the clock starts
        found = []
        for values in settings.grid:
            start = perf_counter()
            graph = fit(self.learner, values, X)
            seconds = perf_counter() - start
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
        """Return :func:`summarize_best` per number of signals, graph and signal."""
        return {
            str(n_signals): {
                graph: {
                    signal: summarize_best(
                        settings.grid,
                        [
                            found
                            for piece, found in results
                            if (piece["n_signals"], piece["graph"], piece["signal"]) == (n_signals, graph, signal)
                        ],
                    )
                    for signal in SIGNALS
                }
                for graph in settings.graphs
            }
            for n_signals in settings.numbers_of_signals
        }


def summarize_best(grid: tuple[dict[str, Any], ...], draws: list[Any]) -> dict[str, Any]:
    """Return the best mean over the draws per metric, and details where the F-measure is best.

    ``at_the_end`` says whether that setting is the first or the last of the grid. A better one may
    then lie beyond it.
    """
    scores = np.array([[at["scores"] for at in draw] for draw in draws])  # draw, setting, metric
    means, spreads = scores.mean(axis=0), scores.std(axis=0)
    picks = {
        metric: best(metric)(range(len(grid)), key=means[:, column].__getitem__)
        for column, metric in enumerate(METRICS)
    }
    chosen = picks["f_measure"]
    there = [draw[chosen] for draw in draws]
    gaps = [at["gap"] for at in there if at["gap"] is not None]
    return {
        **{
            metric: {"mean": round(float(means[pick, column]), 4), "std": round(float(spreads[pick, column]), 4)}
            for column, (metric, pick) in enumerate(picks.items())
        },
        "parameters": grid[chosen],
        "at_the_end": len(grid) > 1 and chosen in (0, len(grid) - 1),
        "edges_per_node": round(float(np.mean([at["edges_per_node"] for at in there])), 2),
        "seconds": float(f"{np.median([at['seconds'] for at in there]):.3g}"),
        "largest_gap": float(f"{max(gaps):.2g}") if gaps else None,
    }


def fit(learner: BaseEstimator, values: dict[str, Any], X: np.ndarray) -> Any:
    """Return a copy of the learner with these parameters, fitted without warnings."""
    with warnings.catch_warnings():  # the certificate shows what they would say
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DensityWarning)
        return clone(learner).set_params(**values).fit(X)
