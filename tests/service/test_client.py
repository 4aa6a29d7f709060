"""The client against a real server, in a thread of this process."""

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from werkzeug.serving import make_server

from core import fit
from core.client import ApiError, LabClient
from core.service.discovery import discovery_routes
from core.service.visitors import Visitors
from tests.service.sites import Site


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[LabClient]:
    site = Site(tmp_path)
    site.server.register_blueprint(discovery_routes(site.service, Visitors(site.service), "test"))
    server = make_server("127.0.0.1", 0, site.server, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield LabClient(f"http://127.0.0.1:{server.server_port}", tmp_path / "cookies")
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_run_is_started_followed_and_taken_home(lab: LabClient) -> None:
    assert "anls" in [method["name"] for method in lab.about()["methods"]]
    run = lab.start("target=five&method=gd&epochs=1000")
    assert lab.wait(run["id"])["status"] == "finished"
    frames = lab.frames(run["id"])
    own = fit("five", method="gd", epochs=1000)
    assert np.array_equal(frames["loss"], own.history["loss"])
    assert run["id"] in [each["id"] for each in lab.runs()]
    again = LabClient(lab.url, lab._jar.filename)  # the script is run another time
    again.remove(run["id"])
    assert run["id"] not in [each["id"] for each in lab.runs()]


def test_refusals_are_told(lab: LabClient) -> None:
    with pytest.raises(ApiError, match=r"400: widht: unknown key; did you mean width\?") as caught:
        lab.start("widht=3")
    assert caught.value.status == 400
    with pytest.raises(ApiError, match="404"):
        lab.info("0" * 32)
