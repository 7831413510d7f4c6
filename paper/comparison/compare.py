"""Run the comparison and write the pages of all results that a folder holds."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from paper.comparison import weather
from paper.comparison.methods import METHODS
from paper.comparison.page import write_page
from paper.comparison.weather_page import write_weather
from paper.datasets import load_molene
from paper.experiments.page import results_folder
from paper.experiments.runner import Experiment, read_summary, run

WEATHER = "weather"
"""What is not the name of a method but that of a data set on which all are compared."""


def compare(
    names: Iterable[str],
    folder: Path,
    *,
    quick: bool = False,
    data_dir: Path | None = None,
    n_jobs: int = -1,
) -> Iterator[str]:
    """The name of each method as it finishes; the page is written anew after each.

    Results are in ``folder/results``, or ``folder/quick-results``; a run that was stopped goes on
    where it was, and what is finished is not computed again.
    """
    names = list(names)
    _check_installed(names, quick=quick)
    if WEATHER in names:
        load_molene(data_dir)  # before anything is computed
    results, page = _results(folder, quick=quick), page_name(quick=quick)
    for name in names:
        experiment: Experiment = weather if name == WEATHER else METHODS[name].experiment
        settings = experiment.QUICK if quick else experiment.FULL
        summary = run(name, experiment, settings, results, data_dir=data_dir, n_jobs=n_jobs)
        if name == WEATHER:
            write_weather(folder, summary, name=weather_name(quick=quick))
        else:
            write_page(folder, summaries_in(folder, quick=quick), name=page)
        yield name


def summaries_in(folder: Path, *, quick: bool = False) -> dict[str, Any]:
    """What the folder holds of today's settings, by method."""
    summaries = {}
    for name, method in METHODS.items():
        settings = method.experiment.QUICK if quick else method.experiment.FULL
        summary = read_summary(_results(folder, quick=quick) / f"{name}.json", settings)
        if summary is not None:
            summaries[name] = summary
    return summaries


def _check_installed(names: list[str], *, quick: bool) -> None:
    """An ImportError if a method needs a package that is not there."""
    grids = (weather.QUICK if quick else weather.FULL).grids
    for name in [*names, *(grids if WEATHER in names else ())]:
        if name in METHODS and not METHODS[name].is_installed:
            raise ImportError(
                f"{METHODS[name].title} needs {METHODS[name].package}: "
                f"pip install 'smoothgraph[{METHODS[name].package}]'"
            )


def weather_in(folder: Path, *, quick: bool = False) -> dict[str, Any]:
    """The summary of the weather, which must be there."""
    settings = weather.QUICK if quick else weather.FULL
    summary = read_summary(_results(folder, quick=quick) / f"{WEATHER}.json", settings)
    assert summary is not None
    return summary


def page_name(*, quick: bool) -> str:
    """Apart for quick results, which are too few to tell much."""
    return "quick" if quick else "index"


def weather_name(*, quick: bool) -> str:
    """Likewise, of the weather's page."""
    return "quick-weather" if quick else WEATHER


def _results(folder: Path, *, quick: bool) -> Path:
    return folder / results_folder(page_name(quick=quick))
