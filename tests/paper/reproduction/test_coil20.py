from pathlib import Path

import numpy as np
import pytest

from paper.datasets import Labeled
from paper.reproduction import coil20
from paper.reproduction.graph_tasks import GRAPHS
from paper.reproduction.report import report_text
from paper.reproduction.report_figures import draw_class_sizes, draw_coil20
from paper.results import ResultsFolder
from paper.runner import run

ALL = Labeled(np.arange(1440.0)[:, None], np.repeat(np.arange(1, 21), 72))


@pytest.fixture(scope="module")
def summary(data_dir, tmp_path_factory):
    folder = tmp_path_factory.mktemp("coil20")
    return run("coil20", coil20, coil20.QUICK, folder, data_dir=data_dir, n_jobs=1)


def sizes(seed, settings=coil20.FULL):
    return np.bincount(coil20.sample(ALL, settings, seed).y, minlength=21)[1:]


def test_class_sizes_grow_from_3_to_60_on_average():
    draws = np.array([sizes(seed) for seed in range(400)])
    assert draws.min() == 2  # so that every object is there
    assert draws.max() <= 72
    expected = 3 + 57 * (np.arange(20) / 19) ** 2
    error = 4 * np.sqrt(72 / 4 / 400)  # four standard errors of the mean, at most
    np.testing.assert_allclose(draws.mean(axis=0), expected, atol=error)


def test_images_keep_their_labels_and_are_taken_once():
    sample = coil20.sample(ALL, coil20.FULL, seed=0)
    np.testing.assert_array_equal(sample.X[:, 0] // 72 + 1, sample.y)
    assert len(np.unique(sample.X)) == len(sample.X)


def test_a_sample_can_be_repeated():
    first, again, other = (coil20.sample(ALL, coil20.FULL, seed).X for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_the_summary_has_what_the_figures_need(summary):
    results = summary["results"]
    assert results["sizes"] == sizes(0).tolist()
    curves = results["curves"]
    assert curves["densities"] == [4, 6, 10]
    for graph in GRAPHS:
        for found in curves[graph].values():
            assert len(found["mean"]) == len(found["std"]) == 3
    assert len(draw_coil20(results).axes) == 4
    bars = draw_class_sizes(results).axes[0].patches
    assert [bar.get_height() for bar in bars] == results["sizes"]
    assert "COIL-20" in report_text({"coil20": summary}, folder=ResultsFolder(Path()))


def test_out_of_reach_is_a_number_of_nodes(summary):
    """Not a share: a whole number in every run, and no more than the errors are."""
    results = summary["results"]
    n_nodes = sum(results["sizes"])
    n_hidden = n_nodes - round(0.5 * n_nodes)
    for graph in GRAPHS:
        curves = results["curves"][graph]
        unreachable, wrong = (np.array(curves[k]["mean"]) for k in ("unreachable", "label_error"))
        assert np.all(unreachable <= wrong * n_hidden + 1e-2)
        whole = unreachable * coil20.QUICK.label_runs
        np.testing.assert_allclose(whole, np.round(whole), atol=1e-3)


def test_log_degree_has_no_isolated_nodes(summary):
    assert summary["results"]["curves"]["log-degree"]["isolated"]["mean"] == [0, 0, 0]
