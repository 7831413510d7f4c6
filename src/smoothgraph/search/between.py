"""The nearest, and the pairs within reach, of some nodes among others.

What is found in several searches among other nodes each is, put together, what one search
among all of them finds, to the last bit.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from smoothgraph.search import kernels as _kernels
from smoothgraph.search.balls import Chosen
from smoothgraph.search.index import WIDTH, Block, Index, Levels, blocks
from smoothgraph.search.measure import squared_distances
from smoothgraph.search.tiles import SIZE
from smoothgraph.support.progress import track
from smoothgraph.support.threads import in_threads

_COLLECTED = 4 * SIZE * WIDTH  # pairs that may wait for a close look


class Nearest(NamedTuple):
    """What is nearest to each node: ids among all nodes, and the true squared distances.

    Sorted by ``halves`` of squared lower bounds in single precision, then by id. Where there
    are too few others, the id is -1 and infinitely far.
    """

    ids: np.ndarray
    halves: np.ndarray
    z: np.ndarray


class Pairs(NamedTuple):
    """Pairs of nodes and their squared distances."""

    i: np.ndarray
    j: np.ndarray
    z: np.ndarray

    @classmethod
    def joined(cls, parts: "list[Pairs]") -> "Pairs":
        """All pairs of the parts, of which there may be none."""
        nothing = cls(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))
        return cls(*(np.concatenate(column) for column in zip(nothing, *parts, strict=True)))


def nearest_between(
    rows: Index,
    columns: Index,
    k: int,
    chosen: Callable[[int], Chosen],
    known: Nearest | None = None,
) -> Nearest:
    """The ``k`` nearest of each node in the tiles of ``rows`` among the nodes of ``columns``.

    ``chosen(tile)`` are the tiles to look at, numbered among all, for one of ``rows.tiles``;
    those that are not of ``columns`` are passed over. What is ``known``, from a search among other
    columns, stays unless something nearer is found.
    """
    found = _nothing(rows.n_nodes, k) if known is None else Nearest(*map(np.copy, known))
    last_tile = columns.first_tile + len(columns.tiles.nodes)
    wide = np.zeros(rows.n_nodes), np.zeros(columns.n_nodes)

    def search(tile: int) -> None:
        looked_at = chosen(tile).inside(columns.first_tile, last_tile)
        products = blocks(rows, tile, columns, looked_at.tiles, wide)
        nodes = rows.tiles.nodes[tile]
        nodes = nodes[nodes >= 0]
        before = Nearest(*(part[nodes] for part in found))
        ids, halves = _nearest_in(products, looked_at.floors, before)
        found.ids[nodes], found.halves[nodes] = ids, halves
        found.z[nodes] = _measured(rows, columns, nodes, ids, before.z)

    n_tiles = len(rows.tiles.nodes)
    for _ in track(in_threads(search, range(n_tiles)), "neighbours", total=n_tiles):
        pass
    return found


def _nothing(n: int, k: int) -> Nearest:
    far = np.full((n, k), np.inf)
    return Nearest(np.full((n, k), -1, np.int32), far.astype(np.float32), far)


def pairs_between(
    rows: Index,
    columns: Index,
    levels: tuple[Levels, Levels],
    chosen: Callable[[int], np.ndarray],
    *,
    once: bool = False,
) -> Iterator[Pairs]:
    """The pairs ``z_ij < level_i + level_j`` of ``rows`` with ``columns``, for each tile of rows.

    ``levels`` are those of the rows and of the columns. ``chosen`` is as for the nearest. With
    ``once``, columns come after rows only; the tiles of ``rows`` are then numbered among all.
    """
    last_tile = columns.first_tile + len(columns.tiles.nodes)

    def search(tile: int) -> Pairs:
        looked_at, own = chosen(tile), rows.first_tile + tile
        first_tile = max(columns.first_tile, own) if once else columns.first_tile
        looked_at = looked_at[(first_tile <= looked_at) & (looked_at < last_tile)]
        products = blocks(rows, tile, columns, looked_at, (levels[0].wide, levels[1].wide))
        upper = once and own in looked_at[:1]
        parts = [
            _close_look(rows, columns, pairs, levels)
            for pairs in _seemingly_near(products, upper=upper)
        ]
        return Pairs.joined(parts)

    n_tiles = len(rows.tiles.nodes)
    yield from track(in_threads(search, range(n_tiles)), "pairs", total=n_tiles)


def _nearest_in(
    products: Iterator[Block], floors: np.ndarray, known: Nearest
) -> tuple[np.ndarray, np.ndarray]:
    """Ids and halves of the nearest to each row, until nothing nearer can come."""
    n_rows, k = known.ids.shape
    ids = np.full((SIZE, k), -1, dtype=np.int32)
    halves = np.full((SIZE, k), np.inf, dtype=np.float32)
    ids[:n_rows], halves[:n_rows] = known.ids, known.halves
    ahead = np.minimum.accumulate(floors[::-1])[::-1]  # of a tile and all after it
    seen = 0
    while seen < len(ahead) and ahead[seen] <= 2 * float(halves[:n_rows, -1].max()):
        block = next(products)
        _kernels.keep_nearest(*block, ids, halves)
        seen += len(block.col_ids) // SIZE
    return ids[:n_rows], halves[:n_rows]


def _measured(
    rows: Index, columns: Index, nodes: np.ndarray, ids: np.ndarray, known: np.ndarray
) -> np.ndarray:
    """The squared distances of ``nodes`` to their ``ids``.

    Those not among the columns are the first of what was ``known``, in the order in which it was.
    """
    z = np.empty(ids.shape)
    new = (columns.first <= ids) & (ids < columns.first + columns.n_nodes)
    z[~new] = known[_first(~new)]
    i = np.broadcast_to(nodes[:, None], ids.shape)[new]
    z[new] = squared_distances(rows.X, columns.X, i, ids[new] - columns.first)
    return z


def _first(some: np.ndarray) -> np.ndarray:
    """As many in every row, from its beginning on."""
    return np.arange(some.shape[1]) < np.count_nonzero(some, axis=1)[:, None]


def _seemingly_near(products: Iterator[Block], *, upper: bool) -> Iterator[np.ndarray]:
    """The ids of products above their bars, many at once; overwritten by the next.

    With ``upper``, only right of the diagonal of the first block.
    """
    found = np.empty((_COLLECTED, 2), dtype=np.int32)  # pages never written cost nothing
    count = 0
    for block in products:
        if count + block.products.size > len(found):
            yield found[:count]
            count = 0
        count = _kernels.products_above(*block, upper, found, count)
        upper = False
    yield found[:count]


def _close_look(
    rows: Index, columns: Index, pairs: np.ndarray, levels: tuple[Levels, Levels]
) -> Pairs:
    """Those of the pairs that are truly within their levels."""
    i, j = pairs[:, 0] - rows.first, pairs[:, 1] - columns.first
    z = squared_distances(rows.X, columns.X, i, j)
    kept = z < levels[0].level[i] + levels[1].level[j]
    return Pairs(pairs[kept, 0], pairs[kept, 1], z[kept])
