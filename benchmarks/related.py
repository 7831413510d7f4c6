"""Measure how two related methods scale with the number of nodes.

    python -m benchmarks.related [--sizes 1000 10000 70000] [--quick]

The data are clusters of uneven size in 50 dimensions; see ``clusters.py``. The table also shows the
time of the search for nearest neighbors alone, which is part of the fit. The first fit of a
process, which compiles, is left out.
"""

import argparse
from collections.abc import Iterator
from time import perf_counter

from rich.console import Console
from rich.table import Table

from benchmarks.clusters import uneven_clusters
from paper.methods import DaitchGraph, LinearNeighborhoodGraph
from smoothgraph.estimators.graph_method import GraphMethod
from smoothgraph.search import TiledSearch

NEIGHBORS = 10
SIZES = (1_000, 10_000, 70_000)
ALL_PAIRS = (50, 100, 200)  # sizes for graphs that are optimal over all pairs
NEAR = (500, 1_000, 2_000)  # sizes for graphs that are optimal over pairs of nearest neighbors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="linear neighborhoods")
    parser.add_argument("--quick", action="store_true", help="only the smallest size of each")
    options = parser.parse_args()
    table = Table("graph", "nodes", "fit", "search", "edges per node", "gap")
    for name, graph, n_nodes in cases(options.sizes, quick=options.quick):
        table.add_row(name, str(n_nodes), *measure(graph, n_nodes))
    Console().print(table)


def cases(sizes: list[int], *, quick: bool) -> Iterator[tuple[str, GraphMethod, int]]:
    chosen = slice(1) if quick else slice(None)
    for m in sizes[chosen]:
        yield "linear neighborhoods", LinearNeighborhoodGraph(NEIGHBORS), m
    for alpha in (0.0, 0.1):
        for m in ALL_PAIRS[chosen]:
            yield f"Daitch, alpha={alpha:g}, all pairs", DaitchGraph(alpha, n_neighbors=m), m
        for m in NEAR[chosen]:
            near = DaitchGraph(alpha, n_neighbors=NEIGHBORS)
            yield f"Daitch, alpha={alpha:g}, {NEIGHBORS} neighbors", near, m


def measure(graph: GraphMethod, n_nodes: int) -> tuple[str, str, str, str]:
    X = uneven_clusters(n_nodes).astype(float)
    graph.fit(X[:50])
    start = perf_counter()
    TiledSearch.of(X).exact_nearest(min(NEIGHBORS, n_nodes - 1))
    search = perf_counter() - start
    start = perf_counter()
    graph.fit(X)
    fit = perf_counter() - start
    return (f"{fit:.2f} s", f"{search:.2f} s", f"{graph.edges_per_node_:.1f}", f"{graph.dual_gap_:.0e}")


if __name__ == "__main__":
    main()
