"""The settings as the texts of a link: what every control shows, and what a change of one makes of them.

A link leaves out what is usual, and what is usual depends on the target and the methods.
Here a link is spelled out for the controls, and a change is written back into it. Nothing
is refused here: a value that makes no sense stands in the link as it was typed, and the
codec says what is wrong with it (components.pages.lab.resolve).
"""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from core.config import FIELDS, FieldSpec, epochs_field, join_query, parameter_fields
from core.limits import LIMITS, Limits
from core.methods import METHODS
from core.problem import TARGETS
from core.spelling import format_number, read_number

Texts = dict[str, str]
SAMPLED = ("points", "sampling", "domain")
"""Given by the data where those are given."""

_BY_NAME = {spec.name: spec for spec in FIELDS}
_WHOLE = 2.0**53


def texts_of(query: str) -> Texts:
    """The keys of a configuration query, as far as it can be read; of a repeated key the first."""
    texts: Texts = {}
    for pair in query.split("&"):
        key, _, value = pair.partition("=")
        if key:
            texts.setdefault(unquote(key), unquote(value))
    return texts


def query_of(texts: Mapping[str, str]) -> str:
    """The texts as a query, in the codec's order and quoting."""
    return join_query(texts)


def spelled(text: str, *, whole: bool = False) -> str:
    """10^8 and 1 000 000 are how people write numbers; the link has one spelling, whole numbers in full."""
    plain = re.sub(r"[\s_\u202f']", "", re.sub(r"^10\^", "1e", text.strip().replace("−", "-")))
    try:
        value = read_number(plain)
    except ValueError:
        return text.strip()
    return str(int(value)) if whole and value == int(value) and abs(value) < _WHOLE else format_number(value)


def methods_of(texts: Mapping[str, str]) -> list[str]:
    """The methods that race; a name that is none is left to the codec."""
    named = texts.get("method", _BY_NAME["method"].default).split(",")
    return [name for name in named if name in METHODS]


def target_name(texts: Mapping[str, str]) -> str:
    """The name or formula that is learned; empty for own data."""
    return "" if texts.get("data") else texts.get("target", _BY_NAME["target"].default)


def data_name(texts: Mapping[str, str]) -> str:
    """What is learned, in a few words: a title of the gallery, a formula, or the name of own data."""
    name = target_name(texts)
    own = texts.get("labels", "").partition("|")[0].strip()
    return TARGETS[name].title if name in TARGETS else name or own or "own data"


def is_given(texts: Mapping[str, str]) -> bool:
    """The points themselves are given: nothing is sampled."""
    name = target_name(texts)
    return not name or (name in TARGETS and TARGETS[name].fixed)


def target_defaults(name: str) -> Texts:
    """What a target of the gallery brings along."""
    target = TARGETS[name]
    defaults = dict(target.defaults)
    if target.fixed:
        positions = [x for x, _ in target.data]
        defaults |= {"points": len(positions), "domain": (min(positions), max(positions))}
    return {key: _BY_NAME[key].write(value) for key, value in defaults.items()}


def default_of(name: str, texts: Mapping[str, str]) -> str:
    """What a key is when the link does not say: the target's, the method's, or its own."""
    target = target_name(texts)
    if target in TARGETS and name in target_defaults(target):
        return target_defaults(target)[name]
    for method in methods_of(texts):
        spec = parameter_fields(METHODS[method]).get(name)
        if spec is not None:
            return spec.write(spec.default)
    spec = _BY_NAME[name]
    return "" if spec.default is None else spec.write(spec.default)


def value_of(name: str, texts: Mapping[str, str]) -> str:
    """What a control shows."""
    return texts.get(name) or default_of(name, texts)


def patched(texts: Mapping[str, str], changes: Mapping[str, str | None]) -> Texts:
    """The texts after a change; what is usual by then, or belongs to a method that left, goes."""
    after = {key: value for key, value in {**texts, **changes}.items() if value}
    for name in changes:
        if name in _BY_NAME and name != "epochs" and after.get(name) == default_of(name, after):
            del after[name]
    running = set(methods_of(after))
    return {key: value for key, value in after.items() if not _is_foreign(key, running)}


def _is_foreign(key: str, running: set[str]) -> bool:
    spec = _BY_NAME.get(key)
    return spec is not None and bool(spec.methods) and not running & set(spec.methods)


def read_control(spec: FieldSpec, text: str) -> str:
    """What was typed into a control, in the spelling of links."""
    if spec.kind in ("list", "domain"):
        rows = [[spelled(part) for part in re.split(r"[,\s]+", row) if part] for row in text.split(";")]
        # alternatives are parted by semicolons; so are numbers, by some people
        alternatives = len({len(row) for row in rows}) == 1 and len(rows[0]) > 1
        return (";" if alternatives else ",").join(",".join(row) for row in rows if row)
    if spec.kind in ("choice", "text"):
        return text
    whole = spec.kind == "int"
    return ",".join(spelled(part, whole=whole) for part in text.split(","))


def usual_epochs(method: str, limits: Limits = LIMITS) -> str:
    """The budget of a method when the link does not say."""
    field = epochs_field(METHODS[method])
    return field.write(min(METHODS[method].default_epochs, field.highest(limits)))


def budgets_of(texts: Mapping[str, str], limits: Limits = LIMITS) -> Texts:
    """The budget that stands beside every method, also beside those that do not race."""
    budgets = {name: usual_epochs(name, limits) for name in METHODS}
    given = texts.get("epochs", "").split(",") if texts.get("epochs") else []
    for place, name in enumerate(methods_of(texts)):
        if len(given) == 1 or place < len(given):
            budgets[name] = given[0] if len(given) == 1 else given[place]
    return budgets


def raced(
    texts: Mapping[str, str], methods: list[str], budgets: Mapping[str, str], limits: Limits = LIMITS
) -> Texts:
    """The texts of a race of these methods with these budgets: one for all where they agree."""
    chosen = [budgets[name] or usual_epochs(name, limits) for name in methods]
    usual = [usual_epochs(name, limits) for name in methods]
    epochs = None if chosen == usual else chosen[0] if len(set(chosen)) == 1 else ",".join(chosen)
    return patched(texts, {"method": ",".join(methods), "epochs": epochs})


def digests(texts: Mapping[str, str]) -> Texts:
    """What a closed fold says it holds."""
    points = "" if texts.get("data") else f"{value_of('points', texts)} points, "
    return {
        "Target": data_name(texts),
        "Data": f"{points}seed {value_of('seed', texts)}",
        "Network": f"width {value_of('width', texts)}, {value_of('init', texts)}",
        "Method": ", ".join(METHODS[method].title for method in methods_of(texts)),
    }
