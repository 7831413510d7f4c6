"""Run the benchmark of graphs, and write its pages."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from paper.graphs.benchmark import experiments
from paper.graphs.graph_page import write_graph_pages
from paper.graphs.labeled_data import load
from paper.results import ResultsFolder, Stored


def compare_graphs(
    names: Iterable[str], folder: ResultsFolder, *, data_dir: Path | None = None, n_jobs: int = -1
) -> Iterator[str]:
    """Yield each data set when its results are there, and write the pages after each."""
    for name in names:
        folder.run(name, experiments()[name], data_dir=data_dir, n_jobs=n_jobs)
        write_all_graph_pages(folder)
        yield name


def write_all_graph_pages(folder: ResultsFolder) -> None:
    """Write the pages, with their figures, about the results in the folder."""
    summaries, outdated = read_graphs(folder)
    if summaries:
        write_graph_pages(folder, summaries, outdated)


def read_graphs(folder: ResultsFolder) -> Stored:
    """Return the results of all data sets in the folder."""
    return folder.read(experiments())


def find_missing(names: Iterable[str], data_dir: Path | None) -> dict[str, str]:
    """Return the data sets that cannot be loaded, and why."""
    found = {}
    for name in names:
        try:
            load(name, data_dir)
        except (OSError, ImportError) as error:
            found[name] = str(error)
    return found
