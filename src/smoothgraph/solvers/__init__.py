"""Solvers: each takes a problem and returns a solution with its gap."""

from smoothgraph.solvers.newton import Newton
from smoothgraph.solvers.primal_dual import PrimalDual
from smoothgraph.solvers.solver import Solver, check_solver

__all__ = ["Newton", "PrimalDual", "Solver", "check_solver"]
