"""Methods and budgets between the texts of a query and the values of a run (core.config.codec)."""

from collections.abc import Mapping, Sequence

from ..limits import Limits
from ..methods import METHODS
from ..methods.contract import Method
from ..spelling import FieldError, format_number, shorten
from .fields import epochs_field, method_field, parameter_fields


def read_methods(texts: Mapping[str, str], limits: Limits) -> tuple[Method, ...]:
    """The methods of the comma list, each with the hyper-parameters that are its own."""
    names = [name.strip() for name in texts.get("method", method_field().default).split(",")]
    for name in names:
        method_field().read(name, limits)
    if len(set(names)) != len(names):
        raise FieldError("method", f"{shorten(','.join(names))} names a method twice")
    specs = {name: parameter_fields(METHODS[name]) for name in names}
    owners = {key: [m for m in METHODS if key in parameter_fields(METHODS[m])] for key in texts}
    for key, methods in owners.items():
        if methods and not set(methods) & set(names):
            raise FieldError(key, f"{','.join(names)} does not use it; it belongs to {', '.join(methods)}")
    chosen = {
        name: {key: spec.read(texts[key], limits) for key, spec in specs[name].items() if key in texts}
        for name in names
    }
    return tuple(METHODS[name](**chosen[name]) for name in names)


def write_methods(methods: Sequence[Method]) -> dict[str, str]:
    """The texts that read_methods needs; ValueError where one key would need two values."""
    texts = {"method": ",".join(method.name for method in methods)}
    if texts["method"] == method_field().default:
        texts = {}
    pairs = [(spec, method) for method in methods for spec in parameter_fields(type(method)).values()]
    changed = {spec.name for spec, method in pairs if getattr(method, spec.name) != spec.default}
    for spec, method in pairs:
        if spec.name in changed:
            text = spec.write(getattr(method, spec.name))
            if texts.setdefault(spec.name, text) != text:
                raise FieldError(spec.name, f"a race has one value, not both {texts[spec.name]} and {text}")
    return texts


def default_epochs(method: Method, limits: Limits) -> float:
    """The budget that a query without one means: the method's own, as far as the limits allow."""
    return float(min(method.default_epochs, epochs_field(type(method)).highest(limits)))


def read_epochs(texts: Mapping[str, str], methods: Sequence[Method], limits: Limits) -> tuple[float, ...]:
    """A budget for each method: one value for all, or a comma list."""
    if "epochs" not in texts:
        return tuple(default_epochs(method, limits) for method in methods)
    parts = texts["epochs"].split(",")
    if len(parts) not in (1, len(methods)):
        runs = "1 method" if len(methods) == 1 else f"{len(methods)} methods"
        raise FieldError("epochs", f"{len(parts)} values for {runs}; give one, or one for each")
    budgets = []
    for method, text in zip(methods, parts * len(methods) if len(parts) == 1 else parts, strict=True):
        value = float(epochs_field(type(method)).read(text, limits))
        if method.largest_epochs == "epochs" and value != int(value):
            raise FieldError(
                "epochs", f"{text} is not a whole number; {method.title} takes whole epochs only"
            )
        budgets.append(value)
    return tuple(budgets)


def write_epochs(methods: Sequence[Method], budgets: Sequence[float], limits: Limits) -> dict[str, str]:
    """The text that read_epochs needs."""
    if all(budget == default_epochs(method, limits) for method, budget in zip(methods, budgets, strict=True)):
        return {}
    different = len(set(budgets)) > 1
    return {"epochs": ",".join(format_number(budget) for budget in (budgets if different else budgets[:1]))}
