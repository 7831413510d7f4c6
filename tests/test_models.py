import numpy as np
import pytest

from smoothgraph import Newton, Pairs, PairSet, Problem, models
from smoothgraph.priors import (
    EntropyEdges,
    FixedDegrees,
    FreeDegrees,
    LogDegrees,
    QuadraticEdges,
    SquaredDegrees,
)


@pytest.fixture
def data(rng):
    edges = PairSet.all_pairs(12)
    return edges, rng.random(edges.n_pairs)


@pytest.mark.parametrize(
    ("recipe", "edge_prior", "degree_prior"),
    [
        (
            lambda e, z: models.log_degree(Pairs(e, z), alpha=2, beta=3),
            QuadraticEdges(3),
            LogDegrees(2),
        ),
        (
            lambda e, z: models.l2_degree(Pairs(e, z), alpha=2),
            QuadraticEdges(4),
            SquaredDegrees(2, 12),
        ),
        (
            lambda e, z: models.l2_degree(Pairs(e, z), alpha=2, total_weight=5),
            QuadraticEdges(4),
            SquaredDegrees(2, 5),
        ),
        (lambda e, z: models.gaussian(Pairs(e, z), sigma=2), EntropyEdges(2), FreeDegrees()),
        (
            lambda e, z: models.doubly_stochastic(Pairs(e, z), beta=2),
            QuadraticEdges(2),
            FixedDegrees(1.0),
        ),
        (
            lambda e, z: models.doubly_stochastic(Pairs(e, z), sigma=2, degree=3),
            EntropyEdges(2),
            FixedDegrees(3.0),
        ),
    ],
)
def test_a_recipe_is_its_pair_of_priors(recipe, edge_prior, degree_prior, data):
    generic = Problem(*data, edge_prior=edge_prior, degree_prior=degree_prior)
    np.testing.assert_array_equal(
        Newton(tol=1e-10).solve(recipe(*data)).w, Newton(tol=1e-10).solve(generic).w
    )


def test_objectives_in_matrix_form(data, rng):
    """The one convention, and eq. 14: the vector forms equal the matrix forms."""
    edges, z = data
    w = rng.random(edges.n_pairs)
    W, Z = edges.adjacency(w).toarray(), edges.adjacency(z).toarray()
    fit, frobenius, d = np.sum(W * Z), np.sum(W**2), W.sum(axis=1)
    np.testing.assert_allclose(
        models.log_degree(Pairs(edges, z), alpha=2, beta=3).primal(w),
        fit - 2 * np.log(d).sum() + 3 / 2 * frobenius,
    )
    np.testing.assert_allclose(
        models.l2_degree(Pairs(edges, z), alpha=2).primal(w), fit + 2 * (d @ d) + 2 * frobenius
    )
    np.testing.assert_allclose(
        models.gaussian(Pairs(edges, z), sigma=2).primal(w),
        fit + 2 * 2**2 * np.sum(W[W > 0] * (np.log(W[W > 0]) - 1)),
    )


def test_l2_degree_leaves_far_nodes_alone_where_log_degree_does_not(rng):
    """The paper's point about connectivity."""
    X = np.concatenate([rng.normal(size=(40, 2)), [[30.0, 30.0]]])
    edges = PairSet.all_pairs(41)
    z = np.sum((X[edges.rows] - X[edges.cols]) ** 2, axis=1)
    assert Newton().solve(models.l2_degree(Pairs(edges, z), alpha=0.1)).n_isolated > 0
    assert Newton().solve(models.log_degree(Pairs(edges, z), beta=0.1)).n_isolated == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda e, z: models.log_degree(Pairs(e, z), alpha=0), "alpha"),
        (lambda e, z: models.log_degree(Pairs(e, z), beta=-1), "beta"),
        (lambda e, z: models.l2_degree(Pairs(e, z), alpha=0), "alpha"),
        (lambda e, z: models.l2_degree(Pairs(e, z), total_weight=-1), "total_weight"),
        (lambda e, z: models.gaussian(Pairs(e, z), sigma=0), "sigma"),
        (lambda e, z: models.doubly_stochastic(Pairs(e, z)), "either beta .* or sigma"),
        (
            lambda e, z: models.doubly_stochastic(Pairs(e, z), beta=1, sigma=1),
            "either beta .* or sigma",
        ),
        (lambda e, z: models.doubly_stochastic(Pairs(e, z), beta=0), "beta"),
        (
            lambda e, z: models.doubly_stochastic(Pairs(e, z), beta=1, degree=[1.0, 2.0]),
            "one parameter per node",
        ),
    ],
)
def test_parameters_out_of_range_are_refused(call, message, data):
    with pytest.raises(ValueError, match=message):
        call(*data)
