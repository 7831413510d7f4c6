"""The paper's barrier, with a share of every degree for each other group of nodes.

The degree of a node is split into *parts*: ``d_i`` is the sum of the weights to its own group, and ``d_l`` that of a
*link* ``l`` from a node to another group. ``D`` are the whole degrees, each the sum of all parts of a node.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from smoothgraph.priors.degree import LARGEST_SCALE, LogDegrees
from smoothgraph.priors.prior import DegreePrior
from smoothgraph.support.checks import check_number
from smoothgraph.support.input_error import InputError

_START = 0.03  # of the multiplier of a link: how far that of the own part is below it at first
_FIRMNESS = 0.01  # of the barrier at a share, against that of the degree: shares exceed what is asked for by about 1%


@dataclass(frozen=True, eq=False)
class SharedLogDegrees(DegreePrior):
    """``g(d) = -sum_i alpha_i [log D_i + c sum over links l of i of log(d_l - share D_i)]``, with ``c = 0.01``.

    So every link has more than ``share`` of the degree of its node. ``node`` is the node of each part: the m own parts
    come first, in the order of the nodes, and then the links.

    With the multipliers ``y_i = u_i + share sum (u_l - u_i)`` of ``D_i``, and ``lam_l = u_l - u_i`` of ``d_l - share
    D_i``, it is the barrier of :class:`LogDegrees`.
    """

    alpha: float | np.ndarray
    share: float
    node: np.ndarray

    is_coupled = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", LogDegrees(self.alpha).alpha)  # or an InputError
        if np.ndim(self.alpha) and np.size(self.alpha) != self.n_whole:
            raise InputError(
                f"alpha must be one number or one per node, ({self.n_whole},), got {np.shape(self.alpha)}."
            )
        most = int(np.bincount(self.node).max()) - 1
        if check_number("group_share", self.share, above=0) * most >= 1:
            raise InputError(
                f"group_share must be below 1/{most}, as a node has a share for each of {most} other groups, got "
                f"{self.share:g}."
            )

    @property
    def n_nodes(self) -> int:
        """The number of parts."""
        return len(self.node)

    @cached_property
    def n_whole(self) -> int:
        """The number of nodes, whose own parts come first."""
        return int(self.node.max()) + 1

    @property
    def domain(self) -> tuple[float, float]:
        """Any number; see :meth:`longest_step`."""
        return (-np.inf, np.inf)

    @cached_property
    def needs_edges(self) -> np.ndarray:  # type: ignore[override]
        """The links."""
        return np.arange(len(self.node)) >= self.n_whole

    @cached_property
    def barrier(self) -> LogDegrees:
        """The barrier of ``(D, d_l - share D)``."""
        weight = np.where(self.needs_edges, _FIRMNESS, 1.0)
        return LogDegrees(weight * self._at_parts)

    @property
    def _at_parts(self) -> np.ndarray:
        """``alpha`` of the node of each part."""
        return np.broadcast_to(self.alpha, self.n_whole)[self.node]

    @cached_property
    def _to_multipliers(self) -> sp.csr_array:
        """The matrix with ``(y, lam) = M u``; its transpose gives ``d`` from ``(D, d_l - share D)``."""
        m, n = self.n_whole, len(self.node)
        node, link = self.node[m:], np.arange(m, n)
        own = np.arange(m)
        share, one = np.full(len(link), self.share), np.ones(len(link))
        rows = np.concatenate([own, node, link, link])
        columns = np.concatenate([own, link, link, node])
        rest = 1 - self.share * np.bincount(node, minlength=m)
        return sp.coo_array((np.concatenate([rest, share, one, -one]), (rows, columns)), shape=(n, n)).tocsr()

    def _split(self, d: np.ndarray) -> np.ndarray:
        """``(D, d_l - share D)``."""
        m, node = self.n_whole, self.node
        whole = np.bincount(node, d, minlength=m)
        return np.concatenate([whole, d[m:] - self.share * whole[node[m:]]])

    def of_whole(self, u: np.ndarray) -> np.ndarray:
        """``y``, the multipliers of the whole degrees."""
        return (self._to_multipliers @ u)[: self.n_whole]

    def value(self, d: np.ndarray) -> float:
        """``g(d)``, infinite if a share is not met."""
        return self.barrier.value(self._split(d))

    def conjugate(self, u: np.ndarray) -> float:
        """That of the barrier at ``(y, lam)``."""
        return self.barrier.conjugate(self._to_multipliers @ u)

    def maximizer(self, u: np.ndarray) -> np.ndarray:
        """The parts of ``D = alpha / y`` with ``d_l - share D = c alpha / lam_l``."""
        return self._to_multipliers.T @ self.barrier.maximizer(self._to_multipliers @ u)

    def curvature(self, u: np.ndarray) -> tuple[np.ndarray, None]:
        """The diagonal of the Hessian."""
        return self._hessian(u).diagonal(), None

    def coupling(self, u: np.ndarray) -> sp.csr_array:
        """The rest of the Hessian, between the parts of a node."""
        hessian = self._hessian(u)
        return (hessian - sp.diags_array(hessian.diagonal())).tocsr()

    def _hessian(self, u: np.ndarray) -> sp.csr_array:
        M = self._to_multipliers
        return (M.T @ sp.diags_array(self.barrier.curvature(M @ u)[0]) @ M).tocsr()

    def lone_degree(self, u: np.ndarray) -> np.ndarray:
        """``alpha / u`` times the share of a link, or what is left for the own part."""
        links = np.bincount(self.node, minlength=self.n_whole) - 1
        share = np.where(self.needs_edges, self.share, (1 - self.share * links)[self.node])
        return share * np.divide(self._at_parts, u, out=np.full(len(u), np.inf), where=u > 0)

    def longest_step(self, u: np.ndarray, direction: np.ndarray) -> float:
        """How far ``direction`` can be followed before one of ``y`` and ``lam`` is zero."""
        return self.barrier.longest_step(self._to_multipliers @ u, self._to_multipliers @ direction)

    def admit(self, u: np.ndarray) -> np.ndarray:
        """``u > 0``, with own parts lowered until they are a little below all links of their nodes."""
        m, u = self.n_whole, u.copy()
        np.minimum.at(u, self.node[m:], (1 - _START) * u[m:])
        return u

    def gap_scale(self, u: np.ndarray, d: np.ndarray, conjugate: float) -> float:
        """``|u'd| + |f*(v)|``; with one ``alpha`` per node at most what it can be if all have the median."""
        alpha = np.broadcast_to(self.alpha, self.n_whole)
        return min(super().gap_scale(u, d, conjugate), LARGEST_SCALE * float(np.median(alpha)) * len(alpha))
