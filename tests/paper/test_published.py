import numpy as np
import pytest

from paper import published
from paper.scores import METRICS

# Read from the tables of the paper: graph, signal, method, then F-measure and the four errors.
TABLE_2_CELLS = [
    ("random geometric", "Tikhonov", "log-degree", (0.913, 0.298, 0.336, 0.065, 0.079)),
    ("random geometric", "generative", "baseline", (0.686, 0.798, 0.658, 0.261, 0.689)),
    ("non-uniform", "Tikhonov", "l2-degree", (0.863, 0.423, 0.434, 0.184, 0.209)),
    ("non-uniform", "heat", "log-degree", (0.830, 0.473, 0.451, 0.128, 0.157)),
    ("Erdős-Rényi", "generative", "log-degree", (0.896, 0.427, 0.440, 0.066, 0.151)),
    ("Erdős-Rényi", "heat", "l2-degree", (0.629, 0.832, 0.735, 0.179, 0.236)),
    ("Barabási-Albert", "Tikhonov", "baseline", (0.345, 1.531, 1.061, 0.175, 0.554)),
    ("Barabási-Albert", "heat", "log-degree", (0.765, 0.675, 0.590, 0.148, 0.283)),
]
TABLE_4_CELLS = [
    ("random geometric", "Tikhonov", "baseline", (0.667, 0.896, 0.700, 0.158, 0.707)),
    ("random geometric", "heat", "log-degree", (0.848, 0.451, 0.471, 0.143, 0.177)),
    ("non-uniform", "generative", "l2-degree", (0.779, 0.711, 0.673, 0.204, 0.261)),
    ("Erdős-Rényi", "Tikhonov", "log-degree", (0.676, 0.798, 0.697, 0.084, 0.116)),
    ("Erdős-Rényi", "heat", "baseline", (0.358, 1.401, 1.045, 0.185, 0.875)),
    ("Barabási-Albert", "generative", "log-degree", (0.632, 0.914, 0.773, 0.229, 0.350)),
]


@pytest.mark.parametrize(
    ("table", "cell"),
    [(published.TABLE_2, cell) for cell in TABLE_2_CELLS] + [(published.TABLE_4, cell) for cell in TABLE_4_CELLS],
)
def test_the_papers_numbers(table, cell):
    *where, numbers = cell
    assert published.published_scores(table, *where) == dict(zip(METRICS, numbers, strict=True))


@pytest.mark.parametrize(
    ("table", "total", "f_total"), [(published.TABLE_2, 93.188, 25.693), (published.TABLE_4, 100.609, 23.276)]
)
def test_no_number_is_missing_or_mistyped(table, total, f_total):
    """The totals are those of the paper's text, added up apart from this package."""
    rows = [row for metrics in table.values() for row in metrics.values()]
    assert len(rows) == 20
    assert all(len(row) == 9 for row in rows)
    assert all(tuple(metrics) == METRICS for metrics in table.values())
    np.testing.assert_allclose(np.sum(rows), total)
    np.testing.assert_allclose(np.sum([m["f_measure"] for m in table.values()]), f_total)
