"""A folder of results and pages, as the reproduction and the comparison both keep it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from paper.runner import Experiment, is_current, read_summary, run


class Stored(NamedTuple):
    """Summaries by name, and the names of those that an earlier version of the code computed."""

    summaries: dict[str, dict[str, Any]]
    outdated: list[str]


@dataclass(frozen=True)
class ResultsFolder:
    """Results and pages of full runs, or of quick ones, which have names of their own."""

    path: Path
    quick: bool = False

    @property
    def page(self) -> str:
        """The name of the main page."""
        return "quick" if self.quick else "index"

    @property
    def subfolder(self) -> str:
        """The name of the folder beside the pages that holds the results."""
        return "quick-results" if self.quick else "results"

    def run(self, name: str, experiment: Experiment, *, data_dir: Path | None, n_jobs: int) -> dict[str, Any]:
        """Return the summary of an experiment, computed unless the folder has it."""
        settings = self._settings(experiment)
        folder = self.path / self.subfolder
        return run(name, experiment, settings, folder, data_dir=data_dir, n_jobs=n_jobs)

    def read(self, experiments: Mapping[str, Experiment]) -> Stored:
        """Return all summaries in the folder that have the settings of today's experiments.

        A summary stays readable when the code changes, because it may have taken hours; whoever
        shows it must say that it is outdated.
        """
        summaries, outdated = {}, []
        for name, experiment in experiments.items():
            path = self.path / self.subfolder / f"{name}.json"
            summary = read_summary(path, self._settings(experiment))
            if summary is not None:
                summaries[name] = summary
                if not is_current(summary, experiment):
                    outdated.append(name)
        return Stored(summaries, outdated)

    def _settings(self, experiment: Experiment) -> Any:
        return experiment.QUICK if self.quick else experiment.FULL
