"""Edge priors over time: ``f(w) = beta |w|^2 + gamma coupling(w_t+1 - w_t)``."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from smoothgraph.priors import coupled_kernels as kernels
from smoothgraph.priors.prior import EdgePrior
from smoothgraph.priors.tridiagonal import inverse_diagonal
from smoothgraph.support.checks import check_count, check_number
from smoothgraph.support.threads import row_blocks, run_blocks


class Pieces(NamedTuple):
    """The Hessian ``P' B^-1 P`` of the conjugate: ``B`` is tridiagonal, ``P`` sums over pieces.

    The weight at position ``where[k]`` is above zero and belongs to the piece ``piece[k]``.
    """

    where: np.ndarray
    piece: np.ndarray
    diagonal: np.ndarray  # of B
    off: np.ndarray  # beside it: off[p] joins the pieces p and p + 1


@dataclass(frozen=True)
class CoupledEdges(EdgePrior):
    """A prior on the weights of ``n_windows`` graphs, given one window after the other.

    Edges do not see each other, but the weights of one edge over time do.
    """

    beta: float
    gamma: float
    n_windows: int

    _weigh: ClassVar[staticmethod]  # the kernel

    def __post_init__(self) -> None:
        check_number("beta", self.beta, above=0)
        check_number("gamma", self.gamma, minimum=0)
        check_count("n_windows", self.n_windows, minimum=1)

    @property
    def threshold(self) -> float:
        """0: a pair has no weight in any window if ``v <= 0`` in all of them."""
        return 0.0

    def maximizer(self, v: np.ndarray) -> np.ndarray:
        """The weights of every edge over time, all edges at once."""
        over_time = v.reshape(self.n_windows, -1)
        w = np.empty_like(over_time)

        def fill(first: int, last: int) -> None:
            part = np.s_[:, first:last]
            self._weigh(over_time[part], self.beta, self.gamma, w[part])

        run_blocks(row_blocks(self.n_windows * np.arange(over_time.shape[1] + 1)), fill)
        return w.ravel()

    def conjugate(self, v: np.ndarray) -> float:
        """``quadratic(w)`` at the maximizer."""
        return self.quadratic(self.maximizer(v))

    def weight_error(self, gap: float, largest: float) -> float:
        """``sqrt(gap / beta)``."""
        return float(np.sqrt(gap / self.beta))

    def curvature(self, v: np.ndarray) -> np.ndarray:
        """The diagonal of the Hessian of the conjugate."""
        pieces = self.pieces(self.maximizer(v))
        c = np.zeros_like(v)
        c[pieces.where] = inverse_diagonal(pieces.diagonal, pieces.off)[pieces.piece]
        return c

    @abstractmethod
    def quadratic(self, w: np.ndarray) -> float:
        """The quadratic terms of ``f(w)``: where ``w`` attains the conjugate, they are equal.

        For then ``v'w`` is twice those terms and once the others, as the derivative along ``w`` shows.
        """

    @abstractmethod
    def pieces(self, w: np.ndarray) -> Pieces:
        """The Hessian of the conjugate where ``w`` attains it."""

    @property
    def surely_above(self) -> float:
        """``w_e > 0`` whenever ``v_e`` is larger than this: 0 if other windows can only pull up."""
        return 0.0

    def _changes(self, w: np.ndarray) -> np.ndarray:
        return np.diff(w.reshape(self.n_windows, -1), axis=0)

    def _active(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where weights are above zero, in time along each edge; whether each goes on the last."""
        n_edges = len(w) // self.n_windows
        edge, window = np.nonzero(w.reshape(self.n_windows, n_edges).T)
        goes_on = np.zeros(len(edge), dtype=bool)
        goes_on[1:] = (edge[1:] == edge[:-1]) & (window[1:] == window[:-1] + 1)
        return window * n_edges + edge, goes_on


@dataclass(frozen=True)
class SmoothOverTime(CoupledEdges):
    """``f(w) = beta |w|^2 + gamma sum_t |w_t+1 - w_t|^2``: graphs that change gradually."""

    _weigh = staticmethod(kernels.smooth_weights)

    def value(self, w: np.ndarray) -> float:
        """``beta |w|^2 + gamma sum_t |w_t+1 - w_t|^2``."""
        return self.beta * float(w @ w) + self.gamma * float(np.sum(self._changes(w) ** 2))

    quadratic = value  # all of it

    def pieces(self, w: np.ndarray) -> Pieces:
        """Every active window alone: ``B`` is that part of ``2 (beta I + gamma D'D)``."""
        where, goes_on = self._active(w)
        window = where // (len(w) // self.n_windows)
        n_beside = (window > 0).astype(float) + (window < self.n_windows - 1)
        return Pieces(
            where,
            np.arange(len(where)),
            2 * (self.beta + self.gamma * n_beside),
            np.where(goes_on[1:], -2 * self.gamma, 0.0),
        )


@dataclass(frozen=True)
class FusedOverTime(CoupledEdges):
    """``f(w) = beta |w|^2 + gamma sum_t |w_t+1 - w_t|_1``: weights constant but for jumps."""

    _weigh = staticmethod(kernels.fused_weights)

    def value(self, w: np.ndarray) -> float:
        """``beta |w|^2 + gamma sum_t |w_t+1 - w_t|_1``."""
        return self.quadratic(w) + self.gamma * float(np.sum(np.abs(self._changes(w))))

    def quadratic(self, w: np.ndarray) -> float:
        """``beta |w|^2``."""
        return self.beta * float(w @ w)

    def pieces(self, w: np.ndarray) -> Pieces:
        """Every run of equal weights: ``B`` is ``2 beta`` times their lengths."""
        where, goes_on = self._active(w)
        goes_on[1:] &= w[where[1:]] == w[where[:-1]]
        piece = np.cumsum(~goes_on) - 1
        diagonal = 2 * self.beta * np.bincount(piece).astype(float)
        return Pieces(where, piece, diagonal, np.zeros(max(len(diagonal) - 1, 0)))

    @property
    def surely_above(self) -> float:
        """``2 gamma``: what two lower neighbors can pull down."""
        return 2 * self.gamma


COUPLINGS: dict[str, type[CoupledEdges]] = {"l2": SmoothOverTime, "l1": FusedOverTime}
