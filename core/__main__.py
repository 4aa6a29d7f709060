"""`plateau-lab`, or `python -m plateau_lab`: starts the web application."""

import sys
from importlib import import_module, util
from pathlib import Path

APP = Path(__file__).resolve().parent / "_app"
"""The app's sources in an installed package; in the repository they lie beside this one."""
MISSING = "The app needs more packages: pip install 'plateau-lab[app]'"


def main() -> int:
    """Start the app; the exit code."""
    if util.find_spec("dash") is None or util.find_spec("waitress") is None:
        sys.exit(MISSING)
    sys.path.insert(0, str(APP if APP.exists() else APP.parents[1]))
    sys.argv[0] = "plateau-lab"  # what its help says
    code: int = import_module("app").main()
    return code


if __name__ == "__main__":
    sys.exit(main())
