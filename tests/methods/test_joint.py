import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from smoothgraph import GaussianGraph, JointGraph, L2DegreeGraph, LogDegreeGraph


@pytest.fixture(scope="module")
def signals():
    """Smooth signals on a ring of 40 nodes, and the same with noise."""
    rng = np.random.default_rng(0)
    angle = 2 * np.pi * np.arange(40) / 40
    waves = np.stack([np.cos(angle + p) for p in rng.uniform(0, 7, 100)], axis=1)
    return waves, waves + 0.5 * rng.normal(size=waves.shape)


LEARNERS = [LogDegreeGraph(edges_per_node=4), LogDegreeGraph(beta=500.0), L2DegreeGraph(edges_per_node=6)]


def test_any_learner_will_do(signals):
    joint = JointGraph(GaussianGraph(), max_iter=2).fit(signals[1])
    assert joint.objective_[1] <= joint.objective_[0]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("strength", [0.1, 2.0])
def test_the_objective_never_increases(learner, strength, signals):
    joint = JointGraph(learner, strength=strength, tol=0).fit(signals[1])
    assert len(joint.objective_) > 1
    assert all(b <= a for a, b in zip(joint.objective_, joint.objective_[1:], strict=False))


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_objective_is_what_it_says(learner, signals):
    """Recomputed from signals and graph alone, by the formula."""
    strength = 0.7
    joint = JointGraph(learner, strength=strength, max_iter=3).fit(signals[1])
    X, W, L = joint.signals_, joint.adjacency_.toarray(), joint.laplacian_.toarray()
    assert joint.n_components_ == connected_components(W)[0]
    w, d = W[np.triu_indices(40, 1)], W.sum(axis=1)
    if isinstance(learner, L2DegreeGraph):
        alpha = learner.fit(signals[1]).alpha_
        priors, scale = alpha * (2 * w @ w + d @ d), 1.0
    else:
        scale = learner.fit(signals[1]).theta_ if learner.beta is None else 1.0
        priors = -np.log(d).sum() + (1.0 if learner.beta is None else learner.beta) * (w @ w)
    smoothness = np.trace(X.T @ L @ X)
    expected = np.sum((X - signals[1]) ** 2) + strength * (smoothness + priors / scale / 2)
    np.testing.assert_allclose(joint.objective_[-1], expected, rtol=1e-6)


def test_signals_get_better_and_the_graph_no_worse(signals):
    clean, noisy = signals
    joint = JointGraph(LogDegreeGraph(edges_per_node=4), strength=0.5).fit(noisy)
    alone = LogDegreeGraph(edges_per_node=4).fit(noisy)
    ring = np.eye(40, k=1) + np.eye(40, k=-1) + np.eye(40, k=39) + np.eye(40, k=-39)
    error = np.linalg.norm(joint.signals_ - clean) / np.linalg.norm(noisy - clean)
    assert error < 0.8

    def share_on_the_ring(W):
        return (W.toarray() * ring).sum() / W.sum()

    assert share_on_the_ring(joint.adjacency_) >= share_on_the_ring(alone.adjacency_) - 0.05


def test_each_half_is_optimal_given_the_other(signals):
    joint = JointGraph(LogDegreeGraph(beta=500.0), strength=0.5, tol=1e-12, max_iter=200)
    joint.fit(signals[1])
    L = joint.laplacian_.toarray()
    np.testing.assert_allclose(joint.signals_, np.linalg.solve(np.eye(40) + 0.5 * L, signals[1]), rtol=1e-3, atol=1e-3)


def test_sparse_signals_are_those_of_the_same_dense_table(signals):
    noisy = np.where(signals[1] > 0, signals[1], 0.0)
    learner = LogDegreeGraph(edges_per_node=4)
    dense, sparse = (JointGraph(learner, max_iter=3).fit(X) for X in (noisy, sp.csr_array(noisy)))
    np.testing.assert_allclose(sparse.signals_, dense.signals_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (LogDegreeGraph(metric="cosine"), "needs a learner with metric='sqeuclidean'; got metric='cosine'"),
        (LogDegreeGraph(missing="pairwise"), "needs a learner with missing='error'"),
        (LogDegreeGraph(scale="local"), "needs a learner with scale='global'"),
        (LogDegreeGraph(connected=True), "needs a learner with connected=False"),
        (LogDegreeGraph(merge_identical=True), "needs a learner with merge_identical=False"),
    ],
)
def test_a_learner_whose_graph_is_no_optimum_of_the_objective_is_refused(learner, message, signals):
    with pytest.raises(ValueError, match=message):
        JointGraph(learner).fit(signals[1])
