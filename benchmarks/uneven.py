"""Time a fit of clusters whose widths vary, against one of as many points of the same width.

    python -m benchmarks.uneven [--nodes 2000 20000] [--models log-degree l2-degree doubly-stochastic] [--out FILE]

The widths spread log-uniformly over a factor. Seconds are CPU seconds of the whole process, which other work on the
machine disturbs least. The ratio to the factor of 1 is what counts.
"""

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

import smoothgraph as sg
from benchmarks.measured import write_measured

CLUSTERS = 100
FACTORS = (1.0, 3.0, 30.0, 300.0)
DIMENSIONS = (2, 20, 200)
EDGES_PER_NODE = 10
MODELS: dict[str, Callable[..., sg.GraphLearner]] = {
    "log-degree": sg.LogDegreeGraph,
    "l2-degree": sg.L2DegreeGraph,
    "doubly-stochastic": sg.DoublyStochasticGraph,
}


def clusters(n_nodes: int, n_dimensions: int, factor: float, seed: int = 0) -> np.ndarray:
    """Points in clusters whose widths spread log-uniformly over ``factor``."""
    rng = np.random.default_rng(seed)
    center = 5 * rng.normal(size=(CLUSTERS, n_dimensions))
    width = factor ** rng.uniform(-0.5, 0.5, size=CLUSTERS)
    place = rng.integers(CLUSTERS, size=n_nodes)
    return center[place] + width[place, None] * rng.normal(size=(n_nodes, n_dimensions))


def time_fit(model: Callable[..., sg.GraphLearner], X: np.ndarray) -> dict[str, Any]:
    """What a fit takes, and what it proves."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        wall, cpu = perf_counter(), process_time()
        graph = model(EDGES_PER_NODE).fit(X)
        wall, cpu = perf_counter() - wall, process_time() - cpu
    return {
        "seconds": round(wall, 2),
        "CPU seconds": round(cpu, 2),
        "edges per node": round(graph.edges_per_node_, 2),
        "exact": graph.is_exact_,
        "weight error": graph.relative_weight_error_,
        "warnings": [str(w.message)[:80] for w in told],
    }


def measure(n_nodes: int, names: list[str]) -> list[dict[str, Any]]:
    """A row per model, dimension, and factor."""
    rows = []
    for name in names:
        MODELS[name](EDGES_PER_NODE).fit(clusters(6000, 5, 30.0))  # compiled code is loaded
        for n_dimensions in DIMENSIONS:
            even = None
            for factor in FACTORS:
                found = time_fit(MODELS[name], clusters(n_nodes, n_dimensions, factor))
                even = even or found["CPU seconds"]
                case = {"model": name, "nodes": n_nodes, "dimensions": n_dimensions, "factor": factor}
                rows.append(case | found | {"ratio": round(found["CPU seconds"] / even, 2)})
                print(json.dumps(rows[-1]), flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, nargs="+", default=[2000, 20_000])
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = [row for n_nodes in options.nodes for row in measure(n_nodes, options.models)]
    if options.out:
        write_measured(options.out, rows)


if __name__ == "__main__":
    main()
