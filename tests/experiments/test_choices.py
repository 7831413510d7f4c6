from dataclasses import replace

import numpy as np
import pytest

from smoothgraph.experiments import artificial, choices
from smoothgraph.experiments.artificial import METRICS
from smoothgraph.experiments.paper import METHODS, SIGNALS, TABLE_2, stated

pytest.importorskip("networkx", reason="two of the paper's graphs are NetworkX's")

NAMES = ("weights exp(-d²/2σ²), as stated", "weights exp(-d²/σ²)")
ONE_VALUE = choices.Settings(
    replace(choices.QUICK.base, betas=(0.1,), alphas=(0.1,), sigmas=(0.5,), radii=(0.5,)),
    {name: choices.CHOICES[name] for name in NAMES},
)


def paper_plus(offset, choice):
    """Results of one draw with one parameter per method: the paper's numbers and an offset."""
    graph = ONE_VALUE.choices[choice].graph
    results = []
    for signal in SIGNALS:
        numbers = {
            artificial.column_of(method): [
                [value + offset for value in stated(TABLE_2, graph, signal, method).values()]
            ]
            for method in METHODS
        }
        numbers["radii"] = [numbers["baseline"][0][:1]]
        piece = {"choice": choice, "graph": graph, "signal": signal, "repetition": 0}
        results.append((piece, numbers))
    return results


def test_the_distance_is_zero_for_the_papers_numbers_and_the_offset_else():
    results = [*paper_plus(0.0, NAMES[0]), *paper_plus(0.25, NAMES[1])]
    summary = choices.collect(ONE_VALUE, results)
    assert summary[NAMES[0]]["distance"] == 0
    np.testing.assert_allclose(summary[NAMES[1]]["distance"], 0.25)


def test_every_number_of_the_paper_counts_the_same():
    results = paper_plus(0.0, NAMES[0])
    results[1][1]["log-degree, optimum"][0][METRICS.index("edge_l2")] += 0.9
    summary = choices.collect(ONE_VALUE, results + paper_plus(0.0, NAMES[1]))
    np.testing.assert_allclose(summary[NAMES[0]]["distance"], 0.9 / (3 * 3 * 5))


def test_a_choice_is_scored_as_the_table_scores_it():
    """Each reading is drawn with its own arguments and filters."""
    base = replace(
        ONE_VALUE.base, n_nodes=20, n_signals=30, as_run_betas=(), as_run_alphas=(), repetitions=1
    )
    settings = replace(ONE_VALUE, base=base)
    found = [choices.compute(settings, piece, None) for piece in choices.pieces(settings)]
    pieces = choices.pieces(settings)
    assert len(pieces) == 2 * 3
    for piece, result in zip(pieces, found, strict=True):
        choice = settings.choices[piece["choice"]]
        own = replace(base, graphs={choice.graph: choice.draw}, strength=choice.strength)
        assert result == artificial.compute(own, piece, None)
    assert found[0] != found[3]
    assert list(choices.collect(settings, list(zip(pieces, found, strict=True)))) == list(NAMES)


def test_every_graph_of_the_paper_has_readings_and_its_own_is_among_them():
    for graph, draw in artificial.paper_graphs().items():
        readings = [c for c in choices.CHOICES.values() if c.graph == graph]
        assert len(readings) >= 2 or graph == "Barabási-Albert"
        assert {c.strength for c in readings if c.draw == draw} >= {20.0}
    assert all(choice.graph in TABLE_2 for choice in choices.CHOICES.values())
