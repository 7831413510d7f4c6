"""What other packages make of learned graphs, by the lines of docs/ecosystem.md."""

import networkx
import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score
from sklearn.semi_supervised import LabelPropagation, LabelSpreading

from smoothgraph import GraphNeighborsTransformer, LogDegreeGraph, SmoothGraph
from smoothgraph.convert import to_networkx

pytestmark = pytest.mark.filterwarnings("ignore")  # of the packages


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:400], y[:400], X[400:600]


class Weights(LogDegreeGraph):
    @property
    def covariance_(self):
        return self.adjacency_.toarray()


@pytest.mark.parametrize("model", [LabelSpreading, LabelPropagation])
def test_labels_spread_along_learned_edges(model, digits):
    X, y, new = digits
    known = np.where(np.arange(400) % 10 == 0, y, -1)
    fitted = model(kernel=lambda A, B: SmoothGraph().fit(A).transform(B).T).fit(X, known)
    assert np.mean(fitted.transduction_ == y) > 0.9
    joined = SmoothGraph().fit(X).transform(new) @ fitted.label_distributions_
    np.testing.assert_array_equal(fitted.predict(new), joined.argmax(axis=1))
    if model is LabelSpreading:  # F = a D^(-1/2) W D^(-1/2) F + (1 - a) Y
        W = SmoothGraph().fit(X).adjacency_
        root = 1 / np.sqrt(W.sum(axis=1))
        S = (W.multiply(root[:, None]).multiply(root)).toarray()
        Y = np.where(known[:, None] >= 0, known[:, None] == np.arange(10), 0)
        F = np.linalg.solve(np.eye(400) - 0.2 * S, 0.8 * Y)
        assert np.mean(fitted.transduction_ == F.argmax(axis=1)) > 0.99


def test_learned_edges_join_equal_digits(digits):
    X, y, _ = digits
    network = to_networkx(SmoothGraph().fit(X), attributes={"digit": y})
    assert networkx.attribute_assortativity_coefficient(network, "digit") > 0.8


def test_hdbscan_takes_the_distances(digits):
    hdbscan = pytest.importorskip("hdbscan", reason="not installed by CI; run by hand")
    X, y, _ = digits
    D = GraphNeighborsTransformer(n_neighbors=10).fit_transform(X)
    labels = hdbscan.HDBSCAN(min_samples=5, min_cluster_size=10, metric="precomputed").fit_predict(D)
    assert adjusted_rand_score(y, labels) > 0.4


def test_nilearn_returns_the_weights_of_every_subject(rng):
    connectome = pytest.importorskip("nilearn.connectome", reason="not installed by CI; run by hand")
    subjects = [rng.normal(size=(120, 20)).cumsum(axis=0) for _ in range(3)]
    learner = Weights(edges_per_node=6, nodes="columns", metric="correlation")
    found = connectome.ConnectivityMeasure(learner, kind="covariance").fit_transform(subjects)
    for matrix, series in zip(found, subjects, strict=True):
        alone = LogDegreeGraph(6, metric="correlation").fit(series.T).adjacency_.toarray()
        np.testing.assert_allclose(matrix, alone, atol=1e-6 * alone.max())


def test_mne_and_pyunicorn_keep_the_edges(rng):
    mne_connectivity = pytest.importorskip("mne_connectivity", reason="not installed by CI; run by hand")
    core = pytest.importorskip("pyunicorn.core", reason="not installed by CI; run by hand")
    W = LogDegreeGraph(4).fit(rng.normal(size=(12, 60)).cumsum(axis=1)).adjacency_
    names = [f"channel {k}" for k in range(12)]
    connectivity = mne_connectivity.Connectivity(W.toarray().ravel(), n_nodes=12, names=names, method="learned graph")
    np.testing.assert_array_equal(connectivity.get_data("dense"), W.toarray())
    assert list(connectivity.names) == names
    network = core.Network(adjacency=(W > 0).astype(int), silence_level=2)
    network.set_link_attribute("weight", W.toarray())
    np.testing.assert_array_equal(network.adjacency, (W > 0).toarray())
    np.testing.assert_allclose(network.link_attribute("weight"), W.toarray())
    assert network.transitivity() == pytest.approx(networkx.transitivity(to_networkx(W)))
