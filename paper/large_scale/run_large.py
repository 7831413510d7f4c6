"""Run the experiment on many nodes, and write its page."""

from pathlib import Path

from paper.large_scale import many_nodes
from paper.large_scale.large_page import write_large_page
from paper.results import ResultsFolder

NAME = "large-scale"


def run_large_scale(folder: ResultsFolder, *, data_dir: Path | None = None) -> None:
    """Compute what the folder does not have, and write the page."""
    folder.run(NAME, many_nodes, data_dir=data_dir, n_jobs=1)
    write_page_on_many_nodes(folder)


def write_page_on_many_nodes(folder: ResultsFolder) -> None:
    """Write the page about the results in the folder, if there are any."""
    summaries, outdated = folder.read({NAME: many_nodes})
    if summaries:
        write_large_page(folder, summaries[NAME], is_outdated=bool(outdated))
