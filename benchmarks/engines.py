"""Which library should supply approximate neighbors: recall, time, memory, first call.

    python -m benchmarks.engines --data-dir DIR [--sizes 100000 1000000]

Every engine runs in a process of its own, on MNIST (if ``DIR/mnist.npz`` exists) and on
clusters of uneven density. Recall is that of the 30 nearest of 1000 random nodes.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.clusters import uneven_clusters
from benchmarks.memory import peak_gigabytes, restart_peak
from paper.datasets import load_mnist

K = 30
_JUDGED = 1000
_THREADS = len(os.sched_getaffinity(0))


def faiss_hnsw(X: np.ndarray, links: int = 32, effort: int = 64) -> np.ndarray:
    import faiss

    index = faiss.IndexHNSWFlat(X.shape[1], links)
    index.hnsw.efConstruction = index.hnsw.efSearch = effort
    index.add(X)
    return index.search(X, K + 1)[1]


def faiss_ivf(X: np.ndarray, probes: int = 16) -> np.ndarray:
    import faiss

    cells = int(4 * np.sqrt(len(X)))
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(X.shape[1]), X.shape[1], cells)
    index.cp.max_points_per_centroid = 64
    index.train(X)
    index.add(X)
    index.nprobe = probes
    return index.search(X, K + 1)[1]


def hnswlib(X: np.ndarray) -> np.ndarray:
    import hnswlib

    index = hnswlib.Index("l2", X.shape[1])
    index.init_index(len(X), M=16, ef_construction=64)
    index.add_items(X)
    index.set_ef(64)
    return index.knn_query(X, K + 1)[0]


def usearch(X: np.ndarray) -> np.ndarray:
    from usearch.index import Index

    index = Index(ndim=X.shape[1], metric="l2sq", dtype="f32", connectivity=16, expansion_add=64, expansion_search=64)
    index.add(np.arange(len(X)), X, threads=_THREADS)
    return np.asarray(index.search(X, K + 1, threads=_THREADS).keys).astype(np.int64)


def pynndescent(X: np.ndarray) -> np.ndarray:
    from pynndescent import NNDescent

    return NNDescent(X, n_neighbors=K + 1, n_jobs=-1, random_state=0).neighbor_graph[0]


def tiles(X: np.ndarray, looked_at: int) -> np.ndarray:
    """Our own, without a proof: each node's nearest among some ``looked_at`` likely ones."""
    from smoothgraph.search import TiledSearch

    return TiledSearch.of(X).nearest(K, min(1.0, looked_at / len(X)))[0]


ENGINES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "faiss HNSW": faiss_hnsw,
    "faiss HNSW, 16 links": lambda X: faiss_hnsw(X, 16, 48),
    "faiss IVF": faiss_ivf,
    "hnswlib": hnswlib,
    "usearch": usearch,
    "pynndescent": pynndescent,
    "smoothgraph, 5,000 looked at": partial(tiles, looked_at=5_000),
    "smoothgraph, 20,000 looked at": partial(tiles, looked_at=20_000),
}


def data(name: str, folder: Path | None) -> np.ndarray:
    """MNIST, or so many points in clusters."""
    if name == "mnist":
        return load_mnist(folder).X.astype(np.float32)
    return uneven_clusters(int(name))


def recall(X: np.ndarray, neighbors: np.ndarray) -> float:
    """The share of the true 30 nearest among those found."""
    rng = np.random.default_rng(1)
    judged = rng.choice(len(X), _JUDGED, replace=False)
    norms = np.einsum("ij,ij->i", X, X, dtype=float)
    hits = 0
    for rows in np.array_split(judged, 20):
        z = norms[None, :] - 2 * (X[rows].astype(float) @ X.T.astype(float))
        z[np.arange(len(rows)), rows] = np.inf
        true = np.argpartition(z, K, axis=1)[:, :K]
        for row, nearest in zip(rows, true, strict=True):
            mine = neighbors[row][neighbors[row] != row][:K]
            hits += len(np.intersect1d(mine, nearest))
    return hits / (K * _JUDGED)


def run_one(engine: str, name: str, folder: Path | None) -> dict[str, float]:
    """First call on little data (imports, compilation), then the whole data set."""
    X = data(name, folder)
    before = restart_peak()
    started = perf_counter()
    ENGINES[engine](np.ascontiguousarray(X[:2000]))
    first = perf_counter() - started
    started = perf_counter()
    neighbors = ENGINES[engine](X)
    seconds = perf_counter() - started
    peak = peak_gigabytes() - before
    return {"first": first, "seconds": seconds, "extra GB": peak, "recall": recall(X, neighbors)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--sizes", nargs="*", default=["100000", "1000000"])
    parser.add_argument("--engines", nargs="*", default=list(ENGINES), choices=list(ENGINES))
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(run_one(*arguments.one, arguments.data_dir)))
        return
    sets = [*(["mnist"] if arguments.data_dir else []), *arguments.sizes]
    for name in sets:
        table = Table(title=f"{K} nearest neighbors, {name}")
        for column in ("engine", "first call s", "s", "extra GB", "recall"):
            table.add_column(column, justify="left" if column == "engine" else "right")
        for engine in arguments.engines:
            command = [sys.executable, "-m", "benchmarks.engines", "--one", engine, name]
            if arguments.data_dir:
                command += ["--data-dir", str(arguments.data_dir)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                table.add_row(engine, done.stderr.strip().splitlines()[-1])
                continue
            found = json.loads(done.stdout.splitlines()[-1])
            table.add_row(engine, *(f"{value:.3g}" for value in found.values()))
            print(name, engine, found, flush=True)
        Console().print(table)


if __name__ == "__main__":
    main()
