"""The report in the documentation is what the results beside it give, with today's settings."""

from pathlib import Path

import pytest

from paper.experiments import markdown, paper
from paper.experiments.page import page_text
from paper.experiments.registry import EXPERIMENTS
from paper.experiments.runner import read_summary

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "reproduction"


@pytest.fixture(scope="module")
def summaries():
    return {
        name: read_summary(REPORT / "results" / f"{name}.json", experiment.FULL)
        for name, experiment in EXPERIMENTS.items()
    }


def test_every_experiment_has_results_of_its_full_settings(summaries):
    assert [name for name, summary in summaries.items() if summary is None] == []


def test_the_page_is_made_of_the_results(summaries):
    assert (REPORT / "index.md").read_text(encoding="utf-8") == page_text(summaries)


def test_every_figure_of_the_page_is_there(summaries):
    text = page_text(summaries)
    named = {part.split(")")[0] for part in text.split("](figures/")[1:]}
    assert named == {path.name for path in (REPORT / "figures").iterdir()}


def test_the_readme_has_the_main_table(summaries):
    table = markdown.f_measure_table(summaries["table2"]["results"], paper.TABLE_2)
    assert table in (ROOT / "README.md").read_text(encoding="utf-8")
