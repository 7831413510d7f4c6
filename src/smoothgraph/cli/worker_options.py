"""The options that choose the Dask workers."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import typer

_option = partial(typer.Option, rich_help_panel="Dask workers")


@dataclass(frozen=True)
class WorkerOptions:
    """The Dask workers that compute, if any."""

    scheduler: Annotated[
        str | None,
        _option(
            metavar="ADDRESS",
            help="Compute on the workers of this Dask scheduler, such as tcp://10.0.0.1:8786. "
            "smoothgraph must be installed on them.",
        ),
    ] = None
    workers: Annotated[
        int | None,
        _option(
            metavar="N", min=1, help="Start N Dask workers on this machine, with one core each, and compute on them."
        ),
    ] = None

    @property
    def requested(self) -> bool:
        """Whether Dask workers compute."""
        return self.scheduler is not None or self.workers is not None

    def connect(self) -> AbstractContextManager[Any]:
        """Return a context with the client of these workers, or with None if there are none."""
        from smoothgraph.cluster.client import connect

        return connect(self.scheduler, self.workers)
