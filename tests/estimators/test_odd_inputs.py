"""Inputs that fuzzing found: each must end with an error for the user, or with a graph."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import KNeighborsTransformer

import smoothgraph as sg
from smoothgraph.methods import CombinatorialLaplacianGraph, KNeighborsGraph, LakeTenenbaumGraph, SigRepGraph
from smoothgraph.support.input_error import InputError
from smoothgraph.tasks import tikhonov_denoise

HUGE = 10**400  # an integer that no float can hold
X = np.random.default_rng(0).normal(size=(8, 3))


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (sg.LogDegreeGraph(beta=HUGE), "beta must be a finite number"),
        (sg.L2DegreeGraph(total_weight=HUGE), "total_weight must be a finite number"),
        (sg.DoublyStochasticGraph(degree=HUGE), "degree must be a finite number > 0"),
        (sg.LogDegreeGraph(HUGE, neighbors="approximate"), "edges_per_node must be a finite number"),
        (sg.SmoothGraph("Auto"), "edges_per_node must be a number, or 'auto'"),
        (sg.LogDegreeGraph(2j, neighbors="approximate"), "edges_per_node must be a finite number"),
        (sg.GaussianGraph(sigma=1e300), "whose square is finite"),
        (sg.DoublyStochasticGraph(sigma=1e-300), "whose square is finite"),
        (KNeighborsGraph(weights="gaussian", sigma=1e300), "whose square is finite"),
        (CombinatorialLaplacianGraph(l1=1e300), "l1 must be at most"),
        (LakeTenenbaumGraph(l1=1e300), "l1 must be at most"),
        (sg.JointGraph("x"), "needs a graph learner"),
        (sg.JointGraph(max_iter=1.5), "max_iter must be an integer"),
        (sg.LogDegreeGraph(neighbors=KNeighborsTransformer(n_neighbors=20)), "n_neighbors"),
    ],
)
def test_a_parameter_out_of_range_is_an_input_error(learner, message):
    with pytest.raises(InputError, match=message):
        learner.fit(X)


@pytest.mark.parametrize("densities", [[np.array([1.0, 2.0])], [1, "2"], [HUGE], [-1.0]])
def test_densities_are_positive_numbers(densities):
    with pytest.raises(InputError, match="densities must be a finite number"):
        sg.density_path(X, densities)


@pytest.mark.parametrize("learner", [sg.GaussianGraph(), "x"])
def test_a_density_path_needs_a_learner_with_a_density(learner):
    with pytest.raises(InputError, match="needs a learner with edges_per_node"):
        sg.density_path(X, [2], learner=learner)


def test_edge_stability_needs_a_learner():
    with pytest.raises(InputError, match="needs a graph learner"):
        sg.edge_stability(X, "x")


@pytest.mark.parametrize("data", [X * 1e300, sp.csr_array(X * 1e200)])
def test_a_search_refuses_numbers_whose_distances_are_not_finite(data):
    with pytest.raises(InputError, match="rescale X"):
        sg.LogDegreeGraph(2, neighbors="approximate").fit(data)


def test_new_nodes_cannot_join_without_curvature_but_fitted_ones_stand_for_themselves():
    graph = sg.LogDegreeGraph(beta=0).fit(X)
    assert (graph.transform(X) != graph.adjacency_).nnz == 0
    with pytest.raises(InputError, match="fit with beta > 0"):
        graph.transform(X + 1.0)


def test_a_solver_that_finds_no_edges_does_not_lead_the_search_astray():
    graph = sg.LogDegreeGraph(3.5, metric="precomputed", solver=sg.PrimalDual(max_iter=100))
    Z = np.sum((X[:, None] - X) ** 2, axis=-1) * 100
    with pytest.warns(ConvergenceWarning), pytest.warns(sg.DensityWarning):
        graph.fit(Z)
    assert np.all(np.isfinite(graph.adjacency_.data))


@pytest.mark.parametrize("scale", [1e-116, 1e-135])
@pytest.mark.filterwarnings("ignore")  # of what double precision allows
def test_nodes_that_almost_coincide_beside_one_far_away_have_a_graph(scale):
    data = scale * X[:, :1]
    data[1] = 2.0
    for learner in (sg.L2DegreeGraph(3), SigRepGraph(3)):
        weights = learner.fit(data).adjacency_.data
        assert np.all(np.isfinite(weights))


@pytest.mark.parametrize("scale", [1e10, 1e22, 1e60])
def test_weights_are_numbers_even_where_no_multipliers_give_the_degrees(scale):
    with pytest.warns(ConvergenceWarning):
        graph = sg.DoublyStochasticGraph(sigma=1.0).fit(scale * X)
    assert np.all(np.isfinite(graph.adjacency_.data))
    assert np.all(np.isfinite(graph.dual_))
    assert not graph.is_exact_


@pytest.mark.parametrize("strength", [1e18, 1e300])
def test_smoothing_without_end_leaves_the_mean_of_each_component(strength):
    W = np.zeros((5, 5))
    W[0, 1] = W[1, 0] = W[1, 2] = W[2, 1] = 0.7
    W[3, 4] = W[4, 3] = 0.3
    signals = np.array([[0.0, 1.0], [3.0, 1.0], [6.0, 4.0], [1.0, 0.0], [2.0, 1.0]])
    means = np.array([[3.0, 2.0]] * 3 + [[1.5, 0.5]] * 2)
    np.testing.assert_allclose(tikhonov_denoise(W, signals, strength=strength), means, rtol=1e-12)


def test_a_strength_whose_product_with_the_weights_overflows_is_refused():
    with pytest.raises(InputError, match="take a smaller strength"):
        tikhonov_denoise([[0.0, 1e10], [1e10, 0.0]], [0.0, 1.0], strength=1e300)
