"""Search among indexed rows, starting from new ones that are not indexed themselves."""

from dataclasses import dataclass, replace

import numpy as np

from smoothgraph.pairs.euclidean import ROOTED
from smoothgraph.search.coordinates import Projection, largest_magnitude, unit_for
from smoothgraph.search.engine import NearPairs
from smoothgraph.search.levels import Levels
from smoothgraph.search.scan import scan_nearest, scan_pairs, tiles_within
from smoothgraph.search.tiled_rows import TiledRows, canonical_rows
from smoothgraph.search.tiled_search import most_tiles_of_nearest

_SHARE = 1 / 8  # of the tiles, among which the likely nearest are looked for


@dataclass(frozen=True, eq=False)
class RowIndex:
    """Nodes, to be searched from new rows: node ``j`` has the row ``nodes[j]`` of a table.

    The table stays as it is. Beside it, the index keeps a few dozen numbers per row in single precision. Use
    :meth:`of` to make one.
    """

    projection: Projection
    rows: TiledRows
    nodes: np.ndarray
    rooted: bool

    @classmethod
    def of(cls, X: np.ndarray, nodes: np.ndarray, metric: str) -> "RowIndex":
        """Index some rows of ``X``, which is dense, with finite entries; ``metric`` is Euclidean, squared or not."""
        projection = Projection.of(X)
        ids = np.zeros(len(X), np.int32)
        ids[nodes] = np.arange(len(nodes))
        rows = TiledRows.in_place(canonical_rows(X), projection.coordinates(X), nodes, ids)
        return cls(projection, rows, nodes, metric in ROOTED)

    def search_from(self, new: np.ndarray) -> "SearchFromNewRows":
        """Prepare searches from the rows of ``new``, which is dense, with finite entries."""
        # No square of a coordinate may overflow.
        unit = max(self.projection.unit, unit_for(largest_magnitude(new), new.shape[1]))
        numbers, coordinates = np.arange(len(new)), replace(self.projection, unit=unit).coordinates(new)
        ids = (len(self.nodes) + numbers).astype(np.int32)  # as if they were more nodes
        rows = TiledRows.in_place(canonical_rows(new), coordinates, numbers, ids)
        return SearchFromNewRows(rows, replace(self, rows=self.rows.in_unit(unit)))


@dataclass(frozen=True, eq=False)
class SearchFromNewRows:
    """Pairs of new rows ``i`` with indexed nodes ``j`` and their distances, in the order of ``i``, then ``j``."""

    rows: TiledRows
    index: RowIndex

    @property
    def n_new(self) -> int:
        """The number of new rows."""
        return len(self.rows.X)

    def nearest(self, k: int) -> NearPairs:
        """Return the ``k`` nearest nodes of each row, and all that are no farther than some ``k`` nodes are."""
        columns, rooted = self.index.rows, self.index.rooted
        balls, most = columns.tiles.balls, most_tiles_of_nearest(k, _SHARE, len(self.index.nodes), columns.n_tiles)
        likely = scan_nearest(
            self.rows, columns, k, lambda tile: balls.nearest_to(self.rows.tiles.balls.ball(tile), most)
        )
        farthest = likely.z.max(axis=1)
        level = np.nextafter(np.sqrt(farthest) if rooted else farthest, np.inf)
        return self._pairs(Levels(level, rooted=rooted), Levels(np.zeros(len(columns.X)), rooted=rooted))

    def within(
        self, reach: tuple[np.ndarray, np.ndarray], scale: tuple[np.ndarray, np.ndarray] | None = None
    ) -> NearPairs:
        """Return all pairs with ``2 z_ij < reach_i + reach_j``, where ``scale`` makes distances local.

        ``reach`` and ``scale`` are those of the rows and of the nodes.
        """
        scales = None if scale is None else np.concatenate(scale)
        levels = Levels.of(np.concatenate(reach), scales, rooted=self.index.rooted)
        n_rows = len(reach[0])
        return self._pairs(levels.take(slice(n_rows)), levels.take(n_rows + self.index.rows.ids))

    def _pairs(self, levels: Levels, others: Levels) -> NearPairs:
        """Return the pairs that the levels of the rows and of the table want."""
        columns = self.index.rows
        highest = others.widen(columns.coordinates).highest(columns.tiles)
        choose = tiles_within(self.rows, levels.widen(self.rows.coordinates), columns.tiles.balls, highest)
        found = NearPairs.concatenate(list(scan_pairs(self.rows, columns, (levels, others), choose)))
        i = found.i - len(self.index.nodes)
        order = np.lexsort((found.j, i))
        return NearPairs(i[order], found.j[order], found.z[order])
