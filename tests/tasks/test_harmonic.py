import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from small_graphs import connected_graph, laplacian, path

from smoothgraph import L2DegreeGraph, LogDegreeGraph
from smoothgraph.tasks import HarmonicClassifier, UnreachableWarning


def side_by_side(*graphs):
    return sp.csr_array(sp.block_diag([sp.csr_array(graph) for graph in graphs]))


def some_labels(m, n_classes, rng):
    """Label a third of the nodes, with each class at least once."""
    y = np.full(m, -1)
    y[: m // 3] = np.arange(m // 3) % n_classes
    return rng.permutation(y)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    known = np.where(np.random.default_rng(0).random(400) < 0.2, y[:400], -1)
    return X[:400], known, X[400:500], y[400:500]


def test_against_dense_linear_algebra(rng):
    W, y = connected_graph(60, rng, 0.1), some_labels(60, 3, rng)
    u, labeled = np.flatnonzero(y == -1), np.flatnonzero(y != -1)
    L, Y = laplacian(W), np.eye(3)[y[labeled]]
    expected = np.linalg.solve(L[np.ix_(u, u)], W[np.ix_(u, labeled)] @ Y)
    model = HarmonicClassifier().fit(W, y)
    np.testing.assert_allclose(model.label_distributions_[u], expected, atol=1e-10)
    np.testing.assert_array_equal(model.label_distributions_[labeled], Y)
    np.testing.assert_array_equal(model.transduction_[u], np.argmax(expected, axis=1))
    np.testing.assert_array_equal(model.transduction_[labeled], y[labeled])
    assert not model.unreachable_.any()


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_unlabeled_values_are_weighted_means_of_their_neighbors(scale, rng):
    W = side_by_side(connected_graph(300, rng, 0.02), connected_graph(40, rng, 0.1), path(3)) * scale
    y = np.concatenate([some_labels(300, 4, rng), some_labels(40, 2, rng), [3, -1, -1]])
    F = HarmonicClassifier().fit(W, y).label_distributions_
    means = (W @ F) / W.sum(axis=1)[:, None]
    np.testing.assert_allclose(F[y == -1], means[y == -1], atol=1e-10)
    assert np.all((F >= 0) & (F <= 1))
    np.testing.assert_allclose(F.sum(axis=1), 1, atol=1e-12)


def test_chain_by_hand():
    """Values are linear along a chain, like voltages along resistors of inverse weight."""
    W = sp.csr_array(path(5))
    F = HarmonicClassifier().fit(W, [7, -1, -1, -1, 3]).label_distributions_
    np.testing.assert_allclose(F, np.transpose([[0, 0.25, 0.5, 0.75, 1], [1, 0.75, 0.5, 0.25, 0]]))
    W = np.zeros((3, 3))
    W[0, 1] = W[1, 0] = 3.0
    W[1, 2] = W[2, 1] = 1.0
    model = HarmonicClassifier().fit(W, ["near", -1, "far"])
    assert model.classes_.tolist() == ["far", "near"]
    np.testing.assert_allclose(model.label_distributions_[1], [0.25, 0.75])
    assert model.transduction_.tolist() == ["near", "near", "far"]


def test_nodes_without_labels_in_their_component_are_reported():
    W = side_by_side(path(3), path(4), np.zeros((2, 2)))
    y = np.array([1, -1, -1, -1, -1, -1, -1, -1, 0])
    with pytest.warns(UnreachableWarning, match="5 of 9"):
        model = HarmonicClassifier().fit(W, y)
    np.testing.assert_array_equal(model.unreachable_, [0, 0, 0, 1, 1, 1, 1, 1, 0])
    np.testing.assert_array_equal(model.transduction_, [1, 1, 1, -1, -1, -1, -1, -1, 0])
    assert model.transduction_.dtype.kind == "i"
    np.testing.assert_array_equal(np.isnan(model.label_distributions_[:, 0]), model.unreachable_)
    np.testing.assert_array_equal(model.label_distributions_[~model.unreachable_].sum(axis=1), 1)


@pytest.mark.parametrize(
    ("labels", "unlabeled"),
    [
        (["b", -1, "a", -1], -1),
        (np.array(["b", -1, "a", -1], dtype=object), -1),
        (np.array(["b", "", "a", ""]), ""),
        (np.array(["b", "nobody knows", "a", "nobody knows"]), "nobody knows"),
        ([2, None, 1, None], None),
        (np.array([2.0, -1.0, 1.0, -1.0]), -1),
        (np.array([2, 255, 1, 255], dtype=np.uint8), 255),
        (pd.Series(["b", -1, "a", -1], index=[5, 3, 1, 0]), -1),
        (pd.Series([True, -1, False, -1], dtype=object), -1),
    ],
)
def test_any_labels_and_any_marker(labels, unlabeled):
    """Nodes 0, 1 and 2 reach a label; node 3 does not, so its label is the marker itself."""
    W = side_by_side(path(2), np.zeros((2, 2)))
    with pytest.warns(UnreachableWarning, match="1 of 4"):
        model = HarmonicClassifier(unlabeled=unlabeled).fit(W, labels)
    first, _, third, _ = list(labels)
    assert model.transduction_.tolist() == [first, first, third, unlabeled]
    assert model.classes_.tolist() == [third, first]


def test_one_class_and_all_labeled(rng):
    W = connected_graph(10, rng, 0.1)
    model = HarmonicClassifier().fit(W, [4] + 9 * [-1])
    np.testing.assert_array_equal(model.transduction_, 4)
    np.testing.assert_array_equal(model.label_distributions_, 1)
    y = np.arange(10) % 3
    np.testing.assert_array_equal(HarmonicClassifier().fit(W, y).transduction_, y)


def test_learner_gives_the_same_as_its_graph(digits):
    X, known, _, _ = digits
    with_learner = HarmonicClassifier(learner=LogDegreeGraph(10)).fit(X, known)
    graph = LogDegreeGraph(10).fit(X)
    for model in (
        HarmonicClassifier().fit(graph.adjacency_, known),
        HarmonicClassifier().fit(graph.adjacency_.toarray(), known),
        make_pipeline(LogDegreeGraph(10), HarmonicClassifier()).fit(X, known)[-1],
    ):
        np.testing.assert_array_equal(model.label_distributions_, with_learner.label_distributions_)
    assert with_learner.n_features_in_ == 64
    assert not hasattr(with_learner.learner, "adjacency_")


def test_new_rows_take_the_mean_of_the_nodes_they_join(digits):
    X, known, X_new, y_new = digits
    model = HarmonicClassifier(learner=LogDegreeGraph(10)).fit(X, known)
    weights = model.learner_.transform(X_new).toarray()
    expected = weights @ model.label_distributions_ / weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X_new), expected, atol=1e-12)
    np.testing.assert_array_equal(model.predict(X_new), model.classes_[expected.argmax(axis=1)])
    accuracy = np.mean(model.predict(X_new) == y_new)
    assert model.score(X_new, y_new) == accuracy > 0.7
    heavy = np.where(model.predict(X_new) == y_new, 1.0, 0.0)
    assert model.score(X_new, y_new, sample_weight=heavy) == 1


def test_unlabeled_fitted_nodes_find_their_own_distribution(digits):
    X, known, _, _ = digits
    model = HarmonicClassifier(learner=LogDegreeGraph(10, tol=1e-10)).fit(X, known)
    unlabeled = known == -1
    np.testing.assert_allclose(model.predict_proba(X[unlabeled]), model.label_distributions_[unlabeled], atol=1e-3)


def test_new_rows_among_unreachable_nodes_are_not_guessed(rng):
    """Only one of two distant groups has labels."""
    near, far = rng.normal(size=(30, 2)), rng.normal(size=(30, 2)) + 1000
    y = np.full(60, -1, dtype=object)
    y[:30] = np.where(near[:, 0] > 0, "right", "left")
    with pytest.warns(UnreachableWarning, match="30 of 60"):
        model = HarmonicClassifier(learner=LogDegreeGraph(6)).fit(np.vstack([near, far]), y)
    new = np.array([[1.5, 0.0], [1000.0, 1000.5], [-1.5, 0.0]])
    with pytest.warns(UnreachableWarning, match="1 of 3"):
        assert model.predict(new).tolist() == ["right", -1, "left"]
    with pytest.warns(UnreachableWarning, match="1 of 3"):
        np.testing.assert_array_equal(np.isnan(model.predict_proba(new)[:, 0]), [0, 1, 0])
    assert model.score(new, ["right", -1, "right"]) == 1 / 2
    with pytest.warns(UnreachableWarning, match="1 of 3"):
        assert model.score(new, ["right", "left", "right"]) == pytest.approx(1 / 3)


def test_new_rows_that_join_nothing(rng):
    """The l2 model leaves distant nodes isolated, fitted or new."""
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(int)
    model = HarmonicClassifier(learner=L2DegreeGraph(8)).fit(X, y)
    with pytest.warns(UnreachableWarning, match="1 of 2"):
        assert model.predict([[50.0, 50.0], [1.0, 0.0]]).tolist() == [-1, 1]


def test_new_rows_need_a_learner():
    model = HarmonicClassifier().fit(path(3), [0, -1, 1])
    for method in (model.predict, model.predict_proba):
        with pytest.raises(ValueError, match="learner"):
            method(path(3))
    with pytest.raises(NotFittedError):
        HarmonicClassifier().predict(path(3))


@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        ([-1, -1, -1], ValueError, "At least one node must be labeled"),
        ([0, -1], ValueError, "one label per node, 3, got 2"),
        ([0.5, -1, 1.5], ValueError, "Unknown label type"),
        ([0.0, -1, np.nan], ValueError, "NaN"),
        (["a", -1, 2], TypeError, "uniformly"),
        (None, ValueError, "requires y"),
        ([[0, 1], [1, 0], [1, 1]], ValueError, "1d"),
    ],
)
def test_bad_labels_are_refused(y, error, message):
    with pytest.raises(error, match=message):
        HarmonicClassifier().fit(path(3), y)


def test_what_is_not_a_graph_is_refused():
    with pytest.raises(ValueError, match="square"):
        HarmonicClassifier().fit(np.ones((3, 2)), [0, -1, 1])
    with pytest.raises(ValueError, match="symmetric"):
        HarmonicClassifier().fit(np.eye(3, k=1), [0, -1, 1])


def test_a_mark_that_became_text_is_refused():
    y = np.array(["left", "right", "right"])
    y[1] = -1
    with pytest.raises(ValueError, match="y holds the text '-1'"):
        HarmonicClassifier().fit(path(3), y)
    model = HarmonicClassifier(unlabeled="-1").fit(path(3), y)
    assert model.classes_.tolist() == ["left", "right"]


@pytest.mark.parametrize("size", [60, 3500])
def test_nonlocal_weights_minimize_their_energy(size, rng):
    """Shi, Osher and Zhu: edges count twice among unlabeled nodes, and 1 + m / l times with a labeled one."""
    W, y = connected_graph(size, rng, 6 / size), np.full(size, -1)
    y[:6] = [0, 0, 1, 1, 2, 2]
    factor = np.full(size, 2.0)
    factor[:6] = 1 + size / 6
    W = sp.csr_array(W)
    energy = sp.diags_array(factor) @ W @ sp.diags_array(factor) / 2
    F = HarmonicClassifier(nonlocal_weights=True).fit(W, y).label_distributions_
    slopes = energy.sum(axis=1)[:, None] * F - energy @ F
    np.testing.assert_allclose(slopes[6:], 0, atol=1e-7 * energy.sum(axis=1).max())


def test_many_nodes_have_the_same_harmonic_functions(rng):
    """Beyond some number of nodes, conjugate gradients take the place of a factor."""
    W, y = sp.csr_array(connected_graph(3500, rng, 0.002)), some_labels(3500, 3, rng)
    y[100:] = -1
    F = HarmonicClassifier().fit(W, y).label_distributions_
    means = (W @ F) / W.sum(axis=1)[:, None]
    np.testing.assert_allclose(F[y == -1], means[y == -1], atol=1e-9)


@pytest.mark.parametrize("shares", ["labels", [1, 2, 3]])
def test_class_masses_are_the_shares(shares, rng):
    W, y = connected_graph(60, rng, 0.1), some_labels(60, 3, rng)
    plain = HarmonicClassifier().fit(W, y)
    model = HarmonicClassifier(class_shares=shares).fit(W, y)
    unlabeled = y == -1
    wanted = np.bincount(y[~unlabeled]) if isinstance(shares, str) else np.array(shares)
    scaled = plain.label_distributions_ * wanted / plain.label_distributions_[unlabeled].sum(axis=0)
    np.testing.assert_array_equal(model.transduction_, np.argmax(scaled, axis=1))
    np.testing.assert_array_equal(model.label_distributions_, plain.label_distributions_)
