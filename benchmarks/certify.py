"""Check certificates: random problems of every model, each held against formulas of its own and a reference solver.

    python -m benchmarks.certify [--problems 10000] [--seed 0]

A certificate is wrong if a graph is called exact and is not, or is not exact without a warning. The gap is computed
anew from the weights and multipliers in extended precision, from the formulas alone. The weights are held against
those of a solution that is as precise as double precision allows, and may differ by no more than both bounds. Where
the distances are within reach of a general solver, CVXPY with Clarabel says what the optimum is.
"""

import argparse
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

import numpy as np
from joblib import Parallel, delayed
from rich.console import Console
from rich.table import Table

import smoothgraph as sg
from benchmarks.reference import reference_optimum
from smoothgraph.density import DensityWarning
from smoothgraph.pairs.local_scale import localize
from smoothgraph.priors import DegreePrior, FixedDegrees, LogDegrees, QuadraticEdges, SquaredDegrees
from smoothgraph.solution import Status
from smoothgraph.support.input_error import InputError

TOL, WEIGHT_TOL = 1e-6, 1e-3  # of the estimators
TOL_REFERENCE, ABSOLUTE_REFERENCE = 1e-5, 1e-8  # of the reference's optimum
EVERY = 10  # of so many problems one is given to the reference
_long = np.longdouble


def distances(rng: np.random.Generator) -> np.ndarray:
    """A matrix of distances, well-behaved or ugly."""
    m = int(rng.integers(2, 31))
    X = rng.normal(size=(m, int(rng.integers(1, 6))))
    kind = rng.choice(["plain", "outliers", "duplicates", "clusters", "ties", "any", "tiny", "huge"])
    some = rng.random(m) < rng.uniform(0, 0.5)
    if kind == "outliers":
        X[some] *= 10 ** rng.uniform(1, 6)
    if kind == "duplicates":
        X[some] = X[0]
    if kind == "clusters":
        X *= 10 ** rng.uniform(-3, 0, size=(m, 1))
        X[some] += 10.0
    Z = np.sum((X[:, None] - X) ** 2, axis=-1)
    if kind == "ties":
        Z = np.round(Z)
    if kind == "any":  # neither a metric nor the square of one
        Z = rng.exponential(size=(m, m)) ** rng.uniform(0.5, 3)
        Z = np.triu(Z, 1) + np.triu(Z, 1).T
    return Z * {"tiny": 1e-12, "huge": 1e12}.get(kind, 1.0)


def _density(rng: np.random.Generator, m: int) -> float:
    return float(rng.uniform(min(1.0, (m - 1) / 2), max(1.0, (m - 1) / 2)))


def _scale(rng: np.random.Generator) -> float:
    return float(10 ** rng.uniform(-3, 3))


def _with_floor(rng: np.random.Generator, m: int, learner: type[sg.LogDegreeGraph]) -> sg.LogDegreeGraph:
    density = _density(rng, m)
    return learner(density, min_edges=int(rng.integers(1, max(2, density))))


MODELS: dict[str, Callable[[np.random.Generator, int], sg.GraphLearner]] = {
    "log-degree, density": lambda rng, m: sg.LogDegreeGraph(_density(rng, m)),
    "log-degree, floor": lambda rng, m: _with_floor(rng, m, sg.LogDegreeGraph),
    # Bridges are no part of the optimum, and identical rows would be other nodes.
    "smooth, unconnected": lambda rng, m: _with_floor(rng, m, sg.SmoothGraph).set_params(
        connected=False, merge_identical=False
    ),
    "log-degree, parameters": lambda rng, _: sg.LogDegreeGraph(alpha=_scale(rng), beta=_scale(rng)),
    "l2-degree, density": lambda rng, m: sg.L2DegreeGraph(_density(rng, m)),
    "l2-degree, parameter": lambda rng, _: sg.L2DegreeGraph(alpha=_scale(rng)),
    "doubly stochastic, density": lambda rng, m: sg.DoublyStochasticGraph(_density(rng, m)),
    "doubly stochastic, degrees": lambda rng, m: sg.DoublyStochasticGraph(
        beta=_scale(rng), degree=rng.uniform(0.5, 2, size=m)
    ),
    "doubly stochastic, sigma": lambda rng, _: sg.DoublyStochasticGraph(sigma=_scale(rng)),
    "Gaussian": lambda rng, _: sg.GaussianGraph(sigma=_scale(rng)),
}


def gap(Z: np.ndarray, graph: sg.GraphLearner) -> float:
    """The relative gap and the violation, from the formulas, in extended precision."""
    i, j = np.triu_indices(len(Z), 1)
    z = Z[i, j] if graph.scale == "global" else localize(Z[i, j], graph.scale_[i], graph.scale_[j])
    z, u = z.astype(_long), graph.dual_.astype(_long)
    W = graph.adjacency_.toarray().astype(_long)
    w, d, v = W[i, j], W.sum(axis=1), u[i] + u[j] - 2 * z
    edges, degrees = graph.priors_
    if isinstance(edges, QuadraticEdges):
        beta = _long(edges.beta)
        f, f_star = beta * np.sum(w**2), np.sum(np.maximum(v, 0) ** 2) / (4 * beta)
    else:
        t = 4 * _long(edges.sigma) ** 2
        positive = w[w > 0]
        f, f_star = t * (np.sum(positive * np.log(positive)) - np.sum(w)), t * np.sum(np.exp(v / t))
    g, g_star, violation = _degree_terms(degrees, u, d)
    scale = abs(u @ d) + abs(f_star)
    if isinstance(degrees, LogDegrees) and np.ndim(degrees.alpha):
        scale = min(scale, 1.5 * len(Z) * np.median(degrees.alpha))
    total = 2 * z @ w + f + g + g_star + f_star
    # Weights that are too small for a float leave nothing to be relative to.
    return float(abs(total) / scale + violation) if scale > np.finfo(float).tiny else float(abs(total) + violation)


def is_farther_than_proved(Z: np.ndarray, graph: sg.GraphLearner) -> bool:
    """Whether a weight differs from the most precise solution by more than the bounds of both."""
    pairs = sg.Pairs.from_distances(Z)
    if graph.scale == "local":
        pairs = pairs.localize(graph.scale_)
    problem = sg.Problem(pairs, edge_prior=graph.priors_[0], degree_prior=graph.priors_[1])
    best = sg.Newton(1e-14, weight_tol=1e-10).solve(problem)
    off = np.max(abs(graph.adjacency_ - best.adjacency))
    return bool(off > graph.weight_error_ + best.weight_error)


def _degree_terms(prior: DegreePrior, u: np.ndarray, d: np.ndarray) -> tuple[float, float, float]:
    """``g(d)``, ``g*(-u)`` for the degrees that there are, and by how much they miss those asked for."""
    if isinstance(prior, LogDegrees):
        alpha = np.asarray(prior.alpha, dtype=_long)
        if np.any(d <= 0):
            return np.inf, 0.0, 0.0
        return -np.sum(alpha * np.log(d)), -np.sum(alpha * (1 + np.log(u / alpha))), 0.0
    if isinstance(prior, SquaredDegrees):
        alpha, total, off = _long(prior.alpha), np.sum(d), u - np.mean(u)
        g_star = off @ off / (4 * alpha) - total * np.mean(u) - alpha * total**2 / len(u)
        return alpha * d @ d, g_star, abs(total - prior.total) / prior.total
    if isinstance(prior, FixedDegrees):
        return 0.0, -u @ d, np.max(np.abs(d - prior.degree)) / np.max(prior.degree)
    return 0.0, 0.0, 0.0


def judge(name: str, seed: int, *, referee: bool) -> str:
    """What became of one problem; a verdict that begins with WRONG says why."""
    rng = np.random.default_rng([seed, *map(ord, name)])
    Z = distances(rng)
    learner = MODELS[name](rng, len(Z)).set_params(metric="precomputed")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            graph = learner.fit(Z)
        except InputError:
            return "refused"
        except Exception as error:  # noqa: BLE001  whatever it is, it is a verdict
            return f"WRONG: {type(error).__name__}"
    fault = next(_faults(Z, graph, learner.edges_per_node, told), None)
    if fault is not None:
        return f"WRONG: {fault}"
    if not graph.is_exact_:
        impossible = any(Status.INFEASIBLE.value in str(w.message) for w in told)
        return "impossible, and said so" if impossible else "stalled, and said so"
    positive = Z[Z > 0]
    known = referee and graph.scale == "global" and positive.size and positive.max() < 1e3 and positive.min() > 1e-3
    return _referee(Z, graph) if known else "exact"


def _faults(
    Z: np.ndarray, graph: sg.GraphLearner, wanted: float | None, told: list[warnings.WarningMessage]
) -> Iterator[str]:
    if not np.all(np.isfinite(graph.adjacency_.data)):
        yield "not a number"
    with np.errstate(all="ignore"):
        found = gap(Z, graph)
    if not graph.is_exact_:
        if not told:
            yield "stalled in silence"
        return
    if not found <= 1.01 * TOL:
        yield "not optimal"
    if abs(found - graph.dual_gap_) > 0.01 * TOL:
        yield "another gap"
    if graph.relative_weight_error_ > WEIGHT_TOL:
        yield "weights that are not proved"
    if is_farther_than_proved(Z, graph):
        yield "weights farther off than proved"
    if wanted is not None and not any(issubclass(w.category, DensityWarning) for w in told):
        off = abs(graph.edges_per_node_ - wanted)
        if off > 0.01 * wanted + 1e-9 and off * len(Z) / 2 > 0.5 + 1e-9:
            yield "another density in silence"


def _referee(Z: np.ndarray, graph: sg.GraphLearner) -> str:
    problem = sg.Problem(sg.Pairs.from_distances(Z), edge_prior=graph.priors_[0], degree_prior=graph.priors_[1])
    answer = reference_optimum(problem)
    if answer is None:
        return "exact, the reference has no answer"
    best, _ = answer
    w = graph.adjacency_.toarray()[np.triu_indices(len(Z), 1)]
    scale = abs(best) + float(np.abs(graph.dual_) @ graph.adjacency_.sum(axis=1))
    above = problem.primal(w) - best
    near = (TOL + TOL_REFERENCE) * scale + ABSOLUTE_REFERENCE
    if above > near:
        return "WRONG: another optimum"
    return "exact, as the reference" if above >= -near else "exact, better than the reference"


def _judge_many(name: str, seeds: range) -> list[tuple[str, int]]:
    return [(judge(name, seed, referee=seed % EVERY == 0), seed) for seed in seeds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=10_000, help="per model")
    parser.add_argument("--seed", type=int, default=0, help="of the first problem")
    options = parser.parse_args()
    table = Table("model", "verdict", "problems", "for example seed")
    for name in MODELS:
        first, last = options.seed, options.seed + options.problems
        parts = [range(k, min(k + 250, last)) for k in range(first, last, 250)]
        verdicts = list(chain(*Parallel(n_jobs=-1)(delayed(_judge_many)(name, part) for part in parts)))
        example = dict(reversed(verdicts))
        for verdict, count in sorted(Counter(verdict for verdict, _ in verdicts).items()):
            table.add_row(name, verdict, f"{count:,}", str(example[verdict]))
    Console().print(table)


if __name__ == "__main__":
    main()
