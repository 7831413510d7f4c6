"""Communities by the Leiden algorithm of igraph."""

import random
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClusterMixin
from sklearn.utils import check_random_state

from smoothgraph.support.checks import check_number
from smoothgraph.support.optional import load_optional
from smoothgraph.tasks.graph_task import GraphTask


class LeidenGraphClustering(ClusterMixin, GraphTask):
    """Maximizes ``sum over clusters of (inside - resolution * degree^2 / (2 total)) / total``, the modularity.

    The algorithm of Traag, Waltman and van Eck (2019), run by igraph until it changes nothing. It chooses the number of
    clusters; a larger resolution gives more. Needs igraph: ``pip install 'smoothgraph[igraph]'``.

    Parameters
    ----------
    resolution : float
        A larger value gives more clusters.
    learner : graph learner, optional
        A copy of it learns the graph from ``X``. Without one, ``X`` is the adjacency matrix.
    random_state : int, RandomState instance or None
        The seed of the algorithm, which visits nodes in random order.

    Attributes
    ----------
    labels_ : (m,) array
        The cluster of each node, numbered from 0.
    modularity_ : float
        The modularity reached, at resolution 1.
    learner_ : graph learner
        The fitted copy, if a learner was given.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    .. code-block:: python

        LeidenGraphClustering(learner=SmoothGraph(), random_state=0).fit_predict(X)
    """

    def __init__(self, *, resolution: float = 1.0, learner: Any = None, random_state: Any = None) -> None:
        self.resolution = resolution
        self.learner = learner
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> "LeidenGraphClustering":
        """Find the communities of the graph of ``X``."""
        resolution = check_number("resolution", self.resolution, above=0)
        igraph = load_optional("igraph", needed_by="LeidenGraphClustering", extra="igraph")
        edges = sp.triu(self._fit_graph(X)).tocoo()
        graph = igraph.Graph(n=edges.shape[0], edges=np.stack([edges.row, edges.col], axis=1))
        seed = int(check_random_state(self.random_state).randint(2**31))
        igraph.set_random_number_generator(random.Random(seed))
        try:
            found = graph.community_leiden("modularity", edges.data, resolution=resolution, n_iterations=-1)
        finally:
            igraph.set_random_number_generator(random)
        self.labels_ = np.asarray(found.membership)
        self.modularity_ = float(graph.modularity(self.labels_.tolist(), edges.data.tolist()))
        return self
