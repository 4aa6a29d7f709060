"""What a server shows of a run does not depend on how it came about: by which budgets, after which kills."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

import core.service.workers.compute as module
from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.methods import METHODS
from core.run.train import Training
from core.service.cluster.redis_connection import connection
from core.service.cluster.redis_store import RedisStore
from core.service.files.file_store import FileStore
from core.service.lifecycle import recover, stop
from core.service.records import encode_frame, frame_point
from core.service.run_record import Record, Request, RunState
from core.service.store import Checkpoint, Claim, Store, Worked
from tests.core.run.test_history import draw_budgets, draw_run
from tests.effort import cases
from tests.service.samples import place as put_request
from tests.service.samples import put, state_of, timeless, truth
from tests.service.services import AtOnce, compute
from tests.service.sites import Site

CHAINS = cases(1, of=63)
"""Of each method and store."""
ON_REDIS = ("gd", "flow", "anls")
"""Of the methods; `make test-long` takes all. What differs between stores does not differ between methods."""
CASES = [
    *((name, "files") for name in METHODS),
    *(
        pytest.param(
            *(name, "redis"), marks=[pytest.mark.redis, *([] if name in ON_REDIS else [pytest.mark.long])]
        )
        for name in METHODS
    ),
]


class KilledError(BaseException):
    """The process is gone: nothing in it can catch this."""


class Dying(Claim):
    """A claim whose process is killed right after so many writes."""

    def __init__(self, claim: Claim, left: int) -> None:
        self._claim, self._left = claim, left

    @property
    def frames(self) -> int:
        return self._claim.frames

    def payload(self, index: int) -> bytes:
        return self._claim.payload(index)

    def checkpoints(self) -> list[Checkpoint]:
        return self._claim.checkpoints()

    def append(self, payloads: Sequence[bytes]) -> None:
        self._claim.append(payloads)
        self._tick()

    def save(self, checkpoint: Checkpoint) -> None:
        self._claim.save(checkpoint)
        self._tick()

    def keep_present(self, payload: bytes) -> None:
        self._claim.keep_present(payload)
        self._tick()

    def change(self, transition: Worked) -> Record:
        changed = self._claim.change(transition)
        self._tick()
        return changed

    def clear(self) -> None:
        self._claim.clear()
        self._tick()

    def release(self) -> None:
        self._claim.release()

    def _tick(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise KilledError


class Silent:
    """Nobody asks for anything."""

    shall_end = AtOnce.shall_end

    def report(self, run_id: str, progress: object) -> None: ...


def place(store: Store, config: RunConfig) -> None:
    put_request(store, config.run_id, Request(config.to_query(), config.epochs, "starter", "quota", 1.0))


def session(store: Store, config: RunConfig, writes: int) -> RunState | None:
    """One process works on the run; None if it was killed."""
    store.change(config.run_id, lambda known: recover(known) if known else None)
    if state_of(store, config.run_id).status != "queued":
        put(store, config.run_id, state_of(store, config.run_id).but(status="queued"))
    with store.claim(config.run_id) as claim, suppress(KilledError):
        return compute(store, Dying(claim, writes), config.run_id, Silent(), LIMITS).state
    return None


def shown(store: Store, config: RunConfig) -> list[bytes]:
    """What a reader of a run that rests is given, without the clock."""
    present = store.present(config.run_id)
    sequence = store.payloads(config.run_id, 0, 10**6)
    return [timeless(payload) for payload in (sequence if present is None else [*sequence, present])]


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """A write after every step."""
    monkeypatch.setattr(sys.modules["core.run.train"], "STEP_SECONDS", 0.0)
    monkeypatch.setattr(module, "CHECKPOINT_SECONDS", 0.0)


QUERIES = [f"target=five&seed=3&width=5&method={name}&epochs=" for name in ("gd", "ls_adam")]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.usefixtures("eager")
def test_a_kill_after_any_write_changes_nothing(store: Store, query: str) -> None:
    """Two budgets off the grid, with a kill after the n-th write of the second, for every n."""
    short, long = (RunConfig.from_query(f"{query}{epochs}") for epochs in (103, 127))
    first, last = truth(short), truth(long)
    for writes in count():
        store.delete(short.run_id)
        place(store, short)
        state = session(store, short, 10**9)
        assert state is not None and shown(store, short) == first
        place(store, long)
        killed = session(store, long, writes) is None
        state = session(store, long, 10**9)
        assert state is not None and state.status == "finished", state
        assert shown(store, long) == last, f"after {writes} writes"
        assert state.epoch <= 127.0 and state.frames == store.count(long.run_id)
        if not killed:
            break
    assert writes > 5


@pytest.mark.parametrize(("name", "store"), CASES, indirect=["store"])
def test_any_chain_of_budgets_and_kills(store: Store, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng([127, list(METHODS).index(name)])
    differ = []
    for chain in range(CHAINS):
        config = draw_run(rng, name)
        once = Training(config)
        whole = [timeless(payload) for payload in map(encode_frame, once.run())]
        budgets = draw_budgets(rng, config, [frame.epoch for frame in Training(config).run()])
        with suppress(Exception):
            store.delete(config.run_id)
        state = None
        with monkeypatch.context() as patch:
            patch.setattr(sys.modules["core.run.train"], "STEP_SECONDS", float(rng.choice([0.0, 0.1])))
            patch.setattr(module, "CHECKPOINT_SECONDS", float(rng.choice([0.0, 1.0])))
            for budget in [*budgets, config.epochs]:
                place(store, config.with_epochs(budget))
                while (state := session(store, config, int(rng.choice([2, 5, 20, 10**9])))) is None:
                    pass
        assert state is not None and once.outcome is not None
        if shown(store, config) != whole or state.reason != once.outcome.sentence:
            differ.append((chain, config.to_query(), budgets))
    assert not differ, f"{len(differ)} of {CHAINS} chains differ: {differ[0]}"


def test_runs_of_version_2_are_computed_afresh(store: Store) -> None:
    """Their checkpoints do not say whose they are, and the end of a budget may be among their frames."""
    config = RunConfig.from_query("target=five&method=gd&epochs=127")
    place(store, config.with_epochs(103))
    training = Training(config.with_epochs(103))
    frames = [encode_frame(frame) for frame in training.run()]
    arrays = {name: value for name, value in training.checkpoint().items() if name != "run"}
    with store.claim(config.run_id) as claim:
        claim.append(frames)
        claim.save(Checkpoint(arrays | {"index": np.array(len(frames))}, len(frames)))
    ended = RunState("finished", outcome="budget", epochs=103.0, epoch=103.0, frames=len(frames))
    put(store, config.run_id, ended)
    place(store, config)
    state = session(store, config, 10**9)
    assert state is not None and state.status == "finished"
    assert shown(store, config) == truth(config)


PROBLEM = "target=five&method=gd&seed=3"
RUN = RunConfig.from_query(PROBLEM).run_id
PAGES = (
    "export.csv",
    "export.json",
    "export.npz",
    "stages",
    "plateaus",
    "rates?stage=1",
    "frames",
    "frames?format=compact",
    "frames?after=40",
)


@pytest.fixture
def timeless_training(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still, so that whole files can be compared."""
    monkeypatch.setattr(module, "Training", partial(Training, clock=lambda: 0.0))
    monkeypatch.setattr("core.service.service.SNAPSHOT_SECONDS", 0.0)


def ask(client: FlaskClient, epochs: float, problem: str = PROBLEM) -> str:
    answer = client.post("/api/runs", json={"query": f"{problem}&epochs={epochs:g}"})
    assert answer.status_code in (200, 201)
    return str(answer.get_json()["id"])


def pages(client: FlaskClient, run_id: str) -> dict[str, bytes]:
    found = {}
    for page in PAGES:
        with client.get(f"/api/runs/{run_id}/{page}") as answer:
            if page.startswith("rates") and answer.status_code == 404:  # a method without a second stage
                continue
            assert answer.status_code == 200, page
            found[page] = answer.data
    return found


def told(client: FlaskClient, page: str) -> Any:
    return client.get(f"/api/runs/{RUN}{page}").json


@pytest.mark.parametrize(("name", "back_end"), CASES)
@pytest.mark.usefixtures("timeless_training")
def test_two_servers_with_different_histories_show_the_same(
    back_end: str, name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Byte by byte; one was asked at once, the other in five parts and looked at in between."""
    at_once = Site(tmp_path / "one").client()
    home = tmp_path / "other"
    home.mkdir()
    store: Store = (
        FileStore(home)
        if back_end == "files"
        else RedisStore(connection(request.getfixturevalue("redis_url")))
    )
    in_parts = Site(home, store).client()
    problem = f"target=five&method={name}&seed=3"
    run_id = ask(at_once, 1_234, problem)
    for epochs in (7, 103, 105, 1_111, 1_234):
        ask(in_parts, epochs, problem)
        pages(in_parts, run_id)
    assert pages(in_parts, run_id) == pages(at_once, run_id)
    ask(at_once, 2_000, problem)
    ask(in_parts, 2_000, problem)
    assert pages(in_parts, run_id) == pages(at_once, run_id)


@pytest.mark.usefixtures("timeless_training")
def test_the_end_of_a_budget_is_shown_until_the_run_goes_on(tmp_path: Path) -> None:
    site = Site(tmp_path)
    client = site.client()
    ask(client, 1_234)
    rows = told(client, "/frames")
    info = told(client, "")
    assert rows["epoch"][-1] == info["epoch"] == 1_234.0
    assert rows["loss"][-1] == info["loss"]
    assert rows["index"] == list(range(rows["head"]))
    assert (rows["head"], info["frames"]) == (rows["recorded"] + 1, rows["head"])
    last = told(client, "/forecast")
    assert (last["frame"], last["frame_epoch"]) == (rows["recorded"], 1_234.0)
    # asked for more, but not begun: what is shown is what stays
    site.scheduler.holding = True
    ask(client, 1_236)
    waiting = told(client, "/frames")
    assert waiting["head"] == waiting["recorded"] == rows["recorded"]
    assert waiting["epoch"] == rows["epoch"][:-1]
    # it ends before the next frame of the sequence: the same index shows another moment
    site.scheduler.holding = False
    site.scheduler.held.clear()
    site.scheduler.follow(RUN)
    later = told(client, "/frames")
    assert (later["epoch"][-1], later["recorded"]) == (1_236.0, rows["recorded"])
    assert told(client, "/forecast")["frame_epoch"] == 1_236.0
    ask(client, 2_000)
    longer = told(client, "/frames")
    assert longer["head"] == longer["recorded"]
    assert longer["epoch"][: rows["recorded"]] == rows["epoch"][:-1]
    assert 1_234.0 not in longer["epoch"] and 1_236.0 not in longer["epoch"]


def test_the_end_of_a_link_can_be_had_when_the_run_has_gone_on(tmp_path: Path) -> None:
    client = Site(tmp_path).client()
    ask(client, 1_234)
    before = told(client, "/frames")
    ask(client, 2_000)
    end = told(client, "/end?epochs=1234")
    assert (end["epoch"], end["recorded"], end["head"]) == ([1_234.0], before["recorded"], before["head"])
    for column in ("index", "loss", "b", "c", "gap", "pin", "stage", "floor", "gradients", "changes"):
        assert end[column] == before[column][-1:], column
    assert told(client, "/end?epochs=1000")["index"] == []
    assert client.get(f"/api/runs/{RUN}/end?epochs=3000").status_code == 404
    for text in ("", "x", "-1", "12.5", "nan"):
        assert client.get(f"/api/runs/{RUN}/end?epochs={text}").status_code == 400, text


def test_a_stopped_run_shows_where_it_was_stopped(store: Store) -> None:
    class Stopping(Silent):
        left = 3

        def shall_end(self, run_id: str, attempt: int) -> bool:  # noqa: ARG002
            self.left -= 1
            if self.left < 0:
                store.change(run_id, lambda known: stop(known) if known else None)
            return self.left < 0

    config = RunConfig.from_query("target=five&method=gd&seed=3&epochs=1e9")
    place(store, config)
    with store.claim(config.run_id) as claim:
        state = compute(store, claim, config.run_id, Stopping(), LIMITS).state
    assert state.status == "stopped"
    assert frame_point(shown(store, config)[-1]) == (state.epoch, state.loss)
