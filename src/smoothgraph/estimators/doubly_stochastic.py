"""Graphs in which every node has the degree asked for."""

from dataclasses import dataclass, field

import numpy as np

from smoothgraph.estimators.graph_learner import DensityLearner
from smoothgraph.estimators.model import Model
from smoothgraph.models import DoublyStochastic, doubly_stochastic
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.problem import Problem


@dataclass(eq=False, repr=False)
class DoublyStochasticGraph(DensityLearner):
    """``min 2 z'w + f(w)`` with every weighted degree equal to ``degree``.

    Sparse with ``edges_per_node`` or ``beta`` (quadratic prior), dense with ``sigma`` (entropy: Sinkhorn's problem
    without self-loops). ``degree`` is one number, or one per node; a new node then wants their mean. The other
    parameters and attributes are those of :class:`LogDegreeGraph`, with ``beta_`` for ``theta_``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import DoublyStochasticGraph
    >>> graph = DoublyStochasticGraph(edges_per_node=8).fit(load_iris().data)
    >>> degrees = graph.adjacency_.sum(axis=1)
    >>> bool(abs(degrees - 1).max() < 1e-5)
    True
    """

    beta: float | None = field(default=None, kw_only=True)
    sigma: float | None = field(default=None, kw_only=True)
    degree: float | np.ndarray = field(default=1.0, kw_only=True)

    @property
    def exact_zeros(self) -> bool:
        """Whether the model's weights vanish between far-away nodes: not with ``sigma``."""
        return self.sigma is None

    def model(self) -> Model:
        """The doubly stochastic family, or the problem with the given beta or sigma."""
        own = {"beta": self.beta, "sigma": self.sigma}
        return Model(self._problem, own, DoublyStochastic(self.degree), self.wanted_density)

    def _problem(self, pairs: CandidatePairs) -> tuple[Problem, dict[str, float]]:
        problem = doubly_stochastic(pairs, beta=self.beta, sigma=self.sigma, degree=self.degree)
        return problem, {} if self.beta is None else {"beta_": float(self.beta)}
