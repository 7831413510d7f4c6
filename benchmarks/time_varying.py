"""Time graphs over time: seconds and relative gap, for both couplings at several strengths.

    python -m benchmarks.time_varying

Every solve starts cold, at alpha = beta = 1 and at the theta that gives the graph of the mean
distances six edges per node. "Apart" solves the windows one by one, without coupling.
"""

import numpy as np
from rich.console import Console
from rich.table import Table

import smoothgraph as sg
from benchmarks.measure import clocked
from smoothgraph.density import search_density
from smoothgraph.generate import random_geometric, smooth_signals, tikhonov
from smoothgraph.pairs.over_time import PairsOverTime

SIZES = ((37, 31), (300, 20))  # nodes, windows
STRENGTHS = (0.1, 1.0, 10.0, 100.0)
SIGNALS = 40  # per window


def switching(n_nodes: int, n_windows: int) -> np.ndarray:
    """Return the distances of every window of a series whose graph changes halfway through."""
    graphs = [random_geometric(n_nodes, random_state=seed) for seed in (0, 1)]
    return np.array(
        [
            sg.distances(smooth_signals(graphs[2 * t // n_windows], SIGNALS, tikhonov(), noise=0.1, random_state=t))
            for t in range(n_windows)
        ]
    )


def rows(n_nodes: int, n_windows: int) -> list[tuple[str, ...]]:
    pattern, z = sg.PairSet.all_pairs(n_nodes), switching(n_nodes, n_windows)
    z /= search_density(sg.models.LogDegree(), sg.Pairs(pattern, z.mean(axis=0)), 6).p
    size = f"{n_nodes} x {n_windows}"
    apart, _ = clocked(lambda: [sg.Newton().solve(sg.models.log_degree(sg.Pairs(pattern, row))) for row in z])
    found = [(size, "apart", "0", f"{apart:.2f}", "", "")]
    for coupling in ("l2", "l1"):
        for gamma in STRENGTHS:
            pairs = PairsOverTime.over_windows(pattern, z)
            problem = sg.models.time_varying(pairs, n_windows=n_windows, gamma=gamma, coupling=coupling)
            seconds, solution = clocked(lambda problem=problem: sg.Newton().solve(problem))
            found.append((size, coupling, f"{gamma:g}", f"{seconds:.2f}", f"{solution.gap:.1e}", str(solution.n_iter)))
    return found


def main() -> None:
    table = Table("nodes x windows", "coupling", "gamma", "seconds", "relative gap", "iterations")
    rows(8, 3)  # compile the kernels
    for size in SIZES:
        for row in rows(*size):
            table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
