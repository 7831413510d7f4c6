"""Measure fits on Dask workers: whether graphs are the same, what is sent, time, and memory.

    python benchmarks/workers.py same [--data-dir DIR]      # memory against 1, 2, and 4 workers
    python benchmarks/workers.py bytes                      # sent per Newton iteration
    python benchmarks/workers.py overhead [--nodes 1000000] # seconds against memory, two workers
    python benchmarks/workers.py large [--nodes 3000000]    # workers limited to 3 GB each

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
from clusters import uneven_clusters
from distributed import Client, LocalCluster

from paper.datasets import load_usps
from smoothgraph import LogDegreeGraph
from smoothgraph.candidates.growing import OrderedSearch
from smoothgraph.cluster.crew import Crew
from smoothgraph.cluster.edges import FoundPairs, RemoteDistances, RemoteEdges
from smoothgraph.models import log_degree
from smoothgraph.search.between import Pairs

EDGES_PER_NODE = 10
STAGES = ("index", "neighbours", "solve", "pricing")
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
            n_workers=number,
            threads_per_worker=1,
            memory_limit=memory_limit,
            dashboard_address="127.0.0.1:0",
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
    cases = [("200k x 50, approximate", uneven_clusters(200_000), "approximate")]
    if data_dir is not None:
        cases.insert(0, ("USPS, exact", load_usps(data_dir).X, "exact"))
    for name, X, neighbors in cases:
        here, _ = fitted(X, neighbors)
        for number in (1, 2, 4):
            with tempfile.TemporaryDirectory() as folder, workers(number):
                there, _ = fitted(on_disk(X, folder), neighbors)
                A, B = here.adjacency_, there.adjacency_
            edges = np.array_equal(A.indptr, B.indptr) and np.array_equal(A.indices, B.indices)
            off = float(np.max(np.abs(B.data / A.data - 1))) if edges else None
            yield {"data": name, "workers": number, "same edges": edges, "weights off by": off}


class Counted:
    """Counts the bytes of all arrays sent to and from workers, and the calls by name."""

    def __init__(self) -> None:
        self.bytes, self.calls = 0, Counter[str]()
        asked, answer = Crew._asked, Crew._answer

        def count_asked(crew: Crew, block: int, method: str, arguments: Any) -> Any:
            self.bytes += _bytes(arguments)
            self.calls[method] += 1
            return asked(crew, block, method, arguments)

        def count_answer(crew: Crew, block: int, awaited: Any) -> Any:
            found = answer(crew, block, awaited)
            self.bytes += _bytes(found)
            return found

        Crew._asked, Crew._answer = count_asked, count_answer  # type: ignore[method-assign]


def _bytes(content: Any) -> int:
    if isinstance(content, np.ndarray):
        return content.nbytes
    if isinstance(content, list | tuple):
        return sum(map(_bytes, content))
    return 0


def sent() -> Iterator[dict[str, Any]]:
    counted = Counted()
    for n_nodes, k in ((20_000, 10), (20_000, 40), (80_000, 10), (80_000, 40)):
        edges, z, _ = OrderedSearch(uneven_clusters(n_nodes), "sqeuclidean").neighbors(k, 0.1)
        half = n_nodes // 2
        with workers(2) as client:
            pairs = FoundPairs(client.submit(Pairs, edges.rows, edges.cols, z, pure=False))
            bounds = [(0, half), (half, n_nodes)]
            remote = RemoteEdges.of_pairs(client, [pairs], bounds)
            beta = float(np.median(z)) ** 2
            problem = log_degree(remote, RemoteDistances(remote), alpha=1.0, beta=beta)
            working = problem.working_set()
            working.take_everything()
            u = working.near.lone_multipliers(problem.edge_prior)
            counted.bytes = 0
            at = problem.evaluate(u)
            at.gradient  # noqa: B018
            step = counted.bytes
            hessian = at.curvature()
            curved, counted.bytes = counted.bytes - step, 0
            hessian @ u
            product, milliseconds = counted.bytes, _milliseconds_of_a_call(remote.crew)
        yield {
            "nodes": n_nodes,
            "candidate edges": edges.n_edges,
            "bytes per node: dual": step / n_nodes,
            "curvature": curved / n_nodes,
            "Hessian product": product / n_nodes,
            "milliseconds of an empty call": milliseconds,
        }
    n_nodes = 100_000
    for number in (2, 4):
        counted.bytes, counted.calls = 0, Counter()
        with tempfile.TemporaryDirectory() as folder, workers(number):
            graph, _ = fitted(on_disk(uneven_clusters(n_nodes), folder), "approximate")
        yield {
            "nodes": n_nodes,
            "workers": number,
            "edges": graph.graph_.n_edges,
            "bytes per node of a whole fit, without the search": counted.bytes / n_nodes,
            "calls": counted.calls.total(),
            "sweeps of one block after the other": counted.calls["sweep"],
        }


def _milliseconds_of_a_call(crew: Crew, repeats: int = 200) -> float:
    nothing, started = np.zeros(0, dtype=int), perf_counter()
    for _ in range(repeats):
        crew.ask(0, "contains", nothing, nothing)()
    return 1e3 * (perf_counter() - started) / repeats


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
            "same multipliers": bool(np.array_equal(here.dual_, there.dual_)),
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
