"""Classification from few labels by harmonic functions (Zhu, Ghahramani and Lafferty, 2003)."""

import warnings
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.preprocessing import LabelEncoder
from sklearn.utils import assert_all_finite, check_consistent_length
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from smoothgraph.support.input_error import InputError, checked_by_others
from smoothgraph.support.wording import agree
from smoothgraph.tasks.graph_task import GraphTask
from smoothgraph.tasks.harmonic_functions import spread_labels
from smoothgraph.tasks.labels import label_array, labeled_mask, select_labeled


class UnreachableWarning(UserWarning):
    """Some nodes or entries are not joined to anything known, so they are left undetermined."""


class HarmonicClassifier(ClassifierMixin, GraphTask):
    """``L_uu F_u = W_ul Y_l``: each unlabeled node is the weighted mean of its neighbors.

    F is the harmonic function that takes the known labels: the probability that a random walk from a node meets a
    label of each class first. Nodes in components without labels are not classified but reported, in
    ``unreachable_`` and by an :class:`UnreachableWarning`.

    Parameters
    ----------
    learner : graph learner, optional
        A copy of it learns the graph from ``X``. Without one, ``X`` is the adjacency matrix.
    unlabeled : label
        The mark of a node without label in ``y``.

    Attributes
    ----------
    classes_ : array
        The labels found in ``y``.
    label_distributions_ : (m, n_classes) array
        ``F``. Each row is in [0, 1] and sums to 1; the rows of unreachable nodes are NaN.
    transduction_ : (m,) array
        The most probable label of each node; ``unlabeled`` for unreachable nodes.
    unreachable_ : (m,) bool array
        The nodes whose component has no label.
    learner_ : graph learner
        The fitted copy, if a learner was given.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    A chain with a label at each end:

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
        labels, labeled = self._check_labels(y)
        encoder = LabelEncoder()
        codes = np.full(len(labels), -1)
        codes[labeled] = encoder.fit_transform(labels[labeled])
        adjacency = self._fit_graph(X)
        if len(labels) != adjacency.shape[0]:
            raise InputError(f"y must have one label per node, {adjacency.shape[0]}, got {len(labels)}.")
        self.classes_ = np.asarray(encoder.classes_.tolist())
        self.label_distributions_, self.unreachable_ = spread_labels(adjacency, codes, len(self.classes_))
        self.transduction_ = self._most_probable(self.label_distributions_)
        _warn_unreachable(self.unreachable_, ("nodes lies in a component", "nodes lie in components"), "without labels")
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the weighted mean of the distributions of the fitted nodes that each row joins.

        The result is NaN for a row that joins no node, or only unreachable ones. A fitted node given as a new row
        is judged by its neighbors, too: an unlabeled one gets its own distribution again.
        """
        check_is_fitted(self)
        if not hasattr(self.learner, "transform"):
            raise InputError(
                "Expected a learner with a transform for new rows to join its graph, such as LogDegreeGraph, got "
                f"learner={self.learner!r}. The labels of the fitted nodes are in transduction_."
            )
        sums = self.learner_.transform(X) @ np.nan_to_num(self.label_distributions_)
        totals = np.sum(sums, axis=1, keepdims=True)
        unreachable = totals[:, 0] == 0
        _warn_unreachable(unreachable, ("rows joins", "rows join"), "no node that reaches a label")
        return np.where(unreachable[:, None], np.nan, sums / np.where(totals == 0, 1.0, totals))

    def predict(self, X: Any) -> np.ndarray:
        """Return the most probable label of each row; ``unlabeled`` if it reaches no label."""
        return self._most_probable(self.predict_proba(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows with the right label, of those that have one in ``y``.

        A row that reaches no label is wrong. :func:`labeled_scorer` gives other scores.
        """
        wanted = label_array(y)
        with checked_by_others():
            check_consistent_length(X, wanted, sample_weight)
        labeled = labeled_mask(wanted, self.unlabeled)
        kept, known = select_labeled(X, wanted, self.unlabeled)
        distributions = self.predict_proba(kept)
        predicted = self._most_probable(distributions)
        hits = [bool(one == other) for one, other in zip(predicted, known, strict=True)]
        reached = ~np.isnan(distributions[:, 0])
        weights = None if sample_weight is None else np.asarray(sample_weight)[labeled]
        return float(np.average(reached & hits, weights=weights))

    def _check_labels(self, y: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the labels and the mask of the labeled nodes, or raise an error."""
        if y is None:
            raise InputError("HarmonicClassifier requires y to be passed, but the target y is None.")
        labels = label_array(y)
        labeled = labeled_mask(labels, self.unlabeled)
        if not np.any(labeled):
            raise InputError(f"At least one node must be labeled, but all are marked {self.unlabeled!r}.")
        known = np.asarray(labels[labeled].tolist())
        assert_all_finite(known, input_name="y")
        check_classification_targets(known)
        return labels, labeled

    def _most_probable(self, distributions: np.ndarray) -> np.ndarray:
        unreachable = np.isnan(distributions[:, 0])
        best = np.argmax(distributions, axis=1)
        if not np.any(unreachable):
            return self.classes_[best]
        marker = np.asarray([self.unlabeled])
        if (marker.dtype.kind == "U") != (self.classes_.dtype.kind == "U"):
            marker = marker.astype(object)  # so that neither turns into strings
        return np.concatenate([self.classes_, marker])[np.where(unreachable, -1, best)]


def _warn_unreachable(unreachable: np.ndarray, what: tuple[str, str], rest: str) -> None:
    count = int(np.count_nonzero(unreachable))
    if count:
        warnings.warn(
            f"{count} of {len(unreachable)} {agree(count, *what)} {rest}, and {agree(count, 'stays', 'stay')} "
            "unclassified. Label more nodes or use a denser graph.",
            UnreachableWarning,
            stacklevel=3,
        )
