"""Coordinate ascent over the nodes of one block, which hears of the others by messages."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from smoothgraph.cluster.entries import Entries
from smoothgraph.pairs import kernels as _kernels
from smoothgraph.solvers.sweeps import ROUNDS, Wanted
from smoothgraph.support.blocks import BLOCK


class Message(NamedTuple):
    """What a sweep over one block means to the others."""

    moved: np.ndarray  # nodes that others see
    u: np.ndarray
    marked: np.ndarray  # nodes of others that may want to move
    restless: bool  # whether own nodes do
    sweeps: int  # that were made


class Ascent(ABC):
    """What a block does to settle its nodes; vectors are in local numbers."""

    first: int
    last: int
    _halo: np.ndarray

    @property
    @abstractmethod
    def _part(self) -> Entries:
        """The working set."""

    def settle_inside(self, u: np.ndarray, wanted: Wanted, slope: float, n_nodes: int) -> None:
        """Begin with ``u``; if there are several blocks, settle the inside of each of them."""
        n = self._part.n_rows
        self._u, self._wanted, self._slope = u.copy(), wanted, slope
        self._restless = np.zeros(len(u), dtype=bool)
        self._restless[:n] = True
        self._everyone = np.ones(len(u), dtype=bool)
        by_others = [piece.rows[piece.cols >= n] for piece in self._part.pieces]
        self._seen = np.unique(np.concatenate(by_others))
        self._room = np.empty(np.max(np.diff(self._part.indptr), initial=0))
        if n_nodes <= BLOCK:
            return
        inner = np.zeros(len(u), dtype=bool)
        for first in range(0, n, BLOCK):
            last = min(first + BLOCK, n)
            _kernels.inner_nodes(first, last, self._part.indptr, self._part.cols, inner)
            self._settle(first, last, inner, range(ROUNDS))

    def sweep(self, messages: list[Message], begun: int, most: int) -> Message:
        """Sweep over the own nodes, after what the others tell, until one of theirs is marked.

        So many were ``begun`` before; there are at most ``most`` in all, and no more when the own
        nodes are at rest.
        """
        n = self._part.n_rows
        self._hear(messages)
        before = self._u[self._seen]
        restless, made = True, begun
        while restless and made < most and not np.any(self._restless[n:]):
            self._settle(0, n, self._everyone, range(made, made + 1))
            made += 1
            restless = bool(np.any(self._restless[:n]))
        marked = self._halo[self._restless[n:]]
        self._restless[n:] = False
        return self._told(before, marked, restless=restless, made=made - begun)

    def lift(self, messages: list[Message]) -> Message:
        """Raise own nodes without an edge to their first."""
        self._hear(messages)
        part, before = self._part, self._u[self._seen]
        edges = (part.indptr, part.cols, part.z, self._slope, self._wanted.degree)
        _kernels.lift(0, part.n_rows, *edges, self._u)
        return self._told(before, self._halo[:0], restless=False, made=1)

    def settled(self) -> np.ndarray:
        """``u`` of the own nodes."""
        return self._u[: self._part.n_rows]

    def _settle(self, first: int, last: int, free: np.ndarray, rounds: range) -> None:
        part = self._part
        edges = (part.indptr, part.cols, part.z, self._slope)
        state = free, self._restless, self._u, rounds.start, rounds.stop, self._room
        _kernels.settle(first, last, *edges, *self._wanted, *state)

    def _hear(self, messages: list[Message]) -> None:
        n = self._part.n_rows
        for message in messages:
            place = np.minimum(np.searchsorted(self._halo, message.moved), len(self._halo) - 1)
            if len(self._halo):
                known = self._halo[place] == message.moved
                self._u[n + place[known]] = message.u[known]
            own = (message.marked >= self.first) & (message.marked < self.last)
            self._restless[message.marked[own] - self.first] = True

    def _told(
        self, before: np.ndarray, marked: np.ndarray, *, restless: bool, made: int
    ) -> Message:
        moved = self._seen[self._u[self._seen] != before]
        return Message(self.first + moved, self._u[moved], marked, restless, made)
