"""What a solver is."""

from dataclasses import is_dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from smoothgraph.problem import Problem
from smoothgraph.solution import Solution
from smoothgraph.support.input_error import InputError

ROUGH = 1e-3  # the relative gap of a solution that is a start, or shows what is missing


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


def content_with(solver: Solver, gap: float) -> Any:
    """The same solver, content with a relative gap as large as ``gap``, which proves no weight."""
    changes = {"tol": max(solver.tol, gap)} | ({"weight_tol": np.inf} if hasattr(solver, "weight_tol") else {})
    return replace(solver, **changes)  # type: ignore[type-var]


def check_solver(solver: Any) -> Solver:
    """Return the solver, or raise a ValueError if it is none."""
    if not isinstance(solver, Solver) or not is_dataclass(solver) or isinstance(solver, type):
        raise InputError(
            f"Expected a solver: a frozen dataclass with `tol` and `solve` (see docs/add-a-solver.md), got {solver!r}; "
            "pass one such as Newton(tol=1e-8)."
        )
    return solver
