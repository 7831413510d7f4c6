"""The answers of an engine that a user wrote, passed on only if they are possible."""

from typing import Any, NoReturn

import numpy as np

from smoothgraph.search.engine import NearPairs, NeighborEngine
from smoothgraph.support.input_error import InputError

_ROUNDING = 1e-4  # of a distance, by which two answers may differ
_CANCELLATION = 1e-6  # of the largest distance, likewise


class CheckedEngine:
    """A user's engine for ``n_nodes`` nodes; an impossible answer is an InputError that names the mistake.

    The pairs of ``nearest`` are kept: ``within`` must return those within reach, at the same distances.
    """

    def __init__(self, engine: Any, n_nodes: int) -> None:
        if not isinstance(engine, NeighborEngine):
            raise InputError(
                "Expected a function in neighbors= that returns a NeighborEngine, but it returned "
                f"{engine!r}; return an object with n_nodes, order, nearest and within."
            )
        self._engine, self.n_nodes, self.order = engine, n_nodes, engine.order
        self._known = NearPairs.concatenate([])
        if engine.n_nodes != n_nodes:
            self._refuse("n_nodes", f"{n_nodes}, the rows of the table", engine.n_nodes, "index every row")
        if self.order is not None and not np.array_equal(np.sort(self.order), np.arange(n_nodes)):
            self._refuse("order", "every node once", "something else", "return a permutation, or None")

    def nearest(self, k: int, share: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the engine's neighbors and their distances."""
        shape = (self.n_nodes, k)
        ids, z = self._arrays("nearest()", self._engine.nearest(k, share), 2, shape)
        i = np.repeat(np.arange(self.n_nodes), k)
        self._known = self._check("nearest()", i, ids.ravel(), z.ravel())
        return self._known.j.reshape(shape), self._known.z.reshape(shape)

    def within(self, reach: np.ndarray, nodes: np.ndarray | None = None) -> NearPairs:
        """Return the engine's pairs."""
        i, j, z = self._arrays("within()", self._engine.within(reach, nodes), 3)
        if nodes is not None and np.any(strange := ~np.isin(i, nodes)):
            self._refuse("within()", "pairs i, j with i in nodes", f"i = {i[strange][0]}", "return nodes[i], not i")
        pairs = self._check("within()", i, j, z)
        self._check_complete(pairs, reach, nodes)
        return pairs

    def _arrays(self, source: str, answer: Any, count: int, shape: tuple[int, ...] | None = None) -> list[np.ndarray]:
        """The arrays of an answer, which must have this shape, or else the same length."""
        arrays = [np.asarray(part) for part in answer] if isinstance(answer, tuple | list) else []
        shapes = [array.shape for array in arrays]
        if len(arrays) != count or set(shapes) != {shape or (arrays[0].size,)}:
            got = f"shapes {shapes}" if arrays else type(answer).__name__
            wanted = f"{count} arrays of shape {shape or '(n_pairs,)'}"
            self._refuse(source, wanted, got, "return a tuple of such arrays")
        return arrays

    def _check(self, source: str, i: np.ndarray, j: np.ndarray, z: np.ndarray) -> NearPairs:
        """The pairs, if they join different nodes at finite distances that agree with each other and those known."""
        for ends in (i, j):
            if ends.size and not np.issubdtype(ends.dtype, np.integer):
                self._refuse(source, "nodes as integers", f"them as {ends.dtype}", "return the numbers of the nodes")
            if np.any(outside := (ends < 0) | (ends >= self.n_nodes)):
                wanted = f"nodes from 0 to {self.n_nodes - 1}"
                self._refuse(source, wanted, f"node {ends[outside][0]}", "return the numbers of rows")
        if np.any(i == j):
            self._refuse(source, "other nodes as neighbors", f"node {i[i == j][0]} itself", "leave it out")
        if np.any(wrong := ~((z >= 0) & (z < np.inf))):
            got = f"{z[wrong][0]:g} for nodes {i[wrong][0]} and {j[wrong][0]}"
            self._refuse(source, "finite distances >= 0", got, "correct the distance")
        pairs = NearPairs(i.astype(np.int32), j.astype(np.int32), z.astype(float))
        self._check_agreement(source, NearPairs.concatenate([self._known, pairs]))
        return pairs

    def _check_agreement(self, source: str, pairs: NearPairs) -> None:
        """An InputError if a pair that comes twice has two distances."""
        keys = self._keys(pairs)
        by_pair = np.argsort(keys, kind="stable")
        one, other = by_pair[:-1], by_pair[1:]
        apart = np.abs(pairs.z[one] - pairs.z[other]) > _slack(pairs.z)[one]
        if np.any(unlike := apart & (keys[one] == keys[other])):
            a, b = one[unlike][0], other[unlike][0]
            got = f"nodes {pairs.i[b]} and {pairs.j[b]} the distance {pairs.z[b]:g} after {pairs.z[a]:g}"
            self._refuse(source, "one distance per pair", got, "return the same in both methods and both directions")

    def _check_complete(self, pairs: NearPairs, reach: np.ndarray, nodes: np.ndarray | None) -> None:
        """An InputError if ``pairs`` lack a known one that is within reach, whatever the rounding."""
        i, j, z = self._known
        due = 2 * (z + _slack(z)) < reach[i] + reach[j]
        if nodes is not None:
            due &= np.isin(i, nodes) | np.isin(j, nodes)
        if np.any(missing := due & ~np.isin(self._keys(self._known), self._keys(pairs))):
            got = f"none of nodes {i[missing][0]} and {j[missing][0]}, which nearest() put at {z[missing][0]:g}"
            self._refuse("within()", "all pairs within reach", got, "return every pair with 2 z < reach[i] + reach[j]")

    def _keys(self, pairs: NearPairs) -> np.ndarray:
        """One number per pair, the same for both directions."""
        return np.minimum(pairs.i, pairs.j).astype(np.int64) * self.n_nodes + np.maximum(pairs.i, pairs.j)

    def _refuse(self, source: str, expected: str, got: object, remedy: str) -> NoReturn:
        engine = type(self._engine).__name__
        raise InputError(f"Expected {expected}, but {source} of {engine} gave {got}; {remedy}.")


def _slack(z: np.ndarray) -> np.ndarray:
    """How far from ``z`` rounding, in single precision at worst, may put another answer."""
    return _ROUNDING * z + _CANCELLATION * np.max(z, initial=0.0)
