"""The order of :func:`smoothgraph.search.tiles.in_order` for nodes on many machines.

The first cuts are made where the nodes are, by counting; the parts that remain move each to
one place, a region, and are put in order there.
"""

from typing import Any, NamedTuple

import numpy as np

from smoothgraph.cluster.client import Client
from smoothgraph.cluster.rows import Chunk, Rows
from smoothgraph.cluster.tasks import Future, results_of, submitted
from smoothgraph.search.balls import Balls
from smoothgraph.search.coordinates import Coordinates
from smoothgraph.search.index import Index
from smoothgraph.search.tiles import SIZE, Tiles, first_part, in_order, judged_ranks, widest
from smoothgraph.support.blocks import BLOCK

_HALF = 16  # bits of a number that are counted at once


class Region(NamedTuple):
    """Nodes that follow each other in the order, from the number ``first`` on.

    ``nodes`` are their rows in the table. The fields are arrays, of which Dask knows the size.
    """

    first: int
    nodes: np.ndarray
    X: np.ndarray
    points: np.ndarray
    error: np.ndarray
    unit: float
    centres: np.ndarray
    radii: np.ndarray

    def as_index(self) -> Index:
        """What is searched."""
        tiles = np.full((len(self.radii), SIZE), -1, dtype=np.int32)
        tiles.ravel()[: len(self.nodes)] = np.arange(len(self.nodes))
        coordinates = Coordinates(self.points, self.error, self.unit)
        return Index(self.X, coordinates, Tiles(tiles, self.balls), self.first)

    @property
    def balls(self) -> Balls:
        """Around its tiles."""
        return Balls(self.centres, self.radii)


class _Part(NamedTuple):
    """Nodes not yet in order, from the number ``first`` on; ``counts`` are those of each chunk."""

    first: int
    counts: np.ndarray

    @property
    def size(self) -> int:
        return int(self.counts.sum())


class _Along(NamedTuple):
    """Numbers of a part that are counted: the upper half of each, or the lower of some."""

    first: int
    coordinate: int
    upper: int | None


class _Cut(NamedTuple):
    """Nodes above ``limit``, and after the first ``n_equal`` at it, leave for the part ``to``."""

    first: int
    coordinate: int
    limit: int
    n_equal: int
    to: int
    n_staying: int


_Counted = tuple[np.ndarray, np.ndarray]  # numbers, and how many there are of each


def regions_of(rows: Rows, client: Client, n_regions: int) -> tuple[list[Future], list[int]]:
    """Futures of the :class:`Region`, in order, and the number of the first node of each.

    These are at least ``n_regions`` if they can be, and whole blocks of nodes or else tiles.
    """
    n_nodes = sum(rows.sizes)
    most = BLOCK if n_nodes > BLOCK else max(SIZE, n_nodes // n_regions)
    parts = [_Part(0, np.array(rows.sizes))]
    labels = [submitted(client, "parts", np.zeros, size, np.int32) for size in rows.sizes]
    while any(part.size > most for part in parts):
        parts, labels = _halved(client, rows.chunks, parts, labels, most)
    regions = []
    for part in parts:
        pieces = [
            submitted(client, "piece", _piece, chunk, own, first, part.first)
            for chunk, own, first, count in zip(
                rows.chunks, labels, rows.firsts, part.counts, strict=True
            )
            if count
        ]
        regions.append(submitted(client, "region", _region, pieces, part.first, rows.unit))
    return regions, [part.first for part in parts]


def _halved(
    client: Client, chunks: list[Future], parts: list[_Part], labels: list[Future], most: int
) -> tuple[list[_Part], list[Future]]:
    """Every part of more than ``most`` nodes in two, and the first node of each node's part."""

    def answers(name: str, task: Any, questions: list[list[Any]]) -> list[list[Any]]:
        """The answers of every chunk to its questions, one for each part."""
        each = zip(chunks, labels, questions, strict=True)
        asked = [submitted(client, name, task, *given) for given in each]
        return results_of(client, asked, "order")

    large = [part for part in parts if part.size > most]
    ranks = [_ranks_in_chunks(part) for part in large]
    judged = answers("judged", _judged, [list(own) for own in zip(*ranks, strict=True)])
    along = [
        _Along(part.first, widest(np.concatenate(points)), None)
        for part, points in zip(large, zip(*judged, strict=True), strict=True)
    ]
    high = list(zip(*answers("counts", _counted, [along] * len(chunks)), strict=True))
    places = [
        _place(counts, first_part(part.size)) for part, counts in zip(large, high, strict=True)
    ]
    upper = [where._replace(upper=number) for where, (number, _) in zip(along, places, strict=True)]
    low = list(zip(*answers("counts", _counted, [upper] * len(chunks)), strict=True))
    cuts = [_cut(*given) for given in zip(large, upper, high, low, strict=True)]
    by_chunk = [list(own) for own in zip(*cuts, strict=True)]
    moved = [
        submitted(client, "parts", _moved, *given)
        for given in zip(chunks, labels, by_chunk, strict=True)
    ]
    halves = {part.first: _halves(part, cut) for part, cut in zip(large, cuts, strict=True)}
    return [half for part in parts for half in halves.get(part.first, [part])], moved


def _cut(
    part: _Part, along: _Along, high: tuple[_Counted, ...], low: tuple[_Counted, ...]
) -> list[_Cut]:
    """For every chunk the same cut, at the number of the last node before it.

    Of nodes equal to it those of the first chunks come before the cut.
    """
    middle = first_part(part.size)
    upper, rank = _place(high, middle)
    lower, n_equal = _place(low, rank)
    limit = (upper << _HALF) + lower
    cuts = []
    for high_here, low_here in zip(high, low, strict=True):
        below = _sum(high_here, 0, upper) + _sum(low_here, 0, lower)
        equal = min(n_equal, _sum(low_here, lower, lower + 1))
        n_equal -= equal
        to = part.first + middle
        cuts.append(_Cut(part.first, along.coordinate, limit, equal, to, below + equal))
    return cuts


def _halves(part: _Part, cuts: list[_Cut]) -> list[_Part]:
    before = np.array([cut.n_staying for cut in cuts])
    return [_Part(part.first, before), _Part(cuts[0].to, part.counts - before)]


def _ranks_in_chunks(part: _Part) -> list[tuple[int, np.ndarray]]:
    """For each chunk the part, and which of its nodes in the chunk a cut is chosen on."""
    ranks, last = judged_ranks(part.size), np.cumsum(part.counts)
    return [
        (part.first, ranks[(begin <= ranks) & (ranks < end)] - begin)
        for begin, end in zip(last - part.counts, last, strict=True)
    ]


def _place(counted: tuple[_Counted, ...], rank: int) -> tuple[int, int]:
    """The ``rank``-th smallest number, from 1 on, and its rank among those equal to it."""
    total = np.zeros(2**_HALF, dtype=np.int64)
    for numbers, counts in counted:
        total[numbers] += counts
    up_to = np.cumsum(total)
    number = int(np.searchsorted(up_to, rank))
    return number, rank - int(up_to[number] - total[number])


def _sum(counted: _Counted, begin: int, end: int) -> int:
    """How many numbers ``begin <= n < end`` there are."""
    numbers, counts = counted
    first, last = np.searchsorted(numbers, [begin, end])
    return int(counts[first:last].sum())


def _judged(
    chunk: Chunk, labels: np.ndarray, wanted: list[tuple[int, np.ndarray]]
) -> list[np.ndarray]:
    return [chunk.points[np.flatnonzero(labels == first)[ranks]] for first, ranks in wanted]


def _counted(chunk: Chunk, labels: np.ndarray, wanted: list[_Along]) -> list[_Counted]:
    found = []
    for first, coordinate, upper in wanted:
        image = _image(chunk.points[labels == first, coordinate])
        high = image >> _HALF
        numbers = high if upper is None else image[high == upper] & (2**_HALF - 1)
        counts = np.bincount(numbers)
        found.append((np.flatnonzero(counts), counts[counts > 0]))
    return found


def _moved(chunk: Chunk, labels: np.ndarray, cuts: list[_Cut]) -> np.ndarray:
    labels = labels.copy()
    for first, coordinate, limit, n_equal, to, _ in cuts:
        nodes = np.flatnonzero(labels == first)
        image = _image(chunk.points[nodes, coordinate])
        labels[nodes[image > limit]] = to
        labels[nodes[image == limit][n_equal:]] = to
    return labels


def _image(values: np.ndarray) -> np.ndarray:
    """Integers of 32 bits in the same order; equal for equal values, also for zeros."""
    bits = (values + np.float32(0)).view(np.uint32).astype(np.int64)
    return np.where(bits < 2**31, bits + 2**31, 2**32 - 1 - bits)


def _piece(
    chunk: Chunk, labels: np.ndarray, first_of_chunk: int, part: int
) -> tuple[np.ndarray, ...]:
    """The nodes of a part in a chunk, and what belongs to them."""
    own = np.flatnonzero(labels == part)
    return (own + first_of_chunk, *(array[own] for array in chunk))


def _region(pieces: list[tuple[np.ndarray, ...]], first: int, unit: float) -> Region:
    nodes, X, points, error = (np.concatenate(arrays) for arrays in zip(*pieces, strict=True))
    order = in_order(points, np.arange(len(nodes)))
    points = points[order]
    balls = Tiles.along(np.arange(len(order)), points).balls
    nodes = nodes[order].astype(np.int32)
    return Region(first, nodes, X[order], points, error[order], unit, balls.centres, balls.radii)
