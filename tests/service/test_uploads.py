"""Uploads: each has a share, and a run that learns somebody's data has them for as long as it is kept."""

from dataclasses import replace
from pathlib import Path

from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.service.accounts import Client
from core.service.files.uploads import LEAST_BYTES, uploads_in
from core.service.settings import Settings
from tests.service.services import ALICE, at_once

MALLORY = Client("mallory", "mallory@192.0.2.1")


def points(number: int) -> str:
    return f"0,{number}\n1,2\n2,3\n"


def test_whoever_uploads_much_loses_his_own_first(tmp_path: Path) -> None:
    limits = replace(LIMITS, uploads_per_client=10 * LEAST_BYTES, uploads_bytes=100 * LEAST_BYTES)
    service, _, _ = at_once(tmp_path, Settings(home=tmp_path, library=tmp_path / "none", limits=limits))
    mine, _ = service.upload(points(0), ALICE)
    shared, _ = service.upload(points(1), ALICE)
    thrown = [service.upload(points(number), MALLORY)[0] for number in range(1, 400)]
    assert thrown[0] == shared
    assert mine in service.datasets and shared in service.datasets, "two have uploaded it, one has it still"
    assert sum(name in service.datasets for name in thrown) == 11
    cookies = [Client(f"c{n}", f"?c{n}@192.0.2.9") for n in range(300)]
    thrown = [service.upload(points(1_000 + number), client)[0] for number, client in enumerate(cookies)]
    assert mine in service.datasets and sum(name in service.datasets for name in thrown) == 10
    service.close()


def test_a_finished_run_keeps_its_data_and_gives_them_back_when_it_goes(tmp_path: Path) -> None:
    limits = replace(LIMITS, uploads_bytes=10 * LEAST_BYTES)
    service, _, store = at_once(tmp_path, Settings(home=tmp_path, library=tmp_path / "none", limits=limits))
    name, _ = service.upload("".join(f"{x},{x % 7}.125\n" for x in range(300)), ALICE)
    config = RunConfig.from_query(f"data=@{name}&epochs=50&width=3", datasets=service.datasets)
    assert uploads_in(config.to_query()) == [name], "too large for a link"
    info, _ = service.submit(config, ALICE)
    for number in range(1, 60):
        service.upload(points(number), Client(f"c{number}", f"c{number}"))
    assert name in service.datasets
    known = service.config(info.id)
    assert known is not None and len(known.training_data().y) == 300
    store.delete(info.id)
    assert not list(tmp_path.glob(f"data/*.{info.id}"))
    service.close()


def test_the_uploads_that_a_query_names() -> None:
    assert uploads_in(f"data=@{'a' * 32}&epochs=1") == ["a" * 32]
    assert uploads_in(f"data=%40{'b' * 32}") == ["b" * 32]
    assert uploads_in(f"data=@{'a' * 33}&target=f1") == []
