"""Candidate pairs that grow until no pair is missing: pricing."""

import numpy as np

from smoothgraph.candidates.fixed import NO_VIOLATIONS, Violations, estimate_violations, include_pairs
from smoothgraph.candidates.source import FEW_MISSING, PairSource
from smoothgraph.candidates.spanning_forest import join_components
from smoothgraph.pairs.seam import CandidatePairs, Triples
from smoothgraph.search.coordinates import sample_rows
from smoothgraph.support.input_error import InputError

_MARGIN = 0.02  # of the local distances, by which the multipliers may still rise
_GROWTH = 4  # times as many pairs after a pass as before, at most
_GROWTH_UNPROVED = 8  # without a proof, as little comes after the first pass
_NARROWEST = 2.0**-8  # of the way to the goal, below which a pass would gain too little
_FORESEEN = 50_000_000  # pairs looked at to foresee how many there are


class GrowingCandidates:
    """Near pairs, and all pairs with ``2 z_ij < reach_i + reach_j``.

    Whatever is optimal on them at multipliers ``u <= reach`` is optimal over all pairs. With a ``share`` below 1, that
    is not proved: passes end when one finds hardly any pair, and a sample tells what is missing. If ``local``,
    distances have local scales. ``state`` is what :meth:`save` returned.
    """

    def __init__(
        self,
        source: PairSource,
        k: int,
        density: float,
        *,
        share: float = 1.0,
        local: bool = False,
        state: dict[str, np.ndarray] | None = None,
    ) -> None:
        self._share = share
        self.name = "exact search" if share == 1 else "approximate search"
        self.pairs: CandidatePairs
        if state is not None:
            self._source = source.with_scale(state["scale"]) if local else source
            self.pairs = self._source.load(state)
            self._near, self._reach = state["near"], state["reach"]
            self._margin, self.provisional = float(state["margin"]), bool(state["provisional"])
            return
        first = source.localize(k, share) if local else source.nearest(k, share)
        self._source, self.pairs, self._near, self._reach = first
        self._margin, self.provisional = _MARGIN, True
        self.make_room(density)

    def save(self) -> dict[str, np.ndarray]:
        own = {"near": self._near, "reach": self._reach, "margin": self._margin, "provisional": self.provisional}
        scale = {} if self.scale is None else {"scale": self.scale}
        return self._source.save(self.pairs) | {name: np.array(value) for name, value in own.items()} | scale

    @property
    def scale(self) -> np.ndarray | None:
        return self._source.scale

    def include(self, i: np.ndarray, j: np.ndarray, z: np.ndarray) -> None:
        self.pairs = include_pairs(self.pairs, (i, j, z), self.scale)

    def cover(self, u: np.ndarray) -> bool:
        """Take in all pairs that ``u``, or multipliers a little larger, make edges of."""
        raised = np.flatnonzero(u > self._reach)
        if raised.size == 0:
            had_pass, self.provisional = not self.provisional, False
            return had_pass  # a solution of provisional pairs is a rough one
        if self._share < 1 and not self.provisional:
            return not self._add_missing(u, raised)
        self._extend(u + self._margin * self._near, raised)
        self._margin *= 2  # later passes are over fewer nodes
        return False

    def make_room(self, density: float) -> float:
        m, farther = self.pairs.n_joined, 1.0
        while self.pairs.n_pairs < min(density, m - 1) * m / 2:
            self._extend(np.maximum(farther * self._near, self._reach), np.arange(len(self._near)))
            farther *= 1.5
        self._margin = _MARGIN
        return m - 1.0

    def violations(self, u: np.ndarray) -> Violations:
        if self._share == 1:
            return NO_VIOLATIONS
        return estimate_violations(self._source, self.pairs, u)

    def join_components(self, component: np.ndarray) -> Triples:
        return join_components(component, self.pairs, self._source)

    def _extend(self, reach: np.ndarray, raised: np.ndarray) -> None:
        """Let the nodes ``raised`` reach farther, as far as that is affordable."""
        goal = self._reach.copy()
        goal[raised] = reach[raised]
        goal = self._limit(goal, raised)
        nodes = raised if len(raised) < len(goal) / 2 else None
        self.pairs = self._source.extend(self.pairs, goal, nodes, self._share)
        self._reach, self.provisional = goal, False

    def _add_missing(self, u: np.ndarray, raised: np.ndarray) -> bool:
        """Take in pairs that would be edges at ``u``, unless there are hardly any; return whether there were more."""
        before = self.pairs, self._reach
        self._extend(np.maximum(u, self._reach), raised)
        if self.pairs.n_pairs - before[0].n_pairs > FEW_MISSING * before[0].n_pairs:
            return True
        self.pairs, self._reach = before  # to which the solution belongs
        return False

    def _limit(self, goal: np.ndarray, raised: np.ndarray) -> np.ndarray:
        """``goal``, or as far toward it as the pairs may grow, judged by a sample of nodes."""
        growth = _GROWTH if self._share == 1 else _GROWTH_UNPROVED
        sample = raised[sample_rows(len(raised), int(np.clip(_FORESEEN // len(goal), 16, 256)))]
        i, j, z = self._source.within(goal, sample)
        most = growth * self.pairs.n_pairs * len(sample) / len(raised)
        floor = np.maximum(self._reach, np.minimum(self._near, goal))
        reach, share = goal, 1.0
        while (count := np.sum(2 * z < reach[i] + reach[j])) > most and share > _NARROWEST:
            share /= 2
            reach = floor + share * (goal - floor)
        expected = count * len(raised) / len(sample) / 2
        affordable = self._source.most_pairs
        if expected > affordable:
            raise InputError(
                f"About {expected:.2g} pairs of nodes are as near as the graph's edges, more than "
                f"the {affordable:.2g} that fit into memory. Merge nodes at the same place, ask "
                "for a sparser graph, or name the pairs with a neighbors transformer."
            )
        return reach
