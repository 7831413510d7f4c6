"""Run the experiments, and write the report about all results in a folder."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from paper.pages import Summary, outdated_note, provenance_section, write_page
from paper.published import TABLE_2
from paper.reproduction.claims import Claim
from paper.reproduction.registry import ENTRIES, EXPERIMENTS
from paper.reproduction.report_tables import claims_table, f_measure_table
from paper.reproduction.texts import OPENING, WHAT_DIFFERS
from paper.results import ResultsFolder


class Finished(NamedTuple):
    """The name of an experiment and its summary."""

    name: str
    summary: Summary


def reproduce(
    names: Iterable[str], folder: ResultsFolder, *, data_dir: Path | None = None, n_jobs: int = -1
) -> Iterator[Finished]:
    """Yield each experiment when it has finished, and write the report after each.

    All data sets are looked up before anything is computed.
    """
    names = list(names)
    for name in names:
        load = ENTRIES[name].load
        if load is not None:
            load(data_dir)
    for name in names:
        summary = folder.run(name, EXPERIMENTS[name], data_dir=data_dir, n_jobs=n_jobs)
        write_report(folder)
        yield Finished(name, summary)


def write_report(folder: ResultsFolder) -> Path:
    """Write the report, with its figures, about the results in the folder.

    Results with other settings than today's are left out. Results of an earlier version of the
    code are marked.
    """
    summaries, outdated = folder.read(EXPERIMENTS)
    figures = {
        figure: draw(ENTRIES[name].read(summary))
        for name, summary in summaries.items()
        for figure, draw in ENTRIES[name].figures.items()
    }
    text = report_text(summaries, folder=folder, outdated=outdated)
    return write_page(folder.path, folder.page, text, figures)


def report_text(summaries: dict[str, Summary], *, folder: ResultsFolder, outdated: Collection[str] = ()) -> str:
    """Return the whole report; ``outdated`` names the results of earlier code."""
    titles = {name: ENTRIES[name].title for name in summaries}
    is_complete = not folder.quick and summaries.keys() == ENTRIES.keys()
    parts = [
        OPENING.format(draws=_draws(summaries)),
        *outdated_note(titles, outdated, "python -m paper reproduce NAMES"),
        _verdicts(summaries),
        *([WHAT_DIFFERS] if is_complete else []),
        *(_section(name, summary, folder.page) for name, summary in summaries.items()),
        provenance_section(summaries, outdated, results_folder=folder.subfolder, describe=_describe_settings),
    ]
    return "\n".join(parts)


def judge(name: str, summary: Summary) -> list[Claim]:
    """Return the paper's statements about an experiment, judged by its summary."""
    entry = ENTRIES[name]
    return entry.claims(entry.read(summary))


def _draws(summaries: dict[str, Summary]) -> str:
    """Say how many draws the means in Tables 2 and 4 are of."""
    numbers = {summaries[name]["settings"]["repetitions"] for name in ("table2", "table4") if name in summaries}
    if len(numbers) != 1:
        return "the draws"
    number = numbers.pop()
    return f"{number} draw" + ("" if number == 1 else "s")


def _verdicts(summaries: dict[str, Summary]) -> str:
    lines = ["## In short\n"]
    if "table2" in summaries:
        lines += [
            "F-measures of Table 2: ours at the optimum ± its standard error, and the paper's in parentheses.\n",
            f_measure_table(ENTRIES["table2"].read(summaries["table2"]), TABLE_2),
        ]
    for name, summary in summaries.items():
        claims = judge(name, summary)
        if claims:
            met = sum(claim.reproduced for claim in claims)
            lines.append(f"- {ENTRIES[name].title}: {met} of {len(claims)} statements reproduced.")
    return "\n".join(lines) + "\n"


def _section(name: str, summary: Summary, page: str) -> str:
    entry = ENTRIES[name]
    parts = [f"## {entry.title}\n", entry.about]
    claims = judge(name, summary)
    if claims:
        parts.append(claims_table(claims))
    parts += [f"![{entry.title}](figures/{page}-{figure}.png)\n" for figure in entry.figures]
    if entry.table is not None:
        parts.append(entry.table(entry.read(summary)))
    return "\n".join(parts)


def _describe_settings(settings: dict[str, Any]) -> str:
    """List the settings that are single numbers."""
    numbers = {key: value for key, value in settings.items() if isinstance(value, int | float)}
    return ", ".join(f"{key} {value}" for key, value in numbers.items())
