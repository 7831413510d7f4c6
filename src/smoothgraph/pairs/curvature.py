"""The curvature of the dual: a diagonal, the active edges and at most one rank."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs.pattern import EdgeSet


@dataclass(frozen=True, eq=False)
class Curvature(ABC):
    """``diag(diagonal) + Q - r r'``, where ``Q`` is what the edges add: Newton's matrix."""

    diagonal: np.ndarray = field(kw_only=True)
    r: np.ndarray | None = field(kw_only=True)

    @abstractmethod
    def __matmul__(self, x: np.ndarray) -> np.ndarray:
        """The product with a vector."""

    @property
    @abstractmethod
    def jacobi(self) -> np.ndarray:
        """The diagonal of the whole matrix."""

    @property
    @abstractmethod
    def n_pairs(self) -> int:
        """How many pairs of variables ``Q`` joins, at most."""

    @abstractmethod
    def sparse_part(self) -> sp.csc_array:
        """``diag(diagonal) + Q`` as a matrix, without the rank-one part."""

    def damped(self, share: float) -> "Curvature":
        """With ``share`` of its own diagonal added, and of the largest where that is zero."""
        jacobi = self.jacobi
        ridge = np.where(jacobi > 0, share * jacobi, np.max(jacobi, initial=0.0) or 1.0)
        return replace(self, diagonal=self.diagonal + ridge)


@dataclass(frozen=True, eq=False)
class Hessian(Curvature):
    """``diag(diagonal) + S diag(c) S' - r r'`` over the edges with ``c > 0``."""

    edges: EdgeSet
    c: np.ndarray

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

    @property
    def n_pairs(self) -> int:
        """The number of active edges."""
        return self.edges.n_edges

    def sparse_part(self) -> sp.csc_array:
        """``diag(diagonal) + S diag(c) S'`` as a matrix, without the rank-one part."""
        off = self.edges.adjacency(self.c)
        return (sp.diags_array(self.diagonal + self.edges.degree_sums(self.c)) + off).tocsc()
