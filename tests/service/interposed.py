"""Puts one request into the middle of another, at a point that is chosen: no sleeps."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any


class Interposed:
    """A store that does something else after its n-th call, as another web process would.

    Parameters
    ----------
    store
        What the calls go to.

    Notes
    -----
    `after(n, act)` arms it; `calls` counts since then. What `act` itself calls is not counted.
    """

    def __init__(self, store: Any) -> None:
        self._store = store
        self._at = 0
        self._act: Callable[[], object] = lambda: None
        self.calls = 0

    def after(self, number: int, act: Callable[[], object]) -> None:
        """Do `act` once, right after the call of this number; never for 0."""
        self._at, self._act, self.calls = number, act, 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if not callable(found):
            return found

        def noted(*args: Any, **kwargs: Any) -> Any:
            answer = found(*args, **kwargs)
            self.calls += 1
            if self.calls == self._at:
                self._at = 0
                # A thread of its own: it is another request, which knows nothing of this one.
                with ThreadPoolExecutor(1) as other:
                    other.submit(self._act).result()
            return answer

        return noted
