import numpy as np
import pytest

from smoothgraph import Newton, Pairs, PairSet, Problem, models
from smoothgraph.priors import EntropyEdges, FixedDegrees, FreeDegrees, LogDegrees, QuadraticEdges, SquaredDegrees


@pytest.fixture
def pairs(rng):
    return Pairs(PairSet.all_pairs(12), rng.random(66))


@pytest.mark.parametrize(
    ("recipe", "edge_prior", "degree_prior"),
    [
        (lambda pairs: models.log_degree(pairs, alpha=2, beta=3), QuadraticEdges(3), LogDegrees(2)),
        (lambda pairs: models.l2_degree(pairs, alpha=2), QuadraticEdges(4), SquaredDegrees(2, 12)),
        (lambda pairs: models.l2_degree(pairs, alpha=2, total_weight=5), QuadraticEdges(4), SquaredDegrees(2, 5)),
        (lambda pairs: models.gaussian(pairs, sigma=2), EntropyEdges(2), FreeDegrees()),
        (lambda pairs: models.doubly_stochastic(pairs, beta=2), QuadraticEdges(2), FixedDegrees(1.0)),
        (lambda pairs: models.doubly_stochastic(pairs, sigma=2, degree=3), EntropyEdges(2), FixedDegrees(3.0)),
    ],
)
def test_a_recipe_is_its_pair_of_priors(recipe, edge_prior, degree_prior, pairs):
    generic = Problem(pairs, edge_prior=edge_prior, degree_prior=degree_prior)
    np.testing.assert_array_equal(Newton(tol=1e-10).solve(recipe(pairs)).w, Newton(tol=1e-10).solve(generic).w)


def test_objectives_in_matrix_form(pairs, rng):
    """The one convention, and eq. 14: the vector forms equal the matrix forms."""
    w, pattern = rng.random(pairs.n_pairs), pairs.pattern
    W, Z = pattern.adjacency(w).toarray(), pattern.adjacency(pairs.z).toarray()
    fit, frobenius, d = np.sum(W * Z), np.sum(W**2), W.sum(axis=1)
    np.testing.assert_allclose(
        models.log_degree(pairs, alpha=2, beta=3).primal(w), fit - 2 * np.log(d).sum() + 3 / 2 * frobenius
    )
    np.testing.assert_allclose(models.l2_degree(pairs, alpha=2).primal(w), fit + 2 * (d @ d) + 2 * frobenius)
    np.testing.assert_allclose(
        models.gaussian(pairs, sigma=2).primal(w), fit + 2 * 2**2 * np.sum(W[W > 0] * (np.log(W[W > 0]) - 1))
    )


def test_l2_degree_leaves_far_nodes_alone_where_log_degree_does_not(rng):
    """The paper's point about connectivity."""
    X = np.concatenate([rng.normal(size=(40, 2)), [[30.0, 30.0]]])
    pairs = Pairs.of(X)
    assert Newton().solve(models.l2_degree(pairs, alpha=0.1)).n_isolated > 0
    assert Newton().solve(models.log_degree(pairs, beta=0.1)).n_isolated == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda pairs: models.log_degree(pairs, alpha=0), "alpha"),
        (lambda pairs: models.log_degree(pairs, beta=-1), "beta"),
        (lambda pairs: models.l2_degree(pairs, alpha=0), "alpha"),
        (lambda pairs: models.l2_degree(pairs, total_weight=-1), "total_weight"),
        (lambda pairs: models.gaussian(pairs, sigma=0), "sigma"),
        (lambda pairs: models.doubly_stochastic(pairs), "either beta .* or sigma"),
        (lambda pairs: models.doubly_stochastic(pairs, beta=1, sigma=1), "either beta .* or sigma"),
        (lambda pairs: models.doubly_stochastic(pairs, beta=0), "beta"),
        (lambda pairs: models.doubly_stochastic(pairs, beta=1, degree=[1.0, 2.0]), "one parameter per node"),
    ],
)
def test_parameters_out_of_range_are_refused(call, message, pairs):
    with pytest.raises(ValueError, match=message):
        call(pairs)
