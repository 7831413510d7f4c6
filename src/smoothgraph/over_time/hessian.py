"""The curvature of the joint dual, where an edge's weights over time move together."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cho_solve_banded, cholesky_banded

from smoothgraph.pairs.curvature import Curvature


@dataclass(frozen=True, eq=False)
class CoupledHessian(Curvature):
    """``diag(diagonal) + R B^-1 R'``, ``B`` tridiagonal, ``R`` of ones and zeros.

    A column of ``R`` marks the multipliers that a piece of an edge's course over time sees.
    """

    R: sp.csr_array
    beside: sp.csr_array  # R', so that both products run along rows
    b: np.ndarray
    off: np.ndarray
    n_windows: int

    def __matmul__(self, x: np.ndarray) -> np.ndarray:
        """The product with a vector, in time proportional to the active weights."""
        solved = cho_solve_banded((self._factor, False), self.beside @ x, check_finite=False)
        return self.diagonal * x + self.R @ solved

    @cached_property
    def jacobi(self) -> np.ndarray:
        """The diagonal: two pieces of one edge never see the same multiplier."""
        return self.diagonal + self.R @ inverse_diagonal(self.b, self.off)

    @property
    def n_pairs(self) -> int:
        """What it would be if every piece lasted over all windows."""
        return self.R.nnz * self.n_windows

    def sparse_part(self) -> sp.csc_array:
        """The whole matrix."""
        inverse = _inverse(self._factor, inverse_diagonal(self.b, self.off))
        return (sp.diags_array(self.diagonal) + self.R @ inverse @ self.beside).tocsc()

    @cached_property
    def _factor(self) -> np.ndarray:
        return _cholesky(self.b, self.off)


def _cholesky(diagonal: np.ndarray, off: np.ndarray) -> np.ndarray:
    """``U`` with ``U'U = B``: the entries beside the diagonal, shifted by one, and the diagonal."""
    bands = np.zeros((2, len(diagonal)))
    bands[0, 1:], bands[1] = off, diagonal
    return cholesky_banded(bands, check_finite=False)


def inverse_diagonal(diagonal: np.ndarray, off: np.ndarray) -> np.ndarray:
    """The diagonal of ``B^-1``: one over the pivots from either end, less what both contain."""
    forward = _cholesky(diagonal, off)[1] ** 2
    backward = _cholesky(diagonal[::-1], off[::-1])[1][::-1] ** 2
    return 1 / (forward + backward - diagonal)


def _inverse(factor: np.ndarray, diagonal: np.ndarray) -> sp.csr_array:
    """``B^-1``, nonzero along unbroken runs: row s is ``-U_s,s+1 / U_s,s`` of row s + 1."""
    ratio = -factor[0, 1:] / factor[1, :-1]
    entries, reach, k = [(diagonal, np.arange(len(diagonal)), 0)], ratio, 1
    while np.any(reach):
        s = np.flatnonzero(reach)
        entries.append((reach[s] * diagonal[s + k], s, k))
        reach, k = reach[:-1] * ratio[k:], k + 1
    values = np.concatenate([value for value, _, _ in entries])
    rows = np.concatenate([s for _, s, _ in entries])
    cols = np.concatenate([s + k for _, s, k in entries])
    upper = sp.coo_array((values, (rows, cols)), shape=(len(diagonal), len(diagonal)))
    return (upper + upper.T - sp.diags_array(diagonal)).tocsr()
