"""Several things at once, in an order that is chosen: one thread goes at a time, from one call to the store
to the next. No sleeps, and the same choices give the same course."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

PATIENCE_SECONDS = 30.0


class Interleaving:
    """Runs actions step by step; `pause` is where one may be left for another."""

    def __init__(self) -> None:
        self._turns: dict[int, threading.Semaphore] = {}
        self._done = threading.Semaphore(0)
        self._ended: list[threading.Semaphore] = []
        self.errors: list[BaseException] = []

    def pause(self) -> None:
        """Called by whatever the actions use; others go through."""
        turn = self._turns.get(threading.get_ident())
        if turn is not None:
            self._done.release()
            self._wait(turn)

    def run(self, actions: Sequence[Callable[[], object]], choose: Callable[[int], int]) -> None:
        """All of them to their ends; `choose` says which of so many goes on."""
        threads = [threading.Thread(target=self._act, args=(action,), daemon=True) for action in actions]
        waiting: list[threading.Semaphore] = []
        for thread in threads:
            thread.start()
            self._wait(self._done)
            assert thread.ident is not None
            waiting.append(self._turns[thread.ident])
        while waiting:
            turn = waiting[choose(len(waiting))]
            turn.release()
            self._wait(self._done)
            if turn in self._ended:
                waiting.remove(turn)
        self._turns.clear()
        self._ended.clear()
        if self.errors:
            raise self.errors[0]

    def _act(self, action: Callable[[], object]) -> None:
        turn = self._turns[threading.get_ident()] = threading.Semaphore(0)
        self._done.release()
        self._wait(turn)
        try:
            action()
        except BaseException as error:
            self.errors.append(error)
        self._ended.append(turn)
        self._done.release()

    def _wait(self, semaphore: threading.Semaphore) -> None:
        assert semaphore.acquire(timeout=PATIENCE_SECONDS), "one waits for another that is not let go on"


class Stepped:
    """A store at whose every call somebody else may come first; of one that is not locked meanwhile, also
    between what a change reads and what it writes."""

    def __init__(self, store: Any, interleaving: Interleaving, *, inside: bool) -> None:
        self._store, self._pause, self._inside = store, interleaving.pause, inside

    def change(self, run_id: str, transition: Callable[[Any], Any]) -> Any:
        def stepped(record: Any) -> Any:
            new = transition(record)
            if self._inside:
                self._pause()
            return new

        self._pause()
        return self._store.change(run_id, stepped)

    def insist(self, run_id: str, transition: Callable[[Any], Any]) -> Any:
        return self.change(run_id, transition)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name not in ("record", "claim"):
            return found

        def stepped(*args: Any, **kwargs: Any) -> Any:
            self._pause()
            return found(*args, **kwargs)

        return stepped
