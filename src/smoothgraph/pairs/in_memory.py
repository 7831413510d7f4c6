"""Candidate pairs in memory: a CSR pattern, an array of distances, compiled kernels."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from smoothgraph.pairs import pair_kernels as kernels
from smoothgraph.pairs.around import Surroundings, pairs_around
from smoothgraph.pairs.curvature_in_memory import CurvatureInMemory
from smoothgraph.pairs.distances import measure_pairs, read_distance_matrix
from smoothgraph.pairs.interior import Interior
from smoothgraph.pairs.local_scale import localize
from smoothgraph.pairs.measure import Measure
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.seam import Balance, CandidatePairs, EdgeTerms, Totals, Triples
from smoothgraph.pairs.sweeps import Mirrored, Sweeper
from smoothgraph.priors.prior import EdgePrior
from smoothgraph.support.adjacency import add_edges, laplacian_of
from smoothgraph.support.input_error import InputError
from smoothgraph.support.threads import run_blocks

_IN_CACHE = 2**15  # pairs whose numbers, and those computed from them, stay in a processor's cache


@dataclass(frozen=True, eq=False)
class Pairs(CandidatePairs):
    """Pairs of nodes that may become edges, and their distances ``z``, in memory.

    Build them with :meth:`of` or :meth:`from_distances`, or from a set of pairs and an array.

    Parameters
    ----------
    pattern : PairSet
        The pairs, whose nodes are numbered along ``order``.
    z : array
        One distance per pair.
    order : array, optional
        The node at each position of the pattern: a numbering that keeps near nodes close together in memory. By
        default nodes are stored as they are numbered.
    own : (first, last), optional
        The positions of the nodes that this partition of a larger set answers for. A pair counts in the partition
        that owns its first end. By default all nodes.
    selected : array, optional
        The positions of these pairs among those that they were first selected from.
    """

    pattern: PairSet
    z: np.ndarray
    order: np.ndarray | None = None
    own: tuple[int, int] | None = None
    selected: np.ndarray | None = None

    def __post_init__(self) -> None:
        z = np.ascontiguousarray(self.z, dtype=float)
        if z.shape != (self.pattern.n_pairs,):
            raise InputError(f"Expected one distance per candidate pair, ({self.pattern.n_pairs},), got {z.shape}.")
        object.__setattr__(self, "z", z)

    @classmethod
    def of(
        cls,
        X: Any,
        pattern: PairSet | None = None,
        *,
        metric: Any = "sqeuclidean",
        metric_params: dict[str, Any] | None = None,
        missing: str = "error",
    ) -> "Pairs":
        """All pairs of rows of ``X``, or those of ``pattern``, with their distances.

        ``metric``, ``metric_params`` and ``missing`` are those of :func:`smoothgraph.distances`. Rows that share no
        column are no pair.
        """
        return cls.measured(X, pattern, Measure.of(metric, metric_params, missing))

    @classmethod
    def measured(cls, X: Any, pattern: PairSet | None, measure: Measure) -> "Pairs":
        """The same by a ``measure``."""
        if pattern is None:
            pattern = PairSet.all_pairs(len(X) if isinstance(X, list) else X.shape[0])
        z = measure_pairs(X, pattern, measure)
        known = np.isfinite(z)
        if np.all(known):
            return cls(pattern, z)
        pairs = cls(pattern.select(np.flatnonzero(known)), z[known])
        alone = np.flatnonzero((pairs.pattern.counts == 0) & (pattern.counts > 0))
        if alone.size:
            rows = ", ".join(map(str, alone[:10])) + ", ..." * (alone.size > 10)
            raise InputError(
                f"Expected rows that share a column with another one, but rows {rows} have no value where another row "
                "has one; drop them, or fill in some values."
            )
        return pairs

    @classmethod
    def from_distances(cls, Z: Any) -> "Pairs":
        """The pairs and distances of a matrix ``Z``: dense, all pairs; sparse, those stored."""
        return cls(*read_distance_matrix(Z))

    # -- what there is -------------------------------------------------------

    @property
    def n_nodes(self) -> int:  # type: ignore[override]
        """The number of nodes."""
        return self.pattern.n_nodes

    @property
    def n_pairs(self) -> int:
        return self.counted.stop - self.counted.start

    @property
    def ids(self) -> np.ndarray | None:
        return self.selected

    @cached_property
    def distance_range(self) -> tuple[float, float]:
        return float(self.z.min(initial=np.inf)), float(self.z.max(initial=-np.inf))

    @cached_property
    def pairs_per_node(self) -> tuple[int, int]:
        counts = self.pattern.counts[slice(*self.own)] if self.own else self.pattern.counts
        return int(counts.min(initial=2**62)), int(counts.max(initial=0))

    def lone_nodes(self) -> np.ndarray:
        return np.flatnonzero(self.to_given(self.pattern.counts) == 0)

    def nearest(self, k: int, f: EdgePrior | None = None) -> np.ndarray:
        cost = self.z if f is None else self.cost(f)
        if cost is not self.z:
            return self.to_given(self.smallest_values(cost, k))
        known = self._nearest_distances
        if not known or known[0].shape[1] < k:
            known[:] = [self.smallest_values(cost, k)]
        return self.to_given(known[0][:, :k])

    @cached_property
    def _nearest_distances(self) -> list[np.ndarray]:
        """At most one array: the smallest distances at each node, as many as were asked for."""
        return []

    def smallest_values(self, cost: np.ndarray, k: int) -> np.ndarray:
        """The ``k`` smallest costs at each node, increasing, in the stored order of nodes."""

        def block(first: int, last: int) -> np.ndarray:
            values = np.full((self.n_nodes, k), np.inf)
            kernels.nearest_values(first, last, self.pattern.indptr, self.pattern.cols, cost, values)
            return values

        parts = run_blocks(self.pattern.blocks, block)
        return parts[0] if len(parts) == 1 else np.sort(np.concatenate(parts, axis=1))[:, :k]

    def shortest_between(self, label: np.ndarray) -> Triples:
        label, n_labels, pattern = self.to_stored(label), int(label.max()) + 1, self.pattern
        shortest, position = np.full(n_labels, np.inf), np.full(n_labels, -1)
        first, last = (0, self.n_nodes) if self.own is None else self.own
        kernels.shortest_between(first, last, pattern.indptr, pattern.cols, self.z, label, shortest, position)
        found = np.unique(position[position >= 0])
        return (*self.ends(found), self.z[found])

    def contains(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        return self.pattern.contains(self.to_places(i), self.to_places(j))

    def largest_pair_sum(self, y: np.ndarray) -> float:
        return float(self.pattern.pair_sums(self.to_stored(y)).max(initial=-np.inf))

    def cost(self, f: EdgePrior) -> np.ndarray:
        """``z + threshold / 2``; just ``z`` where weights never vanish."""
        threshold = f.threshold
        if not f.sparse or not np.any(threshold):
            return self.z
        return self.z + threshold / 2

    # -- parts and relatives -------------------------------------------------

    def at(self, ids: np.ndarray) -> "Pairs":
        """The pairs at the increasing positions ``ids``."""
        if len(ids) == self.pattern.n_pairs:
            return self
        selected = ids if self.selected is None else self.selected[ids]
        return replace(self, pattern=self.pattern.select(ids), z=self.z[ids], selected=selected)

    def select(self, f: EdgePrior, reach: np.ndarray, near: np.ndarray) -> "Pairs":
        both = self.to_stored(reach), self.to_stored(near)
        parts = self.pattern.run(kernels.pairs_within, self.cost(f), *both)
        return self.at(np.concatenate(parts))

    def count_below(self, f: EdgePrior, u: np.ndarray) -> int:
        cost, u, pattern = self.cost(f), self.to_stored(u), self.pattern
        blocks = pattern.blocks if self.own is None else [self.own]
        return sum(run_blocks(blocks, lambda a, b: kernels.count_below(a, b, pattern.indptr, pattern.cols, cost, u)))

    def scale(self, factor: float) -> "Pairs":
        return self if factor == 1 else replace(self, z=factor * self.z)

    def localize(self, scale: np.ndarray) -> "Pairs":
        s = self.to_stored(scale)
        return replace(self, z=localize(self.z, s[self.pattern.rows], s[self.pattern.cols]))

    def gather(self) -> "Pairs":
        if self.order is None:
            return self
        i, j = self.order[self.pattern.rows], self.order[self.pattern.cols]
        positions = np.arange(self.pattern.n_pairs, dtype=float)
        pattern, came_from = PairSet.with_values(i, j, positions, self.n_nodes)
        ids = came_from.astype(np.int64)
        selected = ids if self.selected is None else self.selected[ids]
        return Pairs(pattern, self.z[ids], selected=selected)

    def extend(self, i: np.ndarray, j: np.ndarray, z: np.ndarray) -> "Pairs":
        """These pairs and more, which may repeat some of them."""
        more, more_z = PairSet.with_values(self.to_places(i), self.to_places(j), z, self.n_nodes)
        pattern, values = self.pattern.merge(self.z, more, more_z) if self.pattern.n_pairs else (more, more_z)
        return replace(self, pattern=pattern, z=values, own=None, selected=None)

    # -- the dual ------------------------------------------------------------

    def evaluate(self, f: EdgePrior, u: np.ndarray, tail: np.ndarray) -> "TermsInMemory":
        return TermsInMemory(self, f, self.to_stored(u), self.to_stored(tail))

    def around(self, f: EdgePrior, core: np.ndarray, reach: np.ndarray, hops: int) -> Surroundings:
        return pairs_around(self, f, core, reach, hops)

    def sweeper(self, f: EdgePrior) -> Sweeper | None:
        if f.slope is None:
            return None
        cost = self.cost(f)
        return Sweeper(self, self._mirrored if cost is self.z else Mirrored.of(self.pattern, cost), f.slope)

    @cached_property
    def _mirrored(self) -> Mirrored:
        return Mirrored.of(self.pattern, self.z)

    def interior(self, f: EdgePrior) -> Callable[[np.ndarray, float], Interior] | None:
        return None if f.slope is None else partial(Interior.around, self, f)

    # -- weights -------------------------------------------------------------

    def totals(self, f: EdgePrior, w: np.ndarray) -> Totals:
        counted = self.counted
        return Totals(
            self.to_given(self.pattern.degree_sums(w)),
            float(self.z[counted] @ w[counted]),
            f.take(counted).value(w[counted]),
            int(np.count_nonzero(w[counted])),
        )

    def multiply(self, w: np.ndarray, factor: float) -> np.ndarray:
        return w if factor == 1 else factor * w

    def expand(self, part: CandidatePairs, w: np.ndarray) -> np.ndarray:
        if part.ids is None or part is self:
            return w
        everywhere = np.zeros(self.pattern.n_pairs)
        everywhere[self.locate(part)] = w
        return everywhere

    def drop_zeros(self, w: np.ndarray) -> "tuple[Pairs, np.ndarray]":
        active = np.flatnonzero(w)
        return self.at(active), w[active]

    def components(self, w: np.ndarray) -> np.ndarray:
        i, j = self.ends(np.flatnonzero(w))
        matrix = sp.coo_array((np.ones(len(i)), (i, j)), shape=(self.n_nodes, self.n_nodes))
        return connected_components(matrix, directed=False)[1]

    def smallest_weights(self, w: np.ndarray) -> np.ndarray:
        smallest = np.full(self.n_nodes, np.inf)
        positive = np.where(w > 0, w, np.inf)
        kernels.smallest_at_nodes(0, self.n_nodes, self.pattern.indptr, self.pattern.cols, positive, smallest)
        return self.to_given(smallest)

    def adjacency(self, w: np.ndarray) -> sp.csr_array:
        if self.order is None:
            return self.pattern.adjacency(w)
        kept = np.flatnonzero(w)
        i, j = self.ends(kept)
        pattern, weights = PairSet.with_values(i, j, w[kept], self.n_nodes)
        return pattern.adjacency(weights)

    def fitted_attributes(self, w: np.ndarray, bridges: Triples) -> dict[str, Any]:
        adjacency = add_edges(self.adjacency(w), bridges)
        return {"adjacency_": adjacency, "laplacian_": laplacian_of(adjacency)}

    def ends(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The nodes of some pairs, as the user numbered them."""
        i, j = self.pattern.rows[positions], self.pattern.cols[positions]
        return (i, j) if self.order is None else (self.order[i], self.order[j])

    # -- the order of the nodes ----------------------------------------------

    def to_places(self, nodes: np.ndarray) -> np.ndarray:
        """The positions of some nodes in the stored order."""
        return nodes if self.order is None else self.place[nodes]

    def to_stored(self, x: np.ndarray) -> np.ndarray:
        """One number per node, in the order in which nodes are stored."""
        return x if self.order is None else x[self.order]

    def to_given(self, x: np.ndarray) -> np.ndarray:
        """One number (or row) per node, in the order in which the user numbered the nodes."""
        return x if self.order is None else x[self.place]

    @cached_property
    def place(self) -> np.ndarray:
        """The position of each node, in the order in which nodes are stored."""
        place = np.empty(self.n_nodes, dtype=np.int32)
        place[self.order] = np.arange(self.n_nodes, dtype=np.int32)
        return place

    @cached_property
    def counted(self) -> slice:
        """The pairs that count here: in a partition, those whose first end it owns."""
        if self.own is None:
            return slice(0, self.pattern.n_pairs)
        first, last = self.own
        return slice(int(self.pattern.indptr[first]), int(self.pattern.indptr[last]))


@dataclass(frozen=True, eq=False)
class TermsInMemory(EdgeTerms):
    """What pairs in memory contribute to the dual at one ``u``, in the stored order of nodes."""

    pairs: Pairs
    f: EdgePrior
    u: np.ndarray
    tail: np.ndarray

    @cached_property
    def v(self) -> np.ndarray:
        """``v_e = u_i + u_j - 2 z_e``."""
        return self.pairs.pattern.fill(kernels.slacks, self.u, self.tail, self.pairs.z)

    @cached_property
    def weights(self) -> np.ndarray:
        w = np.empty_like(self.v)

        def fill(part: slice) -> None:
            w[part] = self.f.take(part).maximizer(self.v[part])

        self._by_parts(fill)
        return w

    @cached_property
    def conjugate(self) -> float:
        return self._sum(lambda p: self.f.take(p).conjugate(self.v[p]))

    def divergence(self, w: np.ndarray) -> float:
        return self._sum(lambda p: self.f.take(p).divergence(w[p], self.v[p]))

    @cached_property
    def degrees(self) -> np.ndarray:
        return self.pairs.to_given(self.pairs.pattern.degree_sums(self.weights))

    def lesser_squares(self) -> float:
        pattern, weights = self.pairs.pattern, self.weights
        blocks = pattern.blocks if self.pairs.own is None else [self.pairs.own]
        arrays = pattern.indptr, pattern.cols, weights, np.abs(self.u)
        return float(sum(run_blocks(blocks, lambda a, b: kernels.lesser_squares(a, b, *arrays))))

    def weights_beside(self, change: np.ndarray) -> np.ndarray:
        moved = self.pairs.pattern.pair_sums(self.pairs.to_stored(change))
        return np.maximum(self.weights + self.f.curvature(self.v) * moved, 0)

    def curvature(self) -> "CurvatureInMemory":
        c = self.f.curvature(self.v)
        active = np.flatnonzero(c > 0)
        return CurvatureInMemory(self.pairs.at(active), c[active])

    def rise(self, change: np.ndarray | None = None) -> np.ndarray:
        needed = self.idleness
        if change is not None:
            moved = self.pairs.pattern.pair_sums(self.pairs.to_stored(change))
            needed = np.maximum(needed - moved, 0)
        return self.pairs.to_given(self._smallest(needed, np.inf))

    def excess(self) -> np.ndarray:
        return self.pairs.to_given(-self._smallest(-np.maximum(self.v, 0) / 2, 0.0))

    def largest(self, k: int) -> np.ndarray:
        return self.pairs.to_given(-self.pairs.smallest_values(self.f.threshold - self.v, k))

    def log_degrees(self) -> np.ndarray:
        t = self.v / self.f.temperature
        largest = -self._smallest(-t, np.inf)
        sums = self.pairs.pattern.add_at_nodes(kernels.add_exponentials, t, largest)
        return self.pairs.to_given(largest + np.log(sums))

    def limit(self, most: np.ndarray) -> np.ndarray:
        rows, cols = self.pairs.pattern.rows, self.pairs.pattern.cols
        degrees, most = self.pairs.to_stored(self.log_degrees()), self.pairs.to_stored(most)
        larger = np.maximum(degrees[rows], degrees[cols])
        return np.exp(self.v / self.f.temperature - larger) * np.minimum(most[rows], most[cols])

    def balance(self, balance: Balance) -> np.ndarray:
        wanted, ratio, lost, rise = (self.pairs.to_stored(x) for x in balance)
        rows, cols = self.pairs.pattern.rows, self.pairs.pattern.cols
        lesser = np.where(wanted[rows] <= wanted[cols], rows, cols)
        w = self.weights * ratio[lesser]
        if np.any(lost):
            best = np.any([lost[ends] & (self.idleness <= rise[ends]) for ends in (rows, cols)], axis=0)
            w[best] = wanted[lesser[best]]
        return w

    @cached_property
    def idleness(self) -> np.ndarray:
        """How far each pair is from being an edge."""
        return np.maximum(self.f.threshold - self.v, 0)

    def _smallest(self, values: np.ndarray, most: float) -> np.ndarray:
        pattern, out = self.pairs.pattern, np.full(self.pairs.n_nodes, most)
        kernels.smallest_at_nodes(0, len(out), pattern.indptr, pattern.cols, values, out)
        return out

    def _sum(self, value: Callable[[slice], float]) -> float:
        """The sum of a value over the pairs that count."""
        self.v  # noqa: B018  computed first, because it takes threads of its own
        if self.pairs.own is not None:
            return value(self.pairs.counted)
        return float(np.sum(self._by_parts(value)))

    def _by_parts(self, task: Callable[[slice], Any]) -> list[Any]:
        """What a task returns for parts of the pairs that fit into a processor's cache."""

        def span(first: int, last: int) -> list[Any]:
            return [task(slice(start, min(start + _IN_CACHE, last))) for start in range(first, last, _IN_CACHE)]

        return [result for results in run_blocks(self.pairs.pattern.spans, span) for result in results]
