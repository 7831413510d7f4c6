"""A pass of learning: solve, take in the pairs that are missing, until none is."""

from dataclasses import dataclass

from smoothgraph.candidates.fixed import Candidates
from smoothgraph.estimators.checkpoint import Checkpoint
from smoothgraph.estimators.floor import Floor
from smoothgraph.estimators.model import Learned, Model, Start
from smoothgraph.solvers import Solver
from smoothgraph.solvers.rough import Rough
from smoothgraph.support.stages import stage
from smoothgraph.support.threads import one_blas_thread


@dataclass(frozen=True, eq=False)
class Learning:
    """All that a fit needs once the data was read."""

    model: Model
    solver: Solver
    candidates: Candidates
    start: Start | None = None
    checkpoint: Checkpoint | None = None
    floor: Floor | None = None

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return self.candidates.pairs.n_joined

    def run(self) -> Learned:
        """Solve, take in the pairs that the multipliers show to be missing, until none is."""
        start, candidates = self.start, self.candidates
        while True:
            if self.checkpoint is not None and (state := candidates.save()) is not None:
                self.checkpoint.save(state | ({} if start is None else start.save()))
            with stage("solve"), one_blas_thread:  # products of vectors: threads would only wait for each other
                learned = self._solve(start)
            with stage("pairs"):
                done = candidates.cover(learned.solution.u)
            if done:
                return learned
            start = Start.of(learned)
            del learned  # and with it the pairs as they were

    def _solve(self, start: Start | None) -> Learned:
        """The solution on the candidate pairs, or a rough one that only shows where more pairs are needed."""
        pairs = self.candidates.pairs
        if self.candidates.provisional:
            return self.model.solve(pairs, Rough(self.solver), start)
        if self.floor is None:
            return self.model.solve(pairs, self.solver, start)
        return self.floor.solve(self.model, pairs, self.solver, start)
