"""The Gaussian kernel, as a graph that is learned."""

from dataclasses import dataclass

import numpy as np

from smoothgraph.estimators.graph_learner import GraphLearner
from smoothgraph.estimators.learning import Model
from smoothgraph.models import gaussian
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.problem import Problem


@dataclass(eq=False, repr=False)
class GaussianGraph(GraphLearner):
    """``w = exp(-z / (2 sigma^2))`` on all pairs: the usual kernel, which is dense.

    Proposition 1 of Kalofolias (2016) makes it a member of the family. By default ``sigma`` is such that the median
    distance has weight ``1 / e``. The other attributes are those of
    :class:`LogDegreeGraph`, with ``sigma_`` for ``theta_``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import GaussianGraph
    >>> GaussianGraph(sigma=1.0).fit(load_iris().data).adjacency_.shape
    (150, 150)
    """

    sigma: float | None = None

    exact_zeros = False  # every pair has a weight

    def model(self) -> Model:
        """The kernel, as a problem; the solver finds nothing to do, as the start is the solution."""
        return Model(self._problem, {"sigma": self.sigma})

    def _problem(self, pairs: CandidatePairs) -> tuple[Problem, dict[str, float]]:
        sigma = self.sigma
        if sigma is None:
            sigma = float(np.sqrt(np.median(pairs.gather().z) / 2)) or 1.0  # type: ignore[attr-defined]
        return gaussian(pairs, sigma=sigma), {"sigma_": sigma}
