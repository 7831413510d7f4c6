"""The methods that are compared: same budget, grids that fit, pages that tell."""

import json
from pathlib import Path

import numpy as np
import pytest

from paper.comparison.method_grids import METHODS, N_SETTINGS
from paper.comparison.recovery_page import recovery_text
from paper.comparison.recovery_tables import metric_table, metric_tables, overview, overview_table
from paper.estimates import with_errors
from paper.results import ResultsFolder


@pytest.mark.parametrize("name", METHODS)
def test_every_method_has_the_same_number_of_settings(name):
    grid = METHODS[name].grid
    assert len({json.dumps(values) for values in grid}) == len(grid) == N_SETTINGS


@pytest.mark.parametrize("name", METHODS)
def test_the_grids_fit_the_learners(name):
    method = METHODS[name]
    for values in method.grid:
        assert set(values) <= set(method.learner.get_params())


def found(f, **changes):
    """What is found of one graph and signal."""
    scores = {metric: {"mean": 0.5, "std": 0.1} for metric in ("edge_l1", "edge_l2")}
    scores |= {metric: {"mean": 0.5, "std": 0.1} for metric in ("degree_l1", "degree_l2")}
    rest = {"edges_per_node": 4.0, "seconds": 0.01, "largest_gap": 1e-7, "at_the_end": False}
    return {"f_measure": {"mean": f, "std": 0.1}, **scores, **rest, **changes}


@pytest.fixture
def stored():
    def of_method(f, **changes):
        signals = ("Tikhonov", "generative", "heat")
        return {"60": {"a graph": {signal: found(f, **changes) for signal in signals}}}

    return {"k-NN": of_method(0.5, largest_gap=None), "log-degree": of_method(0.75, at_the_end=True, seconds=0.2)}


@pytest.fixture
def results(stored):
    return with_errors(stored, 5)


def test_the_overview_has_the_best_method_first(results):
    rows = overview(results)
    assert [row["method"] for row in rows] == ["log-degree", "k-NN"]
    assert rows[0]["F 60"] == 0.75
    assert rows[0]["ms"] == pytest.approx(200)
    assert rows[0]["at_end"] == 3
    assert rows[1]["largest_gap"] is None


def test_the_overview_has_the_standard_errors_of_its_means(results):
    error = 0.1 / 4**0.5 / 3**0.5  # of five draws of each of three signals
    assert overview(results)[0]["F 60 error"] == pytest.approx(error)
    assert f"| log-degree | 0.750 ± {error:.3f} | 4 |" in overview_table(results)


def test_a_single_draw_has_no_standard_errors(stored):
    results = with_errors(stored, 1)
    assert [row["F 60 error"] for row in overview(results)] == [None, None]
    assert "| log-degree | 0.750 | 4 |" in overview_table(results)
    assert "standard error" not in metric_tables(results)


def test_every_table_is_preceded_by_the_range_of_its_errors(stored):
    stored["k-NN"]["60"]["a graph"]["heat"]["edge_l1"]["std"] = 0.02
    stored["log-degree"]["60"]["a graph"]["heat"]["edge_l1"]["std"] = 0.4
    text = metric_tables(with_errors(stored, 5))
    assert "**edge ℓ1, 60 signals**\n\nThe standard errors are 0.010 to 0.200 (median 0.050).\n\n| graph" in text
    assert text.count("The standard errors are 0.050 to 0.050") == 4


def test_the_best_of_each_setting_is_in_bold(results):
    lines = metric_table(results, "60", "f_measure").splitlines()
    assert lines[2] == "| a graph | Tikhonov | 0.500 | **0.750** |"


def test_the_page_says_what_was_tried(stored):
    settings = {
        "n_nodes": 100,
        "numbers_of_signals": [60],
        "noise": 0.1,
        "repetitions": 3,
        "grid": [{"beta": beta} for beta in np.linspace(0.5, 2, 4).tolist()],
    }
    summaries = {
        name: {
            "settings": settings,
            "results": found,
            "seconds_of_work": 3.2,
            "processes": 2,
            "sources": "0123456789abcdef",
            "versions": {"numpy": "2.0"},
        }
        for name, found in stored.items()
    }
    text = recovery_text(summaries, folder=ResultsFolder(Path()), outdated=["k-NN"])
    assert "beta: 0.5, 1, ... 2" in text
    assert f"| log-degree | 0.750 ± {0.1 / 6**0.5:.3f} |" in text  # three draws of each of three signals
    assert "60 of them with 10% noise" in text
    assert "Each method has 4 settings" in text
    assert "(figures/index-f-measures.png)" in text
    assert "**Computed by an earlier version of the code:** k-NN." in text
