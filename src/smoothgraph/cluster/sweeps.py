"""Sweeps over the nodes of all blocks, in the order in which one machine would make them.

First all blocks settle their inside at the same time, which is most of the work. Then one block
sweeps after the other, and passes on where its nodes went that others see; a block in which
nobody wants to move is passed over. The result does not depend on where the blocks are, nor on
their bounds.
"""

import numpy as np

from smoothgraph.cluster.ascent import Message
from smoothgraph.cluster.problem import RemoteProblem
from smoothgraph.solvers.sweeps import ROUNDS, Wanted


class RemoteSweeps:
    """Coordinate ascent over the working set on the workers."""

    def __init__(self, problem: RemoteProblem) -> None:
        self._edges, self._slope = problem.edges, problem.edge_prior.slope

    def settle(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        """``u`` after sweeps until no node moves far."""
        return self._edges.crew.repeated(lambda: self._settled(wanted, u))

    def lift(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        """``u`` with every node raised to its first edge, if it has none."""
        return self._edges.crew.repeated(lambda: self._lifted(wanted, u))

    def _settled(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        self._begin(wanted, u, self._edges.n_nodes)
        inboxes: list[list[Message]] = [[] for _ in range(len(self._edges.crew))]
        restless, round_ = [True] * len(inboxes), 0
        while round_ < ROUNDS and any(map(_wakes, restless, inboxes)):
            for block in range(len(inboxes)):
                awake = list(map(_wakes, restless, inboxes))
                if awake[block]:  # and if no other is, it may sweep on
                    most = ROUNDS if sum(awake) == 1 else round_ + 1
                    message = self._edges.crew.ask(block, "sweep", inboxes[block], round_, most)()
                    inboxes[block], restless[block] = [], message.restless
                    round_ += message.sweeps - 1
                    self._deliver(block, message, inboxes)
            round_ += 1
        return self._collected()

    def _lifted(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        self._begin(wanted, u, 0)
        inboxes: list[list[Message]] = [[] for _ in range(len(self._edges.crew))]
        for block, inbox in enumerate(inboxes):
            message = self._edges.crew.ask(block, "lift", inbox)()
            self._deliver(block, message, inboxes)
        return self._collected()

    def _begin(self, wanted: Wanted, u: np.ndarray, n_nodes: int) -> None:
        """Tell the blocks; of so many nodes, they settle the inside of parts by themselves."""
        edges = self._edges
        for_blocks = zip(
            edges.local(u),
            edges.own(wanted.degree),
            edges.own(wanted.curvature),
            edges.own(wanted.far),
            edges.own(wanted.anchor),
            strict=True,
        )
        answers = [
            edges.crew.ask(
                block,
                "settle_inside",
                local,
                Wanted(degree, curvature, wanted.domain, far, anchor),
                self._slope,
                n_nodes,
            )
            for block, (local, degree, curvature, far, anchor) in enumerate(for_blocks)
        ]
        for answer in answers:
            answer()

    def _deliver(self, sender: int, message: Message, inboxes: list[list[Message]]) -> None:
        """To every other block what concerns it: where neighbours went, which own nodes to wake."""
        for block, (first, last) in enumerate(self._edges.bounds):
            if block == sender:
                continue
            woken = message.marked[(message.marked >= first) & (message.marked < last)]
            if len(message.moved) or len(woken):
                inboxes[block].append(message._replace(marked=woken))

    def _collected(self) -> np.ndarray:
        crew = self._edges.crew
        answers = [crew.ask(block, "settled") for block in range(len(crew))]
        return np.concatenate([answer() for answer in answers])


def _wakes(restless: bool, inbox: list[Message]) -> bool:  # noqa: FBT001
    """Whether a block has nodes that may want to move; otherwise its sweep changes nothing."""
    return restless or any(len(message.marked) for message in inbox)
