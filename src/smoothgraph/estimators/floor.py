"""A floor for every node: ``g = -alpha sum a_i log d_i``, with ``a_i`` raised until no node has too few neighbors.

A node with a larger ``a_i`` has a larger multiplier, and so more edges, while the problem stays convex. The graph is
the optimum, with its certificate, of the model with the ``a_i`` that were found.

A node has ``k`` edges if and only if the k-th largest ``v_e = u_i + u_j - 2 z_e`` of its pairs is positive. The
multiplier at which that is so, and the degree there, are known while its neighbors stay as they are, and the model
wants ``alpha a_i = u_i d_i``. The neighbors give way a little, so a few rounds are needed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from smoothgraph.estimators.model import AUTO, Learned, Model, Start
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.priors import LogDegrees, SharedLogDegrees
from smoothgraph.solution import Solution
from smoothgraph.solvers import Solver
from smoothgraph.support.checks import check_count
from smoothgraph.support.input_error import InputError
from smoothgraph.support.wording import agree, list_some

_ROUNDS = 30
_MARGIN, _WIDEST_MARGIN = 0.02, 0.1  # of a multiplier, by which it rises farther than needed: first, and in the end
_HEAVIEST = 1e6  # weight of a node: it costs its edges so many of the digits of the others
_SHARE = 1 / 3  # of the mean number of neighbors, by default


class FewNeighborsWarning(UserWarning):
    """Some nodes have far fewer neighbors than were asked for."""


@dataclass(frozen=True, eq=False)
class Floor:
    """The fewest neighbors of a node; "auto" is a third of their mean number, rounded up.

    ``weigh(a)`` is the model with weights ``a`` of the nodes, ``names`` are what a warning calls the nodes.
    """

    min_edges: int | str
    weigh: Callable[[np.ndarray], Model]
    names: np.ndarray

    def __post_init__(self) -> None:
        if self.min_edges != AUTO:
            check_count("min_edges", self.min_edges, minimum=1)

    def solve(self, model: Model, pairs: CandidatePairs, solver: Solver, start: Start | None) -> Learned:
        """The solution with weights of the nodes at which none has too few neighbors, or else a warning."""
        density = model.density(pairs)
        fewest = self._fewest(density, pairs.pairs_per_node[0])
        raised = np.ones(pairs.n_joined) if start is None or start.node_weights is None else start.node_weights
        for already in range(_ROUNDS):
            weights, weighed = raised, replace(self.weigh(raised), edges_per_node=density)
            learned = weighed.solve(pairs, solver, start)._replace(node_weights=weights)
            slack = learned.solution.problem.evaluate(learned.solution.u).largest_slacks(fewest)
            short = slack[:, -1] <= 0
            if not np.any(short):
                return learned
            raised, u = _raise(weights, learned.solution, slack, min((1 + already) * _MARGIN, _WIDEST_MARGIN))
            if np.array_equal(raised, weights):
                break
            start = Start.of(learned)._replace(u=u)
        return learned._replace(warnings=(*learned.warnings, self._warning(short, fewest, weights)))

    def _warning(self, short: np.ndarray, fewest: int, weights: np.ndarray) -> FewNeighborsWarning:
        advice = "Ask for more edges per node, or for a smaller min_edges."
        count, outliers = np.sum(short), self.names[short & (weights >= _HEAVIEST)]
        if len(outliers):
            who = list_some(outliers) if len(outliers) < count else agree(count, "It", "They")
            are, them = agree(len(outliers), "is an outlier", "are outliers"), agree(len(outliers), "it", "them")
            advice = (
                f"{who} {are}, too far away for any weight of a node: look at the data, and leave {them} out, or ask "
                "for a smaller min_edges."
            )
        return FewNeighborsWarning(
            f"{count} of {len(short)} nodes {agree(count, 'has', 'have')} fewer than {fewest} "
            f"{agree(fewest, 'neighbor', 'neighbors')}: {list_some(self.names[short])}. {advice}"
        )

    def _fewest(self, density: float | None, candidates: int) -> int:
        """The floor as a number; an InputError if it is above the mean, or above the ``candidates`` of some node."""
        if self.min_edges == AUTO:
            return 1 if density is None else min(int(np.ceil(_SHARE * density)), candidates)
        fewest = int(self.min_edges)
        if density is not None and fewest > density:
            raise InputError(
                f"min_edges must be at most the mean number of neighbors, {density:g}, got {fewest}; ask for more "
                "edges_per_node."
            )
        if fewest > candidates:
            raise InputError(
                f"min_edges must be at most {candidates}, the fewest candidate pairs of a node, got {fewest}; give "
                "more pairs."
            )
        return fewest


def _raise(weights: np.ndarray, solution: Solution, slack: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """The weights and multipliers, larger at the nodes whose last ``slack`` is not positive."""
    problem, prior, part_of = solution.problem, solution.problem.degree_prior, solution.problem.pairs.part_of
    assert isinstance(prior, LogDegrees | SharedLogDegrees), "only the terms of a barrier have weights"
    u = prior.of_whole(solution.u)
    short = slack[:, -1] <= 0
    step = np.where(short, margin * np.abs(u) - slack[:, -1], 0.0)
    degree = np.sum(problem.edge_prior.lone().maximizer(slack + step[:, None]), axis=1)
    factor = (u + step) * degree / prior.alpha
    raised = np.minimum(weights * np.maximum(factor, 1 + margin), _HEAVIEST)
    return np.where(short, raised, weights), solution.u + (step if part_of is None else step[part_of])
