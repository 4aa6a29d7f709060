"""Where compiled kernels are kept: each under a digest of the sources that it was compiled from.

Numba keeps a compiled kernel as long as the kernel's own file is unchanged, though it has swallowed what it
calls in other files. After an upgrade in place it would run old code, or fail at a name that is gone. So the
folder of a module's kernels is named by a digest of that module and of all that it imports, directly or not.
The digest says all that matters about the sources, so where they lie and when they were written does not:
a second copy of the same version finds everything compiled, and an edit compiles only what it can change.
NUMBA_CACHE_DIR, where it is set, stands.

Numba itself is left alone: each kernel has a cache of its own kind (core.compiled), so that nothing changes
for whoever imports this package too. It is opened when its kernel is needed first. An import reads no
sources and makes no folders.
"""

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, Self

import numba
from numba.core.caching import CacheImpl, CompileResultCacheImpl, FunctionCache, InTreeCacheLocator

CORE = Path(__file__).resolve().parent
PACKAGE = __name__.rpartition(".")[0]
"""core, or plateau_lab once installed: a kernel names the types of its package"""
UNUSED_SECONDS = 7 * 86_400.0
"""for which kernels of other sources are kept"""
IMPORT = re.compile(
    r"^\s*(?:from\s+(?P<origin>[.\w]+)\s+import\s+(?P<names>\([^)]*\)|[^\n]*)|import\s+(?P<module>[\w.]+))",
    re.MULTILINE,
)
"""Reading imports as text costs a tenth of parsing; a test compares it with the parser's answer."""


class Sources:
    """The modules below a folder, and what each of them imports."""

    def __init__(self, folder: Path, package: str = PACKAGE) -> None:
        self.folder, self.package = folder, package
        self._text = cache(lambda path: path.read_text(encoding="utf-8"))
        self._imports = cache(lambda path: frozenset(self._read_imports(path)))

    def imported_by(self, path: Path) -> frozenset[Path]:
        """The file and every other one of these that it imports, directly or not."""
        found, waiting = {path}, [path]
        while waiting:
            new = self._imports(waiting.pop()) - found
            found |= new
            waiting += new
        return frozenset(found)

    def digest(self, paths: frozenset[Path]) -> str:
        """A name for the state of some of the files."""
        state = blake2b(self.package.encode(), digest_size=8)
        for path in sorted(paths):
            state.update(f"{path.relative_to(self.folder)}\0{self._text(path)}\0".encode())
        return state.hexdigest()

    def numerics(self) -> frozenset[Path]:
        """Every file but those of the service, which holds no kernel."""
        service = self.folder / "service"
        return frozenset(path for path in self.folder.rglob("*.py") if not path.is_relative_to(service))

    def _read_imports(self, path: Path) -> Iterator[Path]:
        home = path.relative_to(self.folder).parent.parts
        for found in IMPORT.finditer(self._text(path)):
            origin = self._parts(found["origin"] or found["module"], home)
            if origin is None:
                continue
            names = re.findall(r"(\w+)(?:\s+as\s+\w+)?", re.sub(r"#[^\n]*", "", found["names"] or ""))
            modules = [self._file((*origin, name)) for name in names]
            yield from (module for module in modules if module is not None)
            own = self._file(origin)
            if own is not None and (not names or None in modules):
                yield own

    def _parts(self, origin: str, home: tuple[str, ...]) -> tuple[str, ...] | None:
        """The parts of a module's name below the package; None if it is not one of ours."""
        name = origin.lstrip(".")
        level = len(origin) - len(name)
        parts = tuple(name.split(".")) if name else ()
        if level:
            return (*home[: len(home) - level + 1], *parts)
        return parts[1:] if parts[0] == self.package else None

    def _file(self, parts: tuple[str, ...]) -> Path | None:
        whole = self.folder.joinpath(*parts)
        candidates = (whole.with_suffix(".py") if parts else whole / "__init__.py", whole / "__init__.py")
        return next((path for path in candidates if path.is_file()), None)


def writable_base(core: Path, home: Path) -> Path | None:
    """The first of two places that can be written: the user's own cache, or beside the sources."""
    for base in (home / "plateau-lab", core / "__pycache__" / "plateau-lab"):
        with suppress(OSError):
            (base / "kernels").mkdir(parents=True, exist_ok=True)
            (base / "compiled").mkdir(exist_ok=True)
            if os.access(base / "kernels", os.W_OK):
                return base
    return None


def remove_unused(folder: Path, now: float) -> None:
    """Remove what nobody has used for a week."""
    for entry in folder.iterdir():
        with suppress(OSError):  # another process may be removing it
            if now - entry.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(entry, ignore_errors=True)


@cache
def cache_dir() -> Path | None:
    """The folder for notes on what has been compiled from this state of all sources, made when first asked
    for. None where nothing can be written: numba then finds a place for each kernel by itself."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR)
    base = writable_base(CORE, Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"))
    if base is None:
        return None
    state = base / "compiled" / SOURCES.digest(SOURCES.numerics())
    state.mkdir(exist_ok=True)
    now = time.time()
    os.utime(state, (now, now))
    remove_unused(base / "kernels", now)
    remove_unused(base / "compiled", now)
    return state


SOURCES = Sources(CORE)


@cache
def folder_name(path: Path) -> str:
    """Such as core.model.network-0123456789abcdef, for the kernels of a file."""
    module = ".".join((SOURCES.package, *path.relative_to(CORE).with_suffix("").parts))
    return f"{module}-{SOURCES.digest(SOURCES.imported_by(path))}"


class CoreCacheLocator(InTreeCacheLocator):
    """Where the kernels of the core are cached, unless NUMBA_CACHE_DIR says so."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)
        state = cache_dir()
        assert state is not None
        self._cache_path = str(state.parents[1] / "kernels" / folder_name(Path(py_file).resolve()))
        with suppress(OSError):
            os.utime(self._cache_path)  # it counts as used now

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Self | None:
        """A locator for this function; None if the cache is elsewhere."""
        if numba.config.CACHE_DIR or cache_dir() is None:
            return None
        found: Self | None = super().from_function(py_func, py_file)
        return found

    def get_source_stamp(self) -> str:
        """The same for every copy of these sources: the folder's name has their digest."""
        return Path(self._cache_path).name


class KernelFiles(CompileResultCacheImpl):
    """The files of a kernel, where our locator says or else where numba's do."""

    _locator_classes: ClassVar = [CoreCacheLocator, *CacheImpl._locator_classes]


class UfuncFiles(KernelFiles):
    """The files of a ufunc, which has the name of its kernel."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """Such as ufunc-trigonometric.portable_sin-61.py311."""
        return f"ufunc-{super().get_filename_base(fullname, abiflags)}"


class KernelCache(FunctionCache):
    """The cache of one kernel, opened when something of it is asked for."""

    _impl_class = KernelFiles

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __getattr__(self, name: str) -> Any:
        """What is missing, which is all of it until the cache is opened."""
        if "_impl" in vars(self):
            raise AttributeError(name)
        super().__init__(vars(self)["_function"])
        return getattr(self, name)


class UfuncCache(KernelCache):
    """The cache of one ufunc."""

    _impl_class = UfuncFiles
