"""The options for what is done to the signals before a graph is learned."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from smoothgraph.tables.transforms import Transforms

_option = partial(typer.Option, rich_help_panel="Transforms, in this order")


@dataclass(frozen=True, kw_only=True)
class TransformOptions:
    """What is done to the signals, in this order."""

    difference: Annotated[
        bool, _option("--difference", help="Take the changes from one time to the next, for series with a trend.")
    ] = False
    log_returns: Annotated[
        bool, _option("--log-returns", help="Take the changes of the logarithms, for prices and other growth.")
    ] = False
    anomaly: Annotated[
        Literal["monthly", "weekly", "daily"] | None,
        _option(
            help="Subtract from each value the mean of the same month of the year (monthly), day of the week (weekly), "
            "or hour of the day (daily), for series that share a season. The table needs dates."
        ),
    ] = None
    detrend: Annotated[bool, _option("--detrend", help="Subtract from each series its straight line.")] = False
    standardize: Annotated[
        bool,
        _option(
            "--standardize",
            help="Scale every column to mean 0 and standard deviation 1: for columns in different units, and for "
            "columns that are nodes, unless their levels count, too.",
        ),
    ] = False

    @property
    def transforms(self) -> "Transforms":
        """The transforms that the user wants."""
        from smoothgraph.tables.transforms import Transforms

        return Transforms(self.difference, self.log_returns, self.anomaly, self.detrend, self.standardize)

    def describe_transforms(self) -> dict[str, Any]:
        """Return the transforms of series to record beside a graph, by name."""
        made = {"difference": self.difference, "log_returns": self.log_returns, "anomaly": self.anomaly}
        return {name: value for name, value in (made | {"detrend": self.detrend}).items() if value}
