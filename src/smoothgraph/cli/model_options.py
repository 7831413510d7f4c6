"""The options for the model, and the learners that they describe."""

from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from smoothgraph.cli.data_options import DataOptions

if TYPE_CHECKING:
    from smoothgraph.cli.table_nodes import Nodes

_PANEL = "Model"

Densities = Annotated[
    str | None,
    typer.Option(
        metavar="2,4,8",
        help="Edges per node, separated by commas.",
        rich_help_panel=_PANEL,
        show_default="2 to 32, or fewer if there are few nodes",
    ),
]
_DENSITIES = (2, 3, 4, 6, 8, 12, 16, 24, 32)

EdgesPerNode = Annotated[
    float | None,
    typer.Option(
        "--edges-per-node",
        "-k",
        help="The mean number of neighbors; by default 10, or fewer if there are few nodes.",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]

CheckpointFile = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        help="Save the state of a long run in this file. The same command resumes from it, and "
        "removes it in the end. Dask workers save their edges beside it and must have access to "
        "it.",
        rich_help_panel=_PANEL,
    ),
]


@dataclass(frozen=True)
class ModelOptions:
    """The kind of graph to learn."""

    model: Annotated[
        Literal["log-degree", "l2-degree", "doubly-stochastic"],
        typer.Option(
            help="log-degree isolates no node; l2-degree may isolate distant nodes; "
            "doubly-stochastic gives every node the same weighted degree.",
            rich_help_panel=_PANEL,
        ),
    ] = "log-degree"
    metric: Annotated[
        str,
        typer.Option(
            help="A metric of scikit-learn's pairwise_distances, or precomputed if the file holds distances.",
            rich_help_panel=_PANEL,
        ),
    ] = "sqeuclidean"

    def make_learner(
        self, edges_per_node: float | None = None, *, missing: bool = False, checkpoint: Path | None = None
    ) -> Any:
        """Return an estimator to fit; ``missing`` says that the data has missing values."""
        if missing and self.metric != "sqeuclidean":
            raise ValueError(
                f"Missing values need --metric sqeuclidean, got {self.metric}; fill them in, or leave out --metric."
            )
        from smoothgraph import DoublyStochasticGraph, L2DegreeGraph, LogDegreeGraph

        learners = {
            "log-degree": LogDegreeGraph,
            "l2-degree": L2DegreeGraph,
            "doubly-stochastic": DoublyStochasticGraph,
        }
        return learners[self.model](
            edges_per_node, metric=self.metric, missing="pairwise" if missing else "error", checkpoint=checkpoint
        )

    def learn_path(self, nodes: "Nodes", densities: list[float]) -> list[Any]:
        """Return fitted estimators, one per density."""
        from smoothgraph import density_path

        learner = self.make_learner(missing=nodes.missing)
        return density_path(nodes.values, densities, estimator=learner)

    def describe(self, data: DataOptions) -> dict[str, Any]:
        """Return the settings to record beside a graph."""
        return {
            "file": data.title,
            "nodes_are": data.nodes,
            "model": self.model,
            "metric": self.metric,
            "standardized": data.standardize,
        }


def parse_densities(text: str | None, n_nodes: int, most: float = inf) -> list[float]:
    """Return the numbers in ``text``; without text, densities that suit so many nodes.

    These are at most ``most``.
    """
    if text is None:
        most = max(1.0, min(most, (n_nodes - 1) / 2))
        return [float(density) for density in _DENSITIES if density <= most] or [most]
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"Expected numbers separated by commas, as in --densities 2,4,8, got {text!r}.") from None
