import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from smoothgraph import LogDegreeGraph
from smoothgraph.tasks import HarmonicClassifier, labeled_scorer


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    hidden = np.random.default_rng(0).random(300) < 0.7
    return X[:300], y[:300], np.where(hidden, -1, y[:300])


def test_scores_count_only_labeled_rows(digits):
    X, y, known = digits
    model = HarmonicClassifier(learner=LogDegreeGraph(8)).fit(X[:200], known[:200])
    labeled = known[200:] != -1
    predicted = model.predict(X[200:])
    assert model.score(X[200:], known[200:]) == np.mean(predicted[labeled] == y[200:][labeled])
    weights = np.arange(100.0)
    expected = np.average(predicted[labeled] == y[200:][labeled], weights=weights[labeled])
    assert model.score(X[200:], known[200:], sample_weight=weights) == pytest.approx(expected)
    balanced = labeled_scorer("balanced_accuracy")(model, pd.DataFrame(X[200:]).to_numpy(), known[200:])
    assert balanced == balanced_accuracy_score(y[200:][labeled], predicted[labeled])


@pytest.mark.parametrize("scoring", [None, labeled_scorer("accuracy"), labeled_scorer("f1_macro")])
def test_a_grid_search_never_counts_the_mark_as_a_class(digits, scoring):
    """With seven of ten rows unlabeled, no score above 0.3 is possible where the mark counts."""
    X, _, known = digits
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    model = HarmonicClassifier(learner=LogDegreeGraph())
    search = GridSearchCV(model, {"learner__edges_per_node": [6, 10]}, scoring=scoring, cv=folds).fit(X, known)
    assert search.best_score_ > 0.7
    assert -1 not in search.best_estimator_.classes_


def test_a_mark_of_text_in_a_grid_search(digits):
    X, _, known = digits
    y = np.where(known == -1, "?", known.astype(str))
    model = HarmonicClassifier(learner=LogDegreeGraph(8), unlabeled="?")
    search = GridSearchCV(model, {"learner__edges_per_node": [8]}, scoring=labeled_scorer("accuracy", unlabeled="?"))
    assert search.fit(X, y).best_score_ > 0.7


def test_rows_without_any_label_have_no_score(digits):
    X, _, known = digits
    model = HarmonicClassifier(learner=LogDegreeGraph(8)).fit(X, known)
    with pytest.raises(ValueError, match="held-out row with a label"):
        model.score(X[:5], [-1] * 5)
    with pytest.raises(ValueError, match="held-out row with a label"):
        labeled_scorer("accuracy")(model, X[:5], [-1] * 5)


def test_an_unknown_metric_is_refused():
    with pytest.raises(ValueError, match="scoring"):
        labeled_scorer("accurcy")


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint64])
def test_unsigned_labels_cannot_hold_the_mark(digits, kind):
    X, _, known = digits
    wrapped = known.astype(kind)
    with pytest.raises(ValueError, match=f"{np.dtype(kind)}.*the label {np.iinfo(kind).max}.*astype"):
        HarmonicClassifier(learner=LogDegreeGraph(8)).fit(X, wrapped)
    mark = int(np.iinfo(kind).max)
    as_told = HarmonicClassifier(learner=LogDegreeGraph(8), unlabeled=mark).fit(X, wrapped)
    usual = HarmonicClassifier(learner=LogDegreeGraph(8)).fit(X, known)
    np.testing.assert_array_equal(as_told.transduction_, usual.transduction_)


def test_unsigned_labels_without_a_mark_are_labels(digits):
    X, y, _ = digits
    model = HarmonicClassifier(learner=LogDegreeGraph(8)).fit(X, y.astype(np.uint8))
    np.testing.assert_array_equal(model.transduction_, y)
