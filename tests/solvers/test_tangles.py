"""Nodes that coordinate ascent leaves far from their optimum are solved by themselves."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph import DoublyStochasticGraph, L2DegreeGraph, LogDegreeGraph, Newton, Pairs, models
from smoothgraph.search import TiledSearch
from smoothgraph.solvers.coordinate_ascent import ascend, sweeper_of, unsettled
from smoothgraph.solvers.neighborhood import Neighborhood
from smoothgraph.solvers.recorder import Recorder
from smoothgraph.solvers.rough import Rough
from smoothgraph.solvers.tangles import untangle


def uneven(n_nodes, factor, seed=0, n_dimensions=5):
    """Clusters whose widths spread over a factor."""
    rng = np.random.default_rng(seed)
    center, width = 5 * rng.normal(size=(30, n_dimensions)), factor ** rng.uniform(-0.5, 0.5, size=(30, 1))
    place = rng.integers(30, size=n_nodes)
    return center[place] + width[place] * rng.normal(size=(n_nodes, n_dimensions))


def swept(problem):
    u = Neighborhood(problem).lone_multipliers(problem.edge_prior)
    return ascend(problem, sweeper_of(problem), u, 1e-12, Recorder(10_000)).u


@pytest.mark.parametrize("model", [models.log_degree, models.doubly_stochastic])
@given(seed=st.integers(0, 2**32 - 1), log_beta=st.floats(-2, 2))
def test_the_dual_never_falls_and_few_nodes_stay_unsettled(model, seed, log_beta):
    problem = model(Pairs.of(uneven(300, 30.0, seed)), beta=10**log_beta)
    u = swept(problem)
    better = untangle(problem, Neighborhood(problem), u, Recorder(10_000))
    if better is not None:
        assert problem.dual(better) >= problem.dual(u) - 1e-9 * abs(problem.dual(u))
        n_before, n_after = (np.sum(unsettled(problem.evaluate(x), 0.1)) for x in (u, better))
        assert n_after <= max(n_before / 2, 5)


@pytest.mark.parametrize("model", [models.log_degree, models.doubly_stochastic])
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(1, 12))
def test_the_dual_does_not_fall_if_a_tangle_is_cut_short(model, seed, most):
    problem = model(Pairs.of(uneven(150, 30.0, seed)), beta=0.1)
    u = swept(problem)
    better = untangle(problem, Neighborhood(problem), u, Recorder(most))
    if better is not None:
        assert problem.dual(better) >= problem.dual(u) - 1e-9 * abs(problem.dual(u))


@pytest.mark.parametrize("Learner", [LogDegreeGraph, L2DegreeGraph, DoublyStochasticGraph])
@pytest.mark.parametrize("factor", [30.0, 300.0])
def test_uneven_density_is_proved(Learner, factor):
    graph = Learner(6).fit(uneven(6000, factor))
    assert graph.is_exact_
    assert graph.relative_weight_error_ <= 1e-3
    assert graph.edges_per_node_ == pytest.approx(6, rel=0.01)


def knn_pairs(X, k):
    ids, squared = TiledSearch.of(X).exact_nearest(k)
    m = len(X)
    Z = sp.csr_array((squared.ravel(), ids.ravel(), np.arange(0, m * k + 1, k)), shape=(m, m))
    return Pairs.from_distances(Z.maximum(Z.T))


@pytest.mark.parametrize("factor", [1.0, 30.0])
def test_a_rough_solution_has_about_as_many_edges(factor):
    problem = models.log_degree(knn_pairs(uneven(6000, factor), 30), beta=1.0)
    exact = Newton().solve(problem)
    assert exact.converged
    assert Rough(Newton()).solve(problem).n_edges == pytest.approx(exact.n_edges, rel=0.02)
    assert Rough(Newton()).solve(problem, start=exact.u).n_edges == pytest.approx(exact.n_edges, rel=0.005)


def test_a_rough_solution_of_few_nodes_is_that_of_the_solver(rng):
    problem = models.log_degree(Pairs.of(rng.normal(size=(50, 3))), beta=1.0)
    assert Rough(Newton()).solve(problem).gap <= 1e-3
