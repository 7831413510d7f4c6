"""The coasts and borders of the world, in the detail that a map needs."""

from smoothgraph.viz.atlas.land_outlines import MAPPED_FROM, Outlines, outlines

__all__ = ["MAPPED_FROM", "Outlines", "outlines"]
