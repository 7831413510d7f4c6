"""Compute an experiment piece by piece, on all cores or on Dask workers.

Each finished piece is a file, so a run that was stopped continues where it was. The summary of all
pieces says which settings, packages and code produced it.
"""

import hashlib
import json
import shutil
from collections.abc import Generator
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from joblib import Parallel, cpu_count, delayed

from paper.provenance import source_hash, versions
from smoothgraph.cluster.client import Client, active_client
from smoothgraph.cluster.futures import run_tasks
from smoothgraph.io import atomic_write
from smoothgraph.support.child_processes import spare_children_interrupts
from smoothgraph.support.input_error import InputError
from smoothgraph.support.progress import track


class Experiment(Protocol):
    """Settings as data, pieces of work, and their summary: a module or an object."""

    @property
    def FULL(self) -> Any:
        """The settings of the paper, a frozen dataclass."""

    @property
    def QUICK(self) -> Any:
        """Settings that take less than a minute."""

    @property
    def IN_PARALLEL(self) -> bool:
        """False if the experiment measures seconds, so that its pieces run one at a time."""

    @property
    def SOURCES(self) -> tuple[str, ...]:
        """The modules that define the experiment; see :func:`paper.provenance.source_hash`."""

    def pieces(self, settings: Any) -> list[dict[str, Any]]:
        """Return what can be computed separately: for each piece a few values, fit for JSON."""

    def compute(self, settings: Any, piece: dict[str, Any], data_dir: Path | None) -> Any:
        """Return the result of one piece, fit for JSON."""

    def collect(self, settings: Any, results: list[tuple[dict[str, Any], Any]]) -> Any:
        """Return the summary of all pieces, fit for JSON."""


def run(
    name: str, experiment: Experiment, settings: Any, folder: Path, *, data_dir: Path | None = None, n_jobs: int = -1
) -> dict[str, Any]:
    """Return the summary of an experiment and keep it in ``folder/name.json``.

    A summary of the same settings and the same code is read, not computed again. Finished pieces of
    a run that was stopped are reused under the same condition.

    If a Dask client is active, its workers compute the pieces and ``n_jobs`` does not matter. The
    workers read ``data_dir`` themselves, and only this process writes. If the experiment measures
    seconds, this process computes everything.
    """
    if n_jobs == 0:
        raise InputError("Expected a number of processes, or -1 for one per core, got 0.")
    path = folder / f"{name}.json"
    known = read_summary(path, settings)
    if known is not None and is_current(known, experiment):
        return known
    made_by = {"settings": _as_json(asdict(settings)), "sources": source_hash(experiment.SOURCES)}
    pieces = experiment.pieces(settings)
    parts = folder / f"{name}.parts" / _digest(made_by)
    files = [parts / f"{_digest(piece)}.json" for piece in pieces]
    where = None if data_dir is None else data_dir.absolute()  # workers have other directories
    todo = [
        (file, experiment.compute, settings, piece, where)
        for piece, file in zip(pieces, files, strict=True)
        if not file.exists()
    ]
    client = active_client() if experiment.IN_PARALLEL else None
    n_processes = _count_processes(client, n_jobs) if experiment.IN_PARALLEL else 1
    with closing(_compute_all(todo, client, n_processes)) as parts_done:
        for file, part in track(parts_done, name, total=len(todo)):
            write_json(file, part)
    done = [_read_part(file) for file in files]
    results = [(piece, part["result"]) for piece, part in zip(pieces, done, strict=True)]
    summary = {
        "experiment": name,
        **made_by,
        "versions": versions(),
        "seconds_of_work": round(sum(part["seconds"] for part in done), 1),
        "processes": n_processes,
        "results": _as_json(experiment.collect(settings, results)),
    }
    write_json(path, summary)
    shutil.rmtree(parts, ignore_errors=True)
    with suppress(OSError):  # parts of a stopped run with other settings may remain
        parts.parent.rmdir()
    return summary


def read_summary(path: Path, settings: Any) -> dict[str, Any] | None:
    """Return the summary in the file; None unless it is one with these settings."""
    known = read_json(path)
    is_asked_for = known is not None and known.get("settings") == _as_json(asdict(settings))
    return known if is_asked_for else None


def is_current(summary: dict[str, Any], experiment: Experiment) -> bool:
    """Return whether the present code computed the summary."""
    return summary.get("sources") == source_hash(experiment.SOURCES)


def read_json(path: Path) -> dict[str, Any] | None:
    """Return the object in the file; None if there is no such file or no object in it."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write the object to a file, completely or not at all; NaN raises a ValueError."""
    with atomic_write(path) as temporary:
        text = json.dumps(content, indent=1, allow_nan=False, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def _count_processes(client: Client | None, n_jobs: int) -> int:
    """Return how many pieces are computed at the same time."""
    if client is not None:
        return sum(client.nthreads().values())
    return cpu_count() if n_jobs < 0 else n_jobs


def _compute_all(
    todo: list[tuple[Any, ...]], client: Client | None, n_jobs: int
) -> Generator[tuple[Path, dict[str, Any]]]:
    """Yield ``_compute_part(*task)`` for every task, in the order in which they finish."""
    if client is not None:
        yield from run_tasks(client, _compute_part, todo)
    else:
        with spare_children_interrupts():
            results = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
                delayed(_compute_part)(*task) for task in todo
            )
        yield from results


def _compute_part(
    file: Path, compute: Any, settings: Any, piece: Any, data_dir: Path | None
) -> tuple[Path, dict[str, Any]]:
    """Return the file of a piece, and what to write to it."""
    start = perf_counter()
    result = compute(settings, piece, data_dir)
    return file, {"result": result, "seconds": perf_counter() - start}


def _read_part(file: Path) -> dict[str, Any]:
    part = read_json(file)
    if part is None or part.keys() != {"result", "seconds"}:
        raise InputError(
            f"Expected a piece of an experiment in {file}, but this program did not write that "
            "file; delete it and run again."
        )
    return part


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:20]


def _as_json(content: Any) -> Any:
    """Return the content as JSON gives it back: lists for tuples, strings for keys."""
    return json.loads(json.dumps(content, allow_nan=False))
