"""Run the comparison, and write the pages about all results in a folder."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from paper.comparison import weather
from paper.comparison.method_grids import METHODS
from paper.comparison.recovery_page import write_recovery
from paper.comparison.weather_page import write_weather
from paper.datasets import load_molene
from paper.results import ResultsFolder, Stored
from paper.runner import Experiment

WEATHER = "weather"
"""The name of the comparison of all methods on weather stations; the other names are methods."""


def compare(
    names: Iterable[str], folder: ResultsFolder, *, data_dir: Path | None = None, n_jobs: int = -1
) -> Iterator[str]:
    """Yield each name when its results are there, and write the pages after each.

    Data are looked up before anything is computed.
    """
    names = list(names)
    if WEATHER in names:
        load_molene(data_dir)
    for name in names:
        experiment: Experiment = weather if name == WEATHER else METHODS[name].experiment
        folder.run(name, experiment, data_dir=data_dir, n_jobs=n_jobs)
        (_write_weather_page if name == WEATHER else _write_recovery_page)(folder)
        yield name


def write_pages(folder: ResultsFolder) -> None:
    """Write the pages, with their figures, about the results in the folder."""
    _write_recovery_page(folder)
    _write_weather_page(folder)


def read_recovery(folder: ResultsFolder) -> Stored:
    """Return the results of all methods in the folder."""
    return folder.read({name: method.experiment for name, method in METHODS.items()})


def read_weather(folder: ResultsFolder) -> Stored:
    """Return the results of the weather stations in the folder, if any."""
    return folder.read({WEATHER: weather})


def _write_recovery_page(folder: ResultsFolder) -> None:
    summaries, outdated = read_recovery(folder)
    if summaries:
        write_recovery(folder, summaries, outdated)


def _write_weather_page(folder: ResultsFolder) -> None:
    summaries, outdated = read_weather(folder)
    if summaries:
        write_weather(folder, summaries[WEATHER], is_outdated=bool(outdated))
