"""The command line: one file per command, and what they share."""

from smoothgraph.cli.app import app

__all__ = ["app"]
