"""Computing an experiment: in pieces, on all cores or a Dask cluster, each kept on disk."""

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

from paper.experiments.versions import versions
from smoothgraph.cluster.client import Client, active_client
from smoothgraph.cluster.futures import run_tasks
from smoothgraph.io import written_whole
from smoothgraph.support.progress import track


class Experiment(Protocol):
    """What a module of this package holds: settings as data, pieces of work, their summary."""

    @property
    def FULL(self) -> Any:
        """The settings of the paper, a frozen dataclass."""

    @property
    def QUICK(self) -> Any:
        """Settings that take less than a minute."""

    @property
    def IN_PARALLEL(self) -> bool:
        """False where seconds are what is measured, and not told beside the rest."""

    def pieces(self, settings: Any) -> list[dict[str, Any]]:
        """What can be computed apart: each a few values that JSON can hold."""

    def compute(self, settings: Any, piece: dict[str, Any], data_dir: Path | None) -> Any:
        """The result of one piece, which JSON can hold."""

    def collect(self, settings: Any, results: list[tuple[dict[str, Any], Any]]) -> Any:
        """The summary of all pieces."""


def run(
    name: str,
    experiment: Experiment,
    settings: Any,
    folder: Path,
    *,
    data_dir: Path | None = None,
    n_jobs: int = -1,
) -> dict[str, Any]:
    """The summary of an experiment, in ``folder/name.json``: computed, completed or just read.

    A finished piece is a file of its own until the summary is written, so a run that was
    stopped goes on where it was. A summary of the same settings is not computed again.

    If a Dask client is current its workers compute the pieces, whatever ``n_jobs`` says: they
    read ``data_dir`` themselves, and only this process writes. Where seconds are measured this
    process computes everything.
    """
    if n_jobs == 0:
        raise ValueError("Expected a number of processes, or -1 for one per core, got 0.")
    path = folder / f"{name}.json"
    known = read_summary(path, settings)
    if known is not None:
        return known
    asked = _as_json(asdict(settings))
    pieces = experiment.pieces(settings)
    parts = folder / f"{name}.parts" / _digest(asked)
    files = [parts / f"{_digest(piece)}.json" for piece in pieces]
    where = None if data_dir is None else data_dir.absolute()  # workers have folders of their own
    todo = [
        (file, experiment.compute, settings, piece, where)
        for piece, file in zip(pieces, files, strict=True)
        if not file.exists()
    ]
    client = active_client() if experiment.IN_PARALLEL else None
    at_once = _at_once(client, n_jobs) if experiment.IN_PARALLEL else 1
    with closing(_computed(todo, client, at_once)) as parts_done:
        for file, part in track(parts_done, name, total=len(todo)):
            write_json(file, part)
    kept = [_kept(file) for file in files]
    results = [(piece, part["result"]) for piece, part in zip(pieces, kept, strict=True)]
    summary = {
        "experiment": name,
        "settings": asked,
        "versions": versions(),
        "seconds_of_work": round(sum(part["seconds"] for part in kept), 1),
        "processes": at_once,
        "results": _as_json(experiment.collect(settings, results)),
    }
    write_json(path, summary)
    shutil.rmtree(parts, ignore_errors=True)
    with suppress(OSError):  # a stopped run with other settings may go on another time
        parts.parent.rmdir()
    return summary


def read_summary(path: Path, settings: Any) -> dict[str, Any] | None:
    """The summary in the file; None unless it is one of an experiment with these settings."""
    known = read_json(path)
    is_asked_for = known is not None and known.get("settings") == _as_json(asdict(settings))
    return known if is_asked_for else None


def read_json(path: Path) -> dict[str, Any] | None:
    """The object in the file; None if there is no such file or it holds something else."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


def write_json(path: Path, content: dict[str, Any]) -> None:
    """The object as a file, whole or not at all; NaN is refused."""
    with written_whole(path) as temporary:
        text = json.dumps(content, indent=1, allow_nan=False, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def _at_once(client: Client | None, n_jobs: int) -> int:
    """How many pieces are computed at a time."""
    if client is not None:
        return sum(client.nthreads().values())
    return cpu_count() if n_jobs < 0 else n_jobs


def _computed(
    todo: list[tuple[Any, ...]], client: Client | None, n_jobs: int
) -> Generator[tuple[Path, dict[str, Any]]]:
    """``_timed(*task)`` for every task, as each is done."""
    if client is not None:
        yield from run_tasks(client, _timed, todo)
    else:
        yield from Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
            delayed(_timed)(*task) for task in todo
        )


def _timed(
    file: Path, compute: Any, settings: Any, piece: Any, data_dir: Path | None
) -> tuple[Path, dict[str, Any]]:
    """Where a piece is kept, and what is."""
    start = perf_counter()
    result = compute(settings, piece, data_dir)
    return file, {"result": result, "seconds": perf_counter() - start}


def _kept(file: Path) -> dict[str, Any]:
    part = read_json(file)
    if part is None or part.keys() != {"result", "seconds"}:
        raise ValueError(f"{file} is not what this program wrote; delete it and run again.")
    return part


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:20]


def _as_json(content: Any) -> Any:
    """The content as it will be read again: tuples become lists, keys become strings."""
    return json.loads(json.dumps(content, allow_nan=False))
