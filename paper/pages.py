"""Markdown pages: tables, figures, and what computed the numbers."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from matplotlib.figure import Figure

from smoothgraph.io import atomic_write
from smoothgraph.viz import save_picture

Summary = dict[str, Any]  # what paper.runner.run returns

_WIDTH = 97  # characters of prose in a quotation


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """Return a Markdown table; the columns after the first ``left`` are aligned to the right."""
    marks = ["---"] * left + ["---:"] * (len(header) - left)
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, marks, *rows]) + "\n"


def write_page(folder: Path, name: str, text: str, figures: Mapping[str, Figure]) -> Path:
    """Write ``folder/name.md``, and each figure to ``folder/figures/name-figure.png``."""
    for figure, picture in figures.items():
        save_picture(folder / "figures" / f"{name}-{figure}.png", picture)
    path = folder / f"{name}.md"
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return path


def outdated_note(titles: Mapping[str, str], outdated: Collection[str], command: str) -> list[str]:
    """Return a warning that an earlier version of the code computed some results, if any.

    ``titles`` has the titles of all results on the page, and ``command`` computes them again.
    """
    old = [title for name, title in titles.items() if name in outdated]
    if not old:
        return []
    which = "everything on this page" if len(old) == len(titles) else "; ".join(old)
    text = (
        f"**Computed by an earlier version of the code:** {which}. The code has changed since, so "
        f"these numbers may differ from what it computes now. `{command}` computes them again."
    )
    return ["\n".join(f"> {line}" for line in wrap(text, _WIDTH)) + "\n"]


def provenance_section(
    summaries: Mapping[str, Summary],
    outdated: Collection[str],
    *,
    results_folder: str,
    describe: Callable[[dict[str, Any]], str],
) -> str:
    """Return the section that says with which settings and code each result was computed.

    ``describe`` puts the settings of a result into words.
    """
    rows = [
        [
            f"[{name}]({results_folder}/{name}.json)",
            describe(summary["settings"]),
            f"{summary['seconds_of_work']:.0f}",
            str(summary["processes"]),
            summary.get("sources", "not recorded") + (" (earlier)" if name in outdated else ""),
        ]
        for name, summary in summaries.items()
    ]
    used = {
        ", ".join(f"{name} {number}" for name, number in summary["versions"].items()): None
        for summary in summaries.values()
    }
    header = ("result", "settings", "seconds of work", "processes", "code")
    return "\n".join(
        [
            "## Settings and versions\n",
            "Each file holds all settings and results. *Code* is a hash of the sources that computed it.\n",
            table(header, rows, left=2),
            "".join(f"- {versions}\n" for versions in used),
        ]
    )
