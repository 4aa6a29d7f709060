"""A server with the HTTP interface, over a service that computes at once."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from core.config.run_config import RunConfig
from core.service.api import blueprint
from core.service.cache import answers_for
from core.service.discovery import discovery_routes
from core.service.files.file_store import FileStore
from core.service.service import RunService
from core.service.settings import Settings
from core.service.store import Store
from core.service.studies.api import study_routes
from core.service.visitors import Visitors
from core.service.web import protect, register_errors
from tests.service.services import AtOnce, service_over

QUERY = "target=five&method=gd&epochs=1000"
RUN = RunConfig.from_query(QUERY).run_id
URL = f"/api/runs/{RUN}"


class Site:
    """A server and its parts."""

    def __init__(self, home: Path, store: Store | None = None) -> None:
        self.service: RunService
        self.scheduler: AtOnce
        settings = Settings(home=home, library=home / "library")
        self.store = store or FileStore(home, settings.limits)
        self.service, self.scheduler = service_over(self.store, settings)
        self.server = Flask("test")
        visitors = Visitors(self.service)
        self.server.before_request(visitors.greet)
        self.server.after_request(visitors.remember)
        self.server.register_blueprint(blueprint(self.service, visitors, answers_for(self.server)))
        self.server.register_blueprint(discovery_routes(self.service, visitors, "test"))
        self.server.register_blueprint(study_routes(self.service.studies, visitors))
        register_errors(self.server)
        protect(self.server, self.service.settings, lambda: ["'sha256-x'"])
        self.server.add_url_rule("/", "page", lambda: "<p>page")

    def client(self) -> FlaskClient:
        """A browser with its own cookies."""
        return self.server.test_client()


@contextmanager
def served(site: Site) -> Iterator[str]:
    """The address of a site, in a thread of this process."""
    server = make_server("127.0.0.1", 0, site.server, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
