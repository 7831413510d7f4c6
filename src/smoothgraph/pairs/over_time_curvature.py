"""The curvature of the joint dual, where the weights of a pair over time move together."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cho_solve_banded

from smoothgraph.pairs.seam import EdgeCurvature
from smoothgraph.priors.tridiagonal import cholesky, inverse_diagonal


@dataclass(frozen=True, eq=False)
class CoupledCurvature(EdgeCurvature):
    """``R B^-1 R'`` with ``B`` tridiagonal and ``R`` of ones and zeros.

    A column of ``R`` marks the multipliers that a piece of a pair's course over time depends on.
    """

    R: sp.csr_array
    transposed: sp.csr_array  # R', so that both products run along rows
    b: np.ndarray
    off: np.ndarray
    n_windows: int

    def product(self, x: np.ndarray) -> np.ndarray:
        factor = (self._factor, False)
        return self.R @ cho_solve_banded(factor, self.transposed @ x, check_finite=False)

    @cached_property
    def diagonal(self) -> np.ndarray:
        return self.R @ inverse_diagonal(self.b, self.off)

    @property
    def n_pairs(self) -> int:
        return self.R.nnz * self.n_windows

    def matrix(self, diagonal: np.ndarray) -> sp.csc_array:
        inverse = _inverse(self._factor, inverse_diagonal(self.b, self.off))
        return (self.R @ inverse @ self.transposed + sp.diags_array(diagonal)).tocsc()

    @cached_property
    def _factor(self) -> np.ndarray:
        return cholesky(self.b, self.off)


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
