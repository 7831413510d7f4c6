from dataclasses import replace

import numpy as np
import pytest

from smoothgraph import Newton, Pairs, PairSet, PrimalDual, distances, models
from smoothgraph.solution import Step
from smoothgraph.viz import draw_convergence


@pytest.fixture
def problem(rng):
    X = rng.normal(size=(30, 3))
    edges = PairSet.all_pairs(30)
    return models.log_degree(Pairs(edges, distances(X, edges)), alpha=1.0, beta=0.5)


def test_the_gap_of_every_step(problem):
    solution = PrimalDual(tol=1e-5).solve(problem)
    ax = draw_convergence(solution)
    x, gaps = ax.lines[0].get_data()
    shown = [step for step in solution.history if np.isfinite(step.gap)]
    assert len(shown) > 3
    drawn = ~np.isnan(gaps)
    assert x[drawn].tolist() == [step.iteration for step in shown]
    assert gaps[drawn].tolist() == [step.gap for step in shown]
    assert ax.get_yscale() == "log"
    assert ax.get_legend() is None


def test_against_seconds(problem):
    solution = PrimalDual(tol=1e-5).solve(problem)
    ax = draw_convergence(solution, against="seconds")
    assert ax.lines[0].get_xdata()[-1] == solution.history[-1].seconds
    assert ax.get_xlabel() == "seconds"


def test_several_solutions_have_their_names(problem):
    solutions = {"Newton": Newton().solve(problem), "_$primal$": PrimalDual().solve(problem)}
    ax = draw_convergence(solutions)
    ax.figure.draw_without_rendering()
    texts = ax.get_legend().get_texts()
    assert [text.get_text() for text in texts] == ["Newton", "_$primal$"]
    assert not texts[1].get_parse_math()
    assert len({line.get_color() for line in ax.lines}) == 2


def test_stages_are_lines_of_their_own(problem):
    steps = [(1, 1e-2), (2, 1e-5), (2, 0.1), (3, 1e-9), (3, 1e-10)]
    history = tuple(Step(iteration, 0.1 * iteration, gap) for iteration, gap in steps)
    solution = replace(Newton().solve(problem), history=history)
    x, gaps = draw_convergence(solution).lines[0].get_data()
    np.testing.assert_array_equal(gaps, [1e-2, 1e-5, np.nan, 0.1, 1e-9, 1e-10])
    np.testing.assert_array_equal(x, [1, 2, 2, 2, 3, 3])


def test_gaps_that_a_logarithmic_axis_cannot_show(problem):
    history = (Step(0, 0.0, np.inf), Step(1, 0.1, 1e-3), Step(2, 0.2, 0.0))
    ax = draw_convergence(replace(Newton().solve(problem), history=history))
    ax.figure.draw_without_rendering()
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [np.nan, 1e-3, np.nan])


def test_what_cannot_be_drawn_is_refused(problem):
    with pytest.raises(ValueError, match='"iterations" or "seconds", got \'hours\''):
        draw_convergence(Newton().solve(problem), against="hours")
    with pytest.raises(ValueError, match="at least one solution"):
        draw_convergence({})
