"""The seam between mathematics and data: what a problem asks of its candidate pairs.

Candidate pairs and their distances are one object, :class:`CandidatePairs`. It may hold arrays in memory,
partitions on the workers of a cluster, or one copy of the pairs for each window of a series. Problems, solvers and
solutions see only the questions below, so each of them exists once.

Words, as they are used in all of the package:

- A *node* is what the graph joins. A *pair* ``e = {i, j}`` of nodes is a candidate: it may become
  an *edge*, which is a pair with a weight ``w_e > 0``.
- ``z_e`` is the *distance* of a pair. ``S`` sums over the pairs at each node, so that ``S w`` are
  the weighted *degrees*.
- ``u`` are the *multipliers* of ``d = S w``, one per node, and ``v_e = u_i + u_j - 2 z_e``.
- The *cost* of a pair is the distance at which it stops being an edge: a weight is zero if and
  only if ``u_i + u_j <= 2 cost_e``. It is ``z_e`` unless the edge prior moves it.
- The *reach* of a node says which pairs matter: those with ``2 cost_e < reach_i + reach_j``.

Vectors over the nodes are always in the order in which the user numbered them. An implementation that stores its
nodes in another order translates on the way in and out.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from smoothgraph.priors.prior import DegreePrior, EdgePrior
from smoothgraph.support.input_error import InputError
from smoothgraph.support.wording import agree, list_some

if TYPE_CHECKING:
    from smoothgraph.pairs.around import Surroundings
    from smoothgraph.pairs.interior import Interior
    from smoothgraph.pairs.sweeps import Sweeper

Triples = tuple[np.ndarray, np.ndarray, np.ndarray]  # i, j and z (or w) of some pairs
Weights = Any  # one number per pair; only the pairs that it belongs to know where they are


class Totals(NamedTuple):
    """Sums over weights: ``S w``, ``z'w``, ``f(w)``, and the number of edges."""

    degrees: np.ndarray
    distance: float
    value: float
    n_edges: int


class Balance(NamedTuple):
    """How to correct weights that lost digits; see ``DualPoint.balanced_weights``.

    Per node: the degree it wants, the factor that gives its edges that degree, whether it has lost all edges to
    rounding, and how far it must rise to have one.
    """

    wanted: np.ndarray
    ratio: np.ndarray
    lost: np.ndarray
    rise: np.ndarray


class EdgeCurvature(ABC):
    """``S diag(c) S'``, the curvature of ``f*(v)`` as a function of ``u``."""

    @property
    @abstractmethod
    def diagonal(self) -> np.ndarray:
        """The diagonal of the matrix."""

    @property
    @abstractmethod
    def n_pairs(self) -> int:
        """How many pairs of nodes the matrix couples, at most."""

    @abstractmethod
    def product(self, x: np.ndarray) -> np.ndarray:
        """The product with a vector."""

    def pairs_above(self, least: np.ndarray) -> Triples | None:  # noqa: ARG002
        """Pairs ``i, j`` with ``c_e > min(least_i, least_j)``, and ``c``; None if the matrix is not of this form."""
        return None

    @abstractmethod
    def matrix(self, diagonal: np.ndarray) -> sp.csc_array:
        """``M`` with ``M (x, y) = (b, 0)`` for the solution ``x`` of ``(S diag(c) S' + diag(diagonal)) x = b``.

        It is that matrix, unless some ``c`` are so large that the sum would lose the diagonal: such pairs have rows
        and unknowns ``y_e = c_e (x_i + x_j)`` of their own.
        """


class EdgeTerms(ABC):
    """What the pairs contribute to the dual at one ``u``."""

    @property
    @abstractmethod
    def degrees(self) -> np.ndarray:
        """``S w`` for the weights ``w = f*'(v)``."""

    @property
    @abstractmethod
    def conjugate(self) -> float:
        """``f*(v)``."""

    @property
    @abstractmethod
    def weights(self) -> Weights:
        """``w = f*'(v)``."""

    @abstractmethod
    def divergence(self, w: Weights) -> float:
        """``f(w) + f*(v) - v'w`` for any weights ``w``."""

    @abstractmethod
    def lesser_squares(self) -> float:
        """The sum of ``min(|u_i|, |u_j|)^2`` over the pairs with a weight."""

    def weights_beside(self, change: np.ndarray) -> Weights:
        """``max(w + f*''(v) (S'change), 0)``: the weights to first order, if ``u`` changes."""
        raise NotImplementedError(f"{type(self).__name__} has no derivative per pair")

    @abstractmethod
    def balance(self, balance: Balance) -> Weights:
        """The weights, each corrected by the end that wants the smaller degree."""

    @abstractmethod
    def curvature(self) -> EdgeCurvature:
        """The generalized second derivative of ``f*(v)``."""

    @abstractmethod
    def rise(self, change: np.ndarray | None = None) -> np.ndarray:
        """How far each node's ``u`` must rise until it has an edge; 0 if it has one.

        With ``change``, the multipliers are first changed by that much; this counts at nodes without an edge.
        """

    @abstractmethod
    def excess(self) -> np.ndarray:
        """The largest ``max(v_e, 0) / 2`` at each node."""

    def largest(self, k: int) -> np.ndarray:
        """The ``k`` largest ``v_e``, less what an edge needs, at each node, decreasing, ``(m, k)``.

        They are minus infinity where pairs are fewer.
        """
        raise NotImplementedError(f"{type(self).__name__} does not sort pairs")

    def log_degrees(self) -> np.ndarray:
        """``log(S w)`` of an edge prior with a temperature, even where all weights of a node vanish."""
        raise NotImplementedError(f"{type(self).__name__} has no weights that never vanish")

    def limit(self, most: np.ndarray) -> Weights:
        """The weights of an edge prior with a temperature, each scaled down until its ends have ``most`` as degrees."""
        raise NotImplementedError(f"{type(self).__name__} has no weights that never vanish")


class SimplerProblem(NamedTuple):
    """A related problem, whose ``u``, repeated ``copies`` times, is a start for the real one."""

    pairs: "CandidatePairs"
    edge_prior: EdgePrior
    copies: int


class CandidatePairs(ABC):
    """Pairs of nodes that may become edges, and their distances."""

    n_nodes: int

    # -- what there is -------------------------------------------------------

    @property
    def part_of(self) -> np.ndarray | None:
        """The node that each of the ``n_nodes`` is a part of, where nodes are split into parts; else None."""
        return None

    @property
    def n_joined(self) -> int:
        """The number of nodes that the graph joins: those that are split into parts count once."""
        return self.n_nodes if self.part_of is None else int(self.part_of.max()) + 1

    @property
    @abstractmethod
    def n_pairs(self) -> int:
        """The number of pairs."""

    @property
    @abstractmethod
    def distance_range(self) -> tuple[float, float]:
        """The smallest and the largest distance."""

    @property
    @abstractmethod
    def pairs_per_node(self) -> tuple[int, int]:
        """The smallest and the largest number of pairs at a node."""

    @abstractmethod
    def lone_nodes(self) -> np.ndarray:
        """The nodes without any pair."""

    @property
    def ids(self) -> np.ndarray | None:
        """The positions of these pairs among those first selected from, where that is known."""
        return None

    def locate(self, part: "CandidatePairs") -> np.ndarray:
        """The positions of a selected ``part`` among these pairs."""
        assert part.ids is not None, "only a selection knows where its pairs were"
        if self.ids is None:
            return part.ids
        order = np.argsort(self.ids)  # a selection of a selection
        return order[np.searchsorted(self.ids, part.ids, sorter=order)]

    @abstractmethod
    def nearest(self, k: int, f: EdgePrior | None = None) -> np.ndarray:
        """The ``k`` smallest distances at each node (with ``f``, costs), increasing, ``(m, k)``.

        A node with fewer pairs has infinity in the rest of its row.
        """

    @abstractmethod
    def shortest_between(self, label: np.ndarray) -> Triples:
        """For each label of the nodes a shortest pair ``i, j, z`` to another label, if there is one."""

    @abstractmethod
    def contains(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return whether each of the pairs ``{i[e], j[e]}`` is here."""

    @abstractmethod
    def largest_pair_sum(self, y: np.ndarray) -> float:
        """The largest ``y_i + y_j`` over the pairs."""

    # -- parts and relatives -------------------------------------------------

    @abstractmethod
    def select(self, f: EdgePrior, reach: np.ndarray, near: np.ndarray) -> "CandidatePairs":
        """The pairs with ``2 cost < reach_i + reach_j`` or ``cost <= max(near_i, near_j)``."""

    @abstractmethod
    def count_below(self, f: EdgePrior, u: np.ndarray) -> int:
        """The number of pairs with ``2 cost < u_i + u_j``."""

    @abstractmethod
    def scale(self, factor: float) -> "CandidatePairs":
        """The same pairs with all distances multiplied by a factor."""

    @abstractmethod
    def localize(self, scale: np.ndarray) -> "CandidatePairs":
        """The same pairs with the distances ``(z_ij / (scale_i scale_j))^2``."""

    def simplify(self, f: EdgePrior) -> list[SimplerProblem]:  # noqa: ARG002
        """Simpler problems to start from; none where a node alone gives a good start."""
        return []

    # -- the dual ------------------------------------------------------------

    @abstractmethod
    def evaluate(self, f: EdgePrior, u: np.ndarray, tail: np.ndarray) -> EdgeTerms:
        """What the pairs contribute to the dual at ``u + tail``, a sum kept in two parts."""

    def around(self, f: EdgePrior, core: np.ndarray, reach: np.ndarray, hops: int) -> "Surroundings":
        """The pairs of the nodes around a ``core``, ``hops`` steps over pairs with ``2 cost_e < reach_i + reach_j``.

        There are fewer steps where these would reach many more nodes than the core has.
        """
        raise NotImplementedError(f"{type(self).__name__} has no parts that are solved by themselves")

    def sweeper(self, f: EdgePrior) -> "Sweeper | None":  # noqa: ARG002
        """Coordinate ascent over these pairs, if it is possible and pays."""
        return None

    def interior(self, f: EdgePrior) -> "Callable[[np.ndarray, float], Interior] | None":  # noqa: ARG002
        """Where an interior-point method starts, given ``u`` and the products ``w s``, if these pairs have one."""
        return None

    # -- weights -------------------------------------------------------------

    @abstractmethod
    def totals(self, f: EdgePrior, w: Weights) -> Totals:
        """Sums over the weights ``w``."""

    @abstractmethod
    def multiply(self, w: Weights, factor: float) -> Weights:
        """``factor * w``."""

    @abstractmethod
    def expand(self, part: "CandidatePairs", w: Weights) -> Weights:
        """The weights ``w`` on a selected ``part`` as weights on all pairs, zero elsewhere."""

    @abstractmethod
    def drop_zeros(self, w: Weights) -> "tuple[CandidatePairs, Weights]":
        """The edges alone: the pairs with a weight, and their weights."""

    @abstractmethod
    def components(self, w: Weights) -> np.ndarray:
        """The component of each node in the graph with these weights, numbered from 0."""

    @abstractmethod
    def smallest_weights(self, w: Weights) -> np.ndarray:
        """The smallest positive weight at each node, infinite where there is none."""

    @abstractmethod
    def adjacency(self, w: Weights) -> sp.csr_array:
        """The learned graph in memory: symmetric CSR, zero diagonal, no stored zeros."""

    @abstractmethod
    def fitted_attributes(self, w: Weights, bridges: Triples) -> dict[str, Any]:
        """The learned graph, with ``bridges`` of their own weights, as an estimator stores it.

        In memory, that is its adjacency and its Laplacian.
        """

    @abstractmethod
    def gather(self) -> "CandidatePairs":
        """The same pairs in the memory of this process, in the order of the nodes."""


def check_against_priors(pairs: CandidatePairs, f: EdgePrior, g: DegreePrior) -> None:
    """Raise an InputError unless the priors fit the pairs and the distances are possible ones."""
    for prior, kind in ((f, EdgePrior), (g, DegreePrior)):
        if not isinstance(prior, kind):
            raise InputError(
                f"Expected a prior that inherits from {kind.__name__} (see docs/priors.md), got {prior!r}."
            )
    if pairs.n_pairs == 0:
        raise InputError("There is no candidate pair to choose from; allow at least one.")
    low, high = pairs.distance_range
    if not np.isfinite(low + high):
        raise InputError("The distances contain NaN or infinity; drop those rows or fill them in first.")
    if low < 0:
        raise InputError(f"Distances must be >= 0, but the smallest is {low:g}.")
    _check_size("edge_prior", f.n_pairs, pairs.n_pairs, "candidate pair")
    _check_size("degree_prior", g.n_nodes, pairs.n_nodes, "node")
    if np.any(g.needs_edges) and pairs.pairs_per_node[0] == 0:
        raise InputError(
            f"{type(g).__name__} gives every node a positive degree, but {_list_nodes(pairs.lone_nodes())} no "
            "candidate pair; add pairs there or drop the nodes."
        )


def _check_size(prior: str, size: int | None, expected: int, unit: str) -> None:
    if size is not None and size != expected:
        raise InputError(f"The {prior} must have one parameter per {unit}, ({expected},), got ({size},).")


def _list_nodes(nodes: np.ndarray) -> str:
    shown = list_some(nodes)
    return agree(len(nodes), f"node {shown} has", f"{len(nodes)} nodes ({shown}) have")
