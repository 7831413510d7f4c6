"""Sparse factorization of symmetric matrices."""

from typing import Any

from scipy.sparse.linalg import SuperLU, splu


def factorize(A: Any) -> SuperLU:
    """``A = L U`` of a positive definite matrix, ordered as a symmetric one to reduce fill-in."""
    return splu(A.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})


def factorize_indefinite(A: Any) -> SuperLU:
    """``A = L U`` of any nonsingular matrix, with rows exchanged for accuracy."""
    return splu(A.tocsc(), permc_spec="COLAMD", diag_pivot_thresh=1.0)
