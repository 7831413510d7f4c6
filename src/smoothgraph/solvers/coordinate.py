"""One node at a time: where Newton starts if there are many nodes.

With its neighbours held still, the multiplier that a node wants is the root of a convex
piecewise linear function. Giving it to one node after the other never lowers the dual (up to
the linearised degree), costs nothing where all is settled, and gets local tangles out of
the way, for which Newton would have to shorten its step everywhere.
"""

from functools import partial
from typing import Any

import numpy as np

from smoothgraph import _kernels
from smoothgraph._threads import row_blocks, run_blocks
from smoothgraph.problem import Evaluation, Problem

_ACCURACIES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)  # of degrees; the gap is of their square
_BEYOND = 30.0  # times the typical error of the degrees, some are off
_REPEATS = 2  # for each accuracy: degrees are linearised and blocks exchanged anew


def settled(problem: Problem, u: np.ndarray, gap: float) -> Evaluation:
    """The dual after ever finer coordinate ascent from ``u``, until its gap is at most ``gap``.

    Every core settles the inside of its block of nodes, then one core the rest.
    """
    edges = (*problem.edges.mirrored(problem.cost), problem.edge_prior.slope)
    prior, everyone = problem.degree_prior, np.ones(len(u), dtype=bool)
    blocks = row_blocks(edges[0])
    inner = np.empty(len(u), dtype=bool)
    run_blocks(blocks, lambda first, last: _kernels.inner_nodes(first, last, *edges[:2], inner))
    u = u.copy()
    at = problem.evaluate(u.copy())
    useful = _BEYOND * np.sqrt(at.gap)  # a start that is good already needs no coarse rounds
    for accuracy in (a for a in _ACCURACIES if a <= max(useful, _ACCURACIES[-1])):
        if at.gap <= gap:
            break
        for _ in range(_REPEATS):
            wanted, curvature = np.array(prior.maximizer(u)), prior.curvature(u)[0]
            far = accuracy * _whole_degree(wanted, curvature + edges[-1])
            nodes = (wanted, curvature, prior.domain[0], far, u.copy())
            restless = everyone.copy()
            run_blocks(blocks, partial(_settle, edges, nodes, (inner, restless, u)))
            _settle(edges, nodes, (everyone, restless, u), 0, len(u))
        _kernels.lift(*edges, wanted, u)
        at = problem.evaluate(u.copy())
    return at


def _settle(
    edges: tuple[Any, ...], nodes: tuple[Any, ...], state: tuple[Any, ...], first: int, last: int
) -> None:
    _kernels.settle(first, last, *edges, *nodes, *state)


def _whole_degree(wanted: np.ndarray, steepness: np.ndarray) -> np.ndarray:
    """How far ``u`` must move to make up for a node's whole degree, on one edge."""
    return np.maximum(np.abs(wanted), 1e-3 * np.mean(np.abs(wanted))) / steepness
