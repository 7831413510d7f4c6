"""What a solver is."""

from typing import Protocol, runtime_checkable

import numpy as np

from smoothgraph.problem import Problem
from smoothgraph.solution import Solution


@runtime_checkable
class Solver(Protocol):
    """A frozen dataclass with a field ``tol`` and a method ``solve``.

    A solver never keeps anything of a problem. Callers change its tolerance by ``dataclasses.replace(solver,
    tol=...)``.
    """

    @property
    def tol(self) -> float:
        """The relative duality gap to reach."""

    def solve(self, problem: Problem, *, start: np.ndarray | None = None) -> Solution:
        """Return the optimum over all candidate pairs, or how close it got.

        ``start`` are the multipliers of a similar problem. A solver may ignore them.
        """
