"""Run experiments and write the report of all results that a folder holds."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from smoothgraph.experiments.page import write_page
from smoothgraph.experiments.registry import EXPERIMENTS
from smoothgraph.experiments.runner import read_json, run


class Finished(NamedTuple):
    """An experiment that is done, and its summary."""

    name: str
    summary: dict[str, Any]


def reproduce(
    names: Iterable[str],
    folder: Path,
    *,
    quick: bool = False,
    data_dir: Path | None = None,
    n_jobs: int = -1,
) -> Iterator[Finished]:
    """Each experiment as it finishes; the report is written anew after each.

    Results are in ``folder/results``, or ``folder/quick-results``; a run that was stopped goes on
    where it was, and what is finished is not computed again.
    """
    results = folder / ("quick-results" if quick else "results")
    for name in names:
        experiment = EXPERIMENTS[name]
        settings = experiment.QUICK if quick else experiment.FULL
        summary = run(name, experiment, settings, results, data_dir=data_dir, n_jobs=n_jobs)
        write_report(folder, quick=quick)
        yield Finished(name, summary)


def write_report(folder: Path, *, quick: bool = False) -> Path:
    """``folder/index.md`` (or ``quick.md``) from the results that are there."""
    results = folder / ("quick-results" if quick else "results")
    found = {name: read_json(results / f"{name}.json") for name in EXPERIMENTS}
    summaries = {name: summary for name, summary in found.items() if summary is not None}
    return write_page(folder, summaries, name="quick" if quick else "index")
