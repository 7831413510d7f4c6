import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits
from small_graphs import connected_graph, laplacian, path

from smoothgraph import LogDegreeGraph
from smoothgraph.methods import KNeighborsGraph
from smoothgraph.tasks import HarmonicClassifier, PoissonClassifier, UnreachableWarning


def few_labels(m, n_classes, per_class, rng):
    y = np.full(m, -1)
    y[rng.choice(m, n_classes * per_class, replace=False)] = np.repeat(np.arange(n_classes), per_class)
    return y


def poisson(W, y):
    """The solution by the pseudoinverse, with a weighted mean of zero."""
    labeled = np.flatnonzero(y != -1)
    classes = np.unique(y[labeled])
    source = np.zeros((len(y), len(classes)))
    one_hot = (y[labeled][:, None] == classes).astype(float)
    source[labeled] = one_hot - one_hot.mean(axis=0)
    U = np.linalg.pinv(laplacian(W)) @ source
    degrees = W.sum(axis=1)
    return U - degrees @ U / degrees.sum()


def test_against_the_pseudoinverse(rng):
    W, y = connected_graph(60, rng, 0.1), few_labels(60, 3, 2, rng)
    y[np.flatnonzero(y == 2)[0]] = 1  # unequal numbers of labels
    model = PoissonClassifier().fit(W, y)
    expected = poisson(W, y)
    np.testing.assert_allclose(model.label_scores_, expected, atol=1e-8)
    np.testing.assert_array_equal(model.transduction_, np.argmax(expected, axis=1))


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_the_equation_holds_on_a_large_graph(scale, rng):
    W = connected_graph(3000, rng, 0.002)
    y = few_labels(3000, 4, 2, rng)
    U = PoissonClassifier().fit(W * scale, y).label_scores_ * scale
    residual = laplacian(W) @ U
    one_hot = np.eye(4)[y[y != -1]]
    np.testing.assert_allclose(residual[y != -1], one_hot - one_hot.mean(axis=0), atol=1e-8)
    np.testing.assert_allclose(residual[y == -1], 0, atol=1e-8)
    np.testing.assert_allclose(U.sum(axis=1), 0, atol=1e-6 * np.abs(U).max())


def test_every_component_has_its_own_labels(rng):
    one, two = connected_graph(30, rng, 0.2), connected_graph(20, rng, 0.2)
    W = sp.csr_array(sp.block_diag([one, two, path(4), path(2)]))
    y_one, y_two = few_labels(30, 3, 2, rng), few_labels(20, 2, 1, rng)
    y = np.concatenate([y_one, y_two, [2, -1, -1, -1], [-1, -1]])
    with pytest.warns(UnreachableWarning, match="2 of 56"):
        model = PoissonClassifier().fit(W, y)
    np.testing.assert_allclose(model.label_scores_[:30], poisson(one, y_one), atol=1e-8)
    np.testing.assert_allclose(model.label_scores_[30:50, :2], poisson(two, y_two), atol=1e-8)
    assert np.all(model.label_scores_[30:50, 2] == -np.inf)
    assert model.transduction_[50:].tolist() == [2, 2, 2, 2, -1, -1]


def test_shares_of_classes_decide_between_close_scores():
    W, y = sp.csr_array(path(7)), [0, -1, -1, 1, -1, -1, 2]
    scores = PoissonClassifier().fit(W, y).label_scores_
    model = PoissonClassifier(class_shares=[1, 3, 1]).fit(W, y)
    np.testing.assert_allclose(model.label_scores_, scores)
    np.testing.assert_array_equal(model.transduction_, np.argmax(scores * [0.6, 1.8, 0.6], axis=1))


@pytest.mark.parametrize("shares", [[1.0], [1, -1], [0, 1], [np.nan, 1]])
@pytest.mark.parametrize("task", [PoissonClassifier, HarmonicClassifier])
def test_bad_shares_are_refused(task, shares):
    with pytest.raises(ValueError, match="class_shares must be one positive number for each of the 2 classes"):
        task(class_shares=shares).fit(sp.csr_array(path(3)), [0, -1, 1])


def test_new_rows_take_the_mean_of_the_nodes_they_join():
    X, y = load_digits(return_X_y=True)
    known = np.full(300, -1)
    known[:40] = y[:40]
    model = PoissonClassifier(learner=LogDegreeGraph(8, connected=True)).fit(X[:300], known)
    joined = model.learner_.transform(X[300:350])
    best = np.argmax(joined @ model.label_scores_, axis=1)
    np.testing.assert_array_equal(model.predict(X[300:350]), best)
    assert model.score(X[300:350], y[300:350]) == np.mean(best == y[300:350])


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    W = KNeighborsGraph(10, weights="gaussian").fit(X).adjacency_
    known = np.full(len(y), -1)
    for label in range(10):
        chosen = np.flatnonzero(y == label)[:3]
        known[chosen] = label
    return W, known


@pytest.mark.parametrize("method", ["poisson", "laplace", "wnll"])
def test_scores_are_those_of_graphlearning(method, digits):
    ssl = pytest.importorskip("graphlearning.ssl")
    W, known = digits
    labeled = np.flatnonzero(known != -1)
    if method == "poisson":
        ours, theirs = PoissonClassifier().fit(W, known).label_scores_, ssl.poisson(W, tol=1e-9)
    else:
        wnll = method == "wnll"
        ours = HarmonicClassifier(nonlocal_weights=wnll).fit(W, known).label_distributions_
        theirs = ssl.laplace(W, reweighting=method if wnll else "none", tol=1e-9)
    found = theirs.fit(labeled, known[labeled])
    np.testing.assert_allclose(ours, found, atol=1e-5 * np.abs(found).max())


@pytest.mark.parametrize(
    ("y", "shares"), [([0, -1, -1, 1], [0.3, 0.7]), ([0, 1, -1, 2], "labels"), ([0, 1, -1, 2], {})]
)
def test_class_shares_that_do_not_help_are_refused(y, shares):
    """Of two classes the scores are opposite, so that no factors change which is larger."""
    chain = np.diag(np.ones(3), 1)
    with pytest.raises(ValueError, match="class_shares"):
        PoissonClassifier(class_shares=shares).fit(chain + chain.T, y)
