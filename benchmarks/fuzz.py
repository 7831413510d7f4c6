"""Fuzz every reader, every learner, and the command line: the end is a valid result, or an error for the user.

    python -m benchmarks.fuzz [--minutes 60] [--seed 0] [--only NAME] [--examples N]

An example is made of its target and a number, and nothing else. Any other exception, an invalid result, a crash, a
hang, and a need for gigabytes are findings. They are saved in a folder, and a run with ``--only NAME --seed NUMBER
--examples 1`` replays one of them.
"""

import argparse
import faulthandler
import resource
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

import numpy as np

from benchmarks import fuzz_files, fuzz_learners
from benchmarks.fuzz_commands import check_command
from smoothgraph.io import GRAPH_FORMATS, TABLE_FORMATS
from smoothgraph.io.file_format import PARTS_FORMATS

SECONDS = 20.0  # beyond which an example hangs
GIGABYTES = 2.0  # beyond which an example takes too much memory
FOUND = "FOUND: "

Target = Callable[[np.random.Generator, Path], str]

TARGETS: dict[str, Target] = {
    **{f"table {name}": partial(fuzz_files.check_table_reader, name) for name in TABLE_FORMATS},
    **{f"graph {name}": partial(fuzz_files.check_graph_reader, name) for name in GRAPH_FORMATS},
    **{f"parts {name}": partial(fuzz_files.check_parts_reader, name) for name in PARTS_FORMATS},
    **{f"rows {suffix[1:]}": partial(fuzz_files.check_row_reader, suffix) for suffix in (".npy", ".parquet", ".zarr")},
    **{
        kind.__name__: partial(fuzz_learners.check_learner, kind)
        for kind in (*fuzz_learners.LEARNERS, *fuzz_learners.METHODS)
    },
    "density path": fuzz_learners.check_path,
    "edge stability": fuzz_learners.check_stability,
    "command": check_command,
}


def run_example(name: str, seed: int, folder: Path) -> str:
    """What became of an example, whose files are left in the folder: accepted, refused, or FOUND and why."""
    rng = np.random.default_rng([seed, *map(ord, name)])
    before = _peak_gigabytes()
    try:
        verdict = TARGETS[name](rng, folder)
    except Exception:  # noqa: BLE001  whatever it is, it is a finding
        return FOUND + traceback.format_exc()
    taken = _peak_gigabytes() - before
    return verdict if taken < GIGABYTES else f"{FOUND}{taken:.1f} GB of memory"


def _peak_gigabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def _run_guarded(name: str, seed: int, folder: Path) -> str:
    """The same; a hang ends the process, after a traceback of where it is."""
    faulthandler.dump_traceback_later(SECONDS, exit=True)
    try:
        return run_example(name, seed, folder)
    finally:
        faulthandler.cancel_dump_traceback_later()


class Fuzzer:
    """Runs examples in a process of their own, and saves what is found."""

    def __init__(self, findings: Path) -> None:
        self._findings = findings
        self._pool = self._start()
        self._known: set[str] = set()  # the last lines of tracebacks
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in TARGETS}

    def run(self, name: str, seed: int) -> None:
        """Run one example; print and save a finding of a kind that was not seen before."""
        with tempfile.TemporaryDirectory() as folder:
            try:
                verdict = self._pool.submit(_run_guarded, name, seed, Path(folder)).result()
            except BrokenProcessPool:
                verdict = f"{FOUND}the process crashed, or hung for {SECONDS:g} seconds; standard error says where"
                self._pool = self._start()
            self.counts[name][verdict.split(":")[0]] += 1
            if verdict.startswith(FOUND):
                self._save(name, seed, verdict, Path(folder))

    def close(self) -> None:
        """End the process."""
        self._pool.shutdown()

    def _save(self, name: str, seed: int, verdict: str, folder: Path) -> None:
        kind = f"{name}: {_place(verdict)}"
        if kind in self._known:
            return
        self._known.add(kind)
        print(f"{name}, seed {seed}: {verdict}", flush=True)
        saved = self._findings / f"{name}-{seed}"
        saved.mkdir(parents=True, exist_ok=True)
        (saved / "verdict.txt").write_text(verdict)
        files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
        fuzz_files.write_files(files, saved)

    @staticmethod
    def _start() -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=faulthandler.enable)


def _place(verdict: str) -> str:
    """The innermost place of a traceback, by which findings are told apart."""
    places = [line for line in verdict.splitlines() if line.startswith("  File ")]
    return places[-1] if places else verdict


def _seeds(first: int, examples: int | None) -> Iterator[int]:
    return iter(count(first) if examples is None else range(first, first + examples))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first example of every target")
    parser.add_argument("--examples", type=int, help="of every target, at most; by default as many as time permits")
    parser.add_argument("--only", choices=TARGETS, metavar="NAME", help=f"one of: {', '.join(TARGETS)}")
    parser.add_argument(
        "--findings", type=Path, default=Path("benchmarks/results/fuzz"), help="the folder for findings"
    )
    options = parser.parse_args()
    names = list(TARGETS) if options.only is None else [options.only]
    fuzzer, end = Fuzzer(options.findings), monotonic() + 60 * options.minutes
    for seed in _seeds(options.seed, options.examples):
        for name in names:
            fuzzer.run(name, seed)
        if monotonic() > end:
            break
    fuzzer.close()
    for name in names:
        print(f"{name}: {dict(fuzzer.counts[name])}")
    sys.exit(any("FOUND" in counts for counts in fuzzer.counts.values()))


if __name__ == "__main__":
    main()
