"""The options for what is known of the nodes beside their signals: groups, or a graph."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from smoothgraph.cli.model_options import GroupOptions
from smoothgraph.support.input_error import InputError

if TYPE_CHECKING:
    import scipy.sparse as sp

    from smoothgraph.cli.table_nodes import Nodes

_option = partial(typer.Option, rich_help_panel="Model")


@dataclass(frozen=True)
class KnownOptions(GroupOptions):
    """The groups of the nodes, or a known graph, and how strongly the learned graph is pulled toward it."""

    prior: Annotated[
        Path | None,
        _option(
            metavar="GRAPH",
            help="A file with a known graph to stay close to. Its nodes are found by their names. For the models "
            "log-degree and smooth.",
        ),
    ] = None
    prior_strength: Annotated[
        float | None,
        _option(
            min=0,
            help="With --prior, how strongly the graph is pulled toward the known one: 0 is not at all, and with 10 "
            "hardly any other edges are left.",
            show_default="1",
        ),
    ] = None

    def check(self, model: str, *, on_workers: bool) -> None:
        """Raise an InputError if groups or a known graph are asked of what knows none."""
        super().check(model, on_workers=on_workers)
        if self.prior is None:
            if self.prior_strength is not None:
                raise InputError("--prior-strength needs --prior GRAPH, a file with the known graph.")
            return
        if on_workers or self.groups is not None or model not in ("log-degree", "smooth"):
            raise InputError(
                "--prior is for the models log-degree and smooth, without --groups, --scheduler and --workers; leave "
                "it out, or choose another --model."
            )

    def read(self, nodes: "Nodes") -> dict[str, Any]:
        """Return the arguments of ``fit`` that tell what is known of the nodes of a table."""
        if self.groups is not None:
            return {"groups": nodes.groups}
        return {} if self.prior is None else {"prior_graph": self._read_prior(nodes)}

    def describe(self, fitted: Any, known: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was known, to record it beside the graph, and how many edges of a known graph were kept."""
        if self.groups is not None:
            return {"groups": self.groups, "group_share": fitted.group_share}
        if self.prior is None:
            return {}
        prior = known["prior_graph"]
        return {
            "prior": self.prior.name,
            "prior_strength": fitted.prior_strength,
            "prior_edges": prior.nnz // 2,
            "prior_edges_kept": (prior != 0).multiply(fitted.adjacency_ != 0).nnz // 2,
        }

    def _read_prior(self, nodes: "Nodes") -> "sp.csr_array":
        """Return the adjacency matrix of the known graph among the nodes of a table, whose notes say which it lacks."""
        import numpy as np
        import scipy.sparse as sp

        from smoothgraph.cli.graph_nodes import read_graph_file
        from smoothgraph.support.wording import agree, list_some

        graph = read_graph_file(str(self.prior), None)
        names = nodes.names or [str(k) for k in range(nodes.values.shape[0])]
        row_of = {name.strip(): k for k, name in enumerate(graph.ids)}
        rows = np.array([row_of.get(name.strip(), -1) for name in names])
        known = np.flatnonzero(rows >= 0)
        if not len(known):
            raise InputError(
                f"{self.prior}: expected a graph of the nodes of the table, such as {names[0]!r}, got none of them; "
                "give its nodes the same names."
            )
        lacking = [name for name, row in zip(names, rows, strict=True) if row < 0]
        if lacking:
            nodes.notes.append(
                f"The prior graph lacks {len(lacking)} {agree(len(lacking), 'node', 'nodes')}: {list_some(lacking)}."
            )
        others = len(graph.ids) - len(known)
        if others:
            nodes.notes.append(f"The table lacks {others} {agree(others, 'node', 'nodes')} of the prior graph.")
        place = sp.coo_array((np.ones(len(known)), (known, rows[known])), shape=(len(names), len(graph.ids))).tocsr()
        return (place @ graph.adjacency @ place.T).tocsr()
