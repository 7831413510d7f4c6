"""The options that say where something is computed."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from smoothgraph.cluster.client import connect

_PANEL = "Where it is computed"


@dataclass(frozen=True)
class ClusterOptions:
    """On which Dask workers something is computed, if on any."""

    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A Dask scheduler, such as tcp://10.0.0.1:8786, on whose workers to compute; "
            "smoothgraph must be installed there.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Start so many Dask workers on this machine, one core each, and compute on them.",
            rich_help_panel=_PANEL,
        ),
    ] = None

    def connected(self) -> AbstractContextManager[Any]:
        """The client of these workers, current inside the block; None if none were asked for."""
        return connect(self.scheduler, self.workers)
