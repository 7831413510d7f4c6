import numpy as np
import pytest
from helpers import (
    DEGREE_PRIOR_NAMES,
    EDGE_PRIOR_NAMES,
    PAIR_SET_NAMES,
    assert_matches,
    cvxpy_optimum,
    make_degree_prior,
    make_problem,
    permuted,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from sklearn.datasets import load_iris

from paper.draws import Draws, draw
from smoothgraph import Newton, Pairs, PairSet, Problem, Status, distances, models
from smoothgraph.priors import EdgePrior, EntropyEdges, FixedDegrees, LogDegrees, QuadraticEdges
from smoothgraph.support.input_error import InputError

every_problem = pytest.mark.parametrize(
    ("pair_set", "edge_prior", "degree_prior"),
    [(e, f, g) for e in PAIR_SET_NAMES for f in EDGE_PRIOR_NAMES for g in DEGREE_PRIOR_NAMES],
)


@every_problem
@pytest.mark.parametrize("seed", [1, 2])
def test_agrees_with_cvxpy(pair_set, edge_prior, degree_prior, seed):
    problem = make_problem(pair_set, edge_prior, degree_prior, seed)
    solution = Newton(tol=1e-9).solve(problem)
    assert solution.converged
    assert_matches(solution, *cvxpy_optimum(problem))


@every_problem
def test_certificate_and_invariants(pair_set, edge_prior, degree_prior):
    problem = make_problem(pair_set, edge_prior, degree_prior, seed=3)
    solution = Newton(tol=1e-8).solve(problem)
    assert solution.status is Status.CONVERGED
    assert solution.gap <= 1e-8
    np.testing.assert_allclose(problem.gap(solution.w, solution.u), solution.gap, atol=1e-12)
    assert solution.dual <= solution.primal + 1e-7 * abs(solution.primal)
    assert np.all(solution.w >= 0)
    assert np.all(np.isfinite(solution.w))
    if degree_prior == "log":
        assert solution.n_isolated == 0
        assert np.all(solution.degrees > 0)
    if degree_prior == "squared":
        np.testing.assert_allclose(solution.degrees.sum(), problem.degree_prior.total)
    if degree_prior == "fixed":
        np.testing.assert_allclose(solution.degrees, 1, rtol=1e-7)
    if edge_prior == "entropy":
        assert np.all(solution.w > 0)


@every_problem
def test_node_order_does_not_matter(pair_set, edge_prior, degree_prior, rng):
    problem = make_problem(pair_set, edge_prior, degree_prior, seed=4)
    renamed, place = permuted(problem, rng.permutation(problem.pairs.n_nodes))
    ours = Newton(tol=1e-12).solve(problem)
    theirs = Newton(tol=1e-12).solve(renamed)
    np.testing.assert_allclose(theirs.w[place], ours.w, atol=1e-5 * max(1, ours.w.max()))


def test_sparse_graphs_have_exact_zeros():
    solution = Newton().solve(make_problem("all", "quadratic", "log", seed=5))
    assert 0 < solution.n_edges < solution.problem.pairs.n_pairs
    assert solution.n_edges == np.count_nonzero(solution.w) == solution.adjacency.nnz // 2


def images(rng, m=300, n=10):
    """Clusters of very different sizes and densities."""
    centres = rng.normal(size=(8, n)) * 4
    spread = np.geomspace(0.05, 3, 8)
    label = rng.choice(8, size=m, p=np.arange(1, 9) / 36)
    return centres[label] + spread[label, None] * rng.normal(size=(m, n))


def solve_log_degree(z, beta, tol=1e-8, **options):
    m = round((1 + np.sqrt(1 + 8 * len(z))) / 2)
    return Newton(tol=tol, **options).solve(models.log_degree(Pairs(PairSet.all_pairs(m), z), beta=beta))


def assert_certified(solution, tol=1e-8):
    assert solution.converged, solution
    assert solution.problem.gap(solution.w, solution.u) <= tol * (1 + 1e-6)
    assert solution.n_isolated == 0
    assert np.all(solution.w >= 0)


BETAS = [1e3, 10.0, 0.1, 1e-3, 1e-5, 1e-7, 0.0]


@pytest.mark.parametrize("beta", BETAS)
def test_whole_range_of_beta(beta, rng):
    z = pdist(images(rng), "sqeuclidean")
    assert_certified(solve_log_degree(z / z.mean(), beta))


@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_any_scale(beta, scale, rng):
    """Where distances are huge, ``beta |w|^2`` is lost beside the other terms, and single weights cannot be proved."""
    z = pdist(images(rng, m=120), "sqeuclidean")
    assert_certified(solve_log_degree(z / z.mean() * scale, beta, weight_tol=np.inf if scale > 1 else 1e-3))


@pytest.mark.parametrize("beta", [b for b in BETAS if b > 0])
def test_duplicates(beta, rng):
    X = images(rng)
    X[100:160] = X[50]
    X[200:210] = X[220:230]
    z = pdist(X, "sqeuclidean")
    assert_certified(solve_log_degree(z / z.mean(), beta))


@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("mean_over", ["all", "rest"])
def test_outlier_a_million_times_farther(beta, mean_over, rng):
    X = images(rng)
    rest = pdist(X, "sqeuclidean").mean()
    X[0] += 1e6 * np.sqrt(rest / X.shape[1])
    z = pdist(X, "sqeuclidean")
    assert_certified(solve_log_degree(z / (z.mean() if mean_over == "all" else rest), beta))


@pytest.mark.parametrize("beta", BETAS)
def test_all_distances_equal(beta):
    solution = solve_log_degree(np.ones(100 * 99 // 2), beta)
    assert_certified(solution)
    if beta > 0:
        np.testing.assert_allclose(solution.w, solution.w[0], rtol=1e-3)


@pytest.mark.parametrize("beta", [b for b in BETAS if b > 0])
def test_all_distances_zero(beta):
    """Then alpha / d = 2 beta w on every edge: w = sqrt(alpha / (2 beta (m - 1)) * 2)."""
    m = 100
    solution = solve_log_degree(np.zeros(m * (m - 1) // 2), beta)
    assert_certified(solution)
    np.testing.assert_allclose(solution.w, np.sqrt(1 / (beta * (m - 1))), rtol=1e-3)


def test_usps_over_the_whole_range(usps_1001):
    z = distances(usps_1001)
    for beta in BETAS:
        assert_certified(solve_log_degree(z / z.mean(), beta))


def usps_with(change, X):
    X = X.copy()
    if change == "an outlier":
        X[0] += 1e6 * np.sqrt(pdist(X[1:], "sqeuclidean").mean() / X.shape[1])
    if change == "duplicates":
        X[100:150] = X[50]
    z = distances(X)
    scale = {"tiny": 1e-12, "huge": 1e12}.get(change, 1.0)
    return scale * z / z[1000:].mean()  # the pairs without node 0


@pytest.mark.parametrize("change", ["an outlier", "duplicates", "tiny", "huge"])
def test_usps_with_every_difficulty(change, usps_1001):
    z = usps_with(change, usps_1001)
    for beta in BETAS:
        if beta > 0 or change != "duplicates":
            # Huge distances leave nothing of beta |w|^2, which alone proves single weights.
            assert_certified(solve_log_degree(z, beta, weight_tol=np.inf if change == "huge" else 1e-3))


def test_beta_zero_is_the_sparsest_graph(rng):
    """The paper's limit: a linear program on the edges, with no node left alone."""
    z = pdist(rng.normal(size=(30, 3)), "sqeuclidean")
    limit, denser = solve_log_degree(z, 0.0, tol=1e-11), solve_log_degree(z, 0.1)
    assert limit.n_edges < denser.n_edges
    assert limit.n_edges <= 30  # a vertex of a polytope with as many equations as nodes
    assert limit.n_isolated == 0
    assert_matches(limit, *cvxpy_optimum(limit.problem, tol=1e-10))


def test_beta_zero_with_coincident_points_is_refused():
    with pytest.raises(ValueError, match="two nodes coincide"):
        models.log_degree(Pairs(PairSet.all_pairs(3), [0.0, 1.0, 1.0]), beta=0.0)


def test_working_set_finds_the_edges_it_left_out(rng):
    """Dense clusters need far more edges per node than the first guess looks at."""
    X = images(rng, m=600)
    X[:150] = X[0] + 1e-3 * rng.normal(size=(150, X.shape[1]))
    z = pdist(X, "sqeuclidean")
    solution = solve_log_degree(z, beta=1.0, tol=1e-9)
    edges = solution.problem.pairs.pattern
    left_out = solution.w == 0
    v = edges.pair_sums(solution.u) - 2 * z
    assert np.all(v[left_out] <= 1e-9 * z.max())
    assert np.count_nonzero(solution.w[(edges.rows < 150) & (edges.cols < 150)]) == 150 * 149 // 2


def test_one_pair_set_larger_than_the_working_set(rng):
    """All pairs and the same pairs as an explicit mask give the same graph."""
    z = pdist(images(rng, m=200), "sqeuclidean")
    edges = PairSet.from_mask(np.ones((200, 200)))
    masked = Newton(tol=1e-10).solve(models.log_degree(Pairs(edges, z), beta=2.0))
    np.testing.assert_allclose(masked.w, solve_log_degree(z, 2.0, 1e-10).w, atol=1e-9)


def test_warm_start_reaches_the_same_graph(rng):
    """The objective is strongly convex: beta |w - w*|^2 is at most the gap."""
    z = pdist(images(rng), "sqeuclidean")
    edges, tol = PairSet.all_pairs(300), 1e-12
    cold = Newton(tol=tol).solve(models.log_degree(Pairs(edges, z), beta=1.0))
    near = Newton(tol=tol).solve(models.log_degree(Pairs(edges, z), beta=1.1))
    warm = Newton(tol=tol).solve(models.log_degree(Pairs(edges, z), beta=1.0), start=near.u)
    absolute_gap = 2 * tol * 300
    assert np.linalg.norm(warm.w - cold.w) <= 2 * np.sqrt(absolute_gap)
    again = Newton(tol=1e-9).solve(models.log_degree(Pairs(edges, z), beta=1.0), start=cold.u)
    assert again.history[0].gap <= 1e-9  # nothing was left to do


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_a_useless_start_does_no_harm(beta, rng):
    z = pdist(images(rng, m=60), "sqeuclidean")
    problem = models.log_degree(Pairs(PairSet.all_pairs(60), z), beta=beta)
    for start in (np.full(60, 1e-9), np.full(60, 1e9), -np.ones(60)):
        assert_certified(Newton(tol=1e-8).solve(problem, start=start))


def test_bad_start_is_refused():
    problem = models.log_degree(Pairs(PairSet.all_pairs(3), np.ones(3)))
    with pytest.raises(ValueError, match=r"one finite multiplier per node, \(3,\)"):
        Newton().solve(problem, start=np.ones(4))


def star(m):
    return PairSet.from_pairs(np.zeros(m - 1, int), np.arange(1, m), m)


def bipartite(a, b):
    i, j = np.meshgrid(np.arange(a), a + np.arange(b), indexing="ij")
    return PairSet.from_pairs(i.ravel(), j.ravel(), a + b)


@pytest.mark.parametrize("edges", [star(5), star(60), bipartite(2, 3), bipartite(30, 31)])
@pytest.mark.parametrize("parameters", [{"beta": 1.0}, {"beta": 1e-3}, {"sigma": 1.0}])
def test_degrees_that_no_weights_have_are_called_infeasible(edges, parameters, rng):
    z = rng.random(edges.n_pairs)
    solution = Newton().solve(models.doubly_stochastic(Pairs(edges, z), **parameters))
    assert solution.status is Status.INFEASIBLE
    assert "no weights" in solution.status.value


def test_infeasible_on_the_working_set_is_not_infeasible(rng):
    """One far node must take weight from all others: hopeless among its nearest edges."""
    m = 200
    edges = PairSet.all_pairs(m)
    degree = np.ones(m)
    degree[0] = 150.0
    problem = Problem(
        Pairs(edges, rng.random(edges.n_pairs)), edge_prior=QuadraticEdges(0.01), degree_prior=FixedDegrees(degree)
    )
    solution = Newton(tol=1e-8, weight_tol=np.inf).solve(problem)
    assert solution.converged
    np.testing.assert_allclose(solution.degrees, degree, rtol=1e-6)
    impossible = Problem(
        Pairs(edges, problem.pairs.z),
        edge_prior=QuadraticEdges(0.01),
        degree_prior=FixedDegrees(np.where(np.arange(m) == 0, 200.0, 1.0)),
    )
    assert Newton().solve(impossible).status is Status.INFEASIBLE


@pytest.mark.parametrize("far", [10.0, 1e4])
def test_far_pairs_are_used_if_degrees_need_them(far, rng):
    """The nearest of 30 nodes are six others, which cannot give a degree of 1 to all of them."""
    edges = PairSet.all_pairs(36)
    z = np.where((edges.rows < 6) & (edges.cols >= 6), 1.0, far) * rng.uniform(0.5, 1, edges.n_pairs)
    solution = Newton(tol=1e-8).solve(models.doubly_stochastic(Pairs(edges, z), beta=0.1))
    assert solution.converged
    np.testing.assert_allclose(solution.degrees, 1, rtol=1e-6)


@pytest.mark.parametrize("edges", [bipartite(3, 3), bipartite(20, 20), star(2)])
def test_singular_bipartite_systems_are_solved(edges, rng):
    z = rng.random(edges.n_pairs)
    for beta in (1.0, 1e-3):
        solution = Newton(tol=1e-8).solve(models.doubly_stochastic(Pairs(edges, z), beta=beta))
        assert solution.converged
        assert_matches(solution, *cvxpy_optimum(solution.problem))


@pytest.mark.parametrize("sigma", [1.0, 0.1, 0.02])
def test_dense_doubly_stochastic_graphs_of_any_temperature(sigma, rng):
    z = distances(rng.normal(size=(100, 4)))
    problem = models.doubly_stochastic(Pairs(PairSet.all_pairs(100), z), sigma=sigma)
    solution = Newton(tol=1e-7).solve(problem)
    assert solution.converged
    np.testing.assert_allclose(solution.degrees, 1, rtol=1e-6)


@pytest.mark.parametrize("degree_prior", DEGREE_PRIOR_NAMES)
def test_weights_that_never_vanish_are_those_of_all_pairs(degree_prior, rng):
    """Far more pairs than a sparse graph would be computed with."""
    pairs = Pairs.of(rng.normal(size=(60, 3)))
    prior = make_degree_prior(degree_prior, 60, rng)
    problem = Problem(pairs, edge_prior=EntropyEdges(1.0), degree_prior=prior)
    solution = Newton(tol=1e-9).solve(problem)
    assert solution.converged
    assert solution.n_edges == pairs.n_pairs
    assert problem.gap(solution.w, solution.u) <= 1e-9


@pytest.mark.parametrize("beta", [1.0, 1e-2, 1e-4, 1e-8])
@pytest.mark.parametrize("n_nodes", [149, 150])
def test_sparse_doubly_stochastic_graphs_down_to_a_matching(beta, n_nodes):
    """Nodes that lose all their edges on the way to a small beta find one again."""
    z = distances(load_iris().data[:n_nodes])
    problem = models.doubly_stochastic(Pairs(PairSet.all_pairs(n_nodes), z), beta=beta)
    solution = Newton(tol=1e-6).solve(problem)
    assert solution.converged
    np.testing.assert_allclose(solution.degrees, 1, rtol=1e-5)


def test_two_nodes():
    """One edge: 2 z + 2 beta w = 2 alpha / w."""
    solution = Newton(tol=1e-12).solve(models.log_degree(Pairs(PairSet.all_pairs(2), [3.0]), alpha=2.0, beta=0.5))
    w = solution.w[0]
    np.testing.assert_allclose(2 * 3.0 + 2 * 0.5 * w, 2 * 2.0 / w, rtol=1e-6)


def test_max_iter_is_said():
    problem = make_problem("all", "quadratic", "log", seed=6)
    solution = Newton(tol=1e-12, max_iter=1).solve(problem)
    assert solution.status is Status.MAX_ITER
    assert not solution.converged
    assert solution.n_iter == 1
    assert solution.gap > 1e-12


def test_history_ends_with_the_gap_of_the_solution():
    solution = Newton(tol=1e-9).solve(make_problem("all", "quadratic", "log", seed=7))
    last = solution.history[-1]
    assert last.gap == solution.gap
    assert last.iteration == solution.n_iter
    seconds = [step.seconds for step in solution.history]
    assert seconds == sorted(seconds)


@pytest.mark.parametrize("bad", [{"tol": 0}, {"tol": np.nan}, {"max_iter": 0}])
def test_bad_settings_are_refused(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        Newton(**bad)


class CappedEdges(EdgePrior):
    """f(w) = 0 for 0 <= w <= 1, infinite beyond: its conjugate max(v, 0) has a corner."""

    smooth_conjugate = False

    def value(self, w):
        return np.inf if np.any(w > 1) else 0.0

    def conjugate(self, v):
        return float(np.sum(np.maximum(v, 0)))

    def maximizer(self, v):
        return (v > 0).astype(float)

    def curvature(self, v):
        return np.zeros_like(v)


def test_a_prior_without_a_smooth_conjugate_is_refused_by_name():
    problem = Problem(Pairs(PairSet.all_pairs(4), np.ones(6)), edge_prior=CappedEdges(), degree_prior=LogDegrees(1.0))
    with pytest.raises(InputError, match=r"Newton needs a smooth conjugate, which .*CappedEdges"):
        Newton().solve(problem)


@given(st.integers(2, 14), st.integers(0, 2**32 - 1), st.floats(-6, 3), st.floats(-3, 3), st.sampled_from([0.0, 0.5]))
def test_random_instances_are_certified(m, seed, log_beta, log_alpha, share_of_ties):
    rng = np.random.default_rng(seed)
    z = rng.exponential(size=m * (m - 1) // 2)
    z = np.where(rng.random(len(z)) < share_of_ties, np.round(z), z)
    problem = models.log_degree(Pairs(PairSet.all_pairs(m), z), alpha=10.0**log_alpha, beta=10.0**log_beta)
    assert_certified(Newton(tol=1e-8).solve(problem))


def test_nodes_that_stay_alone_get_no_edge_from_rounding(rng):
    """The l2 model leaves far nodes isolated: truly, not with weights of 1e-16."""
    X = images(rng)
    z = distances(X)
    for alpha in (0.05, 0.1, 0.2, 0.5):
        solution = Newton(tol=1e-6).solve(models.l2_degree(Pairs(PairSet.all_pairs(300), z), alpha=alpha))
        assert solution.n_isolated > 0
        assert solution.weights.min() > 1e-9 * solution.weights.max()


def test_a_far_node_is_joined_though_its_neighbours_draw_back():
    """Its first edge recedes as the neighbour's multiplier falls: steps just short of it add up."""
    piece = {"graph": "random geometric", "signal": "heat", "repetition": 4}
    _, X = draw(Draws(n_signals=1000), piece)
    z = distances(X)
    problem = models.log_degree(Pairs(PairSet.all_pairs(len(X)), z / z.mean()), beta=1 / 64)
    solution = Newton(tol=1e-8).solve(problem)
    assert solution.converged
    assert solution.n_isolated == 0


def at_every_scale(m, seed, decades):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(m, 3)) * 10 ** rng.uniform(-decades / 2, decades / 2, size=(m, 1))


@pytest.mark.parametrize("degree_prior", [LogDegrees(1.0), FixedDegrees(1.0)])
@pytest.mark.parametrize("seed", range(4))
def test_no_node_is_alone_wherever_newton_stops(degree_prior, seed):
    """Also a node that wants a larger degree than all of its neighbors, or the same."""
    pairs = Pairs.of(at_every_scale(30, seed, decades=8))
    problem = Problem(pairs, edge_prior=QuadraticEdges(0.01), degree_prior=degree_prior)
    for max_iter in (1, 2, 5, 10, 20, 40, 60, 80):
        solution = Newton(1e-12, max_iter).solve(problem)
        assert solution.n_isolated == 0
        assert np.isfinite(solution.gap)


@pytest.mark.parametrize("scale", [100.0, 1000.0])
def test_no_node_is_alone_though_all_its_weights_vanish(scale, rng):
    """Those of a far node are exponentials of its distances, too small for a number; no step changes them."""
    X = rng.normal(size=(20, 3))
    X[0] *= scale
    problem = Problem(Pairs.of(X), edge_prior=EntropyEdges(1.0), degree_prior=LogDegrees(1.0))
    solution = Newton(tol=1e-8).solve(problem)
    assert solution.n_isolated == 0
    assert np.isfinite(solution.gap)
    assert solution.status is not Status.MAX_ITER  # more steps would not help


@pytest.mark.parametrize("seed", [0, 3, 4])
def test_degrees_are_met_by_nodes_at_every_scale(seed):
    """Nodes that lose all edges on the way go just far enough to find one again."""
    rng = np.random.default_rng(seed)
    degree = rng.uniform(0.5, 1.5, size=30)
    problem = models.doubly_stochastic(Pairs.of(at_every_scale(30, seed, decades=6)), beta=1e-6, degree=degree)
    solution = Newton(tol=1e-8, weight_tol=np.inf).solve(problem)
    assert solution.converged
    np.testing.assert_allclose(solution.degrees, degree, rtol=1e-6)


def test_a_node_beside_much_farther_ones_finds_its_first_edge():
    """Its multiplier is so large that the step to that edge is lost in rounding."""
    rng = np.random.default_rng(51)
    m = int(rng.integers(6, 30))
    X = rng.normal(size=(m, 3)) * 10 ** rng.uniform(-6, 6, size=(m, 1))
    edges = PairSet.from_mask((rng.random((m, m)) < 0.3) | np.eye(m, k=1, dtype=bool))
    solution = Newton(tol=1e-8).solve(models.log_degree(Pairs.of(X, edges), beta=1e-3))
    assert solution.converged
    assert solution.n_isolated == 0


def test_no_weight_is_negative_though_a_degree_is_wanted_to_be():
    """Of a node about to be left alone l2-degree wants, within rounding, less than nothing."""
    piece = {"graph": "Barabási-Albert", "signal": "generative", "repetition": 4}
    _, X = draw(Draws(n_signals=1000), piece)
    X = X / np.sqrt(distances(X).mean())
    problem = models.l2_degree(Pairs(PairSet.all_pairs(len(X)), distances(X)), alpha=0.03716272234383503)
    solution = Newton(tol=1e-6).solve(problem)
    assert solution.converged
    assert solution.weights.min() > 0
