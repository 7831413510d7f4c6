"""Classification from very few labels by Poisson's equation (Calder, Cook, Thorpe and Slepcev, 2020)."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.support.adjacency import laplacian_of
from smoothgraph.support.input_error import InputError
from smoothgraph.tasks.harmonic_functions import KnownLabels
from smoothgraph.tasks.laplacian_systems import solve_laplacian
from smoothgraph.tasks.node_classifier import NodeClassifier, check_shares


class PoissonClassifier(NodeClassifier):
    """``L U = sum_j (y_j - y_mean) delta_j`` over the labeled nodes j: labels are sources and sinks.

    Poisson learning of Calder, Cook, Thorpe and Slepcev (2020), "Poisson learning: graph based semi-supervised learning
    at very low label rates". Use it with a few labels per class, where harmonic functions are nearly constant. Each row
    of U sums to 0, and the weighted mean of U over the nodes, by their degrees, is 0.

    The equation has a solution if the labels of a component have mean ``y_mean``, so every component has its own.
    A class without labels in a component is not predicted there. Nodes in components without any labels are not
    classified but reported, in ``unreachable_`` and by an :class:`UnreachableWarning`.

    Parameters
    ----------
    learner : graph learner, optional
        A copy of it learns the graph from ``X``. Without one, ``X`` is the adjacency matrix.
    unlabeled : label
        The mark of a node without label in ``y``.
    class_shares : array, optional
        The shares of the classes among all nodes, in the order of ``classes_``, if they are known. The score of a class
        is then multiplied by its share over its share among the labels.

    Attributes
    ----------
    classes_ : array
        The labels found in ``y``.
    label_scores_ : (m, n_classes) array
        ``U``, minus infinity for classes without labels in the component of a node; the rows of unreachable nodes are
        NaN.
    transduction_ : (m,) array
        The class of the largest score of each node; ``unlabeled`` for unreachable nodes.
    unreachable_ : (m,) bool array
        The nodes whose component has no label.
    learner_ : graph learner
        The fitted copy, if a learner was given.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph.tasks import PoissonClassifier
    >>> chain = np.diag([1.0, 1.0, 1.0], k=1)
    >>> model = PoissonClassifier().fit(chain + chain.T, [0, -1, -1, 1])
    >>> model.label_scores_[:, 1].round(3).tolist()
    [-0.75, -0.25, 0.25, 0.75]
    >>> model.transduction_.tolist()
    [0, 0, 1, 1]
    """

    def __init__(self, *, learner: Any = None, unlabeled: Any = -1, class_shares: Any = None) -> None:
        self.learner = learner
        self.unlabeled = unlabeled
        self.class_shares = class_shares

    def _spread(self, adjacency: sp.csr_array, known: KnownLabels) -> None:
        membership = _membership(known.component)
        of_labels = membership[known.labeled]
        counts = of_labels.T @ known.one_hot  # of labels by component and class
        means = counts / np.maximum(np.sum(counts, axis=1, keepdims=True), 1.0)
        source = np.zeros((len(known.labeled), known.one_hot.shape[1]))
        source[known.labeled] = known.one_hot - of_labels @ means
        U = solve_laplacian(laplacian_of(adjacency), source, known.component)
        degrees = np.asarray(adjacency.sum(axis=1))[:, None]
        total = membership.T @ degrees
        U -= membership @ ((membership.T @ (degrees * U)) / np.where(total > 0, total, 1.0))
        U[counts[known.component] == 0] = -np.inf
        U[known.unreachable] = np.nan
        self.label_scores_ = U
        shares = known.one_hot.mean(axis=0)
        self._class_factors = (
            1.0 if self.class_shares is None else check_shares(self.class_shares, len(shares)) / shares
        )
        if self.class_shares is not None and len(shares) == 2:
            raise InputError(
                "Expected class_shares of three or more classes, got two: the two scores of a node are opposite, so "
                "that no factors change which is larger. Leave class_shares out, or use HarmonicClassifier."
            )

    @property
    def _node_scores(self) -> np.ndarray:
        return self.label_scores_

    def _factors(self) -> Any:
        return self._class_factors


def _membership(component: np.ndarray) -> sp.csr_array:
    """Return which component each node belongs to, as an indicator matrix."""
    m = len(component)
    return sp.csr_array((np.ones(m), component, np.arange(m + 1)), shape=(m, int(component.max()) + 1))
