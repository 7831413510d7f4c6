"""Measure fits and tasks while other programs keep every core busy.

    python -m benchmarks.under_load --data-dir FOLDER [--n-loops 2]

BLAS starts one thread per core, and its threads spin while they wait for each other. On busy cores that can take many
times longer than a single thread. So the library limits BLAS to one thread wherever more do not pay. For each call, the
table gives the median time of a few runs, in turns:

- *idle*: on a machine that does nothing else;
- *busy*: beside busy loops, as many as ``--n-loops``;
- *busy, one BLAS thread*: the same, but with BLAS limited from outside as well.

If the ratio of the last two is about 1, no BLAS threads stand in each other's way. If one-threaded BLAS is slower on
the idle machine, threads pay, and the last column is less than 1.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from statistics import median

import numpy as np
from rich.console import Console
from rich.table import Table
from threadpoolctl import threadpool_limits

from benchmarks.measure import clocked
from benchmarks.measured import WIDTH
from paper.datasets import Labeled, load_mnist
from smoothgraph import LogDegreeGraph, SmoothGraph, viz
from smoothgraph.methods import LakeTenenbaumGraph
from smoothgraph.tasks import HarmonicClassifier, MatrixCompletion, SpectralGraphClustering

_RUNS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, required=True, help="folder of mnist.npz")
    parser.add_argument("--n-loops", type=int, default=2, help="busy loops beside (default: 2)")
    options = parser.parse_args()
    table = Table("call", "idle, s", "busy, s", "busy, one BLAS thread, s", "ratio", "ratio, idle")
    for name, call in calls(load_mnist(options.data_dir)).items():
        call()  # compiles
        idle, one_idle = in_turns(call)
        with busy_loops(options.n_loops):
            busy, one = in_turns(call)
        table.add_row(name, *(f"{x:.2f}" for x in (idle, busy, one, busy / one, idle / one_idle)))
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    console.print(table)


def calls(images: Labeled) -> dict[str, Callable[[], object]]:
    """Return what is measured."""
    X, y = images.X, images.y
    rows, few = X[:5000], X[:1000]
    graph = SmoothGraph(10).fit(rows)
    small = SmoothGraph(10).fit(few)
    known = np.where(np.arange(len(rows)) % 50 == 0, y[: len(rows)].astype(int), -1)
    holes = np.where(np.random.default_rng(0).random((1000, 100)) < 0.2, np.nan, few[:, 300:400])
    completion = MatrixCompletion(rows=small.adjacency_, columns=None, rank_strength=0.1)
    clusters = SpectralGraphClustering(10, random_state=0)
    return {
        "LogDegreeGraph, 5000 x 784": lambda: LogDegreeGraph(10).fit(rows),
        "SmoothGraph, 5000 x 784": lambda: SmoothGraph(10).fit(rows),
        "SpectralGraphClustering, 5000": lambda: clusters.fit(graph.adjacency_),
        "HarmonicClassifier, 5000": lambda: HarmonicClassifier().fit(graph.adjacency_, known),
        "MatrixCompletion, 1000 x 100": lambda: completion.fit(holes),
        "LakeTenenbaumGraph, 100": lambda: LakeTenenbaumGraph().fit(few[:100]),
        "layout, 1000": lambda: viz.layout(small),
    }


def in_turns(call: Callable[[], object]) -> tuple[float, float]:
    """Return the median seconds of a call, and of the call with BLAS on one thread."""
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(_RUNS):
        for limited, taken in enumerate(seconds):
            with threadpool_limits(1, user_api="blas") if limited else nullcontext():
                taken.append(clocked(call)[0])
    return median(seconds[0]), median(seconds[1])


@contextmanager
def busy_loops(number: int) -> Iterator[None]:
    """Inside, so many other processes count without end."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


if __name__ == "__main__":
    main()
