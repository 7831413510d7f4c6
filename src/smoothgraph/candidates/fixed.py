"""Candidate pairs of a graph that is being learned, and what is known of all other pairs."""

from typing import NamedTuple, Protocol

import numpy as np

from smoothgraph.candidates.source import PairSource
from smoothgraph.candidates.spanning_forest import join_components
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.local_scale import local_scales, localize
from smoothgraph.pairs.seam import CandidatePairs, Triples
from smoothgraph.search.coordinates import sample_rows

_SAMPLE = 1000  # nodes whose missing neighbors are counted


class Violations(NamedTuple):
    """How many pairs outside the candidates would be edges, as estimated from some nodes.

    If none of ``n`` sampled nodes misses a pair, at most ``3 / n`` of all nodes do, with 95% confidence (the rule of
    three). Then ``at_most`` counts one missing pair for each of these.
    """

    pairs: float
    standard_error: float
    n_sampled: int

    @property
    def at_most(self) -> float:
        """The upper end of the 95% confidence interval: two standard errors above the estimate."""
        return self.pairs + 2 * self.standard_error

    def __str__(self) -> str:
        if self == NO_VIOLATIONS:
            return "0 (proved)"
        sampled = f"from {self.n_sampled} nodes, 95% confidence"
        return f"{self.pairs:.3g}, at most {self.at_most:.2g} ({sampled})"


NO_VIOLATIONS = Violations(0.0, 0.0, 0)


class Candidates(Protocol):
    """Candidate pairs, and the name of the way they were found."""

    pairs: CandidatePairs
    name: str

    @property
    def scale(self) -> np.ndarray | None:
        """What distances were divided by, at both of their nodes; None for nothing."""

    @property
    def provisional(self) -> bool:
        """Whether pairs are sure to be added after the first solution."""

    def include(self, i: np.ndarray, j: np.ndarray, z: np.ndarray) -> None:
        """Add pairs that are known to matter, whose distances ``z`` have no local scales."""

    def cover(self, u: np.ndarray) -> bool:
        """Return whether the pairs suffice for the multipliers ``u``; if not, add some."""

    def make_room(self, density: float) -> float:
        """Add pairs until there are ``density`` per node, if there are more; return how many edges a node can have."""

    def violations(self, u: np.ndarray) -> Violations | None:
        """What is still missing at ``u``; None if that cannot be known."""

    def join_components(self, component: np.ndarray) -> Triples:
        """The shortest pairs that join the components of the nodes: a minimum spanning forest between them."""

    def save(self) -> dict[str, np.ndarray] | None:
        """The state for a checkpoint; None if there is nothing worth saving."""


class FixedCandidates:
    """All pairs, or those that someone chose; ``complete`` says which, for it may be that not all can be measured."""

    provisional = False

    def __init__(self, pairs: CandidatePairs, name: str, *, local: bool = False, complete: bool | None = None) -> None:
        m = pairs.n_nodes
        self.complete = pairs.n_pairs == m * (m - 1) // 2 if complete is None else complete
        self.name, self.scale = name, local_scales(pairs) if local else None
        self.pairs = pairs if self.scale is None else pairs.localize(self.scale)

    def include(self, i: np.ndarray, j: np.ndarray, z: np.ndarray) -> None:
        self.pairs = include_pairs(self.pairs, (i, j, z), self.scale)

    def cover(self, u: np.ndarray) -> bool:
        return True

    def make_room(self, density: float) -> float:
        return 2 * self.pairs.n_pairs / self.pairs.n_joined

    def violations(self, u: np.ndarray) -> Violations | None:
        return NO_VIOLATIONS if self.complete else None

    def join_components(self, component: np.ndarray) -> Triples:
        return join_components(component, self.pairs, None)

    def save(self) -> None:
        """Nothing: the pairs are quickly found again."""


def include_pairs(pairs: CandidatePairs, known: Triples, scale: np.ndarray | None) -> CandidatePairs:
    """The pairs and those that are ``known``, at their distances with local scales if there are some."""
    assert isinstance(pairs, Pairs), "pairs are added in memory"
    i, j, z = known
    return pairs.extend(i, j, z if scale is None else localize(z, scale[i], scale[j]))


class SampledCandidates(FixedCandidates):
    """Pairs that were found without proof; a sample of the nodes tells how many are missing."""

    def __init__(self, pairs: CandidatePairs, name: str, source: PairSource, *, local: bool = False) -> None:
        super().__init__(pairs, name, local=local)
        self._source = source if self.scale is None else source.with_scale(self.scale)

    def violations(self, u: np.ndarray) -> Violations:
        return estimate_violations(self._source, self.pairs, u)

    def join_components(self, component: np.ndarray) -> Triples:
        return join_components(component, self.pairs, self._source)


def estimate_violations(source: PairSource, pairs: CandidatePairs, u: np.ndarray) -> Violations:
    """Count the missing neighbors of some nodes exactly, and scale up to all nodes."""
    sample = sample_rows(len(u), _SAMPLE)
    i, j, _ = source.within(u, sample)
    missing = ~pairs.contains(i, j)
    each = np.bincount(np.searchsorted(sample, i[missing]), minlength=len(sample))
    n, m = len(sample), len(u)
    # If none of n nodes misses a pair, at most 3 / n of all nodes do, with 95% confidence: two standard errors.
    deviation = np.std(each) if np.any(missing) else 1.5 / np.sqrt(n)
    error = deviation * np.sqrt(1 / n - 1 / m)  # none if all were looked at
    half = m / 2  # a pair is missing at both of its ends
    return Violations(float(half * np.mean(each)), float(half * error), n)
