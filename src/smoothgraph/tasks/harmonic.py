"""Classification from few labels by harmonic functions (Zhu, Ghahramani and Lafferty, 2003)."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.tasks.harmonic_functions import KnownLabels, spread_labels
from smoothgraph.tasks.node_classifier import NodeClassifier, check_shares


class HarmonicClassifier(NodeClassifier):
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
    nonlocal_weights : bool
        Whether the edges of labeled nodes weigh ``(1 + m / l) / 2`` times as much, where l of the m nodes are labeled:
        the weighted nonlocal Laplacian (WNLL) of Shi, Osher and Zhu (2017), "Weighted nonlocal Laplacian on
        interpolation from sparse data". Use it with a few labels per class, where F is otherwise nearly constant.
    class_shares : "labels" or array, optional
        The shares of the classes among all nodes, or "labels" for those among the labels. The score of a class, its
        column of F, is then multiplied by a number that gives it this share of the total over the unlabeled nodes:
        class mass normalization (Zhu, Ghahramani and Lafferty, 2003). An array is in the order of ``classes_``.

    Attributes
    ----------
    classes_ : array
        The labels found in ``y``.
    label_distributions_ : (m, n_classes) array
        ``F``. Each row is in [0, 1] and sums to 1; the rows of unreachable nodes are NaN.
    transduction_ : (m,) array
        The most probable label of each node, by F or with ``class_shares``; ``unlabeled`` for unreachable nodes.
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

    def __init__(
        self, *, learner: Any = None, unlabeled: Any = -1, nonlocal_weights: bool = False, class_shares: Any = None
    ) -> None:
        self.learner = learner
        self.unlabeled = unlabeled
        self.nonlocal_weights = nonlocal_weights
        self.class_shares = class_shares

    def _spread(self, adjacency: sp.csr_array, known: KnownLabels) -> None:
        labeled, one_hot = known.labeled, known.one_hot
        n_nodes, n_labels = len(labeled), len(one_hot)
        if self.nonlocal_weights:
            heavier = sp.diags_array(np.where(labeled, (1 + n_nodes / n_labels) / 2, 1.0))
            adjacency = (heavier @ adjacency @ heavier).tocsr()
        F = self.label_distributions_ = spread_labels(adjacency, known)
        unknown = ~labeled & ~known.unreachable
        self._class_factors = 1.0 if self.class_shares is None else self._mass_factors(F[unknown], one_hot)

    def _mass_factors(self, F_u: np.ndarray, one_hot: np.ndarray) -> np.ndarray:
        """Return the factors that give the classes their shares of the total of ``F_u``."""
        is_named = isinstance(self.class_shares, str) and self.class_shares == "labels"
        shares = one_hot.mean(axis=0) if is_named else check_shares(self.class_shares, one_hot.shape[1])
        mass = np.sum(F_u, axis=0)
        return shares / np.where(mass > 0, mass, 1.0)

    @property
    def _node_scores(self) -> np.ndarray:
        return self.label_distributions_

    def _factors(self) -> Any:
        return self._class_factors

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the weighted mean of the distributions of the fitted nodes that each row joins.

        The result is NaN for a row that joins no node, or only unreachable ones. A fitted node given as a new row
        is judged by its neighbors, too: an unlabeled one gets its own distribution again.
        """
        return self._scores_of_new(X)
