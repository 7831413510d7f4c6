"""What the tasks share: a graph that is given or learned during ``fit``, and labels of pandas tables."""

from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph
from sklearn.base import BaseEstimator, clone
from sklearn.utils import InputTags, Tags, get_tags
from sklearn.utils.validation import validate_data

from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.frames import other_frame


def laplacian_of(graph: Any) -> sp.csr_array:
    """``L = D - W`` of a fitted learner or an adjacency matrix."""
    return csgraph.laplacian(adjacency_of(graph)).tocsr()


def copy_labels(source: Any, values: np.ndarray) -> Any:
    """Return ``values`` as a DataFrame or Series labeled like ``source``, if that is one."""
    frame = other_frame(source)
    if frame is not None:
        columns = dict(zip(frame.columns, values.T, strict=True))
        return nw.from_dict(columns, backend=frame.implementation).to_native()
    if hasattr(source, "columns"):
        return type(source)(values, index=source.index, columns=source.columns)
    if hasattr(source, "index") and hasattr(source, "name"):
        return type(source)(values, index=source.index, name=source.name)
    return values


class GraphTask(BaseEstimator):
    """An estimator on the graph that ``learner`` learns from ``X``, or on the graph ``X`` itself."""

    learner: Any

    def _fit_graph(self, X: Any) -> sp.csr_array:
        """Return ``W``; set ``learner_``, if there is one, and ``n_features_in_``."""
        if self.learner is None:
            adjacency = adjacency_of(X)
        else:
            self.learner_ = clone(self.learner).fit(X)
            adjacency = adjacency_of(self.learner_)
        validate_data(self, X, skip_check_array=True)
        return adjacency

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if self.learner is None:
            tags.input_tags = InputTags(sparse=True, pairwise=True, positive_only=True)
        else:
            tags.input_tags = get_tags(self.learner).input_tags
        return tags
