"""The comparison in the documentation is made of the results beside it, with today's settings."""

from pathlib import Path

import pytest

from paper.comparison.compare import WEATHER, read_recovery, read_weather
from paper.comparison.method_grids import METHODS
from paper.comparison.recovery_page import recovery_text
from paper.comparison.recovery_tables import estimate_of, mean_of, read_results
from paper.comparison.weather_page import weather_text
from paper.results import ResultsFolder

DOCS = Path(__file__).parents[3] / "docs"
FOLDER = ResultsFolder(DOCS / "comparison")


@pytest.fixture(scope="module")
def methods():
    return read_recovery(FOLDER)


@pytest.fixture(scope="module")
def stations():
    return read_weather(FOLDER)


def test_every_method_has_results_with_its_full_settings(methods, stations):
    assert set(methods.summaries) == set(METHODS)
    assert set(stations.summaries) == {WEATHER}


def test_the_pages_are_made_of_the_results_and_name_those_of_earlier_code(methods, stations):
    """After a change of the code, ``python -m paper pages`` writes them again."""
    text = recovery_text(methods.summaries, folder=FOLDER, outdated=methods.outdated)
    assert (FOLDER.path / "index.md").read_text(encoding="utf-8") == text
    is_outdated = bool(stations.outdated)
    text = weather_text(stations.summaries[WEATHER], folder=FOLDER, is_outdated=is_outdated)
    assert (FOLDER.path / "weather.md").read_text(encoding="utf-8") == text


def test_every_figure_of_the_pages_is_there():
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.path.glob("*.md"))
    named = {part.split(")")[0] for part in text.split("](figures/")[1:]}
    assert named == {path.name for path in (FOLDER.path / "figures").iterdir()}


def test_the_related_work_states_the_f_measures(methods):
    text = (DOCS / "related-work.md").read_text(encoding="utf-8")
    for name in ("graphical-lasso", "lake-tenenbaum", "log-degree", "l2-degree"):
        results = methods.summaries[name]["results"]
        found = [mean_of(results, n, "f_measure") for n in ("1000", "100")]
        assert f"| {METHODS[name].title} | {found[0]:.2f} | {found[1]:.2f} |" in text


def test_the_readme_states_the_f_measures(methods):
    text = " ".join((DOCS.parent / "README.md").read_text(encoding="utf-8").split())
    results = read_results(methods.summaries)
    for n_signals, sentence in (
        ("1000", "(F-measures of {} and {}) than log-degree ({})"),
        ("100", "the three hardly differ ({}, {}, {})"),
    ):
        found = [
            estimate_of(results[name], n_signals, "f_measure")
            for name in ("graphical-lasso", "lake-tenenbaum", "log-degree")
        ]
        assert sentence.format(*found) in text
