"""The command line: files of commands, and one file per group of options that commands share.

Only Typer is imported before a command runs, so that ``--help`` answers at once.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType

_SECONDS_TO_CLEAN_UP = 2.0  # in which another Ctrl-C changes nothing


def main() -> None:
    """Run the program ``smoothgraph``, or say how to install what it needs."""
    with quiet_interrupts():
        try:
            from smoothgraph.cli.app import app
        except ModuleNotFoundError as error:
            if error.name != "typer":
                raise
            print("Error: The program smoothgraph needs typer: pip install 'smoothgraph[cli]'", file=sys.stderr)
            sys.exit(2)
        app()


@contextmanager
def quiet_interrupts() -> Iterator[None]:
    """End with exit code 130 and without a traceback if the program inside is interrupted, however often."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _Interrupt())
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(130)


class _Interrupt:
    """Interrupts as Python does, without the complaints of objects that were only half made.

    Those who press Ctrl-C again at once do not disturb the cleaning up.
    """

    def __init__(self) -> None:
        self._last = -float("inf")

    def __call__(self, number: int, frame: FrameType | None) -> None:
        sys.unraisablehook = lambda _: None
        if monotonic() - self._last > _SECONDS_TO_CLEAN_UP:
            self._last = monotonic()
            signal.default_int_handler(number, frame)
