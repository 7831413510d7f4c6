"""Run experiments and write the report of all results that a folder holds."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from paper.experiments.page import results_folder, write_page
from paper.experiments.registry import EXPERIMENTS, LOADERS
from paper.experiments.runner import read_summary, run


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
    where it was, and what is finished is not computed again. Data is looked for before
    anything is computed.
    """
    names = list(names)
    for name in names:
        if name in LOADERS:
            LOADERS[name](data_dir)
    for name in names:
        summary = run(
            name,
            EXPERIMENTS[name],
            _settings(name, quick=quick),
            _results(folder, quick=quick),
            data_dir=data_dir,
            n_jobs=n_jobs,
        )
        write_report(folder, quick=quick)
        yield Finished(name, summary)


def write_report(folder: Path, *, quick: bool = False) -> Path:
    """``folder/index.md`` (or ``quick.md``) from the results that are there.

    Results of other settings, as an older version may have left them, are passed over.
    """
    results = _results(folder, quick=quick)
    found = {
        name: read_summary(results / f"{name}.json", _settings(name, quick=quick))
        for name in EXPERIMENTS
    }
    summaries = {name: summary for name, summary in found.items() if summary is not None}
    return write_page(folder, summaries, name=_page(quick=quick))


def _settings(name: str, *, quick: bool) -> Any:
    return EXPERIMENTS[name].QUICK if quick else EXPERIMENTS[name].FULL


def _page(*, quick: bool) -> str:
    return "quick" if quick else "index"


def _results(folder: Path, *, quick: bool) -> Path:
    return folder / results_folder(_page(quick=quick))
