"""The report: one Markdown page of all results in a folder, with the figures beside it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from paper.experiments import drawing, markdown, paper
from paper.experiments.claims import claims_of
from paper.experiments.texts import ABOUT, OPENING, TITLES, WHAT_DIFFERS
from smoothgraph.io import atomic_write

Summary = dict[str, Any]
_DPI = 110
_FIGURES: dict[str, dict[str, Callable[[Any], Figure]]] = {
    "filters": {"filters": drawing.draw_filters},
    "signals": {"signals": drawing.draw_signals},
    "usps": {"usps": drawing.draw_usps},
    "mnist": {"mnist": drawing.draw_mnist},
    "coil20": {"coil20-sizes": drawing.draw_class_sizes, "coil20": drawing.draw_coil20},
}
_CURVES = {
    "edges_per_node": "reached",
    "clustering_error": "clustering error",
    "label_error": "label error",
    "unreachable": "out of reach",
    "components": "components",
    "isolated": "isolated",
}


def results_folder(page: str) -> str:
    """Where the results of a page are, beside it: apart for each page."""
    return "results" if page == "index" else f"{page}-results"


def write_page(folder: Path, summaries: dict[str, Summary], *, name: str = "index") -> Path:
    """``folder/name.md`` and its figures in ``folder/figures``."""
    figures = {}
    for experiment, summary in summaries.items():
        for figure, draw in _FIGURES.get(experiment, {}).items():
            figures[f"{name}-{figure}"] = draw(summary["results"])
    for file, drawn in figures.items():
        with atomic_write(folder / "figures" / f"{file}.png") as temporary:
            drawn.savefig(temporary, dpi=_DPI, metadata={"Software": None})
    path = folder / f"{name}.md"
    with atomic_write(path) as temporary:
        temporary.write_text(page_text(summaries, name=name), encoding="utf-8")
    return path


def page_text(summaries: dict[str, Summary], *, name: str = "index") -> str:
    """The whole page; it depends on the summaries alone."""
    sections = [_section(experiment, summaries[experiment], name) for experiment in summaries]
    is_whole = name == "index" and summaries.keys() == TITLES.keys()
    in_words = [WHAT_DIFFERS] if is_whole else []
    parts = [OPENING, _verdicts(summaries), *in_words, *sections, _settings(summaries, name)]
    return "\n".join(parts)


def _verdicts(summaries: dict[str, Summary]) -> str:
    lines = ["## In short\n"]
    if "table2" in summaries:
        lines += [
            "F-measures of Table 2, ours at the optimum and the paper's in brackets:\n",
            markdown.f_measure_table(summaries["table2"]["results"], paper.TABLE_2),
        ]
    for experiment, summary in summaries.items():
        claims = claims_of(experiment, summary["results"])
        if claims:
            met = sum(claim.reproduced for claim in claims)
            lines.append(f"- {TITLES[experiment]}: {met} of {len(claims)} statements reproduced.")
    return "\n".join(lines) + "\n"


def _section(experiment: str, summary: Summary, page: str) -> str:
    results = summary["results"]
    parts = [f"## {TITLES[experiment]}\n", ABOUT[experiment]]
    claims = claims_of(experiment, results)
    if claims:
        parts.append(markdown.claims_table(claims))
    parts += [
        f"![{TITLES[experiment]}](figures/{page}-{figure}.png)\n"
        for figure in _FIGURES.get(experiment, {})
    ]
    if experiment in _TABLES:
        parts.append(_TABLES[experiment](results))
    return "\n".join(parts)


def _artificial(stated: paper.Table) -> Callable[[Any], str]:
    return lambda results: "\n".join(
        [
            markdown.artificial_tables(results, stated),
            "**What stopping early costs** (F-measures; gap and iterations are medians)\n",
            markdown.stopping_text(results, stated),
            markdown.stopping_table(results, stated),
        ]
    )


def _mnist(results: Any) -> str:
    columns = {name: _CURVES[name] for name in ("edges_per_node", "label_error", "unreachable")} | {
        "unreachable_1": "1s out of reach",
        "unreachable_2": "2s out of reach",
    }
    return "\n".join(
        f"**{proportion} (1s to 2s)**\n\n{markdown.curves_table(curves, columns)}"
        for proportion, curves in results["curves"].items()
    )


_TABLES: dict[str, Callable[[Any], str]] = {
    "table2": _artificial(paper.TABLE_2),
    "table4": _artificial(paper.TABLE_4),
    "choices": markdown.choices_table,
    "usps": lambda results: markdown.curves_table(results, _CURVES),
    "mnist": _mnist,
    "coil20": lambda results: markdown.curves_table(results["curves"], _CURVES),
    "timing": markdown.timing_table,
}


def _settings(summaries: dict[str, Summary], page: str) -> str:
    """What was run, with what, and how long it took."""
    folder = results_folder(page)
    rows = [
        [
            f"[{experiment}]({folder}/{experiment}.json)",
            ", ".join(f"{key} {value}" for key, value in _plain(summary["settings"])),
            f"{summary['seconds_of_work']:.0f}",
            str(summary["processes"]),
        ]
        for experiment, summary in summaries.items()
    ]
    used = {
        ", ".join(f"{name} {number}" for name, number in summary["versions"].items()): None
        for summary in summaries.values()
    }
    header = ("experiment", "settings", "seconds of work", "processes")
    return "\n".join(
        [
            "## Settings and versions\n",
            "The files have all settings and results.\n",
            markdown.table(header, rows, left=2),
            "".join(f"- {versions}\n" for versions in used),
        ]
    )


def _plain(settings: dict[str, Any]) -> list[tuple[str, Any]]:
    """The settings that are single numbers."""
    return [(key, value) for key, value in settings.items() if isinstance(value, int | float)]
