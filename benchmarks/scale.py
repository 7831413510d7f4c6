"""Time the way from data to a graph with 10 edges per node, against common k-NN graphs.

    python -m benchmarks.scale [--data-dir DIR] [--sizes 100000 300000 1000000] [--out docs/speed/scale.json]
    python -m benchmarks.speed_page  # writes what was measured into docs/speed/index.md

The data are MNIST and deformed images of it if ``DIR`` has MNIST, and clusters of uneven density. Runs follow one
another, each in its own process. Their seconds do not include imports. CPU seconds are those of all cores. The first
call, which compiles or loads compiled code, uses 20,000 rows and is listed separately.
"""

import argparse
import json
import logging
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.clusters import uneven_clusters
from benchmarks.deformed import deformed_mnist
from benchmarks.measured import write_measured
from benchmarks.memory import peak_gigabytes, restart_peak
from paper.datasets import load_mnist

K = 30
EDGES_PER_NODE = 10
STAGES = ("index", "neighbors", "solve", "pairs")
_WARM_UP = 20_000  # with fewer, pynndescent compiles some of its code later
# The most nodes that these graphs get.
_MOST = {"scikit-learn kneighbors_graph": 90_000, "UMAP fuzzy graph": 150_000, "faiss HNSW": 300_000}


class Stopwatch(logging.Handler):
    """Adds up the seconds of the stages that the log reports."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = dict.fromkeys(STAGES, 0.0)
        self.first_solve = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        """Add the seconds of a stage that has ended."""
        name = getattr(record, "stage", None)
        if name in self.seconds:
            if name == "solve" and not self.seconds["solve"]:
                self.first_solve = record.seconds
            self.seconds[name] += record.seconds


def learned(X: np.ndarray, neighbors: str) -> dict[str, Any]:
    from smoothgraph import LogDegreeGraph

    watch, logger = Stopwatch(), logging.getLogger("smoothgraph")
    logger.addHandler(watch)
    logger.setLevel(logging.INFO)
    graph = LogDegreeGraph(edges_per_node=EDGES_PER_NODE, neighbors=neighbors).fit(X)
    logger.removeHandler(watch)
    return {
        **watch.seconds,
        "first solve": watch.first_solve,
        "edges per node": graph.edges_per_node_,
        "gap": graph.dual_gap_,
        "exact": graph.is_exact_,
        "missing share": 2 * graph.violations_.pairs / (graph.edges_per_node_ * len(X)),
    }


def sklearn_graph(X: np.ndarray) -> dict[str, Any]:
    from sklearn.neighbors import kneighbors_graph

    kneighbors_graph(X, K, mode="distance", n_jobs=-1)
    return {}


def pynndescent(X: np.ndarray) -> dict[str, Any]:
    from benchmarks.engines import pynndescent as search

    search(X)
    return {}


def faiss_hnsw(X: np.ndarray) -> dict[str, Any]:
    from benchmarks.engines import faiss_hnsw as search

    search(X)
    return {}


def umap_graph(X: np.ndarray) -> dict[str, Any]:
    from umap.umap_ import fuzzy_simplicial_set

    fuzzy_simplicial_set(X, K, random_state=np.random.RandomState(0), metric="euclidean")
    return {}


RUNS: dict[str, Callable[[np.ndarray], dict[str, Any]]] = {
    "smoothgraph, exact": partial(learned, neighbors="exact"),
    "smoothgraph, approximate": partial(learned, neighbors="approximate"),
    "pynndescent": pynndescent,
    "faiss HNSW": faiss_hnsw,
    "UMAP fuzzy graph": umap_graph,
    "scikit-learn kneighbors_graph": sklearn_graph,
}


def data(name: str, size: int, folder: Path | None) -> np.ndarray:
    if name == "mnist":
        return load_mnist(folder).X.astype(np.float32)
    return deformed_mnist(size, folder) if name == "deformed" else uneven_clusters(size)


def run_one(run: str, name: str, size: int, folder: Path | None) -> dict[str, Any]:
    X = data(name, size, folder)
    started = perf_counter()
    RUNS[run](X[:_WARM_UP])
    first = perf_counter() - started
    restart_peak()
    started, cpu_started = perf_counter(), process_time()
    found = RUNS[run](X)
    seconds, cpu_seconds = perf_counter() - started, process_time() - cpu_started
    return {
        "data": name,
        "n_nodes": len(X),
        "run": run,
        "seconds": seconds,
        "CPU seconds": cpu_seconds,
        "first call": first,
        "peak GB": peak_gigabytes(),
        **found,
    }


def in_process(run: str, name: str, size: int, folder: Path | None) -> dict[str, Any] | None:
    command = [sys.executable, "-m", "benchmarks.scale", "--one", run, name, str(size)]
    if folder:
        command += ["--data-dir", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(run, name, size, done.stderr.strip().splitlines()[-1:], flush=True)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def table_of(results: list[dict[str, Any]]) -> Table:
    table = Table(title=f"{results[0]['data']}: {results[0]['n_nodes']} nodes")
    columns = ("run", "seconds", "CPU seconds", "first call", "peak GB", *STAGES, "edges per node", "missing share")
    for column in columns:
        table.add_column(column, justify="left" if column == "run" else "right")
    for result in results:
        values = (result.get(column, "") for column in columns)
        table.add_row(*(f"{v:.3g}" if isinstance(v, float) else str(v) for v in values))
    return table


def growth(results: list[dict[str, Any]], run: str, name: str) -> dict[str, float]:
    """Return the exponent of m in the time of each part, from the smallest to the largest run."""
    runs = [r for r in results if r["run"] == run and r["data"] == name]
    if len(runs) < 2:
        return {}
    small, large = min(runs, key=_size), max(runs, key=_size)
    times = np.log(large["n_nodes"] / small["n_nodes"])
    parts = [p for p in ("seconds", *STAGES) if small.get(p) and large.get(p)]
    return {part: float(np.log(large[part] / small[part]) / times) for part in parts}


def _size(result: dict[str, Any]) -> int:
    return result["n_nodes"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--sizes", nargs="*", type=int, default=[100_000, 300_000, 1_000_000])
    parser.add_argument("--runs", nargs="*", default=list(RUNS), choices=list(RUNS))
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/scale.json"))
    parser.add_argument("--exact-max", type=int, default=1_000_000)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        run, name, size = arguments.one
        print(json.dumps(run_one(run, name, int(size), arguments.data_dir)))
        return
    results: list[dict[str, Any]] = []
    any_size = ["deformed", "clusters"] if arguments.data_dir else ["clusters"]
    for name, size in [("mnist", 70_000)] * bool(arguments.data_dir) + list(product(any_size, arguments.sizes)):
        for run in arguments.runs:
            most = {"smoothgraph, exact": arguments.exact_max, **_MOST}.get(run, size)
            found = None if size > most else in_process(run, name, size, arguments.data_dir)
            if found is not None:
                results.append(found)
                print(json.dumps(found), flush=True)
                write_measured(arguments.out, results)
    for data_and_size in dict.fromkeys((r["data"], r["n_nodes"]) for r in results):
        Console(width=160).print(table_of([r for r in results if (r["data"], r["n_nodes"]) == data_and_size]))
    for run, name in product(arguments.runs, any_size):
        if run.startswith("smoothgraph"):
            print(f"growth of {run} on {name}:", growth(results, run, name))


if __name__ == "__main__":
    main()
