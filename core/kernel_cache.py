"""Where compiled kernels are kept: in a place of their own for each state of the sources.

Numba keeps a compiled kernel as long as the kernel's own file is unchanged, though it has swallowed what it
calls in other files. After an upgrade in place it would run old code, or fail at a name that is gone. So the
place is named by a digest of all sources of the core, and places of earlier states go after a while.
NUMBA_CACHE_DIR, where it is set, stands.
"""

import os
import shutil
import time
from hashlib import blake2b
from pathlib import Path

import numba

CORE = Path(__file__).resolve().parent
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
    """The first of two places that can be written: beside the sources, or in the user's own cache."""
    name = digest(core)
    for base in (core / "__pycache__" / "kernels", home / "plateau-lab" / "kernels"):
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
        if now - place.stat().st_mtime > FORGOTTEN_AFTER:
            shutil.rmtree(place, ignore_errors=True)


def settle() -> None:
    """Tell numba, unless somebody else has."""
    if not numba.config.CACHE_DIR:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        place = place_for(CORE, home, time.time())
        if place is not None:
            numba.config.CACHE_DIR = str(place)


settle()
