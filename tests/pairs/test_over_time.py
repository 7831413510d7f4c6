import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from time_varying_oracles import cvxpy_graphs, objective, swept_graphs

from benchmarks.reference import summation
from smoothgraph import DensityWarning, Newton, Pairs, PairSet, Problem, Status, models
from smoothgraph.density import search_density
from smoothgraph.pairs.over_time import PairsOverTime
from smoothgraph.priors import FixedDegrees, SquaredDegrees
from smoothgraph.priors.coupled_edges import COUPLINGS, SmoothOverTime

both = pytest.mark.parametrize("coupling", ["l2", "l1"])


def make_z(rng, m=7, n_windows=5):
    """Points that wander, seen in every window anew."""
    places = rng.normal(size=(m, 3)) + 0.4 * np.cumsum(rng.normal(size=(n_windows, m, 3)), axis=0)
    return np.array([pdist(place, "sqeuclidean") for place in places])


def strength_of(coupling, alpha, beta, gamma):
    return gamma * (beta if coupling == "l2" else np.sqrt(alpha * beta))


def time_varying(z, pattern=None, **options):
    """The problem over the windows of ``z``, on all pairs unless a pattern is given."""
    pairs = PairsOverTime.over_windows(all_pairs_of(z) if pattern is None else pattern, z)
    return models.time_varying(pairs, n_windows=len(z), **options)


def solve(z, tol=1e-9, pattern=None, **options):
    solution = Newton(tol=tol).solve(time_varying(z, pattern, **options))
    assert solution.converged, solution
    return solution


def all_pairs_of(z):
    return PairSet.all_pairs(round((1 + np.sqrt(1 + 8 * z.shape[1])) / 2))


@both
@pytest.mark.parametrize("gamma", [0.05, 1.0, 20.0])
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 1.0), (3.0, 0.05)])
def test_agrees_with_cvxpy(coupling, gamma, alpha, beta, rng):
    z = make_z(rng)
    solution = solve(z, alpha=alpha, beta=beta, gamma=gamma, coupling=coupling)
    options = {"alpha": alpha, "beta": beta, "coupling": coupling}
    options["strength"] = strength_of(coupling, alpha, beta, gamma)
    value, w = cvxpy_graphs(all_pairs_of(z), z, **options)
    np.testing.assert_allclose(solution.primal, value, rtol=1e-6)
    ours = solution.w.reshape(z.shape)
    np.testing.assert_allclose(objective(all_pairs_of(z), z, ours, **options), value, rtol=1e-6)
    np.testing.assert_allclose(ours, w, atol=2e-4 * w.max())


@both
def test_agrees_with_cvxpy_on_a_mask(coupling, rng):
    z = make_z(rng, m=8, n_windows=4)
    every = PairSet.all_pairs(8)
    ids = np.flatnonzero((every.cols - every.rows == 1) | (rng.random(28) < 0.3))
    pattern = every.select(ids)
    solution = solve(z[:, ids], pattern=pattern, coupling=coupling)
    value, _ = cvxpy_graphs(pattern, z[:, ids], alpha=1.0, beta=1.0, strength=1.0, coupling=coupling)
    np.testing.assert_allclose(solution.primal, value, rtol=1e-6)


@both
@pytest.mark.parametrize(
    "degree_prior",
    [SquaredDegrees(0.7, 35.0), FixedDegrees(1.0), FixedDegrees(np.linspace(0.8, 1.2, 35))],
    ids=["total", "same degree", "a degree each"],
)
def test_agrees_with_cvxpy_for_other_degree_priors(coupling, degree_prior, rng):
    z = make_z(rng)
    pairs = PairsOverTime.over_windows(all_pairs_of(z), z)
    edge_prior = COUPLINGS[coupling](0.8, 0.5, len(z))
    solution = Newton(tol=1e-9).solve(Problem(pairs, edge_prior=edge_prior, degree_prior=degree_prior))
    assert solution.converged
    value, w = cvxpy_graphs(all_pairs_of(z), z, beta=0.8, strength=0.5, coupling=coupling, degree_prior=degree_prior)
    np.testing.assert_allclose(solution.primal, value, rtol=1e-6)
    np.testing.assert_allclose(solution.w.reshape(z.shape), w, atol=2e-4 * w.max())


@pytest.mark.parametrize("gamma", [0.3, 2.0])
def test_agrees_with_sweeps_over_the_windows(gamma, rng):
    """The fixed point of the original algorithm is the joint optimum."""
    z = make_z(rng)
    w = swept_graphs(all_pairs_of(z), z, alpha=1.0, beta=0.5, strength=0.5 * gamma)
    ours = solve(z, tol=1e-12, beta=0.5, gamma=gamma).w.reshape(z.shape)
    np.testing.assert_allclose(ours, w, atol=1e-5)


@both
def test_the_gap_bounds_what_is_missing(coupling, rng):
    """Weak duality, from the formulas: no dual value is above, no primal value below."""
    z = make_z(rng, m=6, n_windows=4)
    problem = time_varying(z, gamma=0.5, coupling=coupling)
    options = {"alpha": 1.0, "beta": 1.0, "strength": 0.5, "coupling": coupling}
    value, _ = cvxpy_graphs(all_pairs_of(z), z, **options)
    for _ in range(20):
        u, w = rng.uniform(0.1, 3, 24), rng.exponential(size=z.size)
        assert problem.dual(u) <= value + 1e-7
        primal = objective(all_pairs_of(z), z, w.reshape(z.shape), **options)
        np.testing.assert_allclose(problem.primal(w), primal)
        scale = abs(u @ np.ravel((summation(all_pairs_of(z)) @ w.reshape(z.shape).T).T))
        scale += abs(problem.edge_prior.conjugate(problem.pairs.pattern.pair_sums(u) - 2 * problem.pairs.z))
        np.testing.assert_allclose(problem.gap(w, u), (primal - problem.dual(u)) / scale)


@both
@pytest.mark.parametrize("gamma", [0.0, 0.1, 5.0])
def test_curvature_is_the_derivative_of_the_gradient(coupling, gamma, rng):
    z = make_z(rng)
    problem = time_varying(z, beta=0.5, gamma=gamma, coupling=coupling)
    u, h = solve(z, beta=0.5, gamma=gamma, coupling=coupling).u * rng.uniform(0.9, 1.3, 35), 1e-6
    hessian = problem.evaluate(u).curvature()
    numerical = np.column_stack(
        [(problem.evaluate(u - h * e).gradient - problem.evaluate(u + h * e).gradient) / (2 * h) for e in np.eye(35)]
    )
    by_products = np.column_stack([hessian @ e for e in np.eye(35)])
    np.testing.assert_allclose(by_products, numerical, atol=1e-6 * np.abs(numerical).max())
    np.testing.assert_allclose(hessian.sparse_part().toarray(), by_products, atol=1e-12)
    np.testing.assert_allclose(hessian.jacobi, np.diagonal(by_products), rtol=1e-9)


@both
def test_without_coupling_windows_are_solved_apart(coupling, rng):
    z = make_z(rng, m=20, n_windows=4)
    w = solve(z, tol=1e-11, beta=0.7, gamma=0.0, coupling=coupling).w.reshape(z.shape)
    for row, weights in zip(z, w, strict=True):
        alone = Newton(tol=1e-11).solve(models.log_degree(Pairs(all_pairs_of(z), row), beta=0.7))
        np.testing.assert_allclose(weights, alone.w, atol=1e-5)


@both
@pytest.mark.parametrize("gamma", [1e6, 1e9])
def test_strong_coupling_gives_the_graph_of_the_mean_distances(coupling, gamma, rng):
    z = make_z(rng, m=20, n_windows=4)
    w = solve(z, tol=1e-11, gamma=gamma, coupling=coupling).w.reshape(z.shape)
    pooled = Newton(tol=1e-11).solve(models.log_degree(Pairs(all_pairs_of(z), z.mean(axis=0))))
    np.testing.assert_allclose(w, np.tile(pooled.w, (4, 1)), atol=1e-5)


@both
def test_one_window_is_one_graph(coupling, rng):
    z = make_z(rng, m=20, n_windows=1)
    alone = Newton(tol=1e-11).solve(models.log_degree(Pairs(all_pairs_of(z), z[0])))
    np.testing.assert_allclose(solve(z, tol=1e-11, coupling=coupling).w, alone.w, atol=1e-5)


@both
def test_time_runs_either_way(coupling, rng):
    z = make_z(rng, m=12)
    there = solve(z, tol=1e-12, coupling=coupling).w.reshape(z.shape)
    back = solve(z[::-1], tol=1e-12, coupling=coupling).w.reshape(z.shape)
    np.testing.assert_allclose(back[::-1], there, atol=1e-5)


@both
@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_scales_like_one_graph(coupling, factor, rng):
    """``F(c Z, alpha, c^2 beta, gamma) = F(Z, alpha, beta, gamma) / c``."""
    z = make_z(rng, m=12)
    w = solve(z, tol=1e-11, beta=0.2, coupling=coupling).w
    scaled = solve(factor * z, tol=1e-11, beta=0.2 * factor**2, coupling=coupling).w
    np.testing.assert_allclose(factor * scaled, w, atol=1e-5)


@both
def test_alpha_and_beta_are_one_parameter(coupling, rng):
    """Proposition 2 with a third parameter: ``delta F(theta Z, 1, 1, gamma)``."""
    z, alpha, beta = make_z(rng, m=12), 3.0, 0.2
    w = solve(z, tol=1e-12, alpha=alpha, beta=beta, gamma=0.7, coupling=coupling).w
    unit = solve(z / np.sqrt(alpha * beta), tol=1e-12, gamma=0.7, coupling=coupling).w
    np.testing.assert_allclose(w, np.sqrt(alpha / beta) * unit, atol=1e-5)


@both
def test_pairs_left_out_at_first_are_found(coupling, rng):
    """From multipliers too small, at which many pairs of dense graphs look useless."""
    z = make_z(rng, m=40, n_windows=3)
    problem = time_varying(z, beta=1e3, gamma=0.1, coupling=coupling)
    solution = Newton(tol=1e-9).solve(problem)
    again = Newton(tol=1e-9).solve(problem, start=0.7 * solution.u)
    for found in (solution, again):
        assert found.converged
        assert problem.gap(found.w, found.u) <= 1e-9 * (1 + 1e-6)
    np.testing.assert_allclose(again.w, solution.w, atol=1e-4 * solution.w.max())


@both
@pytest.mark.parametrize("data", ["equal", "zero", "duplicates", "two nodes"])
def test_degenerate_distances_are_certified(coupling, data, rng):
    z = make_z(rng, m=15, n_windows=4)
    if data == "equal":
        z[:] = 1.0
    elif data == "zero":
        z[:] = 0.0
    elif data == "duplicates":
        z[:, :40] = 0.0
    else:
        z = rng.random((4, 1))
    w = solve(z, tol=1e-8, coupling=coupling).w.reshape(z.shape)
    if data in ("equal", "zero"):
        np.testing.assert_allclose(w, w[0, 0], rtol=1e-3)
    assert np.all(w >= 0)


@settings(max_examples=40)
@given(
    st.integers(2, 7),
    st.integers(1, 6),
    st.integers(0, 2**32 - 1),
    st.floats(-4, 3),
    st.floats(-3, 5),
    st.sampled_from(["l2", "l1"]),
    st.sampled_from([0.0, 0.5]),
)
def test_random_instances_are_certified(m, n_windows, seed, log_beta, log_gamma, coupling, ties):
    rng = np.random.default_rng(seed)
    z = rng.exponential(size=(n_windows, m * (m - 1) // 2))
    z = np.where(rng.random(z.shape) < ties, np.round(z), z)
    options = {"beta": 10.0**log_beta, "gamma": 10.0**log_gamma, "coupling": coupling}
    solution = Newton(tol=1e-7).solve(time_varying(z, **options))
    assert solution.converged, solution
    assert solution.problem.gap(solution.w, solution.u) <= 1e-7 * (1 + 1e-6)
    assert solution.n_isolated == 0


@both
@pytest.mark.parametrize("gamma", [0.0, 1.0, 30.0])
def test_density_is_met_on_average(coupling, gamma, rng):
    z = make_z(rng, m=40, n_windows=6)
    pairs = PairsOverTime.over_windows(all_pairs_of(z), z)
    family = models.TimeVarying(len(z), gamma, coupling)
    solution, p, warning = search_density(family, pairs, 5)
    theta = family.report(p)
    assert warning is None
    assert abs(solution.edges_per_node - 5) <= 0.05
    again = solve(theta * z, gamma=gamma, coupling=coupling)
    np.testing.assert_allclose(solution.w, again.w, atol=1e-3 * again.w.max())
    assert solution.problem.gap(solution.w, solution.u) <= 1e-9 * (1 + 1e-6)


def test_a_density_that_no_graphs_have_is_warned_of():
    with pytest.warns(DensityWarning, match="No graph with 2 edges per node"):
        time_varying(np.ones((3, 15)), edges_per_node=2)


def test_a_useless_start_does_no_harm(rng):
    z = make_z(rng)
    problem = time_varying(z)
    for start in (np.full(35, 1e-9), np.full(35, 1e9)):
        assert Newton(tol=1e-8).solve(problem, start=start).converged


def test_max_iter_is_said(rng):
    z = make_z(rng, m=30)
    problem = time_varying(z, gamma=3.0)
    solution = Newton(tol=1e-12, max_iter=1).solve(problem)
    assert solution.status is Status.MAX_ITER
    np.testing.assert_allclose(problem.gap(solution.w, solution.u), solution.gap)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"coupling": "l3"}, "coupling must be 'l2' or 'l1', got 'l3'"),
        ({"gamma": -1.0}, "gamma"),
        ({"beta": 0.0}, "beta"),
        ({"alpha": 0.0}, "alpha"),
    ],
)
def test_bad_parameters_are_refused(bad, message, rng):
    z = make_z(rng)
    with pytest.raises(ValueError, match=message):
        time_varying(z, **bad)


def test_parts_keep_a_pair_in_all_windows(rng):
    """Its weights over time depend on each other, though it may be near in one window only."""
    z = make_z(rng, m=12, n_windows=4)
    pattern, prior = all_pairs_of(z), SmoothOverTime(1.0, 1.0, 4)
    pairs = PairsOverTime.over_windows(pattern, z)
    u, nothing = rng.uniform(0, 2, 48), np.full(48, -np.inf)
    in_windows = u.reshape(4, 12)
    below = 2 * z < in_windows[:, pattern.rows] + in_windows[:, pattern.cols]
    kept = np.flatnonzero(below.any(axis=0))
    assert 0 < len(kept) < pattern.n_pairs
    part = pairs.select(prior, u, nothing)
    assert part.n_windows == 4
    np.testing.assert_array_equal(part.z.reshape(4, -1), z[:, kept])
    np.testing.assert_array_equal(part.once.rows, pattern.rows[kept])
    assert pairs.count_below(prior, u) == part.count_below(prior, u) == len(kept)
    w = rng.random(4 * len(kept))
    everywhere = pairs.expand(part, w).reshape(z.shape)
    np.testing.assert_array_equal(everywhere[:, kept], w.reshape(4, -1))
    assert np.count_nonzero(everywhere) == len(w)
    again = part.select(prior, 0.7 * u, nothing)
    np.testing.assert_array_equal(again.z, pairs.z[again.ids])
    inner = rng.random(again.n_pairs)
    np.testing.assert_array_equal(pairs.expand(part, part.expand(again, inner)), pairs.expand(again, inner))


def test_weights_of_all_windows_are_kept(rng):
    z = make_z(rng, m=20, n_windows=3)
    solution = solve(z, beta=0.05, gamma=0.1)
    assert solution.n_edges == np.count_nonzero(solution.w) < z.size
    assert solution.edges_per_node == 2 * solution.n_edges / 60
    blocks = [all_pairs_of(z).adjacency(row).toarray() for row in solution.w.reshape(z.shape)]
    for t, block in enumerate(blocks):
        window = slice(20 * t, 20 * t + 20)
        np.testing.assert_array_equal(solution.adjacency.toarray()[window, window], block)
