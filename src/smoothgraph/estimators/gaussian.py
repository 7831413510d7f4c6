"""The Gaussian kernel, as a graph that is learned."""

from dataclasses import dataclass, field

import numpy as np

from smoothgraph.candidates.nodes import NodeData
from smoothgraph.estimators.checkpoint import Checkpoint
from smoothgraph.estimators.graph_learner import GraphLearner
from smoothgraph.estimators.model import Model, Start
from smoothgraph.models import gaussian
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.problem import Problem
from smoothgraph.support.wording import agree, list_some


@dataclass(eq=False, repr=False)
class GaussianGraph(GraphLearner):
    """``w = exp(-z / (2 sigma^2))`` on all pairs: the usual kernel, which is dense.

    Proposition 1 of Kalofolias (2016) makes it a member of the family. By default ``sigma`` is such that the median
    distance has weight ``1 / e``. It is given by name, as the first argument of other learners is a density, which this
    graph does not have. The other attributes are those of
    :class:`LogDegreeGraph`, with ``sigma_`` for ``theta_``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import GaussianGraph
    >>> GaussianGraph(sigma=1.0).fit(load_iris().data).adjacency_.shape
    (150, 150)
    """

    sigma: float | None = field(default=None, kw_only=True)

    exact_zeros = False  # every pair has a weight

    def model(self) -> Model:
        """The kernel, as a problem; the solver finds nothing to do, as the start is the solution."""
        return Model(self._problem, {"sigma": self.sigma})

    def learn(self, data: NodeData, start: Start | None = None, checkpoint: Checkpoint | None = None) -> list[Warning]:
        """Learn as any learner does, and tell of nodes that are too far away for any weight."""
        told = super().learn(data, start, checkpoint)
        alone = np.flatnonzero(np.diff(self.adjacency_.indptr) == 0)
        if alone.size:
            told.append(
                UserWarning(
                    f"{alone.size} of {len(self.dual_)} nodes ({list_some(self.node_names_[alone])}) "
                    f"{agree(alone.size, 'has', 'have')} no neighbor: with sigma={self.sigma_:g} all weights there are "
                    "too small for a number; take a larger sigma, or leave these nodes out."
                )
            )
        return told

    def _problem(self, pairs: CandidatePairs) -> tuple[Problem, dict[str, float]]:
        sigma = self.sigma
        if sigma is None:
            sigma = float(np.sqrt(np.median(pairs.gather().z) / 2)) or 1.0  # type: ignore[attr-defined]
        return gaussian(pairs, sigma=sigma), {"sigma_": sigma}
