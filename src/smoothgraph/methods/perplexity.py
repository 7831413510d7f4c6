"""The affinities of t-SNE as a graph."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from smoothgraph.estimators.graph_method import MethodResult
from smoothgraph.methods.calibrated_widths import find_widths
from smoothgraph.methods.neighbor_lists import NeighborListGraph, Neighbors, mean, positive_scales
from smoothgraph.support.checks import check_number
from smoothgraph.support.input_error import InputError

_LIST = 3  # nearest neighbors per unit of perplexity, as t-SNE has them


@dataclass(eq=False, repr=False)
class PerplexityGraph(NeighborListGraph):
    """``w_ij = (p_ij + p_ji) / 2`` with ``p_ij = exp(-z_ij / width_i) / sum``, j of the k nearest of i: as t-SNE.

    ``width_i`` gives the distribution ``p_i`` of every node the same perplexity, the exponential of its entropy: about
    as many neighbors have a say. See van der Maaten and Hinton (2008), "Visualizing data using t-SNE", and van der
    Maaten (2014), "Accelerating t-SNE using tree-based algorithms", for the list of neighbors. t-SNE divides these
    weights by the number of nodes.

    Parameters
    ----------
    n_neighbors : int
        The number k; if there are fewer other nodes, all of them count.
    perplexity : float, optional
        At most k; by default ``k / 3``, as in t-SNE, and at least 1.
    nodes
        See :mod:`smoothgraph.methods`, also for the attributes.

    Examples
    --------
    >>> from smoothgraph.methods import PerplexityGraph
    >>> graph = PerplexityGraph(n_neighbors=2, perplexity=2).fit([[0.0], [1.0], [3.0]])
    >>> graph.adjacency_.toarray().round(2).tolist()
    [[0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]]
    """

    n_neighbors: int = 30
    _: KW_ONLY
    perplexity: float | None = None

    def join(self, table: np.ndarray, neighbors: Neighbors) -> MethodResult:
        """Return the graph of the rows of ``table`` whose nearest neighbors are known."""
        k = neighbors.ids.shape[1]
        perplexity = max(1.0, k / _LIST)
        if self.perplexity is not None:
            perplexity = min(check_number("perplexity", self.perplexity, minimum=1), float(k))
            if self.perplexity > self.n_neighbors:
                raise InputError(
                    f"perplexity must be at most n_neighbors={self.n_neighbors}, got {self.perplexity!r}; take "
                    f"{_LIST} times as many neighbors as the perplexity."
                )
        beyond = neighbors.z - neighbors.z[:, :1]
        widths = find_widths(
            lambda width: _entropy(beyond, width), np.log(perplexity), positive_scales(beyond.mean(axis=1))
        )
        return neighbors.join(_distribution(beyond, widths), mean)


def _distribution(beyond: np.ndarray, width: np.ndarray) -> np.ndarray:
    kernel = np.exp(-beyond / width)
    return kernel / np.sum(kernel, axis=1, keepdims=True)


def _entropy(beyond: np.ndarray, width: np.ndarray) -> np.ndarray:
    """``-sum p log p`` of every row, which is ``log(sum of the kernel) + mean of the exponent``."""
    kernel = np.exp(-beyond / width)
    total = np.sum(kernel, axis=1)
    return np.log(total) + np.sum(kernel * (beyond / width), axis=1, where=kernel > 0) / total
