"""The methods to compare, each with the same number of parameter settings to choose from."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from paper.comparison.recovery import Recovery, Settings
from paper.methods import DaitchGraph, EpsilonGraph, GraphicalLassoGraph, LinearNeighborhoodGraph
from smoothgraph import DoublyStochasticGraph, GaussianGraph, L2DegreeGraph, LogDegreeGraph
from smoothgraph.methods import CombinatorialLaplacianGraph, KNeighborsGraph, LakeTenenbaumGraph, SigRepGraph, UMAPGraph

N_SETTINGS = 16
"""The number of parameter settings that each method may choose from."""

Grid = tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Method:
    """A method and its grid of parameters."""

    title: str
    learner: BaseEstimator
    grid: Grid
    is_sparse: bool = True

    @property
    def experiment(self) -> Recovery:
        """The experiment in which the method recovers graphs from artificial signals."""
        full = Settings(repetitions=5, grid=self.grid)
        quick = Settings(repetitions=1, numbers_of_signals=(100,), grid=self.grid[::5])
        return Recovery(self.learner, full, quick)


def _along(parameter: str, values: Iterable[Any]) -> Grid:
    return tuple({parameter: value} for value in values)


def _octaves(first: float, last: float) -> list[float]:
    """Return ``2**first`` to ``2**last`` in equal ratios."""
    return np.exp2(np.linspace(first, last, N_SETTINGS)).tolist()


_NEIGHBORS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 25, 30)
_L1 = (0.0, *_octaves(-9, -0.5)[1:])
_ALPHAS = (0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98)

METHODS: dict[str, Method] = {
    "log-degree": Method("log-degree", LogDegreeGraph(), _along("beta", _octaves(-6.5, 1))),
    "l2-degree": Method("l2-degree", L2DegreeGraph(), _along("alpha", _octaves(-4.75, 1))),
    "GL-SigRep": Method(
        "GL-SigRep",
        SigRepGraph(),
        tuple(
            {"alpha": alpha, "beta": alpha * of_graph / 2}
            for alpha in (0.01, 0.1)
            for of_graph in np.exp2(np.linspace(-4, 0.5, N_SETTINGS // 2)).tolist()
        ),
    ),
    "doubly-stochastic": Method("doubly stochastic", DoublyStochasticGraph(), _along("beta", _octaves(-6, 3))),
    "lake-tenenbaum": Method("Lake-Tenenbaum", LakeTenenbaumGraph(), _along("l1", _L1)),
    "combinatorial": Method("combinatorial Laplacian", CombinatorialLaplacianGraph(), _along("l1", _L1)),
    "graphical-lasso": Method("graphical lasso", GraphicalLassoGraph(), _along("alpha", _octaves(-8, -0.5))),
    "daitch": Method("Daitch et al.", DaitchGraph(), _along("alpha", _ALPHAS)),
    "linear-neighborhoods": Method(
        "linear neighborhoods",
        LinearNeighborhoodGraph(),
        _along("n_neighbors", (2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 60, 80)),
    ),
    "k-NN": Method("k-NN", KNeighborsGraph(weights="gaussian"), _along("n_neighbors", _NEIGHBORS)),
    "epsilon": Method("epsilon", EpsilonGraph(weights="gaussian"), _along("radius", _octaves(-2.5, 0.2))),
    "gaussian": Method("Gaussian kernel", GaussianGraph(), _along("sigma", _octaves(-4, 1)), is_sparse=False),
    "umap": Method(
        "UMAP", UMAPGraph(), _along("n_neighbors", (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 25, 30, 40))
    ),
}
"""The methods by their names on the command line."""
