"""The options for the model, and the learners that they describe."""

from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from smoothgraph.cli.data_options import DataOptions
from smoothgraph.support.input_error import InputError

if TYPE_CHECKING:
    from smoothgraph.cli.table_nodes import Nodes
    from smoothgraph.estimators.auto_density import DensityChoice

_DENSITIES = (2, 3, 4, 6, 8, 12, 16, 24, 32)
_AUTO = "auto"
_CHOICES = ("scale", "connected", "merge_identical", "min_edges")  # each model has a default of its own


def number_or_auto(text: str, kind: type[float] | type[int] = float) -> float | str:
    """Return a number, or "auto"."""
    if text == _AUTO:
        return text
    try:
        return kind(text)
    except ValueError:
        raise typer.BadParameter(f"Expected a number or {_AUTO}, got {text!r}.") from None


_option = partial(typer.Option, rich_help_panel="Model")

Densities = Annotated[
    str | None,
    _option(
        "--densities",
        "-k",
        metavar="2,4,8",
        help="Edges per node, separated by commas.",
        show_default="2 to 32, or fewer if there are few nodes",
    ),
]
DensitiesOrAuto = Annotated[
    str | None,
    _option(
        "--densities",
        "-k",
        metavar="2,4,8|auto",
        help="Edges per node, separated by commas, or auto for one graph with a density chosen from the data.",
        show_default="2 to 32, or fewer if there are few nodes",
    ),
]
EdgesPerNode = Annotated[
    Any,  # a number or "auto", if it is given
    _option(
        "--edges-per-node",
        "-k",
        parser=number_or_auto,
        metavar="NUMBER|auto",
        help="The mean number of neighbors, or auto to choose it from the data. The default is auto for the model "
        "smooth, and 10 for the others, or fewer if there are few nodes.",
        show_default=False,
    ),
]
CheckpointFile = Annotated[
    Path | None,
    _option(
        "--checkpoint",
        metavar="FILE",
        help="Save the state of a long run in this file. The same command resumes from it, and "
        "removes it in the end. Dask workers save their edges beside it and must have access to it.",
    ),
]


@dataclass(frozen=True)
class ModelOptions:
    """The kind of graph to learn. What is not given is the default of the model."""

    model: Annotated[
        Literal["log-degree", "smooth", "l2-degree", "doubly-stochastic"],
        _option(
            help="log-degree isolates no node; smooth is SmoothGraph of Python: log-degree with --scale local, "
            "--connected, --merge-identical, --min-edges auto and -k auto; l2-degree may isolate distant nodes; "
            "doubly-stochastic gives every node the same weighted degree."
        ),
    ] = "log-degree"
    metric: Annotated[
        str,
        _option(
            help="A metric such as cosine or cityblock, gower for numbers and text, or precomputed if the file holds "
            "distances."
        ),
    ] = "sqeuclidean"
    scale: Annotated[
        Literal["local", "global"] | None,
        _option(
            help="local divides every distance by the local scales of its two nodes and squares it, so that dense and "
            "sparse regions get equally many edges; global takes the distances as they are.",
            show_default="local for the model smooth, global for the others",
        ),
    ] = None
    connected: Annotated[
        bool | None,
        _option(
            "--connected/--no-connected",
            help="Join the components of the graph by the fewest and shortest bridges.",
            show_default="only for the model smooth",
        ),
    ] = None
    merge_identical: Annotated[
        bool | None,
        _option(
            "--merge-identical/--no-merge-identical",
            help="Learn one node for identical rows, and share its edges among them.",
            show_default="only for the model smooth",
        ),
    ] = None

    min_edges: Annotated[
        Any,  # a number or "auto", if it is given
        _option(
            "--min-edges",
            parser=partial(number_or_auto, kind=int),
            metavar="NUMBER|auto",
            help="The fewest neighbors of a node; auto is a third of the mean. For the models log-degree and smooth.",
            show_default="auto for the model smooth, none for the others",
        ),
    ] = None

    tol: Annotated[
        float | None, _option(metavar="NUMBER", help="The relative duality gap to reach.", show_default="1e-6")
    ] = None

    def make_learner(
        self,
        edges_per_node: float | str | None = None,
        *,
        missing: bool = False,
        checkpoint: Path | None = None,
        **parameters: float | None,
    ) -> Any:
        """Return an estimator to fit; ``missing`` says that the data has missing values.

        Of the ``parameters``, those that are None are left out.
        """
        if missing and self.metric not in ("sqeuclidean", "gower"):
            raise InputError(
                f"Missing values need --metric sqeuclidean or gower, got {self.metric}; fill them in, or leave out "
                "--metric."
            )
        from smoothgraph import DoublyStochasticGraph, L2DegreeGraph, LogDegreeGraph, SmoothGraph

        learners: dict[str, Any] = {
            "log-degree": LogDegreeGraph,
            "smooth": SmoothGraph,
            "l2-degree": L2DegreeGraph,
            "doubly-stochastic": DoublyStochasticGraph,
        }
        choices = {name: getattr(self, name) for name in _CHOICES}
        chosen = {"edges_per_node": edges_per_node, "tol": self.tol, **choices, **parameters}
        chosen = {name: value for name, value in chosen.items() if value is not None}
        learner = learners[self.model](
            metric=self.metric, missing="pairwise" if missing else "error", checkpoint=checkpoint
        )
        for name in chosen.keys() - learner.get_params().keys():
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{option} is for --model log-degree and smooth, not {self.model}; leave it out.")
        return learner.set_params(**chosen)

    def learn_path(self, nodes: "Nodes", densities: str | None, most: float = inf) -> list[Any]:
        """Return fitted estimators, one per density; default densities are at most ``most``."""
        from smoothgraph import density_path

        wanted = _parse_densities(densities, nodes.values.shape[0], most)
        return density_path(nodes.table, wanted, learner=self.make_learner(missing=nodes.missing))

    def learn_path_or_auto(self, nodes: "Nodes", densities: str | None, most: float) -> list[Any]:
        """Return fitted estimators, one per density, or a single one with a density chosen from the data."""
        if densities == _AUTO:
            return [self._learn_auto(nodes)]
        return self.learn_path(nodes, densities, most)

    def choose_density(self, nodes: "Nodes") -> "DensityChoice":
        """Return the density that the data choose, and why."""
        return self._learn_auto(nodes).density_choice_

    def _learn_auto(self, nodes: "Nodes") -> Any:
        return self.make_learner(_AUTO, missing=nodes.missing).fit(nodes.table)

    def describe(self, data: DataOptions, learner: Any) -> dict[str, Any]:
        """Return the settings to record beside a graph of this learner."""
        settings = learner.get_params()
        return {
            "file": data.title,
            "nodes_are": data.nodes_are,
            "model": self.model,
            "metric": self.metric,
            "standardized": data.standardize,
            **data.describe_transforms(),
            **{name: settings[name] for name in _CHOICES if name in settings},
        }


@dataclass(frozen=True)
class GroupOptions:
    """The groups of the nodes, and the share of a node's weight for each of them."""

    groups: Annotated[
        str | None,
        _option(
            metavar="COLUMN",
            help="The column with the groups of the nodes, such as batches. It is not learned from. Every node gets a "
            "share of its weight for each other group. For the models log-degree and smooth.",
        ),
    ] = None
    group_share: Annotated[
        float | None,
        _option(help="With --groups, the share of a node's weight for each other group.", show_default="0.1"),
    ] = None

    def check(self, model: str, *, on_workers: bool) -> None:
        """Raise an InputError if groups, or a share for them, are asked of what knows none."""
        if self.groups is None:
            if self.group_share is not None:
                raise InputError("--group-share needs --groups COLUMN, the column with the groups of the nodes.")
            return
        if on_workers or model not in ("log-degree", "smooth"):
            raise InputError(
                "--groups is for the models log-degree and smooth, without --scheduler and --workers; leave it out, or "
                "choose another --model."
            )


def _parse_densities(text: str | None, n_nodes: int, most: float) -> list[float]:
    """Return the numbers in ``text``; without text, densities up to ``most`` that suit so many nodes."""
    if text is None:
        most = max(1.0, min(most, (n_nodes - 1) / 2))
        return [float(density) for density in _DENSITIES if density <= most] or [most]
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        aside = "; smoothgraph densities tells, without it, which one auto would choose" * (text == _AUTO)
        expected = "Expected numbers separated by commas, as in --densities 2,4,8"
        raise InputError(f"{expected}, got {text!r}{aside}.") from None
