"""From options to learned graphs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer

from smoothgraph.cli.data import DataOptions
from smoothgraph.cli.nodes import Nodes
from smoothgraph.support.connectivity import n_components, n_isolated

_PANEL = "How the graph is learned"

Densities = Annotated[
    str | None,
    typer.Option(
        metavar="2,4,8",
        help="Edges per node, separated by commas.",
        rich_help_panel=_PANEL,
        show_default="2 to 32, as far as there are nodes",
    ),
]
_DENSITIES = (2, 3, 4, 6, 8, 12, 16, 24, 32)

EdgesPerNode = Annotated[
    float | None,
    typer.Option(
        "--edges-per-node",
        "-k",
        help="The mean number of neighbours; by default 10, or fewer if there are few nodes.",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]


CheckpointFile = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        help="Where a long run keeps its state: the same command goes on from there, and removes "
        "it in the end. Dask workers keep their edges beside it, and must see it.",
        rich_help_panel=_PANEL,
    ),
]


@dataclass(frozen=True)
class ModelOptions:
    """What kind of graph is learned."""

    model: Annotated[
        Literal["log-degree", "l2-degree", "doubly-stochastic"],
        typer.Option(
            help="log-degree leaves no node alone; l2-degree may leave far-away nodes alone; "
            "doubly-stochastic gives every node the same weighted degree.",
            rich_help_panel=_PANEL,
        ),
    ] = "log-degree"
    metric: Annotated[
        str,
        typer.Option(
            help="A distance of scikit-learn's pairwise_distances, or precomputed: the file holds "
            "the distances themselves.",
            rich_help_panel=_PANEL,
        ),
    ] = "sqeuclidean"

    def learner(
        self,
        edges_per_node: float | None = None,
        *,
        missing: bool = False,
        checkpoint: Path | None = None,
    ) -> Any:
        """An estimator, not yet fitted, for values of which some may be ``missing``."""
        if missing and self.metric != "sqeuclidean":
            raise ValueError(
                f"Missing values go with --metric sqeuclidean only, got {self.metric}; fill them "
                "in, or leave out --metric."
            )
        import smoothgraph as estimators  # deferred: scikit-learn takes a while

        models = {
            "log-degree": estimators.LogDegreeGraph,
            "l2-degree": estimators.L2DegreeGraph,
            "doubly-stochastic": estimators.DoublyStochasticGraph,
        }
        return models[self.model](
            edges_per_node,
            metric=self.metric,
            missing="pairwise" if missing else "error",
            checkpoint=checkpoint,
        )

    def path(self, nodes: Nodes, densities: list[float]) -> list[Any]:
        """Fitted estimators, one per density."""
        from smoothgraph import density_path  # deferred, as above

        return density_path(nodes.values, densities, estimator=self.learner(missing=nodes.missing))

    def settings(self, data: DataOptions) -> dict[str, Any]:
        """What was asked for."""
        return {
            "file": data.title,
            "nodes_are": data.nodes,
            "model": self.model,
            "metric": self.metric,
            "standardized": data.standardize,
        }


def certified(graph: Any) -> dict[str, Any]:
    """What was learned, and how close to the optimum it is.

    A graph that is on workers, and was not gathered, does not tell its components.
    """
    parameter = {
        name.rstrip("_"): float(getattr(graph, name))
        for name in ("theta_", "alpha_", "beta_")
        if hasattr(graph, name)
    }
    is_elsewhere = "graph_" in vars(graph) and "adjacency_" not in vars(graph)
    return {
        **(_size_elsewhere(graph.graph_) if is_elsewhere else _size(graph.adjacency_)),
        "edges_per_node": float(graph.edges_per_node_),
        **({} if is_elsewhere else _cohesion(graph.adjacency_)),
        "relative_duality_gap": float(graph.dual_gap_),
        "proved_optimal": bool(graph.is_exact_),
        "pairs": graph.neighbors_,
        **parameter,
    }


def _size(W: Any) -> dict[str, int]:
    return {"nodes": W.shape[0], "edges": W.nnz // 2}


def _size_elsewhere(graph: Any) -> dict[str, int]:
    return {"nodes": graph.n_nodes, "edges": int(graph.n_edges)}


def _cohesion(W: Any) -> dict[str, int]:
    return {"components": n_components(W), "isolated_nodes": n_isolated(W)}


def wanted_densities(text: str | None, n_nodes: int, most: float = np.inf) -> list[float]:
    """The numbers in ``text``; by default those up to ``most`` that so few nodes can have."""
    if text is None:
        most = max(1.0, min(most, (n_nodes - 1) / 2))
        return [float(density) for density in _DENSITIES if density <= most] or [most]
    try:
        densities = [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(
            f"Expected numbers separated by commas, as in --densities 2,4,8, got {text!r}."
        ) from None
    return densities
