"""Symmetric tridiagonal matrices ``B``, given by their diagonal and the entries beside it."""

import numpy as np
from scipy.linalg import cholesky_banded


def cholesky(diagonal: np.ndarray, off: np.ndarray) -> np.ndarray:
    """``U`` with ``U'U = B``, as SciPy stores bands: the entries above the diagonal come first."""
    bands = np.zeros((2, len(diagonal)))
    bands[0, 1:], bands[1] = off, diagonal
    return cholesky_banded(bands, check_finite=False)


def inverse_diagonal(diagonal: np.ndarray, off: np.ndarray) -> np.ndarray:
    """The diagonal of ``B^-1``: one over the pivots from either end, less what both contain."""
    forward = cholesky(diagonal, off)[1] ** 2
    backward = cholesky(diagonal[::-1], off[::-1])[1][::-1] ** 2
    return 1 / (forward + backward - diagonal)
