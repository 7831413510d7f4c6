"""``python -m smoothgraph`` is the command-line program."""

from smoothgraph.cli import app

app()
