from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paper.datasets import Labeled, load_usps
from paper.reproduction import usps
from paper.reproduction.graph_tasks import GRAPHS
from paper.reproduction.report import report_text
from paper.reproduction.report_figures import draw_usps
from paper.results import ResultsFolder
from paper.runner import run

MEASURED = {"edges_per_node", "clustering_error", "label_error", "unreachable", "components", "isolated"}


@pytest.fixture(scope="module")
def images(data_dir):
    return load_usps(data_dir)


@pytest.fixture(scope="module")
def summary(data_dir, tmp_path_factory):
    folder = tmp_path_factory.mktemp("usps")
    return run("usps", usps, usps.QUICK, folder, data_dir=data_dir, n_jobs=1)


def test_the_sample_has_the_papers_class_sizes(images):
    sample = usps.sample(images, usps.FULL, seed=0)
    assert sample.X.shape == (1001, 256)
    labels, counts = np.unique(sample.y, return_counts=True)
    sizes = dict(zip(labels.tolist(), counts.tolist(), strict=True))
    assert sorted(sizes.values()) == [3, 10, 23, 42, 65, 94, 127, 166, 211, 260]
    assert [sizes[digit] for digit in usps.FULL.digits] == sorted(sizes.values())


def test_the_order_of_the_digits_is_that_of_the_settings(images):
    settings = replace(usps.FULL, digits=tuple(range(10)))
    counts = np.bincount(usps.sample(images, settings, seed=0).y)
    assert counts.tolist() == [3, 10, 23, 42, 65, 94, 127, 166, 211, 260]


def test_images_keep_their_labels_and_are_taken_once():
    numbers = np.arange(4000.0)
    images = Labeled(numbers[:, None], np.arange(4000) % 10)
    sample = usps.sample(images, usps.FULL, seed=3)
    np.testing.assert_array_equal(sample.X[:, 0] % 10, sample.y)
    assert len(np.unique(sample.X)) == 1001


def test_a_sample_can_be_repeated(images):
    first, again, other = (usps.sample(images, usps.FULL, seed).X for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_the_summary_has_what_the_figure_needs(summary):
    curves = summary["results"]
    assert curves["densities"] == [4, 6, 10]
    for graph in GRAPHS:
        assert set(curves[graph]) == MEASURED
        for found in curves[graph].values():
            assert len(found["mean"]) == len(found["std"]) == 3
    assert len(draw_usps(curves).axes) == 3
    assert "1001 USPS digits" in report_text({"usps": summary}, folder=ResultsFolder(Path()))


def test_the_measurements_are_possible(summary):
    curves = summary["results"]
    n_nodes = sum(max(2, round(0.8 * i**2)) for i in range(1, 11))
    for graph in GRAPHS:
        found = {name: np.array(curves[graph][name]["mean"]) for name in MEASURED}
        for name in ("clustering_error", "label_error", "unreachable"):
            assert np.all((found[name] >= 0) & (found[name] < 0.9)), name
        assert np.all(found["unreachable"] <= found["label_error"])
        assert np.all((found["components"] >= 1) & (found["components"] <= n_nodes))
        assert np.all(found["isolated"] <= found["components"])
    for graph in ("log-degree", "l2-degree"):
        np.testing.assert_allclose(curves[graph]["edges_per_node"]["mean"], [4, 6, 10], rtol=0.02)


def test_log_degree_has_no_isolated_nodes(summary):
    assert summary["results"]["log-degree"]["isolated"]["mean"] == [0, 0, 0]


def test_one_piece_per_draw():
    assert usps.pieces(usps.FULL) == [{"draw": draw} for draw in range(10)]
