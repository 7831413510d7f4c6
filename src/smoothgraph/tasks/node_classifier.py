"""What classifiers of nodes share: labels that are partly known, unreachable nodes, new rows."""

import warnings
from abc import abstractmethod
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassifierMixin
from sklearn.preprocessing import LabelEncoder
from sklearn.utils import assert_all_finite, check_consistent_length
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from smoothgraph.support.input_error import InputError, checked_by_others
from smoothgraph.support.wording import agree
from smoothgraph.tasks.graph_task import GraphTask
from smoothgraph.tasks.harmonic_functions import KnownLabels
from smoothgraph.tasks.labels import label_array, labeled_mask, select_labeled


class UnreachableWarning(UserWarning):
    """Some nodes or entries are not joined to anything known, so they are left undetermined."""


class NodeClassifier(ClassifierMixin, GraphTask):
    """Spreads the known labels over a graph: a score per node and class, the largest of which decides."""

    unlabeled: Any

    def fit(self, X: Any, y: Any) -> "NodeClassifier":
        """Spread the labels in ``y`` over the graph of ``X``."""
        labels, labeled = self._check_labels(y)
        encoder = LabelEncoder()
        codes = np.full(len(labels), -1)
        codes[labeled] = encoder.fit_transform(labels[labeled])
        adjacency = self._fit_graph(X)
        if len(labels) != adjacency.shape[0]:
            raise InputError(f"y must have one label per node, {adjacency.shape[0]}, got {len(labels)}.")
        self.classes_ = np.asarray(encoder.classes_.tolist())
        known = KnownLabels.of(adjacency, codes, len(self.classes_))
        self.unreachable_ = known.unreachable
        self._spread(adjacency, known)
        self.transduction_ = self._decide(self._node_scores)
        _warn_unreachable(self.unreachable_, ("nodes lies in a component", "nodes lie in components"), "without labels")
        return self

    @abstractmethod
    def _spread(self, adjacency: sp.csr_array, known: KnownLabels) -> None:
        """Set the attribute behind ``_node_scores``."""

    @property
    @abstractmethod
    def _node_scores(self) -> np.ndarray:
        """The scores of the fitted nodes, NaN for unreachable ones."""

    def _factors(self) -> Any:
        """Return what the scores of each class are multiplied by before they are compared."""
        return 1.0

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of the largest score of each row; ``unlabeled`` if it reaches no label."""
        return self._decide(self._scores_of_new(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows with the right label, of those that have one in ``y``.

        A row that reaches no label is wrong. :func:`labeled_scorer` gives other scores.
        """
        wanted = label_array(y)
        with checked_by_others():
            check_consistent_length(X, wanted, sample_weight)
        labeled = labeled_mask(wanted, self.unlabeled)
        kept, known = select_labeled(X, wanted, self.unlabeled)
        scores = self._scores_of_new(kept)
        predicted = self._decide(scores)
        hits = [bool(one == other) for one, other in zip(predicted, known, strict=True)]
        reached = ~np.isnan(scores[:, 0])
        weights = None if sample_weight is None else np.asarray(sample_weight)[labeled]
        return float(np.average(reached & hits, weights=weights))

    def _scores_of_new(self, X: Any) -> np.ndarray:
        """Return the weighted mean of the scores of the fitted nodes that each row joins."""
        check_is_fitted(self)
        if not hasattr(self.learner, "transform"):
            raise InputError(
                "Expected a learner with a transform for new rows to join its graph, such as LogDegreeGraph, got "
                f"learner={self.learner!r}. The labels of the fitted nodes are in transduction_."
            )
        joined = self.learner_.transform(X)
        reached = joined @ (~self.unreachable_).astype(float)
        sums = joined @ np.where(self.unreachable_[:, None], 0.0, self._node_scores)
        unreachable = reached == 0
        _warn_unreachable(unreachable, ("rows joins", "rows join"), "no node that reaches a label")
        return np.where(unreachable[:, None], np.nan, sums / np.where(unreachable, 1.0, reached)[:, None])

    def _check_labels(self, y: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the labels and the mask of the labeled nodes, or raise an error."""
        if y is None:
            raise InputError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        labels = label_array(y)
        labeled = labeled_mask(labels, self.unlabeled)
        if not np.any(labeled):
            raise InputError(f"At least one node must be labeled, but all are marked {self.unlabeled!r}.")
        known = np.asarray(labels[labeled].tolist())
        assert_all_finite(known, input_name="y")
        check_classification_targets(known)
        return labels, labeled

    def _decide(self, scores: np.ndarray) -> np.ndarray:
        unreachable = np.isnan(scores[:, 0])
        best = np.argmax(scores * self._factors(), axis=1)
        if not np.any(unreachable):
            return self.classes_[best]
        marker = np.asarray([self.unlabeled])
        if (marker.dtype.kind == "U") != (self.classes_.dtype.kind == "U"):
            marker = marker.astype(object)  # so that neither turns into strings
        return np.concatenate([self.classes_, marker])[np.where(unreachable, -1, best)]


def check_shares(shares: Any, n_classes: int) -> np.ndarray:
    """Return the shares of the classes, which must be positive, as numbers that sum to 1."""
    try:
        values = np.asarray(shares, dtype=float)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.shape != (n_classes,) or not np.all(np.isfinite(values)) or np.any(values <= 0):
        raise InputError(
            f"class_shares must be one positive number for each of the {n_classes} classes in y, in the order of "
            f"classes_, got {shares!r}."
        )
    return values / values.sum()


def _warn_unreachable(unreachable: np.ndarray, what: tuple[str, str], rest: str) -> None:
    count = int(np.count_nonzero(unreachable))
    if count:
        warnings.warn(
            f"{count} of {len(unreachable)} {agree(count, *what)} {rest}, and {agree(count, 'stays', 'stay')} "
            "unclassified. Label more nodes or use a denser graph.",
            UnreachableWarning,
            stacklevel=3,
        )
