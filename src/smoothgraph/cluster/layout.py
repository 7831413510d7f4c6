"""Which nodes each partition of the candidate pairs has, and questions to all partitions at once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from smoothgraph.cluster.client import Client, check_open
from smoothgraph.cluster.futures import Future, fetch, submit
from smoothgraph.cluster.partitions import Bounds, Triples


@dataclass(frozen=True, eq=False)
class Layout:
    """``order`` are the rows in the order of the partitions.

    Partition ``b`` owns the positions ``bounds[b]`` of that order, and has ``nodes[b]`` in all. A vector goes out as
    the part that each partition needs, and comes back as one number per own node.
    """

    client: Client
    order: np.ndarray
    bounds: Sequence[Bounds]
    nodes: Sequence[np.ndarray]

    @cached_property
    def place(self) -> np.ndarray:
        """The position of each row in ``order``."""
        return np.argsort(self.order)

    @cached_property
    def own(self) -> list[slice]:
        """Where each partition's own nodes are among its nodes."""
        return [slice(*np.searchsorted(nodes, bounds)) for nodes, bounds in zip(self.nodes, self.bounds, strict=True)]

    def same(self, value: Any) -> list[Any]:
        """The same argument for each partition."""
        return [value] * len(self.nodes)

    def split(self, x: np.ndarray | None) -> list[Any]:
        """The part of a vector over the nodes that each partition needs."""
        if x is None:
            return self.same(None)
        stored = x[self.order]
        return [stored[nodes] for nodes in self.nodes]

    def join(self, parts: Sequence[np.ndarray]) -> np.ndarray:
        """One vector over the nodes, from the numbers at each partition's own nodes."""
        return np.concatenate(parts)[self.place]

    def submit(self, name: str, task: Callable[..., Any], *columns: Sequence[Any]) -> list[Future]:
        """A future of ``task(*row)`` for each partition's row of arguments."""
        return [submit(self.client, name, task, *row) for row in zip(*columns, strict=True)]

    def ask(self, name: str, task: Callable[..., Any], *columns: Sequence[Any]) -> list[Any]:
        """``task(*row)`` for each partition's row of arguments."""
        check_open(self.client)
        return fetch(self.client, self.submit(name, task, *columns))

    def ask_nodes(self, name: str, task: Callable[..., np.ndarray], *columns: Sequence[Any]) -> np.ndarray:
        """One vector over the nodes, from a task that returns a number for each node of a partition."""
        return self.join(self.ask(name, _at_own, self.own, self.same(task), *columns))

    def ask_sums(
        self, name: str, task: Callable[..., tuple[Any, ...]], *columns: Sequence[Any]
    ) -> tuple[np.ndarray, list[Any]]:
        """One vector over the nodes and sums over the partitions, from a task that returns its part of each."""
        parts = self.ask(name, _first_at_own, self.own, self.same(task), *columns)
        vectors, *numbers = zip(*parts, strict=True)
        return self.join(vectors), [sum(column) for column in numbers]

    def ask_triples(self, name: str, task: Callable[..., Triples], parts: Sequence[Any], *columns: Any) -> Triples:
        """All triples that a task ``(part, nodes, ...)`` returns, with nodes numbered along ``order``."""
        triples = self.ask(name, task, parts, self.nodes, *columns)
        i, j, values = (np.concatenate(column) for column in zip(*triples, strict=True))
        return i, j, values

    def local(self, i: np.ndarray, j: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:
        """Which of the pairs ``i, j`` of rows each partition may have, and the numbers of their ends in it."""
        first, second, found = self.place[i], self.place[j], []
        for (begin, end), nodes in zip(self.bounds, self.nodes, strict=True):
            a, b = (np.minimum(np.searchsorted(nodes, ends), len(nodes) - 1) for ends in (first, second))
            owned = ((begin <= first) & (first < end)) | ((begin <= second) & (second < end))
            here = np.flatnonzero(owned & (nodes[a] == first) & (nodes[b] == second))
            found.append((here, a[here], b[here]))
        return zip(*found, strict=True)


def _at_own(own: slice, task: Callable[..., np.ndarray], *arguments: Any) -> np.ndarray:
    return task(*arguments)[own]


def _first_at_own(own: slice, task: Callable[..., tuple[Any, ...]], *arguments: Any) -> tuple[Any, ...]:
    vector, *numbers = task(*arguments)
    return vector[own], *numbers
