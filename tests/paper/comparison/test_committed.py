"""The comparison in the documentation is what the results beside it give, with today's settings."""

from pathlib import Path

import pytest

from paper.comparison import weather
from paper.comparison.compare import summaries_in
from paper.comparison.methods import METHODS
from paper.comparison.page import page_text
from paper.comparison.tables import mean_of
from paper.comparison.weather_page import weather_text
from paper.experiments.runner import read_summary

DOCS = Path(__file__).parents[2] / "docs"
PAGES = DOCS / "comparison"


@pytest.fixture(scope="module")
def summaries():
    return summaries_in(PAGES)


@pytest.fixture(scope="module")
def stations():
    return read_summary(PAGES / "results" / "weather.json", weather.FULL)


def test_every_method_has_results_of_its_full_settings(summaries, stations):
    assert set(summaries) == set(METHODS)
    assert stations is not None


def test_the_pages_are_made_of_the_results(summaries, stations):
    assert (PAGES / "index.md").read_text(encoding="utf-8") == page_text(summaries, name="index")
    text = weather_text(stations, name="weather")
    assert (PAGES / "weather.md").read_text(encoding="utf-8") == text


def test_every_figure_of_the_pages_is_there():
    text = "".join(path.read_text(encoding="utf-8") for path in PAGES.glob("*.md"))
    named = {part.split(")")[0] for part in text.split("](figures/")[1:]}
    assert named == {path.name for path in (PAGES / "figures").iterdir()}


def test_the_related_work_states_the_f_measures(summaries):
    text = (DOCS / "related-work.md").read_text(encoding="utf-8")
    for name in ("graphical-lasso", "lake-tenenbaum", "log-degree", "l2-degree"):
        found = [mean_of(summaries[name]["results"], n, "f_measure") for n in ("1000", "100")]
        assert f"| {METHODS[name].title} | {found[0]:.2f} | {found[1]:.2f} |" in text
