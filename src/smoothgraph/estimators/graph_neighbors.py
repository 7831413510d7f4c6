"""Neighbors along a learned graph, for whatever takes precomputed distances to nearest neighbors."""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from smoothgraph.estimators.graph_learner import check_learner
from smoothgraph.estimators.path_kernels import nearest_by_path
from smoothgraph.estimators.smooth import SmoothGraph
from smoothgraph.support.checks import check_count
from smoothgraph.support.input_error import InputError
from smoothgraph.support.threads import in_threads

_BLOCK = 1024  # sources that one thread handles at a time


class Nearest(NamedTuple):
    """The nearest nodes of each source, and the lengths of the paths to them; both have one row per source."""

    nodes: np.ndarray
    lengths: np.ndarray


class GraphNeighborsTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """The distances to at least ``n_neighbors`` neighbors of each row, along the edges of a learned graph.

    It takes the place of scikit-learn's ``KNeighborsTransformer(mode="distance")`` before estimators with
    ``metric="precomputed"``, such as ``DBSCAN``, ``HDBSCAN``, ``TSNE``, ``Isomap``, and ``KNeighborsClassifier``. They
    ask for a fixed number of neighbors, but a learned graph gives a node as many as fit. So every row holds the
    learned edges of the node, and the nodes nearest to it by the length of the path along edges, as many as it takes.

    Parameters
    ----------
    learner : graph learner, optional
        A copy of it learns the graph; by default, :class:`~smoothgraph.SmoothGraph`. A row can only have
        ``n_neighbors`` if its component has more nodes, so that the graph should be connected.
    n_neighbors : int
        The fewest neighbors of a row, besides the row itself: ``min_samples`` of ``DBSCAN`` and ``HDBSCAN``,
        ``n_neighbors`` of the others, and ``3 * perplexity + 1`` of ``TSNE``. ``Isomap`` should take all of them, by
        ``n_neighbors=None`` and ``radius=np.inf``: of only the nearest, some graphs are not connected.

    Attributes
    ----------
    learner_ : graph learner
        The fitted copy.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import make_s_curve
    >>> from sklearn.manifold import Isomap
    >>> from sklearn.pipeline import make_pipeline
    >>> from smoothgraph import GraphNeighborsTransformer
    >>> isomap = Isomap(n_neighbors=None, radius=float("inf"), metric="precomputed")
    >>> make_pipeline(GraphNeighborsTransformer(), isomap).fit_transform(make_s_curve(500, random_state=0)[0]).shape
    (500, 2)
    """

    def __init__(self, learner: Any = None, *, n_neighbors: int = 5) -> None:
        self.learner = learner
        self.n_neighbors = n_neighbors

    def fit(self, X: Any, y: Any = None) -> "GraphNeighborsTransformer":
        """Learn the graph of the rows of ``X``."""
        check_count("n_neighbors", self.n_neighbors, minimum=1)
        learner = SmoothGraph() if self.learner is None else self.learner
        check_learner(learner, "GraphNeighborsTransformer")
        self.learner_ = clone(learner).fit(X)
        validate_data(self, X, skip_check_array=True)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> sp.csr_array:
        """Return the distances between the rows of ``X``: a symmetric matrix, whose rows also hold themselves at 0.

        The entries of a row are sorted by distance, as scikit-learn wants them.
        """
        edges = self.fit(X).learner_.distances_
        n_nodes = edges.shape[0]
        nearest = nearest_nodes(edges, self.n_neighbors + 1)
        i, near = np.repeat(np.arange(n_nodes), nearest.nodes.shape[1]), nearest.nodes.ravel()
        coo, length = edges.tocoo(), nearest.lengths.ravel()
        rows, cols = np.concatenate([i, near, coo.row]), np.concatenate([near, i, coo.col])
        return _sorted_rows(rows, cols, np.concatenate([length, length, coo.data]), edges.shape)

    def transform(self, X: Any) -> sp.csr_array:
        """Return the distances from new rows to fitted ones, first to those that they join.

        A row at distance zero from a fitted one also holds that one.
        """
        check_is_fitted(self)
        starts = self.learner_.joining_distances(X)
        nearest = nearest_nodes(self.learner_.distances_, self.n_neighbors, starts)
        i, coo = np.repeat(np.arange(starts.shape[0]), nearest.nodes.shape[1]), starts.tocoo()
        rows, cols = np.concatenate([i, coo.row]), np.concatenate([nearest.nodes.ravel(), coo.col])
        return _sorted_rows(rows, cols, np.append(nearest.lengths.ravel(), coo.data), starts.shape)

    @property
    def _n_features_out(self) -> int:
        """The columns of ``transform``, for scikit-learn."""
        return len(self.learner_.node_names_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(SmoothGraph() if self.learner is None else self.learner).input_tags
        tags.transformer_tags.preserves_dtype = []
        return tags


def nearest_nodes(edges: sp.csr_array, k: int, starts: sp.csr_array | None = None) -> Nearest:
    """Return the ``k`` nodes nearest to each source by the length of paths, sorted by it.

    ``edges`` holds the lengths of the edges. The sources are the nodes, each of which is its own first one, or the rows
    of ``starts``, which holds the lengths of the edges to their first nodes.
    """
    n_nodes = edges.shape[0]
    own = sp.csr_array((np.zeros(n_nodes), np.arange(n_nodes), np.arange(n_nodes + 1)), shape=edges.shape)
    first = own if starts is None else starts
    nodes, lengths = np.full((first.shape[0], k), -1), np.full((first.shape[0], k), np.inf)
    graph = edges.indptr, edges.indices, edges.data

    def search(begin: int) -> None:
        end = min(begin + _BLOCK, len(nodes))
        nearest_by_path(begin, end, first.indptr, first.indices, first.data, *graph, k, nodes, lengths)

    list(in_threads(search, range(0, len(nodes), _BLOCK)))
    lacking = np.flatnonzero(nodes[:, -1] < 0)
    if lacking.size:
        others = k - (starts is None)
        raise InputError(
            f"Expected {others} neighbors of each row, but row {lacking[0]} (of {lacking.size}) reaches only "
            f"{np.count_nonzero(nodes[lacking[0]] >= 0) - (starts is None)} nodes along the edges. Ask for fewer, or "
            "learn a connected graph, with SmoothGraph or connected=True."
        )
    return Nearest(nodes, lengths)


def _sorted_rows(rows: np.ndarray, cols: np.ndarray, lengths: np.ndarray, shape: tuple[int, int]) -> sp.csr_array:
    """Return the matrix with the smallest of the lengths that an entry is given, and rows sorted by length."""
    order = np.lexsort((lengths, cols, rows))
    rows, cols, lengths = rows[order], cols[order], lengths[order]
    new = np.append(True, (np.diff(rows) != 0) | (np.diff(cols) != 0))
    rows, cols, lengths = rows[new], cols[new], lengths[new]
    order = np.lexsort((lengths, rows))
    indptr = np.append(0, np.cumsum(np.bincount(rows, minlength=shape[0])))
    return sp.csr_array((lengths[order], cols[order].astype(np.int32), indptr.astype(np.int32)), shape=shape)
