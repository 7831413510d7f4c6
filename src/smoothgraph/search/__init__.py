"""Neighbours: exact search by lower bounds, approximate candidates, pricing."""

from smoothgraph.search.exact import NeighborSearch

__all__ = ["NeighborSearch"]
