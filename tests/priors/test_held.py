"""A part of the nodes, while the multipliers of all others are held."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph import Newton, Pairs, Problem
from smoothgraph.priors import FixedDegrees, LogDegrees, QuadraticEdges
from smoothgraph.priors.held import HeldNodes

PRIORS = [
    LogDegrees(1.0),
    LogDegrees(np.linspace(0.5, 2, 20)),
    FixedDegrees(1.0),
    FixedDegrees(np.linspace(0.9, 1.1, 20)),
]


@pytest.mark.parametrize("prior", PRIORS)
@given(seed=st.integers(0, 2**32 - 1))
def test_what_is_optimal_for_all_is_optimal_for_a_part(prior, seed):
    rng = np.random.default_rng(seed)
    m = 20
    whole = Problem(Pairs.of(rng.normal(size=(m, 3))), edge_prior=QuadraticEdges(0.5), degree_prior=prior)
    u = Newton(1e-13).solve(whole).u
    free = rng.random(m) < 0.5
    around = whole.pairs.around(whole.edge_prior, free, np.full(m, -np.inf), 0)
    np.testing.assert_array_equal(around.nodes[around.free], np.flatnonzero(free))
    held = HeldNodes(whole.degree_prior.take(np.flatnonzero(free)), around.free, u[around.nodes])
    part = Problem(around.pairs, edge_prior=whole.edge_prior, degree_prior=held)
    at = part.evaluate(u[around.nodes])
    assert at.gap <= 1e-9
    other = part.evaluate(np.where(around.free, 1.1 * u[around.nodes] + 0.01, u[around.nodes]))
    assert other.objective >= at.objective - 1e-9 * abs(at.objective)


def test_no_step_moves_a_node_that_is_held():
    held = HeldNodes(LogDegrees(1.0), np.array([True, False]), np.array([1.0, 2.0]))
    np.testing.assert_array_equal(held.admit(np.array([5.0, 5.0])), [5.0, 2.0])
    assert held.curvature(np.ones(2))[0][1] > 1e50
    assert held.longest_step(np.ones(2), np.array([1.0, -1.0])) == np.inf
