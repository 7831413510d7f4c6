"""Graphs with squared degrees and a given total weight."""

from dataclasses import dataclass, field

from smoothgraph.estimators.graph_learner import DensityLearner
from smoothgraph.estimators.model import Model
from smoothgraph.models import L2Degree, l2_degree
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.problem import Problem


@dataclass(eq=False, repr=False)
class L2DegreeGraph(DensityLearner):
    """``min 2 z'w + alpha (2 |w|^2 + |degrees|^2)`` with a fixed total weight.

    The model of Dong et al. (2015), in the form of Kalofolias (2016), eq. 14: sparse, with degrees evened out;
    far-away nodes may be left isolated. Ask for ``edges_per_node`` or give ``alpha``; ``total_weight``, the sum of
    the adjacency, is the number of nodes by default. The other parameters and attributes are those of
    :class:`LogDegreeGraph`, with ``alpha_`` for ``theta_``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import L2DegreeGraph
    >>> graph = L2DegreeGraph(edges_per_node=8).fit(load_iris().data)
    >>> round(graph.edges_per_node_), round(float(graph.adjacency_.sum()), 6)
    (8, 150.0)
    """

    alpha: float | None = field(default=None, kw_only=True)
    total_weight: float | None = field(default=None, kw_only=True)

    def model(self) -> Model:
        """The l2-degree family, or the problem with the given alpha."""
        family = L2Degree(self.total_weight)
        return Model(self._problem, {"alpha": self.alpha}, family, self.wanted_density)

    def _problem(self, pairs: CandidatePairs) -> tuple[Problem, dict[str, float]]:
        problem = l2_degree(pairs, alpha=self.alpha, total_weight=self.total_weight)
        return problem, {"alpha_": float(self.alpha)}  # type: ignore[arg-type]
