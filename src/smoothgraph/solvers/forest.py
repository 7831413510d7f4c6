"""A preconditioner for Newton's matrix: its diagonal and its stiffest pairs that form no cycle, solved exactly.

Where density varies, some nodes hang on few pairs that are stiffer than the degree prior by orders of magnitude. These
pairs form small trees. Raising every other node of a tree and lowering the rest hardly changes a weight: conjugate
gradients take many steps for such directions, unless they are told of the trees.
"""

from dataclasses import dataclass

import numpy as np

from smoothgraph.problem import Curvature
from smoothgraph.solvers import forest_kernels as kernels

_WEAK = 0.02  # of the diagonal at both ends: pairs that the preconditioner leaves out


@dataclass(frozen=True, eq=False)
class Forest:
    """``diag(jacobi)`` plus ``c_e`` for the pairs of a maximum spanning forest, factorized: leaves come first."""

    order: np.ndarray
    parent: np.ndarray
    factor: np.ndarray
    pivot: np.ndarray

    @classmethod
    def of(cls, hessian: Curvature) -> "Forest | None":
        """The forest of a matrix, or None if its pairs cannot be told apart."""
        diagonal = hessian.diagonal + hessian.edges.diagonal
        stiff = hessian.edges.pairs_above(_WEAK * diagonal)
        if stiff is None:
            return None
        i, j, c = stiff
        kept = kernels.grow(np.argsort(-c), i, j, np.arange(len(diagonal)))
        i, j, c = i[kept], j[kept], c[kept]
        order, joined = kernels.strip(i, j, len(diagonal))
        has_parent = joined >= 0
        up = joined[has_parent]
        parent, link = np.full(len(order), -1), np.zeros(len(order))
        parent[has_parent] = i[up] + j[up] - np.flatnonzero(has_parent)
        link[has_parent] = c[up]
        return cls(order, parent, kernels.eliminate(order, parent, link, diagonal), diagonal)

    def solve(self, b: np.ndarray) -> np.ndarray:
        """The solution for the right-hand side ``b``."""
        return kernels.substitute(self.order, self.parent, self.factor, self.pivot, b)
