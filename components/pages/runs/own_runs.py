"""What a browser may do with the runs that it has run: find, compare, name, delete and restore them."""

import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from components.common.callback_guard import mapping, text
from components.common.comparison import write_comparison
from components.pages.runs.entry import matches
from core.config import RunConfig
from core.service import HistoryEntry, RunService, ScriptToken, entry_fields
from core.service.visitors import Visitors

_STOP_SECONDS = 5.0
_LATEST = 1e10
"""A time that any calendar has, in seconds since 1970."""


class OwnRuns:
    """The history of the browser that asks."""

    def __init__(self, service: RunService) -> None:
        self.service = service
        self._client = Visitors(service).current()
        self.handle = self._client.handle

    def entries(self, search: str = "") -> list[HistoryEntry]:
        """The entries that match a search, pinned ones first, then the newest."""
        return [entry for entry in self.service.history.entries(self.handle) if matches(entry, search)]

    def tokens(self) -> list[ScriptToken]:
        """The tokens that were made for scripts."""
        return self.service.tokens.entries(self.handle)

    def comparison(self, selected: Collection[str]) -> str:
        """Where the selected runs are shown together, and no others; a ValueError says why they cannot be."""
        limits, datasets = self.service.settings.limits, self.service.datasets
        chosen = [entry for entry in self.entries() if entry.id in selected]
        if len(chosen) < 2:
            raise ValueError("Select two runs or more to compare them.")
        if len(chosen) > limits.overlaid_runs:
            raise ValueError(
                f"{len(chosen)} runs are selected; up to {limits.overlaid_runs} can be shown together."
            )
        configs = [RunConfig.from_query(e.query, limits=limits, datasets=datasets) for e in chosen]
        return f"/?{write_comparison(configs, limits=limits, datasets=datasets)}"

    def pin(self, run_id: str, *, pinned: bool) -> None:
        """Keep an entry at the top, or no longer."""
        self.service.history.change(self.handle, run_id, pinned=pinned)

    def stop(self, run_id: str) -> None:
        """Stop a run that this browser has started, and wait for its worker to let go, so that the list can
        say so."""
        self.service.stop(run_id, self._client)
        end = time.monotonic() + _STOP_SECONDS
        while self.service.status(run_id) in ("queued", "running") and time.monotonic() < end:
            time.sleep(0.05)

    def rename(self, run_id: str, name: str, tags: str, note: str) -> None:
        """Give an entry a name, tags and a note."""
        self.service.history.change(self.handle, run_id, **entry_fields(name, tags, note))

    def delete(self, run_id: str) -> dict[str, Any] | None:
        """Take an entry off the list; what restores it, None where there is no such entry."""
        entry = next((entry for entry in self.entries() if entry.id == run_id), None)
        if entry is None:
            return None
        self.service.history.remove(self.handle, run_id)
        told = {"query": entry.query, "name": entry.name, "tags": ",".join(entry.tags), "note": entry.note}
        return {**told, "pinned": entry.pinned, "at": entry.at}

    def restore(self, gone: object) -> str:
        """Put back what was deleted; the run's id, empty where it is none."""
        told: Mapping[str, Any] = mapping(gone)
        limits, datasets = self.service.settings.limits, self.service.datasets
        at = told.get("at")
        if not isinstance(at, int | float) or not 0.0 <= at <= _LATEST:
            return ""
        try:
            config = RunConfig.from_query(text(told.get("query")), limits=limits, datasets=datasets)
        except ValueError:
            return ""
        history = self.service.history
        history.add(self.handle, config.run_id, config.to_query(limits=limits))
        fields = entry_fields(*(text(told.get(name)) for name in ("name", "tags", "note")))
        history.change(self.handle, config.run_id, at=float(at), pinned=told.get("pinned") is True, **fields)
        return config.run_id


def beside(run_id: str, listed: Sequence[str]) -> str:
    """The entry that stands in the place of one that is deleted."""
    index = listed.index(run_id) if run_id in listed else 0
    return (listed[index + 1 :] or listed[:index][-1:] or [""])[0]
