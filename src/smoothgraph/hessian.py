"""The curvature of the dual: a diagonal, the active edges and at most one rank."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from smoothgraph.edges import EdgeSet


@dataclass(frozen=True, eq=False)
class Hessian:
    """``diag(diagonal) + S diag(c) S' - r r'`` over the edges with ``c > 0``."""

    edges: EdgeSet
    c: np.ndarray
    diagonal: np.ndarray
    r: np.ndarray | None

    def __matmul__(self, x: np.ndarray) -> np.ndarray:
        """The product with a vector, in time proportional to the active edges."""
        product = self.edges.hessian_product(self.c, x)
        product += self.diagonal * x
        if self.r is not None:
            product -= self.r * (self.r @ x)
        return product

    @cached_property
    def jacobi(self) -> np.ndarray:
        """The diagonal of the whole matrix."""
        jacobi = self.diagonal + self.edges.degree_sums(self.c)
        return jacobi if self.r is None else jacobi - self.r**2

    def sparse_part(self) -> sp.csc_array:
        """``diag(diagonal) + S diag(c) S'`` as a matrix, without the rank-one part."""
        off = self.edges.adjacency(self.c)
        return (sp.diags_array(self.diagonal + self.edges.degree_sums(self.c)) + off).tocsc()

    def damped(self, share: float) -> "Hessian":
        """With ``share`` of its own diagonal added, and of the largest where that is zero."""
        jacobi = self.jacobi
        ridge = np.where(jacobi > 0, share * jacobi, np.max(jacobi, initial=0.0) or 1.0)
        return replace(self, diagonal=self.diagonal + ridge)
