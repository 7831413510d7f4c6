"""The coasts and borders of the world, in the detail that a map needs."""

from smoothgraph.viz.atlas.land_outlines import Outlines, outlines

__all__ = ["Outlines", "outlines"]
