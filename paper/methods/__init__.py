"""Methods that the comparison needs but the library does not offer.

- :class:`DaitchGraph`: every node near the mean of its neighbors, over all graphs
- :class:`EpsilonGraph`: joins all nodes within a radius
- :class:`GraphicalLassoGraph`: a sparse inverse of the correlations between nodes
- :class:`LinearNeighborhoodGraph`: every node a weighted mean of its k nearest

They are estimators like those of :mod:`smoothgraph.methods`: ``fit(X)``, then ``adjacency_``.
"""

from paper.methods.daitch import DaitchGraph
from paper.methods.epsilon import EpsilonGraph
from paper.methods.graphical_lasso import GraphicalLassoGraph
from paper.methods.linear_neighborhood import LinearNeighborhoodGraph

__all__ = ["DaitchGraph", "EpsilonGraph", "GraphicalLassoGraph", "LinearNeighborhoodGraph"]
