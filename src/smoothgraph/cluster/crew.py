"""One actor per block, on the workers: called side by side, made again where a worker died.

Calls are no tasks: the scheduler's graph stays as it is. They pass through the scheduler unless the
client has ``direct_to_workers``. What a block holds beside its edges is told again to the actor
that takes the place of a lost one.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from operator import is_not
from typing import Any, NamedTuple, TypeVar

from smoothgraph.cluster.block import Block
from smoothgraph.cluster.client import Client, check_open, disconnected
from smoothgraph.cluster.needs import enough_workers, too_small
from smoothgraph.support.stages import logger

Result = TypeVar("Result")
_ATTEMPTS = 6  # to get an answer from a block: a worker that dies of the block dies every time
_SECONDS_BETWEEN_LOOKS = 1.0  # at who is still there, while an answer is awaited


def home_of(block: int, workers: Sequence[str]) -> str:
    """The worker that a block should be on."""
    return workers[block % len(workers)]


class _Call(NamedTuple):
    """Something asked of a block: the answer to come, and the arguments.

    Dask holds on to the box until Python collects reference cycles, so it is emptied in the end.
    """

    answer: Any
    box: list[tuple[Any, ...]]


class LostBlockError(Exception):
    """A worker died in the middle of something that has to begin anew."""


class Crew:
    """The blocks of a graph, one after the other; each ``recipe`` is a future of its edges."""

    def __init__(self, client: Client, recipes: Sequence[Any]) -> None:
        self._client, self.recipes = client, list(recipes)
        self._state: list[tuple[str, list[tuple[Any, ...]]]] = []
        self._actors: list[Any] = [None] * len(self.recipes)
        self._futures: list[Any] = [None] * len(self.recipes)

    def __len__(self) -> int:
        return len(self.recipes)

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]] | None = None) -> list[Any]:
        """``block.method(*arguments[block])`` of every block, whatever dies meanwhile."""
        arguments = [()] * len(self) if arguments is None else list(arguments)
        results: dict[int, Any] = {}
        for _ in range(_ATTEMPTS):
            todo = [block for block in range(len(self)) if block not in results]
            self._submit(todo)
            calls = [(block, self._asked(block, method, arguments[block])) for block in todo]
            for block, asked in calls:
                found = self._answer(block, asked)
                if found is not None:
                    results[block] = found[0]
            if len(results) == len(self):
                return [results[block] for block in range(len(self))]
        raise too_small(self._client)

    def set(self, method: str, arguments: Sequence[tuple[Any, ...]], *, anew: bool) -> list[Any]:
        """Like ``call``, for what blocks must hold; ``anew`` if what they held goes."""
        try:
            results = self.call(method, arguments)
        except BaseException:
            self._let_go()  # some hold it and some do not: made again, all hold what they held
            raise
        self._state = [] if anew else [entry for entry in self._state if entry[0] != "curve"]
        self._state.append((method, list(arguments)))
        return results

    @property
    def working_set(self) -> list[tuple[str, list[tuple[Any, ...]]]]:
        """What was set, but for the curvature."""
        return [entry for entry in self._state if entry[0] != "curve"]

    def restore(self, working_set: list[tuple[str, list[tuple[Any, ...]]]]) -> None:
        """Set it again, unless it is as it was."""
        present = self.working_set
        if len(present) != len(working_set) or any(map(is_not, present, working_set)):
            for place, (method, arguments) in enumerate(working_set):
                self.set(method, arguments, anew=place == 0)
            self._state = list(working_set)  # the same entries, by which it is known again

    def ask(self, block: int, method: str, *arguments: Any) -> Callable[[], Any]:
        """Ask one block; the answer when called, or a LostBlockError."""
        asked = self._asked(block, method, arguments)

        def awaited() -> Any:
            found = self._answer(block, asked)
            if found is None:
                raise LostBlockError
            return found[0]

        return awaited

    def repeated(self, work: Callable[[], Result]) -> Result:
        """``work()``, from the beginning if a block was lost on the way."""
        for _ in range(_ATTEMPTS):
            try:
                return work()
            except LostBlockError:
                continue
        raise too_small(self._client)

    def close(self) -> None:
        """Let the blocks go.

        Dask's actors refer to each other, so that waiting for nobody to hold them would take long.
        """
        self._client.cancel([future for future in self._futures if future is not None])
        self._let_go()

    def _let_go(self) -> None:
        self._actors = [None] * len(self)
        self._futures = [None] * len(self)

    # -- one block -----------------------------------------------------------

    def _asked(self, block: int, method: str, arguments: tuple[Any, ...]) -> _Call | None:
        """The call; None if the block's worker is gone."""
        check_open(self._client)
        if self._actors[block] is None and not self._made(block):
            return None
        with self._client.as_current():  # the client that an actor is spoken to by
            box = [arguments]
            try:
                return _Call(self._actors[block].do(method, box), box)
            except RuntimeError:  # by which Dask says that the worker is known to be gone
                self._lose(block)
                return None

    def _answer(self, block: int, asked: _Call | None) -> tuple[Any] | None:
        """The answer as the only item; None if the block's worker is gone."""
        if asked is None:
            return None
        try:
            return self._awaited(block, asked.answer)
        finally:
            asked.box.clear()

    def _awaited(self, block: int, answer: Any) -> tuple[Any] | None:
        while True:
            try:
                return (answer.result(timeout=_SECONDS_BETWEEN_LOOKS),)
            except TimeoutError:
                if self._futures[block].status != "finished" and not answer.done():
                    self._lose(block)
                    return None
            except OSError as error:
                if error.errno is not None:  # of the block itself, such as a full disk
                    raise
                self._lose(block)
                return None

    def _made(self, block: int) -> bool:
        """An actor from the recipe, in the state of the others; whether its worker lived on."""
        self._submit([block])
        self._actors[block] = self._actor(block)
        try:
            return self._actors[block] is not None and all(
                self._answer(block, self._asked(block, method, arguments[block]))
                for method, arguments in self._state
            )
        except BaseException:
            self._actors[block] = self._futures[block] = None  # it was not told everything
            raise

    def _submit(self, blocks: Sequence[int]) -> None:
        """Have actors made where there are none."""
        missing = [block for block in blocks if self._futures[block] is None]
        workers = enough_workers(self._client) if missing else []
        for block in missing:
            self._futures[block] = self._client.submit(
                Block,
                self.recipes[block],
                actor=True,
                pure=False,
                workers=[home_of(block, workers)],
                allow_other_workers=True,
            )

    def _actor(self, block: int) -> Any:
        """The actor once it is there; None if its worker is gone."""
        from distributed import KilledWorker  # an extra

        future = self._futures[block]
        while True:
            try:
                return future.result(timeout=_SECONDS_BETWEEN_LOOKS)
            except TimeoutError:
                if future.status == "error":  # of the recipe itself
                    raise
                enough_workers(self._client)
            except RuntimeError as error:
                if "Actor was lost" not in str(error):
                    raise
                self._lose(block)
                return None
            except KilledWorker as error:
                raise too_small(self._client) from error
            except CancelledError:
                raise disconnected() from None

    def _lose(self, block: int) -> None:
        logger.warning("block %d was lost with its worker; it is made again", block)
        self._actors[block] = self._futures[block] = None
