"""What cells say about graphs: intervals, best densities, leads, ranks."""

import numpy as np
import pytest
from scipy.stats import bootstrap, t

from paper.graphs.cells import Cell, Interval, Tally, best_cell, lead, lead_at_best, leads_at_equal_density, ranks

ERROR, INDEX = "harmonic, 10%", "Leiden, ARI"


def cell(graph, asked, scores, edges=None, task=ERROR):
    return Cell(graph, asked, density=asked, edges_per_node=edges or asked, scores={task: np.array(scores, float)})


def test_the_interval_is_students(rng):
    values = rng.normal(3.0, 2.0, size=12)
    low, high = t.interval(0.95, 11, loc=values.mean(), scale=values.std(ddof=1) / np.sqrt(12))
    interval = Interval.of(values)
    assert interval.mean - interval.half == pytest.approx(low)
    assert interval.mean + interval.half == pytest.approx(high)
    rough = bootstrap((values,), np.mean, rng=0).confidence_interval
    assert interval.half == pytest.approx((rough.high - rough.low) / 2, rel=0.3)
    assert str(Interval.of(np.array([2.0]))) == "2.0"


def test_the_first_half_of_the_draws_chooses_and_the_second_judges():
    cells = [cell("k-NN", 4.0, [1, 1, 9, 9]), cell("k-NN", 6.0, [2, 2, 0, 0]), cell("UMAP", 4.0, [0, 0, 0, 0])]
    chosen, judged = best_cell(cells, "k-NN", ERROR)
    assert chosen.asked == 4.0
    assert judged.tolist() == [9, 9]
    assert best_cell(cells, "CAN", ERROR) is None
    high = [cell("k-NN", 4.0, [1, 1, 9, 9], task=INDEX), cell("k-NN", 6.0, [2, 2, 0, 0], task=INDEX)]
    assert best_cell(high, "k-NN", INDEX)[0].asked == 6.0


def test_a_lead_is_positive_if_ours_is_better():
    ours, theirs = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 3.5])
    assert lead(ours, theirs, ERROR).mean == pytest.approx(7 / 6)
    assert lead(ours, theirs, INDEX).mean == pytest.approx(-7 / 6)


def test_leads_at_equal_density_leave_out_what_is_off_or_failed():
    cells = [
        *(cell("smooth", k, [1, 1, 1]) for k in (4.0, 6.0, 10.0)),
        cell("k-NN", 4.0, [2, 2, 2]),
        cell("k-NN", 6.0, [9, 9, 9], edges=8.0),
        Cell("k-NN", 10.0, failure="it broke"),
    ]
    found = leads_at_equal_density(cells, "smooth", "k-NN", ERROR)
    assert found == [Interval(1.0, 0.0)]
    assert lead_at_best(cells, "smooth", "k-NN", ERROR) == Interval(1.0, 0.0)


def test_wins_ties_and_losses():
    intervals = [Interval(2.0, 1.0), Interval(-2.0, 1.0), Interval(0.5, 1.0), Interval(3.0, np.nan), Interval(0.0, 0.0)]
    assert Tally.of(intervals) == Tally(1, 3, 1)
    assert str(Tally.of([])) == ""


def test_equal_graphs_share_their_mean_rank():
    scores = {"smooth": 3, "k-NN": 1, "UMAP": 3, "CAN": 7}
    cells = [cell(graph, 4.0, [value] * 4) for graph, value in scores.items()]
    assert ranks(cells, ERROR) == {"smooth": 2.5, "k-NN": 1.0, "UMAP": 2.5, "CAN": 4.0}
    cells = [cell(graph, 4.0, [value] * 4, task=INDEX) for graph, value in scores.items()]
    assert ranks(cells, INDEX) == {"smooth": 2.5, "k-NN": 4.0, "UMAP": 2.5, "CAN": 1.0}
