"""Starting, stopping and continuing the runs of a race."""

from collections.abc import Mapping
from typing import Any

from components.common.comparison import ALSO, write_comparison
from components.common.settings import query_of, raced, texts_of
from components.pages.lab.first_visit import RACE
from components.pages.lab.resolve import resolve
from core.config import RunConfig, epochs_field
from core.methods import METHODS
from core.service import ENDED, Client, QueueFullError, RunInfo, RunService, StoreError
from core.spelling import format_number

LONGER = 10
"""How many times the budget a continued run gets."""
STORE_SECONDS = 5
"""When to ask again where the store has no room or cannot be reached."""
Found = Mapping[str, Any]


def run_asked(cause: str, found: Found, service: RunService, client: Client) -> tuple[Found, dict[str, Any]]:
    """Do what a button asks, or start what is cheap; what is found then, and what to tell of it."""
    if cause == "stop":
        return stop_all(found, service, client)
    if cause == "continue":
        found = resolve(continued(found, service), service, client.quota)
        return (found, {}) if found["errors"] else start_all(found, service, client)
    at_once = {"open": found["cheap"], "change": found["instant"]}.get(cause, False)
    if cause == "run" or (at_once and not wants_nothing(found)):
        return start_all(found, service, client)
    if cause in ("open", "change"):
        note_shown(found, service, client)
    return found, {}


def wants_nothing(found: Found) -> bool:
    """Whether all runs are here, as far as they were asked for."""
    return not any(run["wanting"] for run in found["runs"])


def note_shown(found: Found, service: RunService, client: Client) -> None:
    """Runs that others have computed are in this browser's list from now on; the first example is not."""
    if found["canonical"] in ("", RACE) or not client.known:
        return
    listed = {entry.id for entry in service.history.entries(client.handle)}
    for run in found["runs"]:
        if run["exists"] and run["id"] not in listed:
            service.history.add(client.handle, run["id"], run["query"])


def start_all(found: Found, service: RunService, client: Client) -> tuple[Found, dict[str, Any]]:
    """Start every run, the quick ones first: on one worker they are on screen while the long one still runs.

    A race may have more methods than one browser may run at a time, and the store may have no time or space:
    `wait` says when to ask again.
    """
    limits, datasets = service.settings.limits, service.datasets
    started: dict[str, dict[str, Any]] = {}
    refused, wait, passes = "", 0, False
    for run in sorted(found["runs"], key=lambda entry: float(entry["seconds"])):
        config = RunConfig.from_query(run["query"], limits=limits, datasets=datasets)
        try:
            info, _ = service.submit(config, client)
            begun = {"exists": True, "complete": True, "state": "complete", "wanting": False, "id": info.id}
            started[run["id"]] = run | begun
        except ValueError as error:
            refused = str(error)
        except QueueFullError as error:
            refused, wait = str(error), error.retry_after
        except StoreError as error:
            refused, wait, passes = str(error), STORE_SECONDS, True
    runs = [started.get(run["id"], run) for run in found["runs"]]
    told = {"started": bool(started), "refused": refused, "wait": wait if started or passes else 0}
    return {**found, "runs": runs}, told


def stop_all(found: Found, service: RunService, client: Client) -> tuple[Found, dict[str, Any]]:
    """Stop what is under way of a race; Run then goes on with it, to the same budget."""
    refused, halted = "", set()
    for run in found["runs"]:
        if service.status(run["id"]) in (None, *ENDED):
            continue
        try:
            service.stop(run["id"], client)
            halted.add(run["id"])
        except PermissionError as error:
            refused = str(error)
    runs = [
        run | {"state": "halted", "wanting": False, "complete": False} if run["id"] in halted else run
        for run in found["runs"]
    ]
    return {**found, "runs": runs}, {"refused": refused}


def continued(found: Found, service: RunService) -> str:
    """The query with ten times the budget for what the budget ended; the other runs are at their end."""
    limits, datasets = service.settings.limits, service.datasets
    budgets: dict[str, float] = {}
    longer: list[float] = []
    for run in found["runs"]:
        now, method = float(run["epochs"]), run["method"]
        highest = epochs_field(METHODS[method]).highest(limits)
        longer.append(min(now * LONGER, highest) if _continues(service.info(run["id"]), now) else now)
        budgets[method] = max(longer[-1], budgets.get(method, 0.0))
    texts = texts_of(found["canonical"])
    if ALSO in texts:
        configs = [
            RunConfig.from_query(run["query"], limits=limits, datasets=datasets).with_epochs(
                epochs, limits=limits
            )
            for run, epochs in zip(found["runs"], longer, strict=True)
        ]
        return write_comparison(configs, limits=limits, datasets=datasets)
    written = {method: format_number(budget) for method, budget in budgets.items()}
    return query_of(raced(texts, list(budgets), written, service.settings.limits))


def _continues(info: RunInfo | None, budget: float) -> bool:
    """Whether the link's budget is what ends the run there; the server may have more of it by now."""
    return info is not None and (info.may_continue or info.epoch > budget)
