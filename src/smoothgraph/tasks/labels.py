"""Labels of which some are unknown: which nodes have one, and scores over those that do."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import get_scorer
from sklearn.utils import _safe_indexing as take_rows
from sklearn.utils import column_or_1d

from smoothgraph.support.input_error import InputError, checked_by_others


def label_array(y: Any) -> np.ndarray:
    """Return an array of one label per node; labels in a list keep their types."""
    with checked_by_others():
        return column_or_1d(y if hasattr(y, "dtype") else np.asarray(y, dtype=object), warn=True)


def labeled_mask(labels: np.ndarray, unlabeled: Any) -> np.ndarray:
    """Return which nodes have a label, or raise an InputError if the mark cannot be told from one."""
    mask = np.array([label != unlabeled for label in labels.tolist()], dtype=bool)
    if not isinstance(unlabeled, str) and str(unlabeled) in {one for one in labels.tolist() if isinstance(one, str)}:
        raise InputError(
            f"y holds the text {str(unlabeled)!r}, not the mark {unlabeled!r}, because an array of strings turns the "
            f"mark into text. Use unlabeled={str(unlabeled)!r}, or pass y as a list or an array of objects."
        )
    if labels.dtype.kind == "u" and isinstance(unlabeled, int) and unlabeled < 0:
        wrapped = int(np.array(unlabeled).astype(labels.dtype))
        if wrapped in labels:
            raise InputError(
                f"Expected labels of a type that can hold the mark {unlabeled}, got {labels.dtype}, which turns it "
                f"into the label {wrapped}. Use y.astype(int) before you mark nodes, or unlabeled={wrapped}."
            )
    return mask


def labeled_scorer(scoring: Any, *, unlabeled: Any = -1) -> Callable[[Any, Any, Any], float]:
    """Return the scorer ``scoring`` of scikit-learn over the rows that have a label.

    ``GridSearchCV`` also holds out unlabeled rows. Scikit-learn's scorers would take their mark for a class, and count
    every prediction there as wrong.

    Parameters
    ----------
    scoring : str or callable
        The name of a metric, such as "balanced_accuracy", or a scorer ``f(estimator, X, y)``.
    unlabeled : label
        The mark of a row without a label.

    Examples
    --------
    .. code-block:: python

        scoring = labeled_scorer("balanced_accuracy")
        GridSearchCV(HarmonicClassifier(learner=SmoothGraph()), grid, scoring=scoring).fit(X, y_known)
    """
    with checked_by_others():
        scorer = get_scorer(scoring)

    def score(estimator: Any, X: Any, y: Any) -> float:
        kept, labels = select_labeled(X, y, unlabeled)
        return float(scorer(estimator, kept, labels))

    return score


def select_labeled(X: Any, y: Any, unlabeled: Any) -> tuple[Any, np.ndarray]:
    """Return the rows that have a label, and their labels."""
    labels = label_array(y)
    rows = np.flatnonzero(labeled_mask(labels, unlabeled))
    if len(rows) == 0:
        raise InputError(
            f"Expected at least one held-out row with a label to score, but all are marked {unlabeled!r}; use fewer "
            "folds, or StratifiedKFold with shuffle=True."
        )
    return take_rows(X, rows), np.asarray(labels[rows].tolist())
