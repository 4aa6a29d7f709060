"""Files of a whole race: one that plays from disk, and an archive. They are made by a query worker that
knows the pages (components.query_worker)."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import orjson

from components.common.theme_styles import theme_styles
from components.common.view import split_query
from components.pages.lab.program import python_code
from components.pages.lab.replay import replay_page
from core.service import FILES, BackgroundQuery, Reader, RunInfo, RunService, write_race_archive


def register_race_files() -> None:
    """Let query workers make these files too."""
    FILES.update(replay=_write_replay, archive=_write_archive)


def replay_question(service: RunService, at: str, names: Sequence[str], link: str) -> BackgroundQuery:
    """What to ask for the file that plays from a moment on; KeyError for a run that the server does not have,
    ValueError for a moment that is none."""
    moment = split_query(f"at={at}")[1].at
    # What changes from second to second is not in the file, and must not make it another one.
    runs = [asdict(replace(info, watching=0, rate=0.0, position=None)) for info in _infos(service, names)]
    return _question("replay", service, names, {"runs": runs, "link": link, "moment": moment})


def archive_question(service: RunService, names: Sequence[str], link: str) -> BackgroundQuery:
    """What to ask for the archive; KeyError for a run that the server does not have."""
    program = python_code([info.query for info in _infos(service, names)], service.datasets)
    return _question("archive", service, names, {"link": link, "program": program})


def _infos(service: RunService, names: Sequence[str]) -> list[RunInfo]:
    found = {name: service.info(name) for name in names}
    missing = [name for name, info in found.items() if info is None]
    if missing:
        raise KeyError(missing[0])
    return [info for info in found.values() if info is not None]


def _question(kind: str, service: RunService, names: Sequence[str], more: dict[str, Any]) -> BackgroundQuery:
    head = sum(service.count(name) for name in names)
    return BackgroundQuery(kind, ",".join(names), head=head, more=orjson.dumps(more).decode())


def _write_replay(reader: Reader, question: BackgroundQuery, path: Path) -> None:
    told = orjson.loads(question.more)
    runs = [RunInfo(**each) for each in told["runs"]]
    text = replay_page(reader, runs, styles=theme_styles(), link=told["link"], moment=told["moment"])
    path.write_text(text, encoding="utf-8")


def _write_archive(reader: Reader, question: BackgroundQuery, path: Path) -> None:
    told = orjson.loads(question.more)
    more = {"plot.py": told["program"]}
    write_race_archive(path, reader, question.run.split(","), told["link"], more)
