"""The priors of the framework: ``f`` on the edges, ``g`` on the degrees."""

from smoothgraph.priors.degree import FixedDegrees, FreeDegrees, LogDegrees, SquaredDegrees
from smoothgraph.priors.edge import EntropyEdges, QuadraticEdges
from smoothgraph.priors.prior import DegreePrior, EdgePrior
from smoothgraph.priors.shares import SharedLogDegrees

__all__ = [
    "DegreePrior",
    "EdgePrior",
    "EntropyEdges",
    "FixedDegrees",
    "FreeDegrees",
    "LogDegrees",
    "QuadraticEdges",
    "SharedLogDegrees",
    "SquaredDegrees",
]
