"""Recover graphs from artificial signals: what Tables 2 and 4 of the paper have in common.

An experiment draws a random graph of 100 nodes and noisy signals that are smooth on it. The
Gaussian kernel, the l2-degree model and the log-degree model then try to find the graph, each with
a grid of values for its one parameter. Distances are divided by their mean, so that one grid fits
all draws.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paper.draws import Draws, draw, pieces
from paper.published import SIGNALS
from paper.scores import METRICS, best
from smoothgraph import Newton, Pairs, PairSet, PrimalDual, distances, models
from smoothgraph.metrics import compare_weights
from smoothgraph.problem import Problem

__all__ = ["IN_PARALLEL", "Settings", "collect", "compute", "pieces"]

IN_PARALLEL = True
LARGEST_GAP = 1e9  # stands for an infinite gap, which JSON cannot hold
_DIGITS = 6


def powers_of_two(first: int, last: int, *, per_octave: int) -> tuple[float, ...]:
    """Return ``2**first`` to ``2**last`` in equal ratios."""
    return tuple(np.exp2(np.linspace(first, last, (last - first) * per_octave + 1)).tolist())


@dataclass(frozen=True)
class Settings(Draws):
    """What to draw and which parameters to try.

    The paper's own algorithms with its stopping rule take fifty times as long as Newton's method;
    they run only for the values in ``as_run_betas`` and ``as_run_alphas``.
    """

    betas: tuple[float, ...] = powers_of_two(-14, 4, per_octave=2)
    alphas: tuple[float, ...] = powers_of_two(-8, 3, per_octave=3)
    sigmas: tuple[float, ...] = powers_of_two(-5, 2, per_octave=4)
    radii: tuple[float, ...] = powers_of_two(-10, 1, per_octave=8)
    as_run_betas: tuple[float, ...] = powers_of_two(-6, 1, per_octave=2)
    as_run_alphas: tuple[float, ...] = powers_of_two(-5, 0, per_octave=3)
    as_run_tol: float = 1e-4
    as_run_step: float = 0.5
    as_run_max_iter: int = 5000


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """Return the scores of every method at every parameter on one draw; ``data_dir`` is unused."""
    del data_dir
    truth, signals = draw(settings, piece)
    edges = PairSet.all_pairs(settings.n_nodes)
    z = distances(signals, edges)
    trial = _Trial(edges, z / z.mean(), edges.weights_of(truth.adjacency))
    return {
        "radii": [trial.score(trial.z <= radius)[:1] for radius in settings.radii],
        "baseline": [trial.score(np.exp(-trial.z / (2 * s**2))) for s in settings.sigmas],
        **_solve_by_newton(settings, trial),
        **_solve_as_paper(settings, trial),
    }


@dataclass(frozen=True, eq=False)
class _Trial:
    """One draw: distances with mean 1 and the true weights, on all pairs."""

    edges: PairSet
    z: np.ndarray
    truth: np.ndarray

    def score(self, w: np.ndarray) -> list[float]:
        scores = compare_weights(np.asarray(w, dtype=float), self.truth, self.edges)
        return [round(score, _DIGITS) for score in scores]

    def log_degree(self, beta: float) -> Problem:
        return models.log_degree(Pairs(self.edges, self.z), alpha=1.0, beta=beta)

    def l2_degree(self, alpha: float) -> Problem:
        return models.l2_degree(Pairs(self.edges, self.z), alpha=alpha)


def _solve_by_newton(settings: Settings, trial: _Trial) -> dict[str, list[list[float]]]:
    """Score both models at their optimum.

    The solves go from the densest graph to the sparsest, each starting from the one before.
    """
    found = {}
    for model, problem, values in (
        ("log-degree", trial.log_degree, settings.betas),
        ("l2-degree", trial.l2_degree, settings.alphas),
    ):
        scores, u = [], None
        for value in reversed(values):
            solution = Newton(tol=1e-8).solve(problem(value), start=u)
            if not solution.converged:
                raise RuntimeError(f"{model} at {value}: {solution}")
            scores.append(trial.score(solution.w))
            u = solution.u
        found[f"{model}, optimum"] = scores[::-1]
    return found


def _solve_as_paper(settings: Settings, trial: _Trial) -> dict[str, Any]:
    """Score both models as the paper's algorithms and stopping rule leave them.

    Gap and number of iterations follow the scores.
    """
    solver = PrimalDual(
        tol=settings.as_run_tol, stop="change", step=settings.as_run_step, max_iter=settings.as_run_max_iter
    )
    found = {}
    for model, problem, values in (
        ("log-degree", trial.log_degree, settings.as_run_betas),
        ("l2-degree", trial.l2_degree, settings.as_run_alphas),
    ):
        solutions = [solver.solve(problem(value)) for value in values]
        found[f"{model}, as run"] = [[*trial.score(s.w), min(s.gap, LARGEST_GAP), s.n_iter] for s in solutions]
    return found


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> dict[str, dict[str, Any]]:
    """Return, per graph and signal, the best mean over the repetitions by method and metric."""
    return {
        graph: {
            signal: _best_by_method(settings, [r for p, r in results if p["graph"] == graph and p["signal"] == signal])
            for signal in SIGNALS
        }
        for graph in settings.graphs
    }


def _best_by_method(settings: Settings, draws: list[dict[str, Any]]) -> dict[str, Any]:
    found = {"baseline": _best(settings.sigmas, [d["baseline"] for d in draws])}
    found["baseline"]["f_measure"] = _best(settings.radii, [d["radii"] for d in draws])["f_measure"]
    grids = {
        "log-degree, optimum": settings.betas,
        "l2-degree, optimum": settings.alphas,
        "log-degree, as run": settings.as_run_betas,
        "l2-degree, as run": settings.as_run_alphas,
    }
    for method, values in grids.items():
        if values:
            found[method] = _best(values, [d[method] for d in draws])
    return found


def _best(values: tuple[float, ...], scores: list[Any]) -> dict[str, dict[str, float]]:
    """Return, per metric, the parameter with the best mean, that mean, and the spread there."""
    table = np.array(scores)  # repetition, parameter, metric (then gap and iterations)
    means = table.mean(axis=0)
    found = {}
    for column, metric in enumerate(METRICS[: table.shape[2]]):
        pick = best(metric)(range(len(values)), key=means[:, column].__getitem__)
        found[metric] = {
            "mean": round(float(means[pick, column]), 4),
            "std": round(float(table[:, pick, column].std()), 4),
            "parameter": round(values[pick], _DIGITS),
        }
        if table.shape[2] > len(METRICS):
            gap, iterations = np.median(table[:, pick, len(METRICS) :], axis=0)
            found[metric] |= {"gap": float(f"{gap:.2g}"), "iterations": int(iterations)}
    return found


def optimum_column(method: str) -> str:
    """Return the name that :func:`collect` gives to a method of the paper at its best."""
    return method if method == "baseline" else f"{method}, optimum"
