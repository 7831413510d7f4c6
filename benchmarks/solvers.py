"""Time the solvers of the log-degree problem, and report ratios of these times.

    python -m benchmarks.solvers [--data-dir DIR] [--quick] [--sizes 100 1000 ...] [--out FILE]

Every solver gets the same problem and starts cold. The benchmark judges it (see ``measure.py``).
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from rich.console import Console
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.neighbors import NearestNeighbors

import smoothgraph as sg
from benchmarks.data import Instance, digits_like, instance, usps_1001
from benchmarks.measure import (
    ALPHA,
    BETA,
    TARGETS,
    Judge,
    Outcome,
    Solve,
    Trial,
    all_pairs,
    clocked,
    median_seconds,
    paired_ratio,
    repeated,
)
from benchmarks.peers import HINT, PEERS, Peer
from benchmarks.report import NEWTON, NEWTON_FROM_MATRIX, DataSet, FirstCall, Preparation, Report, Row

PRIMAL_DUAL = "PrimalDual, all pairs"
PEER_NAMES = tuple(peer.name for peer in PEERS)

SIZES = (100, 1000, 2000, 4000, 8000)
QUICK_SIZES = (100, 1000)
TIME_LIMIT, QUICK_TIME_LIMIT = 60.0, 10.0
SLOW_MAX = 2000
N_NEIGHBORS = 40
OUT = Path("benchmarks/results/solvers.json")
WIDTH = 140  # characters per line if the output is not a terminal
CERTIFICATE_TOL = 1e-12
CACHED_CALLS = 3
PILOT_ITERATIONS = 20

# smoothgraph's gap is relative to |u'd| + f*(v), which is between 1 and 1.5 times alpha m at the
# optimum. A tolerance of target / 1.5 therefore meets the target as the benchmark measures it.
TOLERANCES = tuple(target / 1.5 for target in TARGETS)

FIRST_CALL = """
from time import perf_counter
started = perf_counter()
import numpy as np
import smoothgraph as sg
X = np.random.default_rng(0).normal(size=(200, 10))
sg.Newton().solve(sg.models.log_degree(sg.Pairs.of(X), edges_per_node=10)).adjacency
print(perf_counter() - started)
"""


class Benchmark:
    """One problem, its judge, and the solvers to try on it."""

    def __init__(self, problem: Instance, time_limit: float) -> None:
        self._problem = problem
        self._time_limit = time_limit
        pairs = all_pairs(problem.n_nodes)
        self._judge = Judge.from_multipliers(pairs, problem.z, self._certificate())

    def newton(self) -> Row:
        """Time Newton over all pairs: the solve alone, each time on pairs without any cache."""
        return self._row(NEWTON, self._trial(self._newton).by_tolerance(TOLERANCES))

    def newton_over_sklearn(self) -> float:
        """Return the time of Newton over all pairs to 1e-6 over that of scikit-learn's matrix."""
        return paired_ratio(lambda: self._newton(TOLERANCES[1])[0], self.sklearn_distances)

    def sklearn_distances(self) -> float:
        """Return the seconds of one call of scikit-learn's distance matrix."""
        return clocked(lambda: euclidean_distances(self._problem.X, squared=True))[0]

    def newton_from_distances(self) -> Row:
        """Time Newton from the distance matrix on: checks, pairs, model, and solve."""
        Z = self._problem.matrix()

        def learn(tol: float) -> sg.Solution:
            model = sg.models.log_degree(sg.Pairs.from_distances(Z), alpha=ALPHA, beta=BETA)
            return sg.Newton(tol=tol).solve(model)

        def solve(tol: float) -> tuple[float, np.ndarray]:
            seconds, solution = clocked(lambda: learn(tol))
            return seconds, solution.w

        outcomes = self._trial(solve).by_tolerance(TOLERANCES)
        return self._row(NEWTON_FROM_MATRIX, outcomes)

    def newton_on_neighbors(self) -> Row:
        """Time Newton over 40-NN candidates, and measure how far that optimum is from all pairs."""
        near = neighbor_pairs(self._problem.X)
        i, j = near.rows.astype(np.int64), near.cols.astype(np.int64)
        z = self._problem.z[i * (2 * self._problem.n_nodes - i - 1) // 2 + j - i - 1]

        def restricted(tol: float) -> tuple[float, sg.Solution]:
            fresh = sg.PairSet(near.n_nodes, near.indptr, near.cols)
            model = sg.models.log_degree(sg.Pairs(fresh, z), alpha=ALPHA, beta=BETA)
            return clocked(lambda: sg.Newton(tol=tol).solve(model))

        def solve(tol: float) -> tuple[float, np.ndarray]:
            seconds, solution = restricted(tol)
            return seconds, solution.w

        optimum = restricted(CERTIFICATE_TOL)[1]
        judge = Judge.from_multipliers((i, j), z, optimum.u)
        outcomes = Trial(solve, judge.gap, self._time_limit).by_tolerance(TOLERANCES)
        gap = judge.gap(optimum.w, bound=self._judge.bound)
        return self._row(f"Newton, {N_NEIGHBORS}-NN candidates", outcomes, gap_on_all_pairs=gap)

    def primal_dual(self) -> Row:
        """Time the paper's Algorithm 1, with as many iterations as the time limit allows."""
        pilot = sg.PrimalDual(tol=min(TARGETS), max_iter=PILOT_ITERATIONS)
        seconds, _ = clocked(lambda: pilot.solve(self._model()))
        max_iter = max(PILOT_ITERATIONS, int(PILOT_ITERATIONS * self._time_limit / seconds))

        def solve(tol: float) -> tuple[float, np.ndarray]:
            model = self._model()
            solver = sg.PrimalDual(tol=tol, max_iter=max_iter, stop="gap")
            seconds, solution = clocked(lambda: solver.solve(model))
            return seconds, solution.w

        return self._row(PRIMAL_DUAL, self._trial(solve).by_tolerance(TOLERANCES))

    def peer(self, peer: Peer) -> Row:
        """Time another package with increasing effort. If it cannot run, a note says why."""
        if self._problem.n_nodes > peer.max_nodes:
            return self._row(peer.name, note=f"not above {peer.max_nodes:.0f} nodes")
        try:
            solve = peer.load()
        except ModuleNotFoundError as error:
            return self._row(peer.name, note=f"{error.name} is not installed; {HINT}")
        trial = self._trial(lambda effort: solve(self._problem, effort))
        return self._row(peer.name, trial.by_effort(peer.efforts))

    def skipped(self, name: str, limit: int) -> Row:
        """Return a row for a slow solver that skips a large problem."""
        return self._row(name, note=f"skipped above {limit} nodes (--slow-max)")

    def preparation(self) -> Preparation:
        """Time what precedes a solve: distances, and candidate pairs from them or from a search."""
        X, Z = self._problem.X, self._problem.matrix()
        return Preparation(
            data=self._problem.name,
            n_nodes=self._problem.n_nodes,
            n_features=X.shape[1],
            theta=self._problem.theta,
            edges_per_node=self._problem.edges_per_node,
            sklearn_distances=repeated(self.sklearn_distances),
            distances=median_seconds(lambda: sg.distances(X)),
            precomputed=median_seconds(lambda: sg.Pairs.from_distances(Z)),
            neighbors=median_seconds(lambda: sg.distances(X, neighbor_pairs(X))),
            newton_over_sklearn=self.newton_over_sklearn(),
        )

    def _newton(self, tol: float) -> tuple[float, np.ndarray]:
        model = self._model()
        seconds, solution = clocked(lambda: sg.Newton(tol=tol).solve(model))
        return seconds, solution.w

    def _certificate(self) -> np.ndarray:
        return sg.Newton(tol=CERTIFICATE_TOL).solve(self._model()).u

    def _model(self) -> sg.Problem:
        pairs = sg.Pairs(sg.PairSet.all_pairs(self._problem.n_nodes), self._problem.z)
        return sg.models.log_degree(pairs, alpha=ALPHA, beta=BETA)

    def _trial(self, solve: Solve) -> Trial:
        return Trial(solve, self._judge.gap, self._time_limit)

    def _row(
        self,
        solver: str,
        outcomes: list[Outcome] | None = None,
        *,
        note: str = "",
        gap_on_all_pairs: float | None = None,
    ) -> Row:
        return Row(
            data=self._problem.name,
            n_nodes=self._problem.n_nodes,
            solver=solver,
            is_peer=solver in PEER_NAMES,
            outcomes=outcomes or [],
            note=note,
            gap_on_all_pairs=gap_on_all_pairs,
        )


def neighbor_pairs(X: np.ndarray) -> sg.PairSet:
    """Return the pairs in which one node is among the 40 nearest of the other."""
    search = NearestNeighbors(n_neighbors=min(N_NEIGHBORS, len(X) - 1)).fit(X)
    return sg.PairSet.from_neighbors(search.kneighbors(return_distance=False))


def first_call() -> FirstCall:
    """Time fresh processes that learn 200 nodes, without and with cached compiled code."""
    with tempfile.TemporaryDirectory() as cache:
        empty = _fresh_process(cache)
        cached = [_fresh_process(cache) for _ in range(CACHED_CALLS)]
    return FirstCall(
        learn_empty=empty[0],
        process_empty=empty[1],
        learn_cached=median(learn for learn, _ in cached),
        process_cached=median(process for _, process in cached),
    )


def _fresh_process(cache: str) -> tuple[float, float]:
    """Return the seconds of import and learning, and those of the whole process."""
    started = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL],
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return float(done.stdout), perf_counter() - started


def data_sets(sizes: list[int], folder: Path | None) -> Iterator[tuple[str, np.ndarray]]:
    """Yield names and data: the digits by size, then USPS if its file exists."""
    for size in sizes:
        yield f"digits-{size}", digits_like(size)
    if folder is not None and (folder / "usps.npz").exists():
        yield "USPS-1001", usps_1001(folder).X


def run(report: Report, options: argparse.Namespace, progress: Console) -> None:
    """Fill the report, table by table."""
    _say(progress, "first call in a fresh process")
    report.add_first_call(first_call())
    _warm_up()
    for name, X in data_sets(options.sizes, options.data_dir):
        report.add(_measured(name, X, options, progress))


def _measured(name: str, X: np.ndarray, options: argparse.Namespace, progress: Console) -> DataSet:
    _say(progress, f"{name}: theta and certificate")
    benchmark = Benchmark(instance(name, X), options.time_limit)
    _say(progress, "  distances")
    preparation = benchmark.preparation()
    rows = list(_rows(benchmark, len(X), options.slow_max, progress))
    drift = repeated(benchmark.sklearn_distances) / preparation.sklearn_distances
    return DataSet(preparation, rows, drift)


def _rows(benchmark: Benchmark, n_nodes: int, slow_max: int, progress: Console) -> Iterator[Row]:
    _say(progress, "  smoothgraph")
    yield benchmark.newton()
    yield benchmark.newton_from_distances()
    yield benchmark.newton_on_neighbors()
    if n_nodes > slow_max:
        for name in (PRIMAL_DUAL, *PEER_NAMES):
            yield benchmark.skipped(name, slow_max)
        return
    yield benchmark.primal_dual()
    for peer in PEERS:
        _say(progress, f"  {peer.name}")
        yield benchmark.peer(peer)


def _warm_up() -> None:
    """Compile everything once on a small problem."""
    benchmark = Benchmark(instance("warm-up", digits_like(60)), time_limit=1.0)
    benchmark.preparation()
    benchmark.newton()
    benchmark.newton_from_distances()
    benchmark.newton_on_neighbors()
    benchmark.primal_dual()


def _say(progress: Console, text: str) -> None:
    """Print a line on a terminal. A spinner's thread would compete with the code being timed."""
    if progress.is_terminal:
        progress.print(f"[dim]{text} ...[/dim]")


def parsed_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, help="folder with usps.npz (keys X, y)")
    parser.add_argument("--quick", action="store_true", help="small sizes, short time limit")
    parser.add_argument("--sizes", type=int, nargs="+", help="numbers of nodes")
    parser.add_argument("--time-limit", type=float, help="seconds per slow solver and size")
    parser.add_argument(
        "--slow-max",
        type=int,
        default=SLOW_MAX,
        help="the largest size for PrimalDual and for other packages, some of which "
        "need gigabytes above it (default: %(default)s)",
    )
    parser.add_argument("--out", type=Path, default=OUT, help="JSON file (default: %(default)s)")
    options = parser.parse_args()
    options.sizes = options.sizes or list(QUICK_SIZES if options.quick else SIZES)
    options.time_limit = options.time_limit or (QUICK_TIME_LIMIT if options.quick else TIME_LIMIT)
    return options


def main() -> None:
    options = parsed_options()
    terminal = Console()
    console = terminal if terminal.is_terminal else Console(width=WIDTH)
    report = Report(console)
    run(report, options, Console(stderr=True))
    report.print_summary()
    report.write(options.out)
    console.print(f"Written to {options.out}")


if __name__ == "__main__":
    main()
