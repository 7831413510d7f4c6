"""The graph that a task works on, from a learner or a matrix."""

from typing import Any

import scipy.sparse as sp
from sklearn.base import BaseEstimator, clone
from sklearn.utils import InputTags, Tags, get_tags
from sklearn.utils.validation import validate_data

from smoothgraph.support.adjacency import adjacency_of


def laplacian_of(graph: Any) -> sp.csr_array:
    """``L = D - W`` of a fitted learner or an adjacency matrix."""
    W = adjacency_of(graph)
    return (sp.diags_array(W.sum(axis=1)) - W).tocsr()


class GraphTask(BaseEstimator):
    """An estimator on a graph: that of ``learner``, fitted to ``X``, or else ``X`` itself."""

    learner: Any

    def _fit_graph(self, X: Any) -> sp.csr_array:
        """``W``; sets ``learner_``, if there is one, and scikit-learn's record of the input."""
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
