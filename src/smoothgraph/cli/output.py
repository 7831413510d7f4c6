"""What a command says: a table for people, JSON for scripts, notes on standard error."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

_PANEL = "What is said"
_MOST_LISTED = 5


@dataclass(frozen=True)
class Output:
    """How much a command says, and in which form."""

    json: Annotated[
        bool,
        typer.Option("--json", help="Print the summary as JSON.", rich_help_panel=_PANEL),
    ] = False
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Print nothing but errors.", rich_help_panel=_PANEL),
    ] = False

    def notes(self, notes: Sequence[str]) -> None:
        """Sentences for people."""
        if not self.quiet:
            for note in notes:
                typer.echo(f"Note: {note}", err=True)

    def facts(self, title: str, facts: Mapping[str, Any], *, aside: bool = False) -> None:
        """Names and values; ``aside`` if standard output is taken."""
        if self.json:
            _print_json(facts)
            return
        table = Table(title=Text(title), show_header=False)
        for name, value in facts.items():
            if value is not None:
                table.add_row(name.replace("_", " "), Text(shown(value)))
        self._print(table, aside=aside)

    def rows(self, title: str, rows: Sequence[Mapping[str, Any]], *, aside: bool = False) -> None:
        """A table with the same columns in each row."""
        if self.json:
            _print_json(rows)
            return
        table = Table(title=Text(title), box=box.SIMPLE_HEAD, collapse_padding=True)
        for name in rows[0]:
            table.add_column(name.replace("_", " "), justify="right")
        for row in rows:
            table.add_row(*(Text(shown(value)) for value in row.values()))
        self._print(table, aside=aside)

    def _print(self, table: Table, *, aside: bool) -> None:
        if not self.quiet:
            Console(stderr=aside).print(table)


def shown(value: Any) -> str:
    """A value as people read it."""
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
