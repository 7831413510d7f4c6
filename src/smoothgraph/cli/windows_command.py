"""``smoothgraph windows``: a graph for every window of a series."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from smoothgraph.cli.data_options import DataOptions
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import Force, check_suffix, check_targets, target_option
from smoothgraph.support.input_error import InputError

if TYPE_CHECKING:
    import numpy as np

    from smoothgraph import TimeVaryingGraph
    from smoothgraph.cli.table_nodes import Nodes

_PERIODS = ("day", "week", "month", "quarter", "year")

_option = partial(typer.Option, rich_help_panel="Windows")


def _read_period(text: str) -> str | int:
    """Return the name of a calendar period, or a number of signals."""
    if text in _PERIODS:
        return text
    if text.isdigit() and int(text) > 0:
        return int(text)
    raise typer.BadParameter(f"Expected {', '.join(_PERIODS)}, or a number of signals, got {text!r}.")


@dataclass(frozen=True, kw_only=True)
class WindowOptions:
    """What makes a window, and how neighboring windows are drawn together."""

    every: Annotated[
        Any,
        _option(
            parser=_read_period,
            metavar="PERIOD|NUMBER",
            help=f"What makes a window: a {', '.join(_PERIODS[:-1])} or {_PERIODS[-1]}, for which the table needs "
            "dates; or a number of signals in a row.",
        ),
    ]
    coupling: Annotated[
        Literal["l2", "l1"],
        _option(help="l2 for graphs that change gradually, l1 for weights that stay constant but for jumps."),
    ] = "l2"
    gamma: Annotated[float, _option(min=0, help="How strongly neighboring windows are drawn together.")] = 1.0


@dataclass(frozen=True)
class WindowTargets:
    """The files to write."""

    out: Annotated[
        str | None,
        target_option(
            "--out",
            "-o",
            help="A CSV file with a row per window and edge: window, source, target, weight. - is standard output.",
        ),
    ] = None
    report: Annotated[
        Path | None,
        target_option(help="An HTML file to explore the graphs in a browser, with a slider that goes through time."),
    ] = None
    force: Force = False

    def check(self, sources: Iterable[Path | str | None], output: OutputOptions) -> None:
        """Raise an InputError if the files cannot be written."""
        check_targets(sources, self.out, self.report, force=self.force)
        check_suffix(self.out, ".csv")
        check_suffix(self.report, ".html", ".htm")
        output.check_stdout(self.out)


def windows(
    *,
    data: DataOptions,
    cut: WindowOptions,
    edges_per_node: Annotated[
        float | None,
        _option(
            "--edges-per-node",
            "-k",
            help="The mean number of neighbors, over nodes and windows.",
            show_default="10, or fewer if there are few nodes",
        ),
    ] = None,
    tol: Annotated[float, _option(metavar="NUMBER", help="The relative duality gap to reach.")] = 1e-6,
    targets: WindowTargets,
    output: OutputOptions,
) -> None:
    """Learn a graph for every window of a table of series, all at once."""
    targets.check(data.sources, output)
    from smoothgraph import TimeVaryingGraph
    from smoothgraph.cli.write_rows import write_rows
    from smoothgraph.support.progress import spinner

    nodes = data.read("sqeuclidean").sort_by_time()
    output.print_notes(nodes.notes)
    every = cut.every
    starts = every if isinstance(every, int) else _find_starts(nodes.times, every, data.title)
    learner = TimeVaryingGraph(
        edges_per_node,
        window=starts,
        coupling=cut.coupling,
        gamma=cut.gamma,
        missing="pairwise" if nodes.missing else "error",
        tol=tol,
        nodes="rows",
    )
    with spinner("Learning the graphs"):
        learner.fit(nodes.values)
    labels = _name_windows(nodes, learner.window_bounds_[:-1], every)
    if targets.out is not None:
        write_rows(targets.out, ("window", "source", "target", "weight"), _list_edges(learner, labels, nodes))
    rows = _summarize(learner, labels)
    facts: dict[str, Any] = {
        "edges_per_node": float(learner.edges_per_node_),
        "relative_duality_gap": float(learner.dual_gap_),
        "theta": float(learner.theta_),
    }
    if targets.report is not None:
        _write_report(targets.report, learner, labels, nodes, {"file": data.title, **asdict(cut), **facts})
    facts |= {"written": targets.out, "report": None if targets.report is None else str(targets.report)}
    if output.json:
        output.print_facts(data.title, {"windows": rows, **facts})
        return
    to_stderr = targets.out == "-"
    output.print_facts(f"Windows of {data.title}", rows, to_stderr=to_stderr)
    output.print_facts("All windows", facts, to_stderr=to_stderr)


def _find_starts(times: "np.ndarray | None", period: str, title: str) -> "np.ndarray":
    """Return the first signal of every calendar period, from the times of the signals in their order."""
    import numpy as np

    from smoothgraph.tables.time_axis import number_periods

    if times is None:
        raise InputError(
            f"{title}: expected the dates of the signals for --every {period}, got none; add a column of dates, or "
            "give a number of signals. For series in columns, use --nodes columns."
        )
    return np.append(0, np.flatnonzero(np.diff(number_periods(times, period))) + 1)


def _name_windows(nodes: "Nodes", starts: "np.ndarray", every: str | int) -> list[str]:
    """Return the first date of every window, or the number of its first signal."""
    if nodes.times is None:
        return [str(start) for start in starts]
    unit = {"year": "Y", "quarter": "M", "month": "M"}.get(str(every), "D")
    return [str(time) for time in nodes.times[starts].astype(f"datetime64[{unit}]")]


def _list_edges(learner: "TimeVaryingGraph", labels: list[str], nodes: "Nodes") -> Any:
    """Yield the rows of the file of edges."""
    import scipy.sparse as sp

    names = nodes.names or [str(k) for k in range(nodes.values.shape[0])]
    for label, W in zip(labels, learner.adjacencies_, strict=True):
        i, j, w = sp.find(sp.triu(W, k=1))
        for one, other, weight in zip(i.tolist(), j.tolist(), w.tolist(), strict=True):
            yield label, names[one], names[other], weight


def _write_report(
    path: Path, learner: "TimeVaryingGraph", labels: list[str], nodes: "Nodes", settings: dict[str, Any]
) -> None:
    """Write the page with the graphs of all windows."""
    from smoothgraph.cli.report_command import as_texts, where
    from smoothgraph.support.progress import spinner
    from smoothgraph.viz import write_report

    with spinner("Writing the report"):
        write_report(
            path,
            learner.adjacencies_,
            names=nodes.names,
            attributes=nodes.shown_attributes(),
            times=labels,
            title=settings["file"],
            settings=as_texts(settings),
            **where(nodes.coordinates, on_map=nodes.on_map),
        )


def _summarize(learner: "TimeVaryingGraph", labels: list[str]) -> list[dict[str, Any]]:
    """Return the size of every window's graph, and how much it changed since the window before."""
    from itertools import pairwise

    from smoothgraph.support.connectivity import n_components

    sizes = [int(last - first) for first, last in pairwise(learner.window_bounds_)]
    changes = [None, *learner.changes_.tolist()]
    return [
        {"window": label, "signals": size, "edges": W.nnz // 2, "components": n_components(W), "change": change}
        for label, size, W, change in zip(labels, sizes, learner.adjacencies_, changes, strict=True)
    ]
