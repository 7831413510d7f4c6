"""The Gaussian kernel as an estimator."""

from dataclasses import dataclass

import numpy as np

from smoothgraph.estimators.graph_learner import GraphLearner
from smoothgraph.estimators.learning import Model
from smoothgraph.models import gaussian
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.problem import Problem
from smoothgraph.solvers import Newton, Solver


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
        """The kernel, as a problem."""
        return Model(self._problem, {"sigma": self.sigma})

    def make_solver(self) -> Solver:
        """Newton's method, which finds nothing to do: the start is the solution."""
        return Newton()

    def _problem(self, pairs: CandidatePairs) -> tuple[Problem, dict[str, float]]:
        sigma = self.sigma
        if sigma is None:
            sigma = float(np.sqrt(np.median(pairs.gather().z) / 2)) or 1.0  # type: ignore[attr-defined]
        return gaussian(pairs, sigma=sigma), {"sigma_": sigma}
