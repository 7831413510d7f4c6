"""Sweeps over the nodes in memory, each moved to where it wants to be beside its neighbours."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.pairs import kernels as _kernels
from smoothgraph.problem import Problem
from smoothgraph.support.blocks import blocks_of
from smoothgraph.support.threads import run_blocks

ROUNDS = 50  # over the nodes that are still to move


class Wanted(NamedTuple):
    """``degree - curvature (x - anchor)`` is what a node wants at x; ``far`` counts as a move."""

    degree: np.ndarray
    curvature: np.ndarray
    domain: float
    far: np.ndarray
    anchor: np.ndarray


class Sweeps:
    """Coordinate ascent over all edges of a problem.

    Blocks of nodes settle their inside, on all cores, then one core the rest.
    """

    def __init__(self, problem: Problem) -> None:
        self._edges = (*problem.edges.mirrored(problem.cost), problem.edge_prior.slope)
        n_nodes = problem.edges.n_nodes
        self._widest = int(np.max(np.diff(self._edges[0])))
        self._blocks = blocks_of(n_nodes)
        self._everyone = np.ones(n_nodes, dtype=bool)
        self._inner = np.empty(n_nodes, dtype=bool)
        run_blocks(self._blocks, self._find_inner)

    def settle(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        """``u`` after sweeps until no node moves far."""
        u, restless = u.copy(), self._everyone.copy()
        if len(self._blocks) > 1:
            run_blocks(self._blocks, partial(self._settle, wanted, (self._inner, restless, u)))
        self._settle(wanted, (self._everyone, restless, u), 0, len(u))
        return u

    def lift(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        """``u`` with every node raised to its first edge, if it has none."""
        u = u.copy()
        _kernels.lift(0, len(u), *self._edges, wanted.degree, u)
        return u

    def _find_inner(self, first: int, last: int) -> None:
        _kernels.inner_nodes(first, last, *self._edges[:2], self._inner)

    def _settle(self, wanted: Wanted, state: tuple[Any, ...], first: int, last: int) -> None:
        arguments = (*self._edges, *wanted, *state, 0, ROUNDS, np.empty(self._widest))
        _kernels.settle(first, last, *arguments)
