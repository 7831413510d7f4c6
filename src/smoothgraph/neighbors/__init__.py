"""Neighbours: exact search by lower bounds, approximate candidates, pricing."""

from smoothgraph.neighbors.search import NeighborSearch

__all__ = ["NeighborSearch"]
