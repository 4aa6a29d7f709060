"""Where compiled kernels are kept: in a place of their own for each state of the sources.

Numba keeps a compiled kernel as long as the kernel's own file is unchanged, though it has swallowed what it
calls in other files. After an upgrade in place it would run old code, or fail at a name that is gone. So the
place is named by a digest of all sources of the core, and places of earlier states go after a while.
The digest says all that matters about the sources, so where they lie and when they were written does not:
a second copy of the same version finds everything compiled. NUMBA_CACHE_DIR, where it is set, stands.

Numba's own setting is left alone: it would move the kernels of whoever imports this package too. Numba asks
a list of locators where a function is cached. The first of them is ours, for functions of the core alone.
"""

import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, Self

import numba
from numba.core.caching import CacheImpl, InTreeCacheLocator

CORE = Path(__file__).resolve().parent
PACKAGE = __name__.rpartition(".")[0]
"""core, or plateau_lab once installed: a kernel names the types of its package"""
FORGOTTEN_AFTER = 7 * 86_400.0
"""seconds after its last use for which the place of another state of the sources is kept"""


def digest(core: Path) -> str:
    """A name for the state of all sources below a folder."""
    state = blake2b(digest_size=8)
    for path in sorted(core.rglob("*.py")):
        if path.relative_to(core).parts[0] != "service":  # it holds no kernel
            state.update(str(path.relative_to(core)).encode() + b"\0" + path.read_bytes() + b"\0")
    return state.hexdigest()


def place_for(core: Path, home: Path, now: float) -> Path | None:
    """The first of two places that can be written: the user's own cache, or beside the sources."""
    name = digest(core)
    for base in (home / "plateau-lab" / "kernels", core / "__pycache__" / "kernels"):
        try:
            (base / name).mkdir(parents=True, exist_ok=True)
            os.utime(base / name, (now, now))
            if os.access(base / name, os.W_OK):
                forget(base, now)
                return base / name
        except OSError:
            continue
    return None


def forget(base: Path, now: float) -> None:
    """Remove the places that nobody has used for a week."""
    for place in base.iterdir():
        with suppress(OSError):  # another process may be removing it
            if now - place.stat().st_mtime > FORGOTTEN_AFTER:
                shutil.rmtree(place, ignore_errors=True)


class CoreCacheLocator(InTreeCacheLocator):
    """Tells numba where the kernels of the core are cached; it has no answer for other functions."""

    directory: ClassVar[Path]

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)
        package = Path(py_file).resolve().parent.relative_to(CORE)
        self._cache_path = str(self.directory / ".".join((PACKAGE, *package.parts)))

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Self | None:
        """A locator for this function; None if it is not ours."""
        if not Path(py_file).resolve().is_relative_to(CORE):
            return None
        found: Self | None = super().from_function(py_func, py_file)
        return found

    def get_source_stamp(self) -> str:
        """The same for every copy of these sources: the folder's name is their digest."""
        return self.directory.name


def configure_cache_dir() -> Path | None:
    """Let numba cache the kernels of the core in the place that is returned."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = place_for(CORE, home, time.time())
    if place is not None:
        CoreCacheLocator.directory = place
        CacheImpl._locator_classes = [CoreCacheLocator, *CacheImpl._locator_classes]
    return place


CACHE_DIR = configure_cache_dir()
"""None: numba finds a place for each kernel by itself."""
