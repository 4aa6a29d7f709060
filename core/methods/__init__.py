"""The training methods, by their query value. A new method is one new file of that name and one line here."""

from importlib import import_module

from core.methods.contract import Method

_NAMES = (
    "gd",
    "adam",
    "flow",
    "lsq",
    "ls_gd",
    "ls_adam",
    "anls",
    "anls_plus",
)
METHODS: dict[str, type[Method]] = {name: import_module(f"core.methods.{name}").METHOD for name in _NAMES}
