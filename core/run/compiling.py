"""Tells whoever waits in a script or a notebook that kernels are being compiled, from the first second."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from numba.core.event import Event, Listener, install_listener

EXPECTED = 120
"""About how many kernels a first run compiles."""
BAR_WIDTH = 30
MESSAGE = "Compiling the numerical kernels, once after an installation"


class CompilingShown(Listener):
    """A bar on standard error, gone when there is nothing to compile; in a log, one line."""

    def __init__(self) -> None:
        self._under_way = self._compiled = 0
        self._is_installed = False

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Show what numba compiles inside, if it does."""
        if self._is_installed:
            yield
            return
        self._is_installed, before = True, self._compiled
        try:
            with install_listener("numba:compile", self):
                yield
        finally:
            self._is_installed, self._under_way = False, 0
            if self._compiled > before and _is_live():
                print("\r" + " " * (len(MESSAGE) + BAR_WIDTH + 9), end="\r", file=sys.stderr, flush=True)

    def on_start(self, event: Event) -> None:  # noqa: ARG002
        """A kernel is about to be compiled, maybe for another one that waits for it."""
        if not _is_live() and not (self._compiled or self._under_way):
            print(f"{MESSAGE} ...", file=sys.stderr, flush=True)
        self._under_way += 1
        self._draw()

    def on_end(self, event: Event) -> None:  # noqa: ARG002
        self._under_way, self._compiled = self._under_way - 1, self._compiled + 1
        self._draw()

    def _draw(self) -> None:
        if _is_live():
            full = BAR_WIDTH * self._compiled // max(EXPECTED, self._compiled + self._under_way)
            bar = "#" * full + "-" * (BAR_WIDTH - full)
            print(f"\r{MESSAGE} [{bar}] {self._compiled}", end="", file=sys.stderr, flush=True)


def _is_live() -> bool:
    """Whether a line can be drawn again: in a terminal or a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


compiling_shown = CompilingShown().installed
"""One for all that a program computes."""
