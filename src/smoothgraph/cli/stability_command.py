"""``smoothgraph stability``: which edges come back when the signals are drawn anew."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from smoothgraph.cli.data_options import DataOptions
from smoothgraph.cli.input_options import FORMAT_HELP
from smoothgraph.cli.model_options import EdgesPerNode, ModelOptions, number_or_auto
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import GRAPH_SUFFIXES, Force, check_suffix, check_targets, target_option

if TYPE_CHECKING:
    from smoothgraph.cli.table_nodes import Nodes
    from smoothgraph.estimators.stability import EdgeStability

_FIRM = 0.9  # of the resamples

_option = partial(typer.Option, rich_help_panel="Resamples")


@dataclass(frozen=True)
class ResampleOptions:
    """How the signals are drawn anew."""

    resamples: Annotated[int, _option(min=1, help="How often the signals are drawn anew.")] = 100
    block: Annotated[
        Any,  # a number or "auto", if it is given
        _option(
            parser=partial(number_or_auto, kind=int),
            metavar="NUMBER|auto",
            help="How many signals in a row are drawn together; auto chooses it from their autocorrelation.",
            show_default="auto for signals in the order of time, 1 for others",
        ),
    ] = None
    seed: Annotated[int, _option(min=0, help="The seed of the draws.")] = 0


@dataclass(frozen=True)
class ShareTargets:
    """The files to write."""

    out: Annotated[
        str | None,
        target_option(
            "--out",
            "-o",
            help="A CSV file with a row per edge: source, target, weight, and the share of the resamples that have it. "
            "- is standard output.",
        ),
    ] = None
    out_shares: Annotated[
        Path | None,
        target_option(
            help=f"A file, {GRAPH_SUFFIXES}, for the graph of all pairs that were ever an edge, with the shares as "
            "weights."
        ),
    ] = None
    to: Annotated[str | None, target_option(metavar="FORMAT", help=f"The format of --out-shares. {FORMAT_HELP}")] = None
    force: Force = False

    def check(self, sources: Iterable[Path | str | None], output: OutputOptions) -> None:
        """Raise an InputError if the files cannot be written."""
        from smoothgraph.io import graph_format

        check_targets(sources, self.out, self.out_shares, force=self.force)
        check_suffix(self.out, ".csv")
        output.check_stdout(self.out)
        if self.out_shares is not None:
            graph_format(self.out_shares, self.to)


def stability(
    *,
    data: DataOptions,
    model: ModelOptions,
    edges_per_node: EdgesPerNode = None,
    draws: ResampleOptions,
    targets: ShareTargets,
    output: OutputOptions,
) -> None:
    """Learn a graph, and tell how often each edge comes back when the signals are drawn anew."""
    targets.check(data.sources, output)
    from smoothgraph import edge_stability
    from smoothgraph.estimators.block_bootstrap import choose_block
    from smoothgraph.io import write_graph

    nodes = data.read(model.metric).sort_by_time()
    output.print_notes(nodes.notes)
    block = draws.block or ("auto" if nodes.in_order else 1)
    learner = model.make_learner(edges_per_node, missing=nodes.missing)
    found = edge_stability(nodes.table, learner, n_resamples=draws.resamples, block=block, random_state=draws.seed)
    length = choose_block(found.learner) if isinstance(block, str) else block
    if draws.block is None and length > 1:
        output.print_notes(
            [f"The signals follow each other in time: {length} in a row are drawn together. --block sets their number."]
        )
    shares = _write_edges(targets.out, found, nodes)
    if targets.out_shares is not None:
        write_graph(
            targets.out_shares, found.frequency, names=nodes.names, attributes=nodes.described, format=targets.to
        )
    facts = {
        "nodes": found.learner.adjacency_.shape[0],
        "edges": len(shares),
        "signals": nodes.values.shape[1],
        "resamples": draws.resamples,
        "block": length,
        "edges_in_90%_of_resamples": sum(share >= _FIRM for share in shares),
        "median_share": sorted(shares)[len(shares) // 2] if shares else None,
        "written": targets.out,
        "shares_written": None if targets.out_shares is None else str(targets.out_shares),
    }
    output.print_facts(f"The edges of {data.title}", facts, to_stderr=targets.out == "-")


def _write_edges(out: str | None, found: "EdgeStability", nodes: "Nodes") -> list[float]:
    """Write the edges with their shares, if that is wanted, and return the shares."""
    import scipy.sparse as sp

    from smoothgraph.cli.write_rows import write_rows

    i, j, w = sp.find(sp.triu(found.learner.adjacency_, k=1))
    shares = found.frequency[i, j].tolist()
    if out is not None:
        names = nodes.names or list(map(str, range(nodes.values.shape[0])))
        sources, targets = ([names[k] for k in ends] for ends in (i, j))
        header = ("source", "target", "weight", "share")
        write_rows(out, header, zip(sources, targets, w.tolist(), shares, strict=True))
    return shares
