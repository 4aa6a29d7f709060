"""Several runs in one picture: what each is called there, and what it looks like.

A title says only what tells a run apart from the others; where they differ in many settings, of these only
what is not as usual. Where nothing but the method differs each keeps the method's own colour and dashes; else
the colour goes with everything but the method, and the dashes with the method.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from components.common.settings import data_name, methods_of, texts_of
from components.common.theme import OVERLAY_COLOURS, THEME_NAMES, method_colour, method_dash
from core.config import FIELDS, RunConfig, split_query
from core.limits import LIMITS
from core.methods import METHODS

_FIELDS = {spec.name: spec for spec in FIELDS if spec.name not in ("method", "epochs", "units", "calendar")}
_WORDS = {"target": "", "data": "data", "init": "start", "width": "width", "points": "points"}
"""What a key is called in front of its value, where its symbol would not do."""
_LONGEST = 24
_FEW = 2
"""With so many differing settings all are named in a title."""


def run_looks(configs: Sequence[RunConfig]) -> list[dict[str, Any]]:
    """For each run: `name`, by which a link selects it, `title`, and the colours and dashes of its curve."""
    texts = [split_query(config.to_query(), LIMITS.query_bytes) for config in configs]
    keys = [key for key in _FIELDS if _differs(key, configs, texts)]
    methods = [config.method.name for config in configs]
    race = len(set(methods)) > 1
    values = [
        tuple(filter(None, (_told(key, config, own) for key in keys)))
        for config, own in zip(configs, texts, strict=True)
    ]
    unusual = [
        tuple(filter(None, (_told(key, config, own) for key in keys if key in own or key == "target")))
        for config, own in zip(configs, texts, strict=True)
    ]
    if len(keys) > _FEW and len(set(zip(unusual, methods, strict=True))) == len(configs):
        values = unusual
    ranks = {value: rank for rank, value in enumerate(dict.fromkeys(values))}
    return [
        {
            "name": method if methods.count(method) == 1 else config.run_id[:8],
            "title": ", ".join([*value, *([config.method.title] if race else [])]) or config.method.title,
            "colours": {
                theme: OVERLAY_COLOURS[theme][ranks[value] % len(OVERLAY_COLOURS[theme])]
                if keys
                else method_colour(theme, method)
                for theme in THEME_NAMES
            },
            "dash": method_dash(method) if race or not keys else "solid",
        }
        for config, method, value in zip(configs, methods, values, strict=True)
    ]


def _differs(key: str, configs: Sequence[RunConfig], texts: Sequence[Mapping[str, str]]) -> bool:
    """Whether a key tells apart any two of the runs that have it."""
    told = {own.get(key) for config, own in zip(configs, texts, strict=True) if _has(key, config)}
    return len(told) > 1


def _has(key: str, config: RunConfig) -> bool:
    return not _FIELDS[key].methods or config.method.name in _FIELDS[key].methods


def _told(key: str, config: RunConfig, texts: Mapping[str, str]) -> str:
    """A setting of a run in few words; empty where its method has no such parameter."""
    if not _has(key, config):
        return ""
    if key == "labels":
        return _shortened(config.scale.title)
    if key == "data" and config.scale.title:
        return ""  # its name tells it
    spec = _FIELDS[key]
    value = getattr(config.method if spec.methods else config, key, None)
    text = texts.get(key) or ("" if value is None else spec.write(value))
    return _shortened(f"{_word(key)} {text}".strip()) if text else ""


def _word(key: str) -> str:
    spec = _FIELDS[key]
    return _WORDS.get(key, spec.symbol if len(spec.symbol) == 1 else spec.label.lower())


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def plain_title(query: str) -> str:
    """A run by itself, in a list: its target, its method, and whatever is not as usual."""
    texts = texts_of(query)
    named = [data_name(texts)]
    named += [METHODS[name].title for name in methods_of(texts)]
    named += [
        _shortened(f"{_word(key)} {texts[key]}")
        for key in _FIELDS
        if key in texts and key not in ("target", "data", "labels")
    ]
    return ", ".join(named)
