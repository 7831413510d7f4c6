"""The pages of the documentation are made of the results beside them."""

from pathlib import Path

import pytest

from paper.graphs.graph_page import data_page_name, data_text, index_text, main_data
from paper.graphs.graph_tables import summary_table
from paper.graphs.labeled_data import NAMES
from paper.graphs.run_graphs import read_graphs
from paper.results import ResultsFolder

DOCS = Path(__file__).parents[3] / "docs"
FOLDER = ResultsFolder(DOCS / "graphs")


@pytest.fixture(scope="module")
def stored():
    return read_graphs(FOLDER)


def test_every_data_set_has_results_with_its_full_settings(stored):
    assert set(stored.summaries) >= set(NAMES) - {"MNIST", "USPS"}  # these take long


def test_the_pages_are_made_of_the_results_and_name_those_of_earlier_code(stored):
    """After a change of the code, ``python -m paper pages`` writes them again."""
    summaries, outdated = stored
    text = index_text(summaries, folder=FOLDER, outdated=outdated)
    assert (FOLDER.path / f"{FOLDER.page}.md").read_text(encoding="utf-8") == text
    for name in summaries:
        text = data_text(name, summaries, folder=FOLDER, outdated=outdated)
        assert (FOLDER.path / f"{data_page_name(FOLDER, name)}.md").read_text(encoding="utf-8") == text


def test_the_readme_has_the_summary(stored):
    assert summary_table(main_data(stored.summaries)) in (DOCS.parent / "README.md").read_text(encoding="utf-8")
