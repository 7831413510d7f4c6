from pathlib import Path

import numpy as np
import pytest

from paper.reproduction import timing
from paper.reproduction.report import report_text
from paper.results import ResultsFolder
from paper.runner import run


@pytest.fixture(scope="module")
def summary(data_dir, tmp_path_factory):
    folder = tmp_path_factory.mktemp("timing")
    return run("timing", timing, timing.QUICK, folder, data_dir=data_dir, n_jobs=2)


def test_both_models_are_solved_by_newton_and_with_every_step_and_unit():
    pieces = timing.pieces(timing.FULL)
    at_ten, at_six = ([p for p in pieces if p["density"] == density] for density in (10, 6))
    assert len(at_ten) == 2 * (1 + 2 * 3)
    assert len(at_six) == 2 * (1 + 1)
    assert len({tuple(piece.values()) for piece in pieces}) == len(pieces)
    assert sum(piece["step"] is None for piece in pieces) == 2 * 2


def test_times_are_taken_in_one_process(summary):
    assert summary["processes"] == 1


def test_every_solve_has_a_gap_and_newtons_is_within_its_tolerance(summary):
    rows = summary["results"]
    assert [(row["model"], row["step"]) for row in rows] == [
        ("log-degree", None),
        ("log-degree", 0.9),
        ("l2-degree", None),
        ("l2-degree", 0.9),
    ]
    for row in rows:
        assert row["gap"] >= 0
        assert row["iterations"] >= 1
    newton = [row for row in rows if row["step"] is None]
    assert all(row["converged"] for row in newton)
    assert all(row["gap"] <= timing.QUICK.newton_tol for row in newton)


def test_newtons_graph_has_the_density_asked_for(summary):
    for row in summary["results"]:
        if row["step"] is None:
            np.testing.assert_allclose(row["edges_per_node"], row["density"], rtol=0.02)


def test_the_page_has_a_line_per_solve(summary):
    text = report_text({"timing": summary}, folder=ResultsFolder(Path()))
    for solver in ("Newton", "Algorithm 1", "Algorithm 2"):
        assert f"| {solver} |" in text
