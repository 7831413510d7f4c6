"""Measure fits on Dask workers: whether graphs are the same, what is sent, time, and memory.

    python -m benchmarks.workers same [--data-dir DIR]      # memory against 1, 2, and 4 workers
    python -m benchmarks.workers bytes                      # sent by kind of question, and calls
    python -m benchmarks.workers overhead [--nodes 1000000] # seconds against memory, two workers
    python -m benchmarks.workers large [--nodes 3000000]    # workers limited to 3 GB each

Workers are processes on this machine, with one thread each. The client talks to them directly. The
data are clusters of uneven size.
"""

import argparse
import json
import logging
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from distributed import Client, LocalCluster

from benchmarks.clusters import uneven_clusters
from paper.datasets import load_usps
from smoothgraph import LogDegreeGraph
from smoothgraph.cluster import gathered_pairs
from smoothgraph.cluster.layout import Layout

EDGES_PER_NODE = 10
STAGES = ("index", "neighbors", "solve", "pairs")
_ROUGHLY = 1e-4  # the relative duality gap of the largest graph


class Stopwatch(logging.Handler):
    """Adds up the seconds of the stages that the log reports."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = dict.fromkeys(STAGES, 0.0)

    def emit(self, record: logging.LogRecord) -> None:
        """Add the seconds of a stage that has ended."""
        name = getattr(record, "stage", None)
        if name in self.seconds:
            self.seconds[name] += record.seconds


@contextmanager
def workers(number: int, memory_limit: str = "auto") -> Iterator[Client]:
    with (
        LocalCluster(
            n_workers=number, threads_per_worker=1, memory_limit=memory_limit, dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster, direct_to_workers=True) as client,
    ):
        yield client


def fitted(X: Any, neighbors: str, tol: float = 1e-6) -> tuple[LogDegreeGraph, dict[str, Any]]:
    """Return the graph with 10 edges per node, and the seconds of every stage."""
    watch, logger = Stopwatch(), logging.getLogger("smoothgraph")
    logger.addHandler(watch)
    logger.setLevel(logging.INFO)
    started = perf_counter()
    graph = LogDegreeGraph(EDGES_PER_NODE, neighbors=neighbors, tol=tol).fit(X)
    seconds = perf_counter() - started
    logger.removeHandler(watch)
    return graph, {"seconds": seconds, **watch.seconds, "gap": graph.dual_gap_}


def on_disk(X: np.ndarray, folder: str) -> Path:
    path = Path(folder) / "rows.npy"
    np.save(path, X)
    return path


def same(data_dir: Path | None) -> Iterator[dict[str, Any]]:
    """Compare graphs with given parameters, for which the optimum is unique."""
    cases = [("200k x 50, approximate", uneven_clusters(200_000), "approximate")]
    if data_dir is not None:
        cases.insert(0, ("USPS, exact", load_usps(data_dir).X, "exact"))
    for name, X, neighbors in cases:
        p = 1 / fitted(X, neighbors)[0].theta_
        options = {"alpha": p, "beta": p, "neighbors": neighbors, "tol": 1e-10}
        A = LogDegreeGraph(**options).fit(X).adjacency_
        for number in (1, 2, 4):
            with tempfile.TemporaryDirectory() as folder, workers(number):
                B = LogDegreeGraph(**options).fit(on_disk(X, folder)).adjacency_
            yield {
                "data": name,
                "workers": number,
                "edges": A.nnz // 2,
                "edges that differ": ((A > 0) != (B > 0)).nnz // 2,
                "largest difference of weights, of the mean weight": float(abs(A - B).max() / A.data.mean()),
            }


class Traffic:
    """Counts the bytes of arrays sent to and from partitions, and the calls, by kind."""

    def __init__(self) -> None:
        self.bytes, self.calls = Counter[str](), Counter[str]()
        ask = Layout.ask

        def count(layout: Layout, name: str, task: Any, *columns: Any) -> list[Any]:
            found = ask(layout, name, task, *columns)
            self.bytes[name] += _bytes(columns) + _bytes(found)
            self.calls[name] += 1
            return found

        Layout.ask = count  # type: ignore[method-assign]


def _bytes(content: Any) -> int:
    if isinstance(content, np.ndarray):
        return content.nbytes
    return sum(map(_bytes, content)) if isinstance(content, list | tuple) else 0


def sent() -> Iterator[dict[str, Any]]:
    traffic = Traffic()
    gathered_pairs.SHARE_OF_MEMORY = 0  # as with more pairs than the client's memory holds
    for n_nodes, edges_per_node in ((20_000, 5), (20_000, 20), (100_000, 10)):
        traffic.bytes.clear()
        traffic.calls.clear()
        with tempfile.TemporaryDirectory() as folder, workers(2):
            rows = on_disk(uneven_clusters(n_nodes), folder)
            LogDegreeGraph(edges_per_node, neighbors="approximate").fit(rows)
        each = {
            f"bytes per node: {name}": traffic.bytes[name] / traffic.calls[name] / n_nodes
            for name in ("dual", "curvature")
            if traffic.calls[name]
        }
        yield {
            "nodes": n_nodes,
            "edges per node": edges_per_node,
            **each,
            "bytes per node in all": traffic.bytes.total() / n_nodes,
            "calls": dict(traffic.calls),
        }


def overhead(n_nodes: int) -> Iterator[dict[str, Any]]:
    X = uneven_clusters(n_nodes)
    fitted(X[:5000], "approximate")
    here, facts = fitted(X, "approximate")
    yield {"where": "memory", "nodes": n_nodes, **facts}
    with tempfile.TemporaryDirectory() as folder, workers(2):
        fitted(on_disk(X[:5000], folder), "approximate")
        there, there_facts = fitted(on_disk(X, folder), "approximate")
        yield {
            "where": "2 workers",
            "nodes": n_nodes,
            **there_facts,
            "times memory": there_facts["seconds"] / facts["seconds"],
            "edges per node": (here.edges_per_node_, there.edges_per_node_),
        }


def large(n_nodes: int) -> Iterator[dict[str, Any]]:
    X = uneven_clusters(n_nodes)[:, :32].copy()
    with tempfile.TemporaryDirectory() as folder:
        path = on_disk(X, folder)
        del X
        with workers(4, memory_limit="3GB") as client:
            graph, facts = fitted(path, "approximate", tol=_ROUGHLY)
            peaks = client.run(_peak_gigabytes)
            parts = Path(folder) / "graph.parquet"
            graph.graph_.to_parquet(parts)
            written = sum(part.stat().st_size for part in parts.iterdir())
            yield {
                "nodes": n_nodes,
                **facts,
                "edges": graph.graph_.n_edges,
                "edges per node": graph.edges_per_node_,
                "missing pairs": str(graph.violations_),
                "peak GB per worker": [round(peak, 2) for peak in peaks.values()],
                "peak GB of the client": round(_peak_gigabytes(), 2),
                "GB written": written / 1e9,
            }


def _peak_gigabytes() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("same", "bytes", "overhead", "large"))
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--data-dir", type=Path)
    asked = parser.parse_args()
    runs = {
        "same": lambda: same(asked.data_dir),
        "bytes": sent,
        "overhead": lambda: overhead(asked.nodes or 1_000_000),
        "large": lambda: large(asked.nodes or 3_000_000),
    }
    for row in runs[asked.what]():
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
