"""The command line: files of commands, and one file per group of options that commands share.

Only Typer is imported before a command runs, so that ``--help`` answers at once.
"""

import signal
import sys
from types import FrameType


def main() -> None:
    """Run the program ``smoothgraph``, or say how to install what it needs."""
    try:
        from smoothgraph.cli.app import app
    except ModuleNotFoundError as error:
        if error.name != "typer":
            raise
        print("Error: The program smoothgraph needs typer: pip install 'smoothgraph[cli]'", file=sys.stderr)
        sys.exit(2)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    app()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Interrupt as Python does, without the complaints of objects that were only half made."""
    sys.unraisablehook = lambda _: None
    signal.default_int_handler(number, frame)
