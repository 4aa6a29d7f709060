"""From runs that were chosen one by one to one link that shows them together."""

from collections.abc import Mapping, Sequence

from core.config import FIELDS, FieldSpec, RunConfig, RunList, epochs_field, join_query, runs_from_query
from core.limits import LIMITS, Limits
from core.methods import METHODS
from core.spelling import format_number

_SAMPLED = ("points", "sampling", "domain")


def overlay(
    configs: Sequence[RunConfig], *, limits: Limits = LIMITS, datasets: Mapping[str, str] | None = None
) -> RunList:
    """The runs of one link that has these; where they are no product of lists, with the others that
    complete one (`added`). A ValueError says why there is none."""
    texts: dict[str, str] = {}
    for spec in FIELDS:
        if spec.name in ("method", "epochs"):
            continue
        having = [c for c in configs if not spec.methods or c.method.name in spec.methods]
        values = dict.fromkeys(_text(spec, config) for config in having)
        if "" in values and len(values) > 1:
            raise ValueError(
                f"These runs cannot share a picture: some have {spec.label.lower()} of their own."
            )
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
    found = runs_from_query(join_query(texts), limits=limits, datasets=datasets)
    if not {config.run_id for config in configs} <= {config.run_id for config in found.configs}:
        raise ValueError("These runs are too different to share a picture.")
    if len(found.configs) > limits.overlaid_runs:
        raise ValueError(
            f"These runs differ in so many settings that {len(found.configs)} would be shown; "
            f"up to {limits.overlaid_runs} can be."
        )
    return found


def added(found: RunList, configs: Sequence[RunConfig]) -> list[RunConfig]:
    """The runs of a link that nobody has chosen."""
    chosen = {config.run_id for config in configs}
    return [config for config in found.configs if config.run_id not in chosen]


def _text(spec: FieldSpec, config: RunConfig) -> str:
    """The value of a key, empty where it says nothing for this run."""
    key = spec.name
    if key in _SAMPLED and (config.data or config.training_data().truth is None):
        return ""
    if key == "data":
        return f"@{config.dataset[0]}" if config.dataset else config.data
    value = getattr(config.method if spec.methods else config, key)
    return spec.write(value) if value not in ("", (), None) else ""
