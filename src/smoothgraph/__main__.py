"""``python -m smoothgraph`` runs the command-line program."""

from smoothgraph.cli import main

main()
