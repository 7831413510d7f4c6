"""The options for messages: a table for people, JSON for scripts, notes on standard error."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

_PANEL = "Messages"
_MOST_LISTED = 5


@dataclass(frozen=True)
class OutputOptions:
    """How much a command prints, and in which form."""

    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.", rich_help_panel=_PANEL)] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.", rich_help_panel=_PANEL)] = (
        False
    )

    def check_stdout(self, target: str | None, *, option: str = "--out -") -> None:
        """Raise a ValueError if ``target`` is standard output, which JSON needs."""
        if target == "-" and self.json:
            raise ValueError(f"{option} and --json both write to standard output; leave out one of them.")

    def print_notes(self, notes: Sequence[str]) -> None:
        """Print sentences for people on standard error."""
        if not self.quiet:
            for note in notes:
                typer.echo(f"Note: {note}", err=True)

    def print_facts(self, title: str, facts: Mapping[str, Any], *, to_stderr: bool = False) -> None:
        """Print names and values; ``to_stderr`` if standard output holds the graph."""
        if self.json:
            _print_json(facts)
            return
        from rich.table import Table
        from rich.text import Text

        table = Table(title=Text(title), show_header=False)
        for name, value in facts.items():
            if value is not None:
                table.add_row(name.replace("_", " "), Text(format_value(value)))
        self._print(table, to_stderr=to_stderr)

    def print_rows(self, title: str, rows: Sequence[Mapping[str, Any]], *, to_stderr: bool = False) -> None:
        """Print a table whose rows have the same columns."""
        if self.json:
            _print_json(rows)
            return
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        table = Table(title=Text(title), box=SIMPLE_HEAD, collapse_padding=True)
        for name in rows[0]:
            table.add_column(name.replace("_", " "), justify="right")
        for row in rows:
            table.add_row(*(Text(format_value(value)) for value in row.values()))
        self._print(table, to_stderr=to_stderr)

    def _print(self, table: Any, *, to_stderr: bool) -> None:
        from rich.console import Console

        if not self.quiet:
            Console(stderr=to_stderr).print(table)


def format_value(value: Any) -> str:
    """Return a value as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return ", ".join(value[:_MOST_LISTED]) + (", ..." if len(value) > _MOST_LISTED else "")
    return str(value)


def _print_json(content: Any) -> None:
    json.dump(content, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
