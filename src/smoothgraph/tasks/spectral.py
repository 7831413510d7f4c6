"""Spectral clustering with the Laplacian ``L = D - W``, or the normalized one, for any number of components."""

import numbers
import warnings
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse import csgraph
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.base import ClusterMixin
from sklearn.cluster import KMeans

from smoothgraph.support.factor import factorize
from smoothgraph.support.input_error import InputError
from smoothgraph.support.threads import one_blas_thread
from smoothgraph.support.wording import agree
from smoothgraph.tasks.graph_task import GraphTask

_DENSE = 300  # nodes: up to here, finding all eigenvectors is as fast as finding a few
_SHIFT = 1e-6  # relative to the mean degree: makes L positive definite
_TIE = 1e-8  # eigenvalues with a smaller relative difference count as equal
_FRAGMENT = 15  # nodes: as in smoothgraph.estimators.auto_density
_SMALL = 0.25  # of the mean size of a cluster: a smaller component is hardly a cluster


class ComponentsWarning(UserWarning):
    """The components of a graph, rather than the edges within them, decide what its clusters are."""


class SpectralGraphClustering(ClusterMixin, GraphTask):
    """k-means of the normalized rows of the first ``n_clusters`` eigenvectors of ``L``.

    The algorithm of Ng, Jordan and Weiss (2002) with the unnormalized Laplacian ``L = D - W``, as in Kalofolias
    (2016). The components of the graph are treated exactly: the indicator of each is an eigenvector of eigenvalue
    0. If there are more components than clusters, only the largest have one, and the rows of all other nodes are
    zero. A :class:`ComponentsWarning` says so, and also if fragments of a few nodes take up clusters.

    Parameters
    ----------
    n_clusters : int
        The number of clusters and of eigenvectors.
    learner : graph learner, optional
        A copy of it learns the graph from ``X``. Without one, ``X`` is the adjacency matrix.
    normalized : bool
        Whether to take ``D^(-1/2) L D^(-1/2)`` instead of ``L``, as Ng, Jordan and Weiss do, and scikit-learn. Use it
        for graphs with uneven degrees: ``L`` cuts off nodes that hang on by weak edges, such as bridges.
    n_init : int
        The number of runs of k-means; the best one counts.
    random_state : int, RandomState instance or None
        The seed of k-means; the eigenvectors do not depend on it.

    Attributes
    ----------
    labels_ : (m,) array
        The cluster of each node.
    embedding_ : (m, n_clusters) array
        The points that k-means clusters.
    learner_ : graph learner
        The fitted copy, if a learner was given.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph.tasks import SpectralGraphClustering
    >>> chain = np.diag([1, 1, 0.1, 1, 1], k=1)  # with a weak link in the middle
    >>> labels = SpectralGraphClustering(2, random_state=0).fit_predict(chain + chain.T)
    >>> bool(np.all(labels == labels[[0, 0, 0, 5, 5, 5]])), bool(labels[0] == labels[5])
    (True, False)

    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import LogDegreeGraph
    >>> learner = LogDegreeGraph(edges_per_node=8, connected=True)
    >>> model = SpectralGraphClustering(3, learner=learner, random_state=0)
    >>> model.fit(load_iris().data).embedding_.shape
    (150, 3)
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        learner: Any = None,
        normalized: bool = False,
        n_init: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.learner = learner
        self.normalized = normalized
        self.n_init = n_init
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> "SpectralGraphClustering":
        """Cluster the nodes of the graph ``X``, or of the graph that is learned from ``X``."""
        adjacency = self._fit_graph(X)
        if not isinstance(self.n_clusters, numbers.Integral) or not 1 <= self.n_clusters <= adjacency.shape[0]:
            raise InputError(
                f"n_clusters must be a whole number between 1 and the number of nodes, "
                f"{adjacency.shape[0]} (n_samples), got {self.n_clusters!r}."
            )
        if not isinstance(self.normalized, bool | np.bool):
            raise InputError(f"normalized must be True or False, got {self.normalized!r}.")
        _warn_of_components(adjacency, int(self.n_clusters))
        _, vectors = smallest_eigenpairs(adjacency, self.n_clusters, normalized=bool(self.normalized))
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        self.embedding_: np.ndarray = vectors / np.where(lengths == 0, 1.0, lengths)
        k_means = KMeans(self.n_clusters, n_init=self.n_init, random_state=self.random_state)
        with one_blas_thread:
            self.labels_ = k_means.fit(self.embedding_).labels_
        return self


def _warn_of_components(adjacency: sp.csr_array, n_clusters: int) -> None:
    """Warn if there are more components than clusters, or if fragments of a few nodes take up clusters."""
    n_nodes = adjacency.shape[0]
    sizes = np.bincount(connected_components(adjacency, directed=False)[1])
    n_fragments = int(np.count_nonzero(sizes < min(_FRAGMENT, _SMALL * n_nodes / n_clusters)))
    if len(sizes) > n_clusters:
        what = f"The graph has {len(sizes)} components, more than the {n_clusters} clusters asked for: the largest have"
        what += " a cluster each, and the nodes of the others are put anywhere."
    elif n_fragments:
        what = f"{n_fragments} of the {n_clusters} clusters {agree(n_fragments, 'is a component', 'are components')} of"
        what += f" fewer than {_FRAGMENT} nodes, so that fewer clusters are left for the other nodes."
    else:
        return
    remedy = "Connect the graph (connected=True of the learner, as in SmoothGraph), or learn a denser one."
    warnings.warn(f"{what} {remedy}", ComponentsWarning, stacklevel=3)


@one_blas_thread
def smallest_eigenpairs(adjacency: sp.csr_array, k: int, *, normalized: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return the ``k`` smallest eigenvalues of ``L``, increasing, and orthonormal eigenvectors.

    Every vector is zero outside one component. The null vectors of the components come first, that of the largest
    component before the others: their indicators, times the square roots of the degrees if L is normalized.
    """
    n_components, component = connected_components(adjacency, directed=False)
    sizes = np.bincount(component)
    largest = np.argsort(-sizes, kind="stable")[:k]
    null = _null_vector(adjacency, component, normalized=normalized)
    indicators = (component[:, None] == largest) * null[:, None]
    wanted = k - len(largest)
    if wanted == 0:
        return np.zeros(k), indicators
    L = csgraph.laplacian(adjacency, normed=normalized).tocsr()
    values, columns = [], []
    for number in np.flatnonzero(sizes > 1):
        nodes = np.flatnonzero(component == number)
        part_values, part_vectors = _nonzero_eigenpairs(L[nodes][:, nodes], null[nodes], wanted)
        spread = np.zeros((len(component), len(part_values)))
        spread[nodes] = part_vectors
        values.append(part_values)
        columns.append(spread)
    all_values = np.concatenate(values)
    chosen = np.argsort(all_values, kind="stable")[:wanted]
    vectors = np.hstack([indicators, np.hstack(columns)[:, chosen]])
    return np.concatenate([np.zeros(n_components), all_values[chosen]]), vectors


def _null_vector(adjacency: sp.csr_array, component: np.ndarray, *, normalized: bool) -> np.ndarray:
    """Return a vector in the null space of ``L`` that has length 1 on every component."""
    degrees = np.asarray(adjacency.sum(axis=1)) if normalized else np.ones(len(component))
    degrees = np.where(degrees > 0, degrees, 1.0)  # of isolated nodes
    return np.sqrt(degrees / np.bincount(component, degrees)[component])


def _nonzero_eigenpairs(L: sp.csr_array, null: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the ``k`` smallest eigenpairs, or all, of a connected graph but that of the ``null`` vector."""
    k = min(k, L.shape[0] - 1)
    if L.shape[0] <= max(_DENSE, 3 * k):
        above_all = 3 * L.diagonal().max()  # an eigenvalue is at most twice the largest degree
        moved = L.toarray() + above_all * np.outer(null, null)  # the null vector now comes last
        values, vectors = scipy.linalg.eigh(moved, subset_by_index=[0, k - 1])
    else:
        values, vectors = _lanczos(L, null, k)
    largest = np.argmax(np.abs(vectors), axis=0)
    return values, vectors * np.sign(vectors[largest, np.arange(k)])  # the largest entries are positive


def _lanczos(L: sp.csr_array, null: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return eigenpairs by shift and invert, orthogonal to the ``null`` vector.

    Lanczos may miss copies of a multiple eigenvalue. So the search is repeated in the complement of the vectors
    that were found, until it finds nothing smaller.
    """
    shift = _SHIFT * L.diagonal().mean()
    factor = factorize(L + shift * sp.eye_array(L.shape[0]))
    found = null[:, None]
    vectors = _top_of_inverse(factor.solve, found, k)
    values = np.sum(vectors * (L @ vectors), axis=0)
    while True:
        extra = _top_of_inverse(factor.solve, np.hstack([found, vectors]), 1)
        value = float(np.sum(extra * (L @ extra)))
        if value >= values[-1] - _TIE * (values[-1] + shift):
            return values, vectors
        order = np.argsort([*values, value], kind="stable")[:k]
        values = np.append(values, value)[order]
        vectors = np.hstack([vectors, extra])[:, order]


def _top_of_inverse(solve: Any, found: np.ndarray, k: int) -> np.ndarray:
    """Return the ``k`` leading eigenvectors of the inverse in the complement of ``found``."""

    def complement(x: np.ndarray) -> np.ndarray:
        return x - found @ (found.T @ x)

    operator = LinearOperator((len(found), len(found)), matvec=lambda x: complement(solve(complement(x))), dtype=float)
    start = complement(np.random.default_rng(0).normal(size=len(found)))
    values, vectors = eigsh(operator, k=k, which="LA", v0=start)
    return np.linalg.qr(complement(vectors[:, np.argsort(-values)]))[0]
