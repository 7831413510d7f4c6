"""``smoothgraph check``: what a table holds, and how to learn from it."""

import shlex
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import typer

from smoothgraph.cli.data_options import DataOptions, option_of
from smoothgraph.cli.output_options import OutputOptions

if TYPE_CHECKING:
    from smoothgraph.tables import TableReport
    from smoothgraph.tables.finding import Finding

_FEW_NODES, _FEW_EDGES = 100, "4"  # edges per node, so that a picture of few nodes can be read
_REPEATED = {"--drop", "--keep", "--missing"}  # options with as many values as they need


def check(*, data: DataOptions, output: OutputOptions) -> None:
    """Tell what the columns of a table are, what to look at before learning, and which command learns the graph."""
    report = _report(data)
    found = {finding.check: finding for finding in report.findings}
    if "long table" in found and data.nodes is None:  # what the table would be, and what there is to say of that
        report = _follow(found["long table"], replace(data, long=",".join(found["long table"].where), nodes="columns"))
    elif "coordinates" in found and data.node_table is None:
        report = _follow(found["coordinates"], replace(data, coordinates=",".join(found["coordinates"].where)))
    command = propose_command(data, report)
    facts = asdict(report) | {"command": command}
    if output.json:
        output.print_facts(data.title, facts)
    elif not output.quiet:
        _print(data.title, report, command)


def _report(data: DataOptions) -> "TableReport":
    from smoothgraph.io.node_lists import join_nodes
    from smoothgraph.tables.table_report import report_survey

    about = data.read_node_table()
    survey = data.survey(data.read_table(elsewhere=about), data.nodes)
    if about:  # which can tell the places of the nodes
        findings = [finding for finding in survey.findings if finding.check in ("time", "dead")]
        described = data.survey(join_nodes(survey.table, survey.view.nodes, about), survey.view.nodes)
        survey = replace(described, findings=[*findings, *described.findings])
    return report_survey(survey)


def _follow(finding: "Finding", data: DataOptions) -> "TableReport":
    """Return the report of a table that is read as a finding proposes, which comes first."""
    report = _report(data)
    options = [*finding.options, *report.options]
    return replace(report, findings=[finding, *report.findings], options=options)


def propose_command(data: DataOptions, report: "TableReport") -> str:
    """Return the command that learns the graph with the options given and those proposed."""
    proposed = report.options
    given = [part for name, value in data.given.items() for part in _spell(option_of(name), value)]
    if "columns" in (data.nodes, *proposed):  # as the rule on standardizing says
        proposed = [*proposed, "--standardize"]
    described = report.roles.get("labels", []) if report.nodes == "rows" else data.read_node_table()
    labels = [label for label in report.roles.get("labels", []) if label in described]
    if len(labels) == 1:
        proposed = [*proposed, "--label", labels[0]]
    if report.shape[0] <= _FEW_NODES:
        proposed = [*proposed, "--edges-per-node", _FEW_EDGES]
    new = [option for option in dict.fromkeys(_split(proposed)) if option[0] not in {*given} - _REPEATED]
    options = [*given, *(part for option in new for part in option)]
    return shlex.join(["smoothgraph", "learn", data.file, *options, "--out", "graph.graphml", "--picture", "graph.png"])


def _split(options: list[str]) -> list[tuple[str, ...]]:
    """Return each option with its value, if it has one."""
    starts = [k for k, part in enumerate(options) if part.startswith("--")]
    return [tuple(options[start:stop]) for start, stop in pairwise([*starts, len(options)])]


def _spell(option: str, value: Any) -> Iterator[str]:
    """Yield the option as it is written, as often as it has values."""
    if isinstance(value, bool):
        yield option if value else option.replace("--", "--no-", 1)
        return
    for part in value if isinstance(value, list) else [value]:
        yield option
        yield str(part)


def _print(title: str, report: "TableReport", command: str) -> None:
    """Print the roles as a table, the findings as a list, and the command on a line of its own."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = Console()
    n_nodes, n_signals = report.shape
    heading = f"{title}: {n_nodes:,} nodes, the {report.nodes}, with {n_signals:,} signals each"
    console.print(Text(heading, style="bold"))
    table = Table(show_header=False)
    for role, columns in report.roles.items():
        listed = ", ".join(columns[:8]) + (f", ... ({len(columns):,} in all)" if len(columns) > 8 else "")
        table.add_row(Text(role), Text(listed))
    console.print(table)
    for note in report.notes:
        console.print(Text(f"Note: {note}"))
    for finding in report.findings:
        console.print(Text(f"\n{finding.check}", style="bold"))
        console.print(Padding(Text(finding.what), (0, 0, 0, 2)))
        if finding.remedy:
            console.print(Padding(Text(f"→ {finding.remedy}", style="cyan"), (0, 0, 0, 2)))
    if not report.findings:
        console.print(Text("\nNothing needs a second look."))
    console.print(Text("\nTo learn the graph:", style="bold"))
    typer.echo(f"  {command}")
