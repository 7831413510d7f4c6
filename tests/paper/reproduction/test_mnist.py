from pathlib import Path

import numpy as np
import pytest

from paper.reproduction import mnist
from paper.reproduction.claims import mnist_claims
from paper.reproduction.graph_tasks import GRAPHS
from paper.reproduction.report import report_text
from paper.reproduction.report_figures import draw_mnist
from paper.results import ResultsFolder
from paper.runner import run


@pytest.fixture(scope="module")
def summary(data_dir, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mnist")
    return run("mnist", mnist, mnist.QUICK, folder, data_dir=data_dir, n_jobs=1)


def test_the_papers_proportions_are_drawn_again_and_again():
    pieces = mnist.pieces(mnist.FULL)
    counts = {(piece["ones"], piece["twos"]) for piece in pieces}
    assert counts == {(40, 160), (100, 100), (160, 40)}
    assert len(pieces) == 3 * mnist.FULL.draws


def test_the_summary_has_what_the_figure_needs(summary):
    results = summary["results"]
    assert list(results["curves"]) == ["40 to 160", "100 to 100", "160 to 40"]
    for curves in results["curves"].values():
        assert curves["densities"] == [3, 6, 10]
        for graph in GRAPHS:
            for name in ("edges_per_node", "label_error", "unreachable", "components", "isolated"):
                assert len(curves[graph][name]["mean"]) == 3
                assert len(curves[graph][name]["std"]) == 3
    assert len(draw_mnist(results).axes) == 6
    assert "MNIST, 1 against 2" in report_text({"mnist": summary}, folder=ResultsFolder(Path()))


def test_counts_add_up_over_the_classes(summary):
    for curves in summary["results"]["curves"].values():
        for graph in GRAPHS:
            parts = [curves[graph][f"unreachable_{digit}"]["mean"] for digit in (1, 2)]
            unreachable = np.array(curves[graph]["unreachable"]["mean"])
            np.testing.assert_allclose(np.sum(parts, axis=0), unreachable, atol=2e-5)
            wrong = np.array(curves[graph]["label_error"]["mean"]) * 180  # nodes without a label
            assert np.all(unreachable <= wrong + 1e-2)


def test_log_degree_has_no_isolated_nodes(summary):
    for curves in summary["results"]["curves"].values():
        assert curves["log-degree"]["isolated"]["mean"] == [0, 0, 0]


def test_ones_are_closer_to_each_other_than_twos_by_as_much_as_stated(summary):
    distance = summary["results"]["mean_distance"]
    np.testing.assert_allclose([distance["1"], distance["2"]], [45, 102], rtol=0.1)
    assert len(mnist_claims(summary["results"])) == 7


def test_pieces_can_be_repeated_and_are_different_draws(data_dir):
    settings = mnist.Settings(((10, 12),), draws=2, densities=(3,), label_runs=1)
    pieces = mnist.pieces(settings)
    first, second = (mnist.compute(settings, piece, data_dir) for piece in pieces)
    assert mnist.compute(settings, pieces[0], data_dir) == first
    assert first["mean_distance"] != second["mean_distance"]
