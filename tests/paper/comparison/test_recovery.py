"""One method on the artificial settings, at the best of its parameters."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone

from paper.comparison.recovery import Recovery, Settings, summarize_best
from paper.draws import GraphChoice, draw
from paper.published import SIGNALS
from paper.scores import METRICS
from smoothgraph import GaussianGraph, LogDegreeGraph, distances
from smoothgraph.metrics import compare

SMALL = Settings(
    n_nodes=20,
    repetitions=2,
    graphs={"Barabási-Albert": GraphChoice("barabasi_albert", {"attachments": 2})},
    numbers_of_signals=(60, 30),
    grid=({"beta": 0.05}, {"beta": 0.2}, {"beta": 0.8}),
)
PIECE = {"n_signals": 30, "graph": "Barabási-Albert", "signal": "heat", "repetition": 1}


def recovery(learner):
    return Recovery(learner, SMALL, SMALL)


def test_pieces_are_all_draws_with_all_numbers_of_signals():
    pieces = recovery(LogDegreeGraph()).pieces(SMALL)
    assert len({tuple(piece.values()) for piece in pieces}) == len(pieces) == 2 * 3 * 2
    assert PIECE in pieces


def test_a_piece_is_the_learner_at_every_setting_on_data_of_mean_distance_one():
    found = recovery(LogDegreeGraph()).compute(SMALL, PIECE, None)
    truth, X = draw(replace(SMALL, n_signals=30), PIECE)
    assert X.shape == (20, 30)
    X = X / np.sqrt(distances(X).mean())
    assert len(found) == 3
    for values, at in zip(SMALL.grid, found, strict=True):
        graph = clone(LogDegreeGraph(**values)).fit(X)
        np.testing.assert_allclose(at["scores"], compare(graph, truth), atol=1e-6)
        assert at["edges_per_node"] == graph.edges_per_node_
        assert at["gap"] == graph.dual_gap_
        assert at["seconds"] > 0


def test_draws_do_not_depend_on_the_method():
    log_degree = draw(replace(SMALL, n_signals=30), PIECE)
    other = draw(replace(SMALL, n_signals=30, grid=({"sigma": 1.0},)), PIECE)
    np.testing.assert_array_equal(log_degree[1], other[1])


def line(*scores, seconds=1.0, gap=1e-7, density=3.0):
    """What one setting gave on one draw."""
    return {"scores": list(scores), "edges_per_node": density, "seconds": seconds, "gap": gap}


def test_the_best_is_the_best_mean_for_each_metric():
    draws = [
        [line(0.2, 0.9, 0.9, 0.5, 0.5), line(0.9, 0.5, 0.6, 0.4, 0.7, density=4, gap=1e-9)],
        [line(0.6, 0.1, 0.8, 0.5, 0.5), line(0.7, 0.6, 0.7, 0.6, 0.7, density=6, gap=1e-8)],
    ]
    best = summarize_best(({"k": 1}, {"k": 2}), draws)
    means = {"f_measure": 0.8, "edge_l1": 0.5, "edge_l2": 0.65, "degree_l1": 0.5, "degree_l2": 0.5}
    assert {metric: best[metric]["mean"] for metric in METRICS} == pytest.approx(means)
    assert best["f_measure"]["std"] == pytest.approx(0.1)
    assert best["parameters"] == {"k": 2}
    assert best["edges_per_node"] == 5.0
    assert best["largest_gap"] == 1e-8


@pytest.mark.parametrize(("f", "end"), [((3, 2, 1), True), ((1, 3, 2), False), ((1, 2, 3), True)])
def test_a_best_setting_at_the_end_of_the_grid_is_told(f, end):
    draws = [[line(score, 0, 0, 0, 0) for score in f]]
    assert summarize_best(SMALL.grid, draws)["at_the_end"] is end


def test_a_method_without_parameters_or_certificate():
    best = summarize_best(({},), [[line(0.5, 0, 0, 0, 0, gap=None)]])
    assert best["largest_gap"] is None
    assert best["at_the_end"] is False


def test_the_summary_has_every_setting():
    method = recovery(GaussianGraph())
    settings = replace(SMALL, repetitions=1, grid=({"sigma": 0.3}, {"sigma": 1.0}))
    results = [(p, method.compute(settings, p, None)) for p in method.pieces(settings)]
    summary = method.collect(settings, results)
    assert set(summary) == {"60", "30"}
    for by_graph in summary.values():
        assert set(by_graph) == {"Barabási-Albert"}
        assert set(by_graph["Barabási-Albert"]) == set(SIGNALS)
    heat = summary["30"]["Barabási-Albert"]["heat"]
    own = [found for piece, found in results if piece == PIECE | {"repetition": 0}]
    assert heat == summarize_best(settings.grid, own)
