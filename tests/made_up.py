"""Made-up results of experiments, for tests that do not run any."""

from paper import published
from paper.draws import paper_graphs
from paper.reproduction.artificial import optimum_column
from paper.reproduction.graph_tasks import GRAPHS
from paper.scores import METRICS

DENSITIES = [2, 6, 10]
PROPORTIONS = ("40 to 160", "100 to 100", "160 to 40")


def scores(value):
    """Return the best scores of a method, ``value(metric)`` for each metric."""
    return {
        metric: {
            "mean": value(metric),
            "std": 0.01,
            "error": 0.01 / 19**0.5,
            "parameter": 0.5,
            "gap": 2e-3,
            "iterations": 123,
        }
        for metric in METRICS
    }


def table_results(table, shift=0.0):
    """Return the numbers that the paper states for each method, plus ``shift``."""
    results = {}
    for graph in paper_graphs():
        results[graph] = {}
        for signal in published.SIGNALS:
            own = results[graph][signal] = {}
            for method in published.METHODS:
                stated = published.published_scores(table, graph, signal, method)
                found = {metric: round(stated[metric] + shift, 3) for metric in METRICS}
                own[optimum_column(method)] = scores(found.__getitem__)
                if method != "baseline":
                    own[f"{method}, as run"] = scores(found.__getitem__)
    return results


def curves(**measured):
    """Return curves over DENSITIES, with one list per graph: log-degree, l2-degree, k-NN."""
    measured = {"edges_per_node": [[float(k) for k in DENSITIES]] * 3} | measured
    found = {"densities": list(DENSITIES)}
    for number, graph in enumerate(GRAPHS):
        found[graph] = {
            name: {"mean": list(lists[number]), "std": [0.0] * len(DENSITIES)} for name, lists in measured.items()
        }
    return found


def good_usps():
    """Return results that agree with the paper."""
    return curves(
        clustering_error=[[0.31, 0.25, 0.24], [0.55, 0.40, 0.25], [0.6, 0.5, 0.45]],
        label_error=[[0.20, 0.15, 0.12], [0.50, 0.25, 0.14], [0.4, 0.3, 0.2]],
        unreachable=[[0.02, 0.01, 0.0], [0.3, 0.1, 0.0], [0.1, 0.05, 0.0]],
        components=[[20, 3, 1], [90, 35, 9], [25, 8, 2]],
        isolated=[[0, 0, 0], [60, 22, 4], [0, 0, 0]],
    )


def good_mnist():
    """Return results that agree with the paper: the l2-degree error grows with the share of 1s."""
    own = {}
    for number, proportion in enumerate(PROPORTIONS, start=1):
        rival = [0.1 + 0.1 * number, 0.05 + 0.1 * number, 0.1]
        own[proportion] = curves(
            label_error=[[0.1, 0.05, 0.03], rival, [0.2, 0.15, 0.1]],
            unreachable=[[2.0, 1.0, 0.0], [31.5, 21.5, 5.0], [8.0, 4.0, 1.0]],
            unreachable_1=[[1.0, 0.5, 0.0], [1.5, 1.5, 0.0], [4.0, 2.0, 0.0]],
            unreachable_2=[[1.0, 0.5, 0.0], [30.0, 20.0, 5.0], [4.0, 2.0, 1.0]],
        )
    return {"curves": own, "mean_distance": {"1": 45.3, "2": 101.5}}


def good_coil20():
    """Return results that agree with the paper."""
    return {
        "curves": curves(
            clustering_error=[[0.3, 0.25, 0.2], [0.5, 0.4, 0.2], [0.4, 0.35, 0.3]],
            label_error=[[0.08, 0.05, 0.03], [0.3, 0.15, 0.03], [0.1, 0.09, 0.08]],
            unreachable=[[5.0, 2.0, 0.0], [60.0, 22.5, 3.0], [6.0, 3.0, 1.0]],
            components=[[40, 20, 9], [150, 70, 22], [45, 25, 14]],
            isolated=[[0, 0, 0], [80, 30, 6], [0, 0, 0]],
        ),
        "sizes": [3, 7, 12],
    }


def choices_results():
    """Return two readings of a graph; F-measures are 0.61, 0.62, 0.63 and 0.71, 0.72, 0.73."""
    return {
        name: {
            "graph": "non-uniform",
            "strength": 10.0,
            "tables": {
                "table2": {"distance": distance, "f_measure": _f_measures(0.6)},
                "table4": {"distance": 2 * distance, "f_measure": _f_measures(0.7)},
            },
        }
        for name, distance in (("decay 2", 0.0126), ("decay 10", 0.0874))
    }


def _f_measures(start):
    return {
        signal: {"baseline": 0.1, "l2-degree": 0.2, "log-degree": round(start + 0.01 * k, 2)}
        for k, signal in enumerate(published.SIGNALS, start=1)
    }


def timing_results():
    """Return times of each model with Newton and with its own algorithm, the last one stopped."""
    newton = {
        "model": "log-degree",
        "density": 10,
        "step": None,
        "unit": 1.0,
        "seconds": 0.0214,
        "iterations": 7,
        "converged": True,
        "gap": 3.1e-9,
        "edges_per_node": 10.002,
        "components": 5,
        "isolated": 0,
    }
    algorithm = {
        "step": 0.5,
        "seconds": 61.24,
        "iterations": 2043,
        "converged": False,
        "gap": 0.27,
        "edges_per_node": 9.41,
        "components": 17,
        "isolated": 12,
    }
    first = newton | {"step": 0.5, "seconds": 5.14, "iterations": 218, "gap": 1e-4}
    rival = newton | {"model": "l2-degree"}
    return [newton, first, rival, rival | algorithm]


def filters_results():
    """Return three filter responses at three points."""
    return {"at": [0.1, 0.5, 1.0], "Tikhonov": [0.5, 0.2, 0.1], "generative": [3.2, 1.4, 1.0], "heat": [0.4, 0.01, 0.0]}


def signals_results():
    """Return a graph of three nodes with two signals."""
    return {
        "positions": [[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]],
        "edges": [[0, 1], [1, 2]],
        "weights": [1.0, 0.5],
        "components": 1,
        "signals": {"white noise": [1.0, -1.0, 0.5], "heat": [0.2, 0.1, 0.15]},
        "smoothness": {"white noise": 0.61, "heat": 0.04},
    }


def summary(name, results):
    """Return a summary as the runner writes it."""
    return {
        "experiment": name,
        "settings": {"seed": 0, "repetitions": 20, "values": [1, 2]},
        "sources": "0123456789abcdef",
        "versions": {"python": "3.11.0", "smoothgraph": "0.0.7"},
        "seconds_of_work": 12.6,
        "processes": 2,
        "results": results,
    }


def all_summaries():
    """Return one summary for each experiment."""
    results = {
        "table2": table_results(published.TABLE_2, 0.0111),
        "table4": table_results(published.TABLE_4, -0.0123),
        "choices": choices_results(),
        "filters": filters_results(),
        "signals": signals_results(),
        "usps": good_usps(),
        "mnist": good_mnist(),
        "coil20": good_coil20(),
        "timing": timing_results(),
    }
    return {name: summary(name, content) for name, content in results.items()}
