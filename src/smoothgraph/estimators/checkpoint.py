"""A long run's state on disk, from which it goes on after an interruption."""

import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import scipy.sparse as sp

from smoothgraph.io import atomic_write
from smoothgraph.support.input_error import InputError

_KEY = "belongs_to"
_kept: ContextVar[list["Checkpoint"] | None] = ContextVar("kept", default=None)


@contextmanager
def keep_checkpoints() -> Iterator[None]:
    """Keep the checkpoints of fits that end inside, and remove them if all else inside succeeds, too."""
    kept: list[Checkpoint] = []
    token = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(token)
    for checkpoint in kept:
        checkpoint.remove()


class Checkpoint:
    """Arrays in one file, which belongs to one data set and one set of parameters."""

    def __init__(self, path: Path | str, data: str, parameters: dict[str, Any]) -> None:
        """``data`` is a hash of the data, see :func:`digest_of`."""
        self.path = Path(path)
        self._key = joblib.hash([data, {name: _describe(value) for name, value in parameters.items()}])

    def load(self) -> dict[str, np.ndarray] | None:
        """What was saved last; None if nothing was."""
        try:
            with np.load(self.path, allow_pickle=False) as file:
                state = {name: file[name] for name in file.files}
        except FileNotFoundError:
            return None
        except (OSError, ValueError, EOFError, TypeError, zipfile.BadZipFile) as error:
            raise InputError(
                f"{self.path} is not a checkpoint of smoothgraph ({error}); delete it or choose another path."
            ) from error
        if str(state.pop(_KEY, "")) != self._key:
            raise InputError(
                f"The checkpoint {self.path} belongs to other data or other parameters; delete "
                "it or choose another path."
            )
        return state

    def save(self, state: dict[str, np.ndarray]) -> None:
        """Write the state, whole or not at all."""
        with atomic_write(self.path) as temporary, temporary.open("wb") as file:
            np.savez(file, allow_pickle=False, **{_KEY: np.array(self._key)}, **state)

    @property
    def folder(self) -> Path:
        """The folder beside the file, where workers keep their pairs; all of them must see it."""
        return self.path.with_name(self.path.name + ".pairs").absolute()

    def remove(self) -> None:
        """Delete the checkpoint: the run is over. Inside :func:`keep_checkpoints`, do so at its end."""
        kept = _kept.get()
        if kept is not None:
            kept.append(self)
            return
        self.path.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def _describe(parameter: Any) -> str:
    """A text that is the same for the same parameter in any process."""
    if isinstance(parameter, np.ndarray):
        return digest_of(parameter)  # whose repr leaves out most of it
    if isinstance(parameter, dict):
        return repr({name: _describe(parameter[name]) for name in sorted(parameter)})
    name = getattr(parameter, "__qualname__", "<")
    if callable(parameter) and "<" not in name:  # a lambda or closure tells nothing by its name
        return f"{parameter.__module__}.{name}"
    code = getattr(parameter, "__code__", None)  # because an address is used again
    return repr(parameter) if code is None else repr((parameter, code.co_code, code.co_names, code.co_consts))


def digest_of(table: Any) -> str:
    """A hash of a table in memory."""
    return joblib.hash([table.data, table.indices, table.indptr] if sp.issparse(table) else table)
