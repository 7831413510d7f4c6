"""Sparse factorisation of positive definite matrices."""

from typing import Any

from scipy.sparse.linalg import SuperLU, splu


def factorised(A: Any) -> SuperLU:
    """``A = L U`` for a positive definite A, ordered as a symmetric matrix to fill in less."""
    return splu(
        A.tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
