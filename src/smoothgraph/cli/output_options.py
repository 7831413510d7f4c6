"""The options for messages: a table for people, JSON for scripts, notes on standard error."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import typer

from smoothgraph.support.input_error import InputError

_MOST_LISTED = 5

_option = partial(typer.Option, rich_help_panel="Messages")


@dataclass(frozen=True)
class OutputOptions:
    """How much a command prints, and in which form."""

    json: Annotated[bool, _option("--json", help="Print the summary as JSON.")] = False
    quiet: Annotated[bool, _option("--quiet", "-q", help="Print nothing but errors.")] = False
    verbose: Annotated[
        bool, _option("--verbose", "-v", help="Print progress as lines with times on standard error, for logs.")
    ] = False

    def check_stdout(self, target: str | None, *, option: str = "--out -") -> None:
        """Raise an InputError if ``target`` is standard output, which JSON needs."""
        if target == "-" and self.json:
            raise InputError(f"{option} and --json both write to standard output; leave out one of them.")

    def print_notes(self, notes: Sequence[str]) -> None:
        """Print sentences for people on standard error."""
        if not self.quiet:
            for note in notes:
                typer.echo(f"Note: {note}", err=True)

    def print_facts(
        self, title: str, facts: Mapping[str, Any] | Sequence[Mapping[str, Any]], *, to_stderr: bool = False
    ) -> None:
        """Print names and values, or a table of several rows with the same names.

        Use ``to_stderr`` if standard output holds the graph.
        """
        if self.json:
            typer.echo(json.dumps(facts, indent=2, ensure_ascii=False))
        if self.json or self.quiet:
            return
        from rich.console import Console

        table = _list_facts(title, facts) if isinstance(facts, Mapping) else _tabulate(title, facts)
        Console(stderr=to_stderr).print(table)


def _list_facts(title: str, facts: Mapping[str, Any]) -> Any:
    """Return a table of names and values."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), show_header=False)
    for name, value in facts.items():
        if value is not None:
            table.add_row(Text(name.replace("_", " ")), Text(format_value(value)))
    return table


def _tabulate(title: str, rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return a table with a column per name, wide enough for its values and for the words of its name."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    for name in rows[0]:
        cells = [format_value(row[name]) for row in rows]
        table.add_column(name.replace("_", " "), justify="right", min_width=max(map(len, [*cells, *name.split("_")])))
    for row in rows:
        table.add_row(*(Text(format_value(value)) for value in row.values()))
    return table


def format_value(value: Any) -> str:
    """Return a value as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {format_value(entry)}" for name, entry in value.items())
    if isinstance(value, list):
        return ", ".join(value[:_MOST_LISTED]) + (", ..." if len(value) > _MOST_LISTED else "")
    return "" if value is None else str(value)
