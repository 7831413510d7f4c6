"""Search for neighbors: the protocol of an engine, and the built-in one for rows of numbers.

The path of a search: rows become Euclidean (``euclidean``), then few ``coordinates``, then ``tiles`` of near nodes.
A ``scan`` multiplies tiles of coordinates (``tiled_rows``), discards the pairs that ``lower_bounds`` rule out, and
measures the rest. Without a proof, ``hops`` look at few pairs. ``tiled_search`` puts it together as an ``engine``, and
``row_index`` searches from new rows.
"""

from smoothgraph.search.engine import NearPairs, NeighborEngine
from smoothgraph.search.tiled_search import TiledSearch

__all__ = ["NearPairs", "NeighborEngine", "TiledSearch"]
