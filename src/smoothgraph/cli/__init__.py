"""The command line: one file per command, and one per group of options that commands share.

Only Typer is imported before a command runs, so that ``--help`` answers at once.
"""

import sys


def main() -> None:
    """Run the program ``smoothgraph``, or say how to install what it needs."""
    try:
        from smoothgraph.cli.app import app
    except ModuleNotFoundError as error:
        if error.name != "typer":
            raise
        sys.exit(_explain_missing_typer())
    app()


def _explain_missing_typer() -> int:
    hint = "pip install 'smoothgraph[cli]'"
    print(f"Error: The program smoothgraph needs typer: {hint}", file=sys.stderr)
    return 2
