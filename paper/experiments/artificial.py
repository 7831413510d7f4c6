"""Graphs recovered from artificial signals: what Tables 2 and 4 of the paper have in common.

A random graph of 100 nodes, signals smooth on it, noise; then the best that the Gaussian
kernel, the l2-degree model and the log-degree model find of the graph, over a grid of their one
parameter. Distances are divided by their mean, which makes one grid fit all.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from paper.experiments.paper import SIGNALS
from smoothgraph import Newton, Pairs, PairSet, PrimalDual, distances, generate, models
from smoothgraph.generate import GeneratedGraph
from smoothgraph.metrics import GraphScores, compare_weights
from smoothgraph.priors import LogDegrees, QuadraticEdges, SquaredDegrees
from smoothgraph.problem import Problem
from smoothgraph.support.connectivity import n_components

IN_PARALLEL = True
METRICS = GraphScores._fields
LARGEST_GAP = 1e9  # what stands for an infinite one, which JSON does not know
_DIGITS = 6
_MOST_DRAWS = 20_000  # of a graph that is to be connected


def powers_of_two(first: int, last: int, *, per_octave: int) -> tuple[float, ...]:
    """``2**first`` to ``2**last`` in equal ratios."""
    return tuple(np.exp2(np.linspace(first, last, (last - first) * per_octave + 1)).tolist())


@dataclass(frozen=True)
class GraphChoice:
    """A generator of :mod:`smoothgraph.generate` (or of this module) and its arguments."""

    generator: str
    arguments: dict[str, float] = field(default_factory=dict)


SPARSER_GEOMETRIC = GraphChoice("connected_random_geometric", {"sigma": 0.2 / 2**0.5})
"""Weights exp(-d^2 / sigma^2) instead of exp(-d^2 / 2 sigma^2), drawn until connected."""


def paper_graphs(n_nodes: int = 100) -> dict[str, GraphChoice]:
    """The four graphs of the paper, by name, and a second reading of one of them.

    Where the text leaves a choice, it is the one whose numbers come closest to the paper's
    (see ``choices``). Its Erdos-Renyi graph has p = 3 / m, but its numbers are those of twice as
    many edges: as if each of the two orders of a pair had been drawn. What follows a comma
    tells readings of the same row apart.
    """
    p = 3 / n_nodes
    return {
        "random geometric": GraphChoice("random_geometric"),
        "non-uniform": GraphChoice("non_uniform", {"decay": 2.0, "threshold": 0.01}),
        "Erdős-Rényi": GraphChoice("erdos_renyi", {"p": 1 - (1 - p) ** 2}),
        "Barabási-Albert": GraphChoice("barabasi_albert", {"attachments": 2}),
        "random geometric, sparser": SPARSER_GEOMETRIC,
    }


@dataclass(frozen=True)
class Draws:
    """What is drawn: graphs, and noisy smooth signals on them."""

    n_signals: int = 1000
    n_nodes: int = 100
    repetitions: int = 20
    noise: float = 0.1
    strength: float = 10.0
    seed: int = 0
    graphs: dict[str, GraphChoice] = field(default_factory=paper_graphs)


@dataclass(frozen=True)
class Settings(Draws):
    """What is drawn and which parameters are tried.

    ``as_run_*`` are those of the values that are also tried with the paper's own algorithms and
    stopping rule, which take fifty times as long as Newton.
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


def pieces(settings: Draws) -> list[dict[str, Any]]:
    """Every graph with every signal, again and again."""
    return [
        {"graph": graph, "signal": signal, "repetition": repetition}
        for graph in settings.graphs
        for signal in SIGNALS
        for repetition in range(settings.repetitions)
    ]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """The scores of every method at every parameter on one draw; it needs no data."""
    del data_dir
    truth, signals = draw(settings, piece)
    edges = PairSet.all_pairs(settings.n_nodes)
    z = distances(signals, edges)
    trial = _Trial(edges, z / z.mean(), edges.weights_of(truth.adjacency))
    return {
        "radii": [trial.score(trial.z <= radius)[:1] for radius in settings.radii],
        "baseline": [trial.score(np.exp(-trial.z / (2 * s**2))) for s in settings.sigmas],
        **_at_optimum(settings, trial),
        **_as_run(settings, trial),
    }


def draw(settings: Draws, piece: dict[str, Any]) -> tuple[GeneratedGraph, np.ndarray]:
    """The graph of a piece, and noisy smooth signals on it, one row per node."""
    graph, signal = piece["graph"], piece["signal"]
    numbers = [list(settings.graphs).index(graph), SIGNALS.index(signal), piece["repetition"]]
    rng = np.random.default_rng([settings.seed, *numbers])
    choice = settings.graphs[graph]
    make = _GENERATORS.get(choice.generator) or getattr(generate, choice.generator)
    truth = make(settings.n_nodes, **choice.arguments, random_state=rng)
    response = filters(settings.strength)[signal]
    signals = generate.smooth_signals(
        truth, settings.n_signals, response, noise=settings.noise, random_state=rng
    )
    return truth, signals


def filters(strength: float) -> dict[str, generate.Filter]:
    """The paper's three filters by name; the generative model has no strength."""
    responses = (generate.tikhonov(strength), generate.generative(), generate.heat(strength))
    return dict(zip(SIGNALS, responses, strict=True))


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
        base = models.log_degree(Pairs(self.edges, self.z))
        return base.with_priors(QuadraticEdges(beta), LogDegrees(1.0))

    def l2_degree(self, alpha: float) -> Problem:
        base = models.l2_degree(Pairs(self.edges, self.z))
        total = float(self.edges.n_nodes)
        return base.with_priors(QuadraticEdges(2 * alpha), SquaredDegrees(alpha, total))


def _at_optimum(settings: Settings, trial: _Trial) -> dict[str, list[list[float]]]:
    """Both models by Newton, from the densest graph to the sparsest, each from the one before."""
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


def _as_run(settings: Settings, trial: _Trial) -> dict[str, Any]:
    """Both models by the paper's algorithms and rule; after the scores, gap and iterations."""
    solver = PrimalDual(
        tol=settings.as_run_tol,
        stop="change",
        step=settings.as_run_step,
        max_iter=settings.as_run_max_iter,
    )
    found = {}
    for model, problem, values in (
        ("log-degree", trial.log_degree, settings.as_run_betas),
        ("l2-degree", trial.l2_degree, settings.as_run_alphas),
    ):
        solutions = [solver.solve(problem(value)) for value in values]
        found[f"{model}, as run"] = [
            [*trial.score(s.w), min(s.gap, LARGEST_GAP), s.n_iter] for s in solutions
        ]
    return found


def collect(
    settings: Settings, results: list[tuple[dict[str, Any], Any]]
) -> dict[str, dict[str, Any]]:
    """Per graph and signal: for each method and metric the best mean over the repetitions."""
    return {
        graph: {
            signal: _best_of(
                settings,
                [r for p, r in results if p["graph"] == graph and p["signal"] == signal],
            )
            for signal in SIGNALS
        }
        for graph in settings.graphs
    }


def _best_of(settings: Settings, draws: list[dict[str, Any]]) -> dict[str, Any]:
    best = {"baseline": _best(settings.sigmas, [d["baseline"] for d in draws])}
    best["baseline"]["f_measure"] = _best(settings.radii, [d["radii"] for d in draws])["f_measure"]
    grids = {
        ("log-degree", "optimum"): settings.betas,
        ("l2-degree", "optimum"): settings.alphas,
        ("log-degree", "as run"): settings.as_run_betas,
        ("l2-degree", "as run"): settings.as_run_alphas,
    }
    for (model, solver), values in grids.items():
        if values:
            method = f"{model}, {solver}"
            best[method] = _best(values, [d[method] for d in draws])
    return best


def _best(values: tuple[float, ...], scores: list[Any]) -> dict[str, dict[str, float]]:
    """Per metric: the parameter with the best mean, that mean, and the spread there."""
    table = np.array(scores)  # repetition, parameter, metric (then gap and iterations)
    means = table.mean(axis=0)
    found = {}
    for column, metric in enumerate(METRICS[: table.shape[2]]):
        pick = int(np.argmax(means[:, column]) if column == 0 else np.argmin(means[:, column]))
        found[metric] = {
            "mean": round(float(means[pick, column]), 4),
            "std": round(float(table[:, pick, column].std()), 4),
            "parameter": round(values[pick], _DIGITS),
        }
        if table.shape[2] > len(METRICS):
            gap, iterations = np.median(table[:, pick, len(METRICS) :], axis=0)
            found[metric] |= {"gap": float(f"{gap:.2g}"), "iterations": int(iterations)}
    return found


def column_of(method: str) -> str:
    """What :func:`collect` calls a method of the paper, at its best."""
    return method if method == "baseline" else f"{method}, optimum"


def _until_connected(make: Callable[..., GeneratedGraph]) -> Callable[..., GeneratedGraph]:
    def drawn(n_nodes: int, **arguments: Any) -> GeneratedGraph:
        for _ in range(_MOST_DRAWS):
            graph = make(n_nodes, **arguments)  # the generator in random_state moves on
            if n_components(graph.adjacency) == 1:
                return graph
        raise ValueError(
            f"None of {_MOST_DRAWS} graphs of {n_nodes} nodes was connected, drawn with "
            f"{arguments}; ask for more edges."
        )

    return drawn


_GENERATORS = {
    "connected_random_geometric": _until_connected(generate.random_geometric),
    "connected_erdos_renyi": _until_connected(generate.erdos_renyi),
}
