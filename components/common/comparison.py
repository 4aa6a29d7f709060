"""Runs that were selected one by one, whatever differs between them, as one link of the Lab.

A link describes the product of its lists, so that seed 3 at width 10 and seed 4 at width 20 would be four
runs. The key `also` names further runs, each by what differs from the settings of the link:

    /?epochs=2000&seed=3&also=seed:4~width:20!method:anls~epochs:50

Runs are parted by `!`, settings by `~`; a setting without a value is as usual again. What `also` does not
name follows the link, so that a changed setting changes every run that shares it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar
from urllib.parse import unquote

from core.config import (
    FIELDS,
    FieldSpec,
    RunConfig,
    count_runs,
    epochs_field,
    field_names,
    join_query,
    method_field,
    runs_from_query,
    split_query,
)
from core.limits import LIMITS, Limits
from core.methods import METHODS
from core.spelling import FieldError, format_number, shorten

ALSO = "also"
_SAMPLED = ("points", "sampling", "domain")
_ESCAPED = {"%": "%25", "~": "%7E", "!": "%21"}
_METHODS_OF = {spec.name: frozenset(spec.methods) for spec in FIELDS}
Texts = dict[str, str]
T = TypeVar("T")


class Comparison(NamedTuple):
    """The runs of a link, each once."""

    configs: tuple[RunConfig, ...]
    query: str
    """The canonical query."""
    plain: bool
    """There are no lists and no further runs."""


class TooManyRunsError(ValueError):
    """A link asks for more runs than can be told apart in one picture."""

    def __init__(self, number: int, limits: Limits, *, selected: bool) -> None:
        super().__init__(
            f"{number:,} runs are asked for; the Lab shows up to {limits.overlaid_runs} at a time"
        )
        self.selected = selected
        """They were named one by one, so that no study has the same runs."""


def read_comparison(
    query: str, *, limits: Limits = LIMITS, datasets: Mapping[str, str] | None = None
) -> Comparison:
    """Every run of a link, those of its lists and those that `also` names. A ValueError names the key and
    what is allowed."""
    texts = split_query(query, limits.query_bytes)
    also = texts.pop(ALSO, "")
    groups = [texts, *(_changed(texts, part) for part in also.split("!") if part)]
    number = sum(_each(groups, lambda group: count_runs(join_query(group), limits=limits)))
    if number > limits.overlaid_runs:
        raise TooManyRunsError(number, limits, selected=bool(also))
    lists = list(
        _each(groups, lambda group: runs_from_query(join_query(group), limits=limits, datasets=datasets))
    )
    configs: dict[str, RunConfig] = {}
    for config in (config for found in lists for config in found.configs):
        known = configs.setdefault(config.run_id, config)
        if known.epochs < config.epochs:
            configs[config.run_id] = config
    first, *others = [split_query(found.query, limits.query_bytes) for found in lists]
    written = _joined(first, others)
    _check_length(written, limits)
    return Comparison(tuple(configs.values()), written, plain=not (others or lists[0].lists))


def write_comparison(
    configs: Sequence[RunConfig], *, limits: Limits = LIMITS, datasets: Mapping[str, str] | None = None
) -> str:
    """The shortest link that shows exactly these runs: with lists if they are a product, else with `also`."""
    wanted = {(config.run_id, config.epochs) for config in configs}
    try:
        found = runs_from_query(_product(configs, limits), limits=limits, datasets=datasets)
    except ValueError:
        found = None
    if found and {(config.run_id, config.epochs) for config in found.configs} == wanted:
        return found.query
    first, *others = [split_query(config.to_query(limits=limits), limits.query_bytes) for config in configs]
    written = _joined(first, others)
    if len(written) > limits.query_bytes:  # own data as names of data sets that the server has
        texts = [_uploaded(own, config) for own, config in zip([first, *others], configs, strict=True)]
        written = _joined(texts[0], texts[1:])
    _check_length(written, limits)
    return written


def _each(groups: Sequence[Texts], read: Callable[[Texts], T]) -> Iterator[T]:
    """What each group of settings comes to; a refusal of a further run says which it is."""
    for place, group in enumerate(groups):
        try:
            yield read(group)
        except FieldError as error:
            if not place:
                raise
            raise FieldError(ALSO, f"run {place + 1} of the comparison: {error}") from None


def _changed(texts: Texts, part: str) -> Texts:
    """The settings of a further run. What belongs to methods that it does not use is not taken over."""
    changes: Texts = {}
    for pair in part.split("~"):
        key, colon, value = pair.partition(":")
        if not colon or key not in field_names():
            raise FieldError(ALSO, f"{shorten(pair)!r} is not a setting such as width:20")
        changes[key] = unquote(value)
    running = set(({**texts, **changes}.get("method") or method_field().default).split(","))
    kept = {
        key: value for key, value in texts.items() if not _METHODS_OF.get(key) or _METHODS_OF[key] & running
    }
    return {key: value for key, value in {**kept, **changes}.items() if value}


def _joined(first: Texts, others: Sequence[Texts]) -> str:
    parts = [_difference(first, other) for other in others]
    also = "!".join(dict.fromkeys(filter(None, parts)))
    return join_query({**first, **({ALSO: also} if also else {})})


def _difference(first: Texts, other: Texts) -> str:
    """What `_changed` makes the other settings from."""
    inherited = _changed(first, f"method:{_escaped(other.get('method', ''))}")
    keys = sorted(
        key
        for key in {*first, *other}
        if other.get(key) != inherited.get(key) or (key == "method" and other.get(key) != first.get(key))
    )
    return "~".join(f"{key}:{_escaped(other.get(key, ''))}" for key in keys)


def _escaped(value: str) -> str:
    return "".join(_ESCAPED.get(letter, letter) for letter in value)


def _uploaded(texts: Texts, config: RunConfig) -> Texts:
    return texts | ({"data": f"@{config.dataset[0]}"} if config.dataset else {})


def _check_length(query: str, limits: Limits) -> None:
    if len(query) > limits.query_bytes:
        raise FieldError(
            "query", f"these runs need {len(query)} bytes in a link, at most {limits.query_bytes} are allowed"
        )


def _product(configs: Sequence[RunConfig], limits: Limits) -> str:
    """A query whose lists hold every value of these runs."""
    texts: Texts = {}
    for spec in FIELDS:
        if spec.name in ("method", "epochs"):
            continue
        having = [c for c in configs if not spec.methods or c.method.name in spec.methods]
        values = dict.fromkeys(_text(spec, config) for config in having)
        text = (";" if spec.kind in ("list", "domain") else ",").join(values)
        if text:
            texts[spec.name] = text
    if "biases" in texts:
        texts = {key: text for key, text in texts.items() if key not in ("width", "init")}
    budgets = {
        name: max(config.epochs for config in configs if config.method.name == name)
        for name in METHODS
        if any(config.method.name == name for config in configs)
    }
    texts["method"] = ",".join(budgets)
    texts["epochs"] = ",".join(
        format_number(min(budget, epochs_field(METHODS[name]).highest(limits)))
        for name, budget in budgets.items()
    )
    return join_query(texts)


def _text(spec: FieldSpec, config: RunConfig) -> str:
    """The value of a key, empty where it says nothing for this run."""
    key = spec.name
    if key in _SAMPLED and (config.data or config.training_data().truth is None):
        return ""
    if key == "data":
        return f"@{config.dataset[0]}" if config.dataset else config.data
    value = getattr(config.method if spec.methods else config, key)
    return spec.write(value) if value not in ("", (), None) else ""
