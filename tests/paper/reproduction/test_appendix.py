"""The appendix's figures of the filters and of one signal."""

import numpy as np
import pytest

from paper.reproduction import filters, signals
from paper.reproduction.report_figures import draw_filters, draw_signals
from paper.runner import run


@pytest.fixture(scope="module")
def signal_results(tmp_path_factory):
    return run("signals", signals, signals.FULL, tmp_path_factory.mktemp("signals"))["results"]


def test_the_filters_are_the_papers(tmp_path):
    results = run("filters", filters, filters.FULL, tmp_path)["results"]
    at = np.array(results["at"])
    np.testing.assert_allclose(at, np.arange(1, 201) / 200)
    np.testing.assert_allclose(results["Tikhonov"], 1 / (1 + 10 * at), atol=1e-6)
    np.testing.assert_allclose(results["generative"], at**-0.5, atol=1e-6)
    np.testing.assert_allclose(results["heat"], np.exp(-10 * at), atol=1e-6)
    assert len(draw_filters(results).axes) == 1


def test_the_graph_has_two_components_as_the_papers(signal_results):
    assert signal_results["components"] == 2
    assert np.shape(signal_results["positions"]) == (100, 2)
    ends = np.array(signal_results["edges"])
    assert np.all(ends[:, 0] < ends[:, 1])
    assert len(ends) == len(signal_results["weights"])


def test_every_filter_makes_the_signal_smoother(signal_results):
    smoothness = dict(signal_results["smoothness"])
    assert list(smoothness) == ["white noise", "Tikhonov", "generative", "heat"]
    noise = smoothness.pop("white noise")
    assert all(0 <= value < noise <= 1 for value in smoothness.values())


def test_the_smoothness_is_that_of_the_signals_and_the_graph(signal_results):
    rows, cols = np.array(signal_results["edges"]).T
    w = np.array(signal_results["weights"])
    L = np.zeros((100, 100))
    np.add.at(L, (rows, cols), -w)
    L += L.T
    L -= np.diag(L.sum(axis=1))
    for name, signal in signal_results["signals"].items():
        x = np.array(signal)
        energy = np.sum(w * (x[rows] - x[cols]) ** 2)
        expected = energy / (x @ x * np.linalg.eigvalsh(L)[-1])
        np.testing.assert_allclose(signal_results["smoothness"][name], expected, atol=2e-4)


def test_the_figure_has_a_panel_and_a_colour_bar_per_signal(signal_results):
    assert len(draw_signals(signal_results).axes) == 8
