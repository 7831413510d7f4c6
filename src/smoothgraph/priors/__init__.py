"""The priors of the framework: ``f`` on the edges, ``g`` on the degrees."""

from smoothgraph.priors.base import DegreePrior, EdgePrior
from smoothgraph.priors.degree import FixedDegrees, FreeDegrees, LogDegrees, SquaredDegrees
from smoothgraph.priors.edge import EntropyEdges, QuadraticEdges

__all__ = [
    "DegreePrior",
    "EdgePrior",
    "EntropyEdges",
    "FixedDegrees",
    "FreeDegrees",
    "LogDegrees",
    "QuadraticEdges",
    "SquaredDegrees",
]
