"""Disturb the programs at random moments, and judge what they leave behind.

    python -m benchmarks.chaos [--rounds 10] [--seed 0] [--only NAME]

Whatever happens, an output file holds its old content, nothing if there was none, or the right graph. The program
ends without a message or with one sentence, and the same command afterwards gives the right graph. An outcome that
opens with WRONG breaks this promise.
"""

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import psutil
from rich.console import Console
from rich.table import Table

N_NODES = 4100  # just enough for a search, and for checkpoints
TOLERANCE = 0.05  # of weights: on workers, a density is met at slightly other parameters
LONGEST_SENTENCE = 400  # characters
PATIENCE = 120  # seconds until a program counts as stuck

RIGHT = "the right graph"
SENTENCE = "one sentence"
KILLED = "killed, old output intact"
INTERRUPTED = "interrupted, old output intact"
ABORTED = "aborted by a C library, old output intact"
WRONG = "WRONG: "

LEARN = ["-m", "smoothgraph", "learn", "--force"]
FIT = """
import sys, numpy, smoothgraph, smoothgraph.io
graph = smoothgraph.LogDegreeGraph(edges_per_node=10, checkpoint=sys.argv[2]).fit(numpy.load(sys.argv[1]))
smoothgraph.io.write_graph(sys.argv[3], graph)
"""
JUMPING_CLOCK = """
import random, runpy, sys, time
true_time, seed = time.time, sys.argv.pop(1)
jumps = random.Random(seed)
time.time = lambda: max(0.0, true_time() + jumps.choice([-1e9, -3600, 0, 3600, 1e9]))
runpy.run_module("smoothgraph", run_name="__main__", alter_sys=True)
"""


PEAK = """
import pathlib, re, runpy
try:
    runpy.run_module("smoothgraph", run_name="__main__", alter_sys=True)
finally:
    print(re.search(r"VmPeak:\\s+(\\d+) kB", pathlib.Path("/proc/self/status").read_text())[1])
"""


class Impossible(Exception):  # noqa: N818 (no error: a scenario that this machine does not allow)
    """Why a scenario cannot be played here."""


class Ended(NamedTuple):
    """How a process ended, and what it said on standard error."""

    code: int
    said: str


@dataclass(frozen=True)
class Stage:
    """A folder with tables, and what undisturbed programs make of them."""

    folder: Path

    @cached_property
    def table(self) -> Path:
        """Rows that need a search."""
        path = self.folder / "table.npy"
        np.save(path, np.random.default_rng(0).normal(size=(N_NODES, 5)))
        return path

    @cached_property
    def small_table(self) -> Path:
        """Rows whose pairs are all candidates."""
        path = self.folder / "small.npy"
        np.save(path, np.random.default_rng(0).normal(size=(200, 4)))
        return path

    @cached_property
    def expected(self) -> Any:
        """The graph of an undisturbed fit."""
        from smoothgraph import LogDegreeGraph

        return LogDegreeGraph(edges_per_node=10).fit(np.load(self.table)).adjacency_

    @cached_property
    def address_space(self) -> int:
        """The bytes of address space that an undisturbed ``learn`` takes."""
        with self.room() as room:
            command = [sys.executable, "-c", PEAK, "learn", self.table, "--quiet", "--out", room / "graph.npz"]
            return 1024 * int(subprocess.run(command, check=True, capture_output=True).stdout)

    def is_right(self, path: Path) -> bool:
        """Whether a file or folder holds the expected graph, whole."""
        from smoothgraph.io import read_graph
        from smoothgraph.io.errors import FileError

        try:
            found = read_graph(path).adjacency
        except FileError:
            return False
        if found.shape != self.expected.shape:
            return False
        return abs(found - self.expected).max() <= TOLERANCE * self.expected.max()

    @contextmanager
    def room(self) -> Iterator[Path]:
        """An empty folder for one round."""
        path = Path(tempfile.mkdtemp(dir=self.folder))
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)


# -- processes ---------------------------------------------------------------


def start(*arguments: Any, before: Callable[[], object] | None = None, **environment: str) -> subprocess.Popen:
    """Start Python in a session of its own, as from a terminal."""

    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if before is not None:
            before()

    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"} | environment,
        preexec_fn=prepare,
        start_new_session=True,
    )


def finish(process: subprocess.Popen) -> Ended:
    """Wait for the end; who does not end in time is killed, and says so."""
    try:
        _, said = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Ended(-signal.SIGKILL, "Traceback: it was stuck")
    return Ended(process.returncode, said)


def wait_within(process: subprocess.Popen, seconds: float) -> None:
    """Wait so long, or until the end."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return


def kill_at_random(process: subprocess.Popen, rng: np.random.Generator, longest: float) -> Ended:
    """Kill the process and its children within ``longest`` seconds, unless it ends before."""
    wait_within(process, rng.uniform(0, longest))
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    return finish(process)


# -- judging -----------------------------------------------------------------


def fault_of_message(ended: Ended) -> str | None:
    """What is wrong with what a process said, given its exit code."""
    said = ended.said.strip()
    if "Traceback" in said or len(said) > LONGEST_SENTENCE or len(said.splitlines()) > 1:
        return f"{WRONG}it said {said[-200:]!r}"
    if ended.code == 2 and not said.startswith("Error: "):
        return f"{WRONG}exit code 2 without a sentence"
    if ended.code in (0, 130) and said:
        return f"{WRONG}exit code {ended.code} and {said!r}"
    return None


def outcome_of_code(code: int) -> str:
    """What an unsuccessful end is called."""
    names = {2: SENTENCE, 130: INTERRUPTED, -signal.SIGINT: INTERRUPTED, -signal.SIGKILL: KILLED}
    return names.get(code, f"{WRONG}exit code {code}")


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def strays(folder: Path) -> list[str]:
    """Temporary files that are left in a folder."""
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("."))


def judge(ended: Ended, out: Path, old: bytes | None, is_right: Callable[[Path], bool]) -> str:
    """The outcome of a disturbed run that was to write ``out``, where ``old`` was."""
    fault = fault_of_message(ended)
    if fault is not None:
        return fault
    if ended.code != -signal.SIGKILL and strays(out.parent):
        return f"{WRONG}left {strays(out.parent)}"
    changed = not (content(out) == old and (old is not None or not out.exists()))
    if changed and not is_right(out):
        return f"{WRONG}half an output"
    if ended.code == 0:
        return RIGHT if changed or is_right(out) else f"{WRONG}success without the output"
    return outcome_of_code(ended.code)


def judge_rerun(outcome: str, rerun: Ended, out: Path, is_right: Callable[[Path], bool]) -> str:
    """The outcome, if the same command gives the right output afterwards."""
    if outcome.startswith(WRONG) or (rerun == Ended(0, "") and is_right(out)):
        return outcome
    return f"{WRONG}{outcome}; then, exit code {rerun.code} and {rerun.said[-200:]!r}"


def put_old(out: Path, rng: np.random.Generator) -> bytes | None:
    """Put something into the output file, or not; return what."""
    if rng.random() < 0.5:
        return None
    out.write_bytes(b"old")
    return b"old"


# -- scenarios ---------------------------------------------------------------


def kill_fit(stage: Stage, rng: np.random.Generator) -> str:
    """A fit with a checkpoint, in a script."""
    with stage.room() as room:
        out = room / "graph.npz"
        old = put_old(out, rng)
        command = ["-c", FIT, stage.table, room / "state.npz", out]
        outcome = judge(kill_at_random(start(*command), rng, 3), out, old, stage.is_right)
        return judge_rerun(outcome, finish(start(*command)), out, stage.is_right)


def kill_learn(stage: Stage, rng: np.random.Generator) -> str:
    """``learn`` with a checkpoint, in one of the formats."""
    with stage.room() as room:
        out = room / f"graph.{rng.choice(['npz', 'csv', 'graphml'])}"
        old = put_old(out, rng)
        command = [*LEARN, stage.table, "--quiet", "--out", out, "--checkpoint", room / "state.npz"]
        outcome = judge(kill_at_random(start(*command), rng, 4), out, old, stage.is_right)
        outcome = judge_rerun(outcome, finish(start(*command)), out, stage.is_right)
        left = (room / "state.npz").exists()
        return f"{WRONG}the checkpoint stays after success" if left else outcome


def is_report(path: Path) -> bool:
    """Whether a file is a report, whole."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return text.lower().startswith("<!doctype html>") and text.rstrip().endswith("</html>")


def kill_report(stage: Stage, rng: np.random.Generator) -> str:
    """``report``."""
    with stage.room() as room:
        out = room / "report.html"
        old = put_old(out, rng)
        command = ["-m", "smoothgraph", "report", stage.small_table, "--densities", "3,6", "--quiet", "--out", out]
        outcome = judge(kill_at_random(start(*command), rng, 3.5), out, old, is_report)
        return judge_rerun(outcome, finish(start(*command)), out, is_report)


def is_summary(path: Path) -> bool:
    """Whether a file holds the results of all pieces of Table 2."""
    from paper.reproduction.registry import EXPERIMENTS
    from paper.runner import is_current, read_summary

    experiment = EXPERIMENTS["table2"]
    summary = read_summary(path, experiment.QUICK)
    return summary is not None and is_current(summary, experiment) and bool(summary["results"])


def kill_reproduce(stage: Stage, rng: np.random.Generator) -> str:
    """The quick Table 2 of the paper, which resumes."""
    with stage.room() as room:
        out = room / "quick-results" / "table2.json"
        out.parent.mkdir()
        command = ["-m", "paper", "reproduce", "table2", "--quick", "--quiet", "--out", room]
        outcome = judge(kill_at_random(start(*command), rng, 12), out, None, is_summary)
        return judge_rerun(outcome, finish(start(*command)), out, is_summary)


def on_workers(stage: Stage, room: Path) -> list[Any]:
    """``learn`` on two Dask workers with a checkpoint."""
    files = ["--out", room / "graph.npz", "--checkpoint", room / "state.npz"]
    return [*LEARN, stage.table, "--quiet", "--workers", 2, *files]


def kill_client(stage: Stage, rng: np.random.Generator) -> str:
    """``learn`` on Dask workers, killed with all of them."""
    with stage.room() as room:
        out = room / "graph.npz"
        old, command = put_old(out, rng), on_workers(stage, room)
        outcome = judge(kill_at_random(start(*command), rng, 8), out, old, stage.is_right)
        return judge_rerun(outcome, finish(start(*command)), out, stage.is_right)


def kill_worker(stage: Stage, rng: np.random.Generator) -> str:
    """One of the Dask workers, while ``learn`` goes on."""
    with stage.room() as room:
        out = room / "graph.npz"
        old = put_old(out, rng)
        process = start(*on_workers(stage, room))
        wait_within(process, rng.uniform(2, 8))
        for victim in workers_of(process)[:1]:
            victim.kill()
        return judge(finish(process), out, old, stage.is_right)


def workers_of(process: subprocess.Popen) -> list[psutil.Process]:
    """The worker processes that a program has started."""
    try:
        children = psutil.Process(process.pid).children()
        return [child for child in children if "spawn_main" in " ".join(child.cmdline())]
    except psutil.NoSuchProcess:
        return []


def small_workers(stage: Stage, rng: np.random.Generator) -> str:
    """Dask workers whose limits leave them little or no memory."""
    limit = int(rng.uniform(300, 1200) * 2**20)  # which Dask divides among the cores

    def limit_resident() -> None:
        resource.setrlimit(resource.RLIMIT_RSS, (limit, limit))

    with stage.room() as room:
        out = room / "graph.npz"
        old, command = put_old(out, rng), on_workers(stage, room)
        process = start(*command, before=limit_resident, DASK_DISTRIBUTED__SCHEDULER__NO_WORKERS_TIMEOUT="3s")
        return judge(finish(process), out, old, stage.is_right)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A file system of so many bytes."""
    place = folder / "disk"
    place.mkdir()
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "chaos", place], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Impossible("a tmpfs cannot be mounted") from error
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def full_disk(stage: Stage, rng: np.random.Generator) -> str:
    """A disk that has room for nothing, the checkpoint, or everything; later there is room elsewhere."""
    with stage.room() as room, small_disk(room, int(10 ** rng.uniform(3.7, 6.6))) as disk:
        out, state = disk / f"graph.{rng.choice(['npz', 'csv', 'mtx'])}", room / "state.npz"
        old = put_old(out, rng)
        save = ["--checkpoint", state if rng.random() < 0.5 else disk / "state.npz"]
        ended = finish(start(*LEARN, stage.table, "--quiet", "--out", out, *save))
        outcome = judge(ended, out, old, stage.is_right)
        if ended.code == 2 and str(state) in map(str, save) and not state.exists():
            return f"{WRONG}the checkpoint is lost"
        elsewhere = room / out.name
        rerun = finish(start(*LEARN, stage.table, "--quiet", "--out", elsewhere, *save[:1], state))
        return judge_rerun(outcome, rerun, elsewhere, stage.is_right)


def read_only(stage: Stage, rng: np.random.Generator) -> str:
    """A folder that takes no files, for the output or the checkpoint."""
    with stage.room() as room, small_disk(room, 2**20) as disk:
        out = (disk if rng.random() < 0.5 else room) / "graph.npz"
        old = put_old(out, rng)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True, capture_output=True)
        save = ["--checkpoint", (room if out.parent == disk else disk) / "state.npz"]
        return judge(finish(start(*LEARN, stage.table, "--quiet", "--out", out, *save)), out, old, stage.is_right)


def little_memory(stage: Stage, rng: np.random.Generator) -> str:
    """An address space with room for the libraries, but perhaps not for the graph."""
    limit = int(rng.uniform(0.85, 1.0) * stage.address_space)
    with stage.room() as room:
        out = room / "graph.npz"
        old = put_old(out, rng)
        command = [*LEARN, stage.table, "--quiet", "--out", out]
        ended = finish(start(*command, before=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))))
        aborted = ended.code in (-signal.SIGABRT, -signal.SIGSEGV) or ended.said.startswith("OpenBLAS error")
        if aborted and content(out) == old:
            return ABORTED  # OpenBLAS and LLVM end the process when an allocation fails
        return judge(ended, out, old, stage.is_right)


def interrupts(stage: Stage, rng: np.random.Generator) -> str:
    """Ctrl-C, again and again, on a program alone or on one with processes of its own."""
    with stage.room() as room:
        out = room / "graph.npz"
        old = put_old(out, rng)
        alone = [*LEARN, stage.table, "--quiet", "--out", out, "--checkpoint", room / "state.npz"]
        process = start(*(alone if rng.random() < 0.5 else on_workers(stage, room)))
        wait_within(process, rng.uniform(0.3, 5))
        for _ in range(rng.integers(1, 30)):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
                time.sleep(rng.choice([0, 0.001, 0.01, 0.1]))
        outcome = judge(finish(process), out, old, stage.is_right)
        return judge_rerun(outcome, finish(start(*alone)), out, stage.is_right)


def two_writers(stage: Stage, rng: np.random.Generator) -> str:
    """Two programs with the same output and the same checkpoint."""
    with stage.room() as room:
        out = room / "graph.npz"
        old = put_old(out, rng)
        command = [*LEARN, stage.table, "--quiet", "--out", out, "--checkpoint", room / "state.npz"]
        first = start(*command)
        wait_within(first, rng.uniform(0, 1))
        second = start(*command)
        outcomes = [judge(finish(process), out, old, stage.is_right) for process in (first, second)]
        return next((outcome for outcome in outcomes if outcome != RIGHT), RIGHT)


def jumping_clock(stage: Stage, rng: np.random.Generator) -> str:
    """A clock that jumps by hours and years, and files from the past and the future."""
    with stage.room() as room:
        out, seed = room / "graph.npz", int(rng.integers(1000))
        old = put_old(out, rng)
        for path in (stage.table, *([out] if old else [])):
            moment = rng.choice([0.0, 4e9])
            os.utime(path, (moment, moment))
        command = [stage.table, "--quiet", "--out", out, "--checkpoint", room / "state.npz"]
        ended = finish(start("-c", JUMPING_CLOCK, seed, "learn", *command))
        return judge(ended, out, old, stage.is_right)


SCENARIOS: dict[str, Callable[[Stage, np.random.Generator], str]] = {
    "kill-fit": kill_fit,
    "kill-learn": kill_learn,
    "kill-report": kill_report,
    "kill-reproduce": kill_reproduce,
    "kill-client": kill_client,
    "kill-worker": kill_worker,
    "small-workers": small_workers,
    "full-disk": full_disk,
    "read-only": read_only,
    "little-memory": little_memory,
    "interrupts": interrupts,
    "two-writers": two_writers,
    "jumping-clock": jumping_clock,
}


def play(name: str, stage: Stage, rounds: int, seed: int) -> Counter[str]:
    """The outcomes of so many rounds of a scenario, and how often each came."""
    number = list(SCENARIOS).index(name)
    rngs = (np.random.default_rng([seed, number, k]) for k in range(rounds))
    return Counter(map(partial(SCENARIOS[name], stage), rngs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10, help="of each scenario")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=SCENARIOS, help="one scenario")
    options = parser.parse_args()
    table = Table("scenario", "outcome", "rounds")
    with tempfile.TemporaryDirectory() as folder:
        for name in [options.only] if options.only else SCENARIOS:
            try:
                outcomes = play(name, Stage(Path(folder)), options.rounds, options.seed)
            except Impossible as reason:
                outcomes = Counter({f"not possible here: {reason}": 0})
            for outcome, count in outcomes.most_common():
                table.add_row(name, outcome, str(count))
    Console().print(table)


if __name__ == "__main__":
    main()
