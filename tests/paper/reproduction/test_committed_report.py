"""The report in the documentation is made of the results beside it, with today's settings."""

from pathlib import Path

import pytest

from paper.published import TABLE_2
from paper.reproduction.registry import ENTRIES, EXPERIMENTS
from paper.reproduction.report import report_text
from paper.reproduction.report_tables import f_measure_table
from paper.results import ResultsFolder

ROOT = Path(__file__).parents[3]
FOLDER = ResultsFolder(ROOT / "docs" / "reproduction")


@pytest.fixture(scope="module")
def stored():
    return FOLDER.read(EXPERIMENTS)


@pytest.fixture(scope="module")
def text(stored):
    return report_text(stored.summaries, folder=FOLDER, outdated=stored.outdated)


def test_every_experiment_has_results_with_its_full_settings(stored):
    assert set(stored.summaries) == set(EXPERIMENTS)


def test_the_page_is_made_of_the_results_and_names_those_of_earlier_code(text):
    """After a change of the code, ``python -m paper pages`` writes it again."""
    assert (FOLDER.path / "index.md").read_text(encoding="utf-8") == text


def test_every_figure_of_the_page_is_there(text):
    named = {part.split(")")[0] for part in text.split("](figures/")[1:]}
    assert named == {path.name for path in (FOLDER.path / "figures").iterdir()}


def test_the_readme_has_the_main_table(stored):
    table = f_measure_table(ENTRIES["table2"].read(stored.summaries["table2"]), TABLE_2)
    assert table in (ROOT / "README.md").read_text(encoding="utf-8")
