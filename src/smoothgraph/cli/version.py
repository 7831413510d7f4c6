"""``smoothgraph version``."""

import typer

from smoothgraph import __version__


def version() -> None:
    """Print the version."""
    typer.echo(__version__)
