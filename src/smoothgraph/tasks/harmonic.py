"""Classification from few labels by harmonic functions (Zhu, Ghahramani and Lafferty, 2003)."""

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from sklearn.base import ClassifierMixin
from sklearn.preprocessing import LabelEncoder
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from smoothgraph.support.factor import factorize
from smoothgraph.tasks._graph import GraphTask, laplacian_of


class UnreachableWarning(UserWarning):
    """Something is joined to nothing known, not even through others: it is left open."""


class HarmonicClassifier(ClassifierMixin, GraphTask):
    """``L_uu F_u = W_ul Y_l``: each unlabelled node is the weighted mean of its neighbours.

    The harmonic function that takes the known labels: the probability that a random walk from
    the node meets a label of each class first. Nodes in components without labels are not
    guessed but reported, in ``unreachable_`` and by an :class:`UnreachableWarning`.

    Parameters
    ----------
    learner : graph learner, optional
        A copy of it learns the graph from ``X``. Without one, ``X`` is the adjacency matrix.
    unlabeled : label
        What marks a node without label in ``y``.

    Attributes
    ----------
    classes_ : array
        The labels found in ``y``.
    label_distributions_ : (m, n_classes) array
        ``F``: rows in [0, 1] that sum to 1, with a single 1 at labelled nodes and NaN at
        unreachable ones.
    transduction_ : (m,) array
        The most probable label of each node; ``unlabeled`` at unreachable ones.
    unreachable_ : (m,) bool array
        The nodes whose component has no label.
    learner_ : graph learner
        The fitted copy, if a learner was given.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    A chain between two labels:

    >>> import numpy as np
    >>> from smoothgraph.tasks import HarmonicClassifier
    >>> chain = np.diag([1.0, 1.0, 1.0], k=1)
    >>> model = HarmonicClassifier().fit(chain + chain.T, [0, -1, -1, 1])
    >>> model.label_distributions_[:, 1].round(3).tolist()
    [0.0, 0.333, 0.667, 1.0]
    >>> model.transduction_.tolist()
    [0, 0, 1, 1]

    With a learner, new rows are classified through the nodes that they join:

    >>> from smoothgraph import LogDegreeGraph
    >>> X = np.sqrt(np.arange(40.0))[:, None]
    >>> y = ["left", *[-1] * 38, "right"]
    >>> model = HarmonicClassifier(learner=LogDegreeGraph(edges_per_node=4)).fit(X, y)
    >>> model.predict([[1.5], [6.0]]).tolist()
    ['left', 'right']
    """

    def __init__(self, *, learner: Any = None, unlabeled: Any = -1) -> None:
        self.learner = learner
        self.unlabeled = unlabeled

    def fit(self, X: Any, y: Any) -> "HarmonicClassifier":
        """Spread the labels in ``y`` over the graph of ``X``."""
        if y is None:
            raise ValueError(
                "HarmonicClassifier requires y to be passed, but the target y is None."
            )
        values = _label_array(y)
        labelled = np.array([label != self.unlabeled for label in values.tolist()])
        if not np.any(labelled):
            raise ValueError(
                f"At least one node must be labelled, but all are marked {self.unlabeled!r}."
            )
        labels = np.asarray(values[labelled].tolist())
        if not isinstance(self.unlabeled, str) and str(self.unlabeled) in set(labels.tolist()):
            raise ValueError(
                f"y holds the text {str(self.unlabeled)!r}, not the mark {self.unlabeled!r}: an "
                f"array of strings turns it into text. Use unlabeled={str(self.unlabeled)!r}, or "
                "y as a list or an array of objects."
            )
        assert_all_finite(labels, input_name="y")
        check_classification_targets(labels)
        encoder = LabelEncoder()
        codes = encoder.fit_transform(values[labelled])
        adjacency = self._fit_graph(X)
        if len(values) != adjacency.shape[0]:
            raise ValueError(
                f"y must have one label per node, {adjacency.shape[0]}, got {len(values)}."
            )
        self.classes_ = np.asarray(encoder.classes_.tolist())
        self.unreachable_ = _without_label(adjacency, labelled)
        one_hot = np.eye(len(self.classes_))[codes]
        self.label_distributions_ = _harmonic(adjacency, labelled, self.unreachable_, one_hot)
        self.transduction_ = self._most_probable(self.label_distributions_)
        _warn_unreachable(self.unreachable_, "nodes lie in components without labels")
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """The weighted mean of the distributions of the fitted nodes that each row joins.

        A row of NaN stands where they are all unreachable, or none. A fitted node is judged by
        its neighbours, too: an unlabelled one finds its own distribution again.
        """
        check_is_fitted(self)
        if not hasattr(self.learner, "transform"):
            raise ValueError(
                "New rows can join only a graph whose learner has a transform, such as that of "
                "LogDegreeGraph. The labels of the fitted nodes are in transduction_."
            )
        sums = self.learner_.transform(X) @ np.nan_to_num(self.label_distributions_)
        totals = np.sum(sums, axis=1, keepdims=True)
        unreachable = totals[:, 0] == 0
        _warn_unreachable(unreachable, "rows join no node that a label reaches")
        return np.where(unreachable[:, None], np.nan, sums / np.where(totals == 0, 1.0, totals))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable label of each new row; ``unlabeled`` where no label is reached."""
        return self._most_probable(self.predict_proba(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows whose label is predicted; a row that no label reaches is not."""
        distributions, wanted = self.predict_proba(X), _label_array(y)
        check_consistent_length(distributions, wanted, sample_weight)
        predicted = self._most_probable(distributions)
        hits = [bool(one == other) for one, other in zip(predicted, wanted, strict=True)]
        reached = ~np.isnan(distributions[:, 0])
        return float(np.average(reached & hits, weights=sample_weight))

    def _most_probable(self, distributions: np.ndarray) -> np.ndarray:
        unreachable = np.isnan(distributions[:, 0])
        best = np.argmax(distributions, axis=1)
        if not np.any(unreachable):
            return self.classes_[best]
        return _with_marker(self.classes_, self.unlabeled)[np.where(unreachable, -1, best)]


def _label_array(y: Any) -> np.ndarray:
    """One label per node; a list keeps the types of its labels, which may be mixed."""
    return column_or_1d(y if hasattr(y, "dtype") else np.asarray(y, dtype=object), warn=True)


def _without_label(adjacency: sp.csr_array, labelled: np.ndarray) -> np.ndarray:
    """The nodes whose component has no labelled node."""
    n_components, component = connected_components(adjacency, directed=False)
    has_label = np.zeros(n_components, dtype=bool)
    has_label[component[labelled]] = True
    return ~has_label[component]


def _harmonic(
    adjacency: sp.csr_array, labelled: np.ndarray, unreachable: np.ndarray, one_hot: np.ndarray
) -> np.ndarray:
    """``F`` with ``F_l = one_hot`` and ``L_uu F_u = W_ul F_l``; NaN where unreachable.

    Each unlabelled node in question reaches a label, so ``L_uu`` is positive definite.
    """
    F = np.full((adjacency.shape[0], one_hot.shape[1]), np.nan)
    F[labelled] = one_hot
    unknown = np.flatnonzero(~labelled & ~unreachable)
    if len(unknown) == 0:
        return F
    L_uu = laplacian_of(adjacency)[unknown][:, unknown]
    flow = adjacency[unknown][:, np.flatnonzero(labelled)] @ one_hot
    F_u = np.maximum(factorize(L_uu).solve(flow), 0.0)
    F[unknown] = F_u / np.sum(F_u, axis=1, keepdims=True)  # 1 up to rounding
    return F


def _with_marker(classes: np.ndarray, unlabeled: Any) -> np.ndarray:
    """The classes with the marker as the last, not made a string among strings."""
    marker = np.asarray([unlabeled])
    if (marker.dtype.kind == "U") != (classes.dtype.kind == "U"):
        marker = marker.astype(object)
    return np.concatenate([classes, marker])


def _warn_unreachable(unreachable: np.ndarray, what: str) -> None:
    if np.any(unreachable):
        warnings.warn(
            f"{np.count_nonzero(unreachable)} of {len(unreachable)} {what}; they are left "
            "unclassified. Label more nodes or use a denser graph.",
            UnreachableWarning,
            stacklevel=3,
        )
