"""The barrier with shares for other groups, against its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph.priors import LogDegrees, SharedLogDegrees


def make(seed):
    """A prior with up to three links per node, and multipliers in its domain."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 6))
    node = np.concatenate([np.arange(m), np.repeat(np.arange(m), rng.integers(0, 4, size=m))])
    alpha = 10 ** rng.uniform(-1, 1, size=m) if rng.random() < 0.5 else float(10 ** rng.uniform(-1, 1))
    prior = SharedLogDegrees(alpha, float(rng.uniform(0.01, 0.3)), node)
    u = rng.uniform(0.5, 2, size=len(node))
    u[m:] = u[node[m:]] + rng.uniform(0.1, 2, size=len(node) - m)
    return prior, u, rng


def value_of(prior, d):
    """The formula, with a sum over nodes and one over links."""
    node, m = prior.node, prior.node.max() + 1
    alpha = np.broadcast_to(prior.alpha, m)
    whole = np.array([d[node == i].sum() for i in range(m)])
    value = -alpha @ np.log(whole)
    for part in range(m, len(node)):
        value -= 0.01 * alpha[node[part]] * np.log(d[part] - prior.share * whole[node[part]])
    return value


def feasible(prior, rng):
    node, m = prior.node, prior.node.max() + 1
    d = rng.uniform(0.1, 2, size=len(node))
    for i in range(m):
        links = np.flatnonzero(node == i)[1:]
        d[links] = rng.uniform(1.1, 3) * prior.share / (1 - prior.share * len(links)) * (d[i] + 1)
    return d


@given(seed=st.integers(0, 2**32 - 1))
def test_fenchel_young(seed):
    """g(d) + g*(-u) >= -u'd, with equality at the maximizer."""
    prior, u, rng = make(seed)
    best = prior.maximizer(u)
    np.testing.assert_allclose(prior.value(best), value_of(prior, best), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(prior.value(best) + prior.conjugate(u), -u @ best, rtol=1e-9, atol=1e-9)
    for _ in range(10):
        d = feasible(prior, rng)
        if np.isfinite(prior.value(d)):
            assert prior.value(d) + prior.conjugate(u) >= -u @ d - 1e-9


@given(seed=st.integers(0, 2**32 - 1))
def test_derivatives(seed):
    prior, u, _ = make(seed)
    n = len(u)
    hessian = np.diag(prior.curvature(u)[0]) + prior.coupling(u).toarray()
    for part, nudge in enumerate(1e-6 * np.eye(n)):
        slope = (prior.conjugate(u - nudge) - prior.conjugate(u + nudge)) / 2e-6
        np.testing.assert_allclose(prior.maximizer(u)[part], slope, rtol=1e-5, atol=1e-5)
        bend = (prior.maximizer(u - nudge) - prior.maximizer(u + nudge)) / 2e-6
        np.testing.assert_allclose(hessian[part], bend, rtol=1e-4, atol=1e-4 * np.abs(hessian).max())


@given(seed=st.integers(0, 2**32 - 1))
def test_the_longest_step_ends_at_the_edge_of_the_domain(seed):
    prior, u, rng = make(seed)
    direction = rng.normal(size=len(u))
    step = prior.longest_step(u, direction)
    if np.isfinite(step):
        assert np.isfinite(prior.conjugate(u + 0.999 * step * direction))
        assert np.isinf(prior.conjugate(u + 1.001 * step * direction))
    else:
        assert np.isfinite(prior.conjugate(u + 1e3 * direction))


def test_a_start_is_moved_into_the_domain():
    prior, u, rng = make(3)
    assert np.isfinite(prior.conjugate(prior.admit(rng.uniform(0.1, 2, size=len(u)))))


def test_without_links_it_is_the_barrier(rng):
    alpha, u, d = rng.uniform(0.5, 2, size=(3, 7))
    prior, plain = SharedLogDegrees(alpha, 0.1, np.arange(7)), LogDegrees(alpha)
    for name, at in (("value", d), ("conjugate", u), ("maximizer", u)):
        np.testing.assert_allclose(getattr(prior, name)(at), getattr(plain, name)(at), rtol=1e-14)
    np.testing.assert_allclose(prior.curvature(u)[0], plain.curvature(u)[0], rtol=1e-14)


def test_shares_that_are_not_met_cost_infinitely_much():
    prior = SharedLogDegrees(1.0, 0.25, np.array([0, 0]))
    assert np.isfinite(prior.value(np.array([2.9, 1.0])))
    assert np.isinf(prior.value(np.array([3.1, 1.0])))


@pytest.mark.parametrize(
    ("alpha", "share", "message"),
    [
        (1.0, 0.5, "below 1/2, as a node has a share for each of 2 other groups, got 0.5"),
        (1.0, 0.0, "group_share must be a finite number > 0"),
        (1.0, None, "group_share must be a finite number > 0"),
        (0.0, 0.1, "alpha must be"),
        (np.ones(3), 0.1, r"one per node, \(2,\), got \(3,\)"),
    ],
)
def test_impossible_parameters(alpha, share, message):
    with pytest.raises(ValueError, match=message):
        SharedLogDegrees(alpha, share, np.array([0, 1, 0, 0, 1]))
