"""Named models: each is a pair of priors, given as a problem ready to solve.

Sizes of parameters that give a sparse graph depend on the scale of ``z``; see
:mod:`smoothgraph.density` for the graph with a given number of edges per node.
"""

import numpy as np

from smoothgraph.pairs.pattern import EdgeSet
from smoothgraph.priors import (
    EdgePrior,
    EntropyEdges,
    FixedDegrees,
    FreeDegrees,
    LogDegrees,
    QuadraticEdges,
    SquaredDegrees,
)
from smoothgraph.problem import Problem, posed
from smoothgraph.support.checks import check_number


def log_degree(edges: EdgeSet, z: np.ndarray, *, alpha: float = 1.0, beta: float = 1.0) -> Problem:
    """``min 2 z'w - alpha sum log(S w) + beta |w|^2``: the paper's model (eq. 12, f_3).

    In matrix form ``||W o Z||_11 - alpha 1'log(W1) + (beta / 2) ||W||_F^2``. A larger
    ``beta`` gives more edges. ``beta = 0`` gives the sparsest graph without isolated nodes,
    and needs distances above zero: coincident points would be joined without limit.
    """
    prior = QuadraticEdges(check_number("beta", beta, minimum=0))
    if beta == 0 and np.min(z, initial=np.inf) == 0:
        raise ValueError(
            "beta = 0 has no solution when two nodes coincide (distance 0): their weight would "
            "be infinite. Take beta > 0, or merge the duplicates."
        )
    return posed(edges, z, edge_prior=prior, degree_prior=LogDegrees(alpha))


def l2_degree(
    edges: EdgeSet, z: np.ndarray, *, alpha: float = 1.0, total_weight: float | None = None
) -> Problem:
    """``min 2 z'w + alpha (2 |w|^2 + |S w|^2)`` with ``sum S w = total_weight``: Dong et al.

    In matrix form ``||W o Z||_11 + alpha ||W||_F^2 + alpha ||W1||^2`` with
    ``||W||_11 = total_weight`` (eq. 14), by default the number of nodes. A larger ``alpha``
    gives more edges; ``alpha -> 0`` puts all weight on the closest pair.
    """
    check_number("alpha", alpha, above=0)
    total = edges.n_nodes if total_weight is None else total_weight
    degree_prior = SquaredDegrees(alpha, check_number("total_weight", total, above=0))
    return posed(edges, z, edge_prior=QuadraticEdges(2 * alpha), degree_prior=degree_prior)


def gaussian(edges: EdgeSet, z: np.ndarray, *, sigma: float = 1.0) -> Problem:
    """``w = exp(-z / (2 sigma^2))``: Proposition 1, entropy on the edges, free degrees."""
    return posed(edges, z, edge_prior=EntropyEdges(sigma), degree_prior=FreeDegrees())


def doubly_stochastic(
    edges: EdgeSet,
    z: np.ndarray,
    *,
    beta: float | None = None,
    sigma: float | None = None,
    degree: float | np.ndarray = 1.0,
) -> Problem:
    """Every node has weighted degree ``degree``: sparse with ``beta``, dense with ``sigma``.

    ``min 2 z'w + beta |w|^2``, or ``min 2 z'w + 4 sigma^2 sum w (log w - 1)`` (Sinkhorn's
    problem without self-loops), with ``S w = degree``.
    """
    if (beta is None) == (sigma is None):
        raise ValueError(
            "Give either beta (sparse, quadratic prior) or sigma (dense, entropy prior), "
            f"got beta={beta!r} and sigma={sigma!r}."
        )
    prior: EdgePrior
    if sigma is not None:
        prior = EntropyEdges(sigma)
    else:
        prior = QuadraticEdges(check_number("beta", beta, above=0))
    return posed(edges, z, edge_prior=prior, degree_prior=FixedDegrees(degree))
