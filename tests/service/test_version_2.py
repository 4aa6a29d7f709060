"""A home of version 2, with everything that it may hold, is taken over at the first start."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import orjson
import pytest

from core.service.files.browser_documents import DatabaseDocuments
from core.service.files.database import Database
from core.service.files.file_store import FileStore
from core.service.files.frame_file import FrameWriter
from core.service.files.home import prepare_home
from core.service.files.run_history import RunHistory
from core.service.files.uploads import name_of
from core.service.records import DOCUMENT, HEADER, INDEX, encode_arrays, frame_record
from core.service.studies.store import RequestedStudy, pack_record, pack_request
from core.service.studies.table import DatabaseStudies
from tests.service.samples import RUN, payloads, request

DAMAGED, STUDY, HANDLE = "f" * 32, "ab" * 16, "0123abcd"
TEXT = "0,1\n1,2\n"
ORDER = RequestedStudy("seed=0..2", "starter", "alice", 1.0, 3, ("seed",), 1.5)


def row(place: int) -> bytes:
    return pack_record(place, {"seed": place}, np.ones(2, dtype=np.float32))


def write_run(home: Path, run_id: str, *, damaged: bool = False) -> None:
    folder = home / "runs" / run_id
    folder.mkdir(parents=True)
    asked = asdict(request(f"data=@{name_of(TEXT)}&epochs=1e3")) | {"wanted": "run"}
    state = {"status": "finished", "outcome": "budget", "epochs": 1e3, "loss": 0.5, "frames": 3}
    for name, document in (("order", asked), ("state", state)):
        record = frame_record(DOCUMENT, orjson.dumps(document))
        (folder / f"{name}.rec").write_bytes(record[: len(record) - damaged])
    writer = FrameWriter(folder / "frames.rec", frame_record(HEADER, orjson.dumps(asked)), 10**6)
    writer.append(payloads(0, 3))
    writer.close()
    (folder / "checkpoint-00000003.rec").write_bytes(encode_arrays({"epoch": np.array(3.0)}, 3))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write_run(tmp_path, RUN)
    write_run(tmp_path, DAMAGED, damaged=True)
    for folder in ("open", "locks", "data", "logbooks", f"studies/{STUDY}"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "open" / "complete").touch()
    (tmp_path / "locks" / RUN).touch()
    (tmp_path / "data" / f"{name_of(TEXT)}.csv").write_text(TEXT)
    (tmp_path / "data" / f"{name_of(TEXT)}.{RUN}").touch()
    (tmp_path / "data" / f"{'0' * 32}.csv").write_text("altered")
    (tmp_path / "logbooks" / f"{HANDLE}.json").write_bytes(b'[{"id": "a", "query": "seed=1", "at": 1.0}]')
    (tmp_path / "studies" / STUDY / "order.rec").write_bytes(frame_record(DOCUMENT, pack_request(ORDER)))
    rows = FrameWriter(tmp_path / "studies" / STUDY / "rows.rec", frame_record(HEADER, b"study"), 10**6)
    rows.append([INDEX.pack(number) + row(place) for number, place in enumerate((2, 0))])
    rows.close()
    return tmp_path


def test_everything_is_there_and_the_old_files_are_gone(home: Path) -> None:
    for _ in range(2):  # what was taken over is not taken over again
        prepare_home(home)
        store = FileStore(home)
        assert sorted(store.runs()) == [RUN, DAMAGED]
        record = store.record(RUN)
        assert record is not None and record.status == "finished" and record.state.loss == 0.5
        assert record.state.replay_mismatch, "a run that goes on is computed from the start"
        rebuilt = store.record(DAMAGED)
        assert rebuilt is not None and rebuilt.status == "paused" and rebuilt.state.frames == 3
        assert store.payloads(RUN, 0, 9) == payloads(0, 3)
        assert list(store.datasets) == [name_of(TEXT)]
        store.datasets.discard(name_of(TEXT))
        assert store.datasets[name_of(TEXT)] == TEXT, "the run holds it"
        (entry,) = RunHistory(DatabaseDocuments(Database(home))).entries(HANDLE)
        assert entry.query == "seed=1"
        studies = DatabaseStudies(Database(home))
        assert studies.request(STUDY) == ORDER and studies.records(STUDY, 0, 9) == [row(2), row(0)]
        assert studies.missing(STUDY, range(3)) == [1]
        store.close()
    left = {path.relative_to(home).parts[0] for path in home.iterdir()}
    assert left == {"plateau.db", "plateau.db-journal", "runs", "locks", "removed", "lock"} & left
    assert {path.name for path in (home / "runs" / RUN).iterdir()} == {"frames.rec"}


def test_a_take_over_that_is_interrupted_is_gone_on_with(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("core.service.files.version_2._take_uploads", killed)
        with pytest.raises(KeyboardInterrupt):
            prepare_home(home)
    test_everything_is_there_and_the_old_files_are_gone(home)
