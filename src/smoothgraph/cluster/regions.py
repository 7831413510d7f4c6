"""Regions: rows near each other, in one place. A sample of the rows tells where to cut.

Each cut halves a part of the sample along its widest coordinate. Rows with the same coordinate are told apart by
their numbers, so that cuts balance duplicates, too. Workers then send every row to its region, and a region puts
its own rows in order.
"""

from itertools import accumulate, pairwise
from typing import NamedTuple, Optional

import numpy as np

from smoothgraph.cluster.chunks import Array, Chunk, make_chunks, sample_chunks
from smoothgraph.cluster.client import Client
from smoothgraph.cluster.futures import Future, gather, identity, submit
from smoothgraph.search.tiled_rows import TiledRows
from smoothgraph.search.tiles import SIZE, widest_coordinate

_MOST_ROWS = 65_536  # per region: some dozen megabytes to send, some seconds to search
# The size of a region has a relative standard deviation of 1/sqrt(256) = 6%, so that a ratio of 2
# between two regions is some five standard deviations away.
_SAMPLE_PER_REGION = 256


class Region(NamedTuple):
    """Rows in order; ``nodes`` are their numbers in the table, ``rows.ids`` those in the search."""

    nodes: np.ndarray
    rows: TiledRows


class Cut(NamedTuple):
    """Rows before ``(value, row)`` along a coordinate go to the left; None is a region."""

    coordinate: int
    value: float
    row: int
    n_left: int  # regions
    left: Optional["Cut"]
    right: Optional["Cut"]


def make_regions(
    table: Array, metric: str, client: Client, n_regions: int
) -> tuple[list[Future], list[tuple[int, int]]]:
    """Return futures of the :class:`Region`, and the bounds ``(first, last)`` of their nodes.

    There are at least ``n_regions`` unless a region would have less than a tile.
    """
    chunks = make_chunks(table, metric, client)
    n_regions = max(1, min(max(n_regions, -(-len(table) // _MOST_ROWS)), len(table) // SIZE))
    sampled = sample_chunks(table, _SAMPLE_PER_REGION * n_regions)
    sample = [submit(client, "sample", _sample, chunk, rows) for chunk, rows in zip(chunks, sampled, strict=True)]
    points, numbers = zip(*gather(client, sample, "order"), strict=True)
    cuts = plan_cuts(np.concatenate(points), np.concatenate(numbers), n_regions)
    tree = submit(client, "cuts", identity, cuts)
    places = [submit(client, "places", _place, chunk, tree) for chunk in chunks]
    counted = [submit(client, "counts", np.bincount, own, None, n_regions) for own in places]
    counts = np.array(gather(client, counted, "order"))
    bounds = list(pairwise([0, *accumulate(counts.sum(axis=0).tolist())]))
    regions = []
    for region, (first, _) in enumerate(bounds):
        pieces = [
            submit(client, "piece", _piece, chunk, own, region)
            for chunk, own, count in zip(chunks, places, counts[:, region], strict=True)
            if count
        ]
        regions.append(submit(client, "region", _arrange, pieces, first))
    return regions, bounds


def plan_cuts(points: np.ndarray, rows: np.ndarray, n_regions: int) -> Cut | None:
    """Cut sampled points, of the numbers ``rows``, into ``n_regions`` parts of equal size."""
    if n_regions == 1:
        return None
    coordinate, n_left = widest_coordinate(points), n_regions // 2
    order = np.lexsort((rows, points[:, coordinate]))
    left, right = np.split(order, [len(order) * n_left // n_regions])
    return Cut(
        coordinate,
        float(points[right[0], coordinate]),
        int(rows[right[0]]),
        n_left,
        plan_cuts(points[left], rows[left], n_left),
        plan_cuts(points[right], rows[right], n_regions - n_left),
    )


def place_rows(points: np.ndarray, rows: np.ndarray, cuts: Cut | None) -> np.ndarray:
    """Return the region of each point."""
    regions = np.zeros(len(rows), dtype=np.int32)
    todo = [(cuts, np.arange(len(rows)))]
    while todo:
        cut, own = todo.pop()
        if cut is not None:
            values = points[own, cut.coordinate]
            right = (values > cut.value) | ((values == cut.value) & (rows[own] >= cut.row))
            regions[own[right]] += cut.n_left
            todo += [(cut.left, own[~right]), (cut.right, own[right])]
    return regions


def _sample(chunk: Chunk, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return chunk.coordinates.points[rows], chunk.ids[rows]


def _place(chunk: Chunk, cuts: Cut | None) -> np.ndarray:
    return place_rows(chunk.coordinates.points, chunk.ids, cuts)


def _piece(chunk: Chunk, places: np.ndarray, region: int) -> Chunk:
    return chunk.take(np.flatnonzero(places == region))


def _arrange(pieces: list[Chunk], first: int) -> Region:
    rows = TiledRows.arrange(*Chunk.concatenate(pieces))
    ids = np.arange(first, first + len(rows.ids), dtype=np.int32)
    return Region(rows.ids, rows._replace(ids=ids))
