"""A storm of half a minute, or as long as PLATEAU_STORM_SECONDS says: nothing that was shown is lost."""

import os
from pathlib import Path

import pytest

from core.service.cluster.redis_connection import connection
from core.service.cluster.redis_store import RedisStore
from core.service.records import decode_frame
from tests.faults.storm import KINDS, Storm
from tests.service.conftest import RedisServer
from tests.service.samples import timeless, truth

pytestmark = [pytest.mark.redis, pytest.mark.long]
SECONDS = float(os.environ.get("PLATEAU_STORM_SECONDS", "30"))
KILLS = max(6, round(SECONDS / 4.5))
"""Five minutes have 67."""


def test_every_run_ends_with_the_frames_of_an_undisturbed_one(tmp_path: Path) -> None:
    server = RedisServer(tmp_path)
    server.start()
    try:
        report = Storm(server, tmp_path).run(SECONDS, KILLS)
        store = RedisStore(connection(server.url))
        stored = {config.run_id: store.payloads(config.run_id, 0, 10**6) for config in report.configs}
        store.close()
    finally:
        server.stop()
    statuses = [text.partition(" ")[0] for text in report.ended.values()]
    print(
        f"\n{report.kills.total()} kills in {SECONDS:.0f} s ({dict(report.kills)}): {len(stored)} runs, "
        f"{statuses.count('finished')} finished; no answer for {report.down:.1f} s at most"
    )
    assert set(report.kills) == set(KINDS) and report.kills.total() >= KILLS
    assert report.contradictions == 0
    assert len(report.ended) == len(report.configs) > 0, "every run has ended"
    assert statuses == ["finished"] * len(statuses), report.ended
    for config in report.configs:
        true = truth(config)
        assert [timeless(payload) for payload in stored[config.run_id]] == true
        assert report.given[config.run_id] == [decode_frame(payload).loss for payload in true]
