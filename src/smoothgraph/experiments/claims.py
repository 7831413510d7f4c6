"""The paper's statements, one by one, held against what was measured."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from smoothgraph.experiments import paper
from smoothgraph.experiments.artificial import METRICS, column_of
from smoothgraph.experiments.curves import at
from smoothgraph.experiments.graph_tasks import GRAPHS

OURS, RIVAL, KNN = GRAPHS
_SPARSE = 6  # edges per node up to which the paper's figures are about sparse graphs
_ABOUT = 1.25  # times a number of iterations
_NEAR = 0.05  # of the best error
_TABLES = {"table2": paper.TABLE_2, "table4": paper.TABLE_4}


@dataclass(frozen=True)
class Claim:
    """What the paper says, what was measured, and whether the two agree."""

    statement: str
    measured: str
    reproduced: bool


def claims_of(name: str, results: Any) -> list[Claim]:
    """The claims that an experiment tests; none for the figures without a statement."""
    if name in _TABLES:
        return _table_claims(results, _TABLES[name])
    tests = {
        "usps": _usps_claims,
        "mnist": _mnist_claims,
        "coil20": _coil20_claims,
        "timing": _timing_claims,
    }
    return tests[name](results) if name in tests else []


def _table_claims(results: Any, table: paper.Table) -> list[Claim]:
    cells = [(g, s, m) for g in table for s in paper.SIGNALS for m in METRICS]
    wins = sum(_best(_ours(results, *cell), cell[-1]) == OURS for cell in cells)
    paper_wins = sum(_best(_theirs(table, *cell), cell[-1]) == OURS for cell in cells)
    manifold, other = (
        np.mean([_f(results, graph, signal) for graph in graphs for signal in paper.SIGNALS])
        for graphs in (list(table)[:2], list(table)[2:])
    )
    generative, tikhonov = (
        np.mean([_f(results, graph, signal) for graph in table])
        for signal in ("generative", "Tikhonov")
    )
    return [
        *_target_claims(results, table),
        Claim(
            "In most cases our model performs best, in all metrics.",
            f"log-degree is best in {wins} of {len(cells)} cells (in the paper {paper_wins})",
            wins > len(cells) / 2,
        ),
        Claim(
            "Signals of the generative model do not yield better graphs.",
            f"mean F-measure {generative:.3f}, with Tikhonov signals {tikhonov:.3f}",
            bool(generative <= tikhonov),
        ),
        Claim(
            "Results are slightly better for the manifold graphs than for the other two.",
            f"mean F-measure {manifold:.3f} against {other:.3f}",
            bool(manifold > other),
        ),
    ]


def _target_claims(results: Any, table: paper.Table) -> list[Claim]:
    """F-measure and edge errors of our model where the text leaves nothing open."""
    claims = []
    for graph in ("random geometric", "random geometric, sparser", "Barabási-Albert"):
        behind, above = [], []
        for signal in paper.SIGNALS:
            ours = results[graph][signal][column_of(OURS)]
            theirs = paper.stated(table, graph, signal, OURS)
            behind.append(theirs["f_measure"] - ours["f_measure"]["mean"])
            above += [ours[m]["mean"] - theirs[m] for m in ("edge_l1", "edge_l2")]
        claims.append(
            Claim(
                f"The numbers of our model on the {graph} graph "
                "(F-measure within 0.02, edge errors within 0.03, or better).",
                f"F-measure {_at_most(max(behind), 'lower', 'higher')}, "
                f"edge errors {_at_most(max(above), 'higher', 'lower')}",
                max(behind) <= 0.02 and max(above) <= 0.03,
            )
        )
    return claims


def _at_most(value: float, worse: str, better: str) -> str:
    """The worst of several differences in words; a negative one is on the better side."""
    if value >= 0:
        return f"at most {value:.3f} {worse}"
    return f"at least {-value:.3f} {better}"


def _ours(results: Any, graph: str, signal: str, metric: str) -> dict[str, float]:
    scores = results[graph][signal]
    return {method: scores[column_of(method)][metric]["mean"] for method in paper.METHODS}


def _theirs(table: paper.Table, graph: str, signal: str, metric: str) -> dict[str, float]:
    return {m: paper.stated(table, graph, signal, m)[metric] for m in paper.METHODS}


def _best(scores: dict[str, float], metric: str) -> str:
    choose = max if metric == "f_measure" else min
    return choose(scores, key=lambda method: scores[method])


def _f(results: Any, graph: str, signal: str) -> float:
    return results[graph][signal][column_of(OURS)]["f_measure"]["mean"]


def _usps_claims(curves: Any) -> list[Claim]:
    best = {graph: min(curves[graph]["clustering_error"]["mean"]) for graph in (OURS, RIVAL)}
    stated = paper.USPS_BEST_CLUSTERING
    return [
        Claim(
            "The best clustering of both is almost the same.",
            f"errors {best[OURS]:.2f} and {best[RIVAL]:.2f}",
            abs(best[OURS] - best[RIVAL]) <= 0.05,
        ),
        Claim(
            f"That best error is {stated[OURS]} for ours and {stated[RIVAL]} for theirs.",
            f"{best[OURS]:.2f} and {best[RIVAL]:.2f}",
            all(abs(best[graph] - stated[graph]) <= 0.02 for graph in best),
        ),
        _robust_claim(curves),
        _sparse_claim("Label propagation is better on sparse graphs.", curves, "label_error"),
        _at_six(curves),
        _never_isolated(curves),
    ]


def _at_six(curves: Any) -> Claim:
    counts = {
        graph: {name: at(curves, graph, name, 6) for name in ("components", "isolated")}
        for graph in (OURS, RIVAL)
    }
    stated = paper.USPS_AT_6
    text = "; ".join(
        f"{graph}: {_pm(found['components'])} components, {_pm(found['isolated'])} isolated"
        for graph, found in counts.items()
    )
    return Claim(
        "With 6 edges per node our graph has "
        f"{stated[OURS]['components']} components and no isolated node, that of Dong et al. "
        f"{stated[RIVAL]['components']} and {stated[RIVAL]['isolated']}.",
        text,
        counts[OURS]["isolated"] == (0, 0)
        and counts[OURS]["components"][0] < 10 < counts[RIVAL]["components"][0]
        and counts[RIVAL]["isolated"][0] > 10,
    )


def _never_isolated(curves: Any) -> Claim:
    most = {graph: max(curves[graph]["isolated"]["mean"]) for graph in GRAPHS}
    return Claim(
        "Our model and k-NN have no isolated nodes.",
        ", ".join(f"{graph} at most {count:g}" for graph, count in most.items()),
        most[OURS] == most[KNN] == 0,
    )


def _robust_claim(curves: Any) -> Claim:
    """How many of the densities are nearly as good as a model's best."""
    near = {}
    for graph in (OURS, RIVAL):
        errors = np.array(curves[graph]["clustering_error"]["mean"])
        near[graph] = int(np.sum(errors <= errors.min() + _NEAR))
    return Claim(
        "Clustering with our graph depends less on the density.",
        f"within {_NEAR} of its best error at {near[OURS]} of {len(curves['densities'])} "
        f"densities, theirs at {near[RIVAL]}",
        near[OURS] > near[RIVAL],
    )


def _sparse_claim(statement: str, curves: Any, name: str) -> Claim:
    """Whether ours is better than the rival at each sparse density."""
    sparse = [density for density in curves["densities"] if density <= _SPARSE]
    pairs = [(at(curves, OURS, name, k)[0], at(curves, RIVAL, name, k)[0]) for k in sparse]
    text = ", ".join(
        f"{ours:.3f} to {rival:.3f} at {k:g}"
        for k, (ours, rival) in zip(sparse, pairs, strict=True)
    )
    return Claim(statement, f"ours to theirs: {text}", all(ours < rival for ours, rival in pairs))


def _mnist_claims(results: Any) -> list[Claim]:
    distance, curves = results["mean_distance"], results["curves"]
    stated = paper.MNIST_MEAN_DISTANCE
    return [
        Claim(
            f"The mean squared distance is {stated['1']} between 1s and {stated['2']} between 2s.",
            f"{distance['1']} and {distance['2']}",
            all(abs(distance[digit] / stated[digit] - 1) < 0.05 for digit in stated),
        ),
        *(
            _sparse_claim(
                f"Ours is better on sparse graphs: {proportion} (1s to 2s).", own, "label_error"
            )
            for proportion, own in curves.items()
        ),
        _twos_claim(curves),
        _few_twos_claim(curves),
    ]


def _twos_claim(curves: Any) -> Claim:
    """At the sparse densities, summed: whom each model leaves without a label in reach."""
    found = {
        graph: [_sparse_mean(curves, graph, f"unreachable_{digit}") for digit in (1, 2)]
        for graph in (OURS, RIVAL)
    }
    text = "; ".join(
        f"{graph}: {ones:.1f} ones, {twos:.1f} twos" for graph, (ones, twos) in found.items()
    )
    return Claim(
        "Dong et al. leaves 2s without a label in reach unless the graph is dense; ours treats "
        "the classes more fairly.",
        f"mean number out of reach up to {_SPARSE} edges per node: {text}",
        found[RIVAL][1] > 2 * found[RIVAL][0] and found[RIVAL][1] > 2 * found[OURS][1],
    )


def _few_twos_claim(curves: Any) -> Claim:
    """The rival's lead over ours in 2s out of reach, as a share of the 2s, over all densities."""
    lead, error = {}, {}
    for proportion, own in curves.items():
        n_twos = int(proportion.split()[-1])
        lead[proportion] = _excess(own, "unreachable_2") / n_twos
        error[proportion] = _excess(own, "label_error")
    shares = ", ".join(f"{value:.2f} for {proportion}" for proportion, value in lead.items())
    errors = ", ".join(f"{value:.3f}" for value in error.values())
    return Claim(
        "The effect is stronger when the 2s are also the smaller class.",
        f"share of the 2s out of reach, theirs minus ours, mean over the densities: {shares} "
        f"(1s to 2s); the same of the error over both classes: {errors}",
        max(lead, key=lambda proportion: lead[proportion]) == list(lead)[-1],
    )


def _excess(curves: Any, name: str) -> float:
    """Theirs minus ours, mean over the densities."""
    return float(np.mean(curves[RIVAL][name]["mean"]) - np.mean(curves[OURS][name]["mean"]))


def _sparse_mean(curves: Any, graph: str, name: str) -> float:
    """The mean of a measurement over proportions and sparse densities."""
    return float(
        np.mean(
            [
                at(own, graph, name, k)[0]
                for own in curves.values()
                for k in own["densities"]
                if k <= _SPARSE
            ]
        )
    )


def _coil20_claims(results: Any) -> list[Claim]:
    curves = results["curves"]
    return [
        _robust_claim(curves),
        _sparse_claim("Label propagation is better on sparse graphs.", curves, "label_error"),
        _sparse_claim("Fewer nodes are out of reach of a label.", curves, "unreachable"),
        _sparse_claim("Our graph is better connected.", curves, "components"),
        _never_isolated(curves),
    ]


def _timing_claims(rows: Any) -> list[Claim]:
    """The iterations of both algorithms at the paper's density, over all steps and units."""
    claims = []
    for number, (model, iterations) in enumerate(paper.ITERATIONS.items(), start=1):
        own = [r for r in rows if r["model"] == model and r["density"] == rows[0]["density"]]
        runs = [row for row in own if row["step"] is not None]
        counts, edges = ([row[key] for row in runs] for key in ("iterations", "edges_per_node"))
        newton = next(row for row in own if row["step"] is None)
        claims.append(
            Claim(
                f"Algorithm {number} takes {iterations} iterations.",
                f"{min(counts)} to {max(counts)}, by step and unit, which the paper does not "
                f"state; the graph then has {min(edges):.1f} to {max(edges):.1f} edges per node "
                f"(Newton: {newton['iterations']} iterations, {newton['edges_per_node']:.1f})",
                min(counts) <= _ABOUT * iterations and max(counts) >= iterations / _ABOUT,
            )
        )
    return claims


def _pm(found: tuple[float, float]) -> str:
    return f"{found[0]:.1f} ± {found[1]:.1f}"
