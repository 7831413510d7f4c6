"""Time small commands, from the start of Python to the end, as multiples of ``python -c pass``.

    python -m benchmarks.startup [--repeats 5]

It reports the CPU seconds of user and system, the least of some repeats. Modules are compiled
and in the cache of the disk, as on every run but the first.
"""

import argparse
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

COMMANDS = (
    "--version",
    "--help",
    "learn --help",
    "sample",
    "sample flowers --force",
    "sample sensors --force",
    "check flowers.csv",
    "check sensors.csv --nodes columns",
    "info flowers.graphml",
    "convert flowers.graphml flowers.npz --force",
    "diff flowers.graphml flowers.graphml",
    "propagate flowers.graphml --labels species",
    "cluster flowers.graphml --clusters 3",
    "draw flowers.graphml --force",
    "draw places.npz --force",
    "learn flowers.csv",
)


def main() -> None:
    options = _parser().parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for line in (
            "sample flowers",
            "sample sensors",
            "sample places",
            "learn flowers.csv --label species --out flowers.graphml",
            "learn sensors.csv --nodes columns --node-table places.csv --out places.npz",
        ):
            run(smoothgraph(line), folder)
        nothing = measure([sys.executable, "-c", "pass"], folder, options.repeats)
        table = Table("command", "CPU seconds", "times python -c pass", title_justify="left")
        table.add_row("python -c pass", f"{nothing:.3f}", "1")
        for line in COMMANDS:
            seconds = measure(smoothgraph(line), folder, options.repeats)
            table.add_row(f"smoothgraph {line}", f"{seconds:.2f}", f"{seconds / nothing:.0f}")
    Console(width=100).print(table)


def smoothgraph(line: str) -> list[str]:
    return [sys.executable, "-m", "smoothgraph", *shlex.split(line)]


def measure(command: list[str], folder: str, repeats: int) -> float:
    """The least CPU time of some runs."""
    return min(run(command, folder) for _ in range(repeats))


def run(command: list[str], folder: str) -> float:
    """The CPU time of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=Path(folder), check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="runs of every command, of which the fastest counts")
    return parser


if __name__ == "__main__":
    main()
