"""Plateau Lab: the web application.

`create_app` puts the parts together, `main` serves them on this machine, and
`server_from_environment` is what `wsgi.py` loads in each web process of several.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(f"Plateau Lab needs Python 3.11 or newer; this is Python {sys.version.split()[0]}.")
if sys.platform == "win32":
    sys.exit("Plateau Lab runs on Linux and macOS. On Windows, use WSL or the container (docs/operation.md).")

import os

if __name__ == "__main__":
    # The web process compiles nothing: what it computes itself is little, and has the same bits interpreted.
    os.environ["NUMBA_DISABLE_JIT"] = "1"

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path

from dash import Dash
from flask import Flask

from components.application import Application, build_pages
from components.common.callback_guard import guard, register_refusals
from components.pages.lab.first_visit import first_paths
from core import __version__
from core.service import RunService, Settings, StoreError
from core.service.api import blueprint
from core.service.cache import answers_for
from core.service.discovery import discovery_routes
from core.service.documentation import documentation_routes
from core.service.events import configure_logging
from core.service.files.home import back_up
from core.service.metrics import register_metrics
from core.service.request_limits import limit_requests
from core.service.serving import serve
from core.service.studies.api import study_routes
from core.service.visitors import Visitors
from core.service.web import protect, register_errors

log = logging.getLogger(__name__)


def create_app(settings: Settings) -> Dash:
    """The whole application. Its run service, `server.extensions["runs"]`, computes once it is started."""
    settings = settings.with_admin_token()
    service = RunService(settings)
    server = Flask(__name__, static_folder=None)
    server.extensions["runs"] = service
    visitors = Visitors(service)
    server.before_request(visitors.greet)
    server.after_request(visitors.remember)
    limit_requests(server, settings, visitors)
    app = Application(__name__, server)
    build_pages(app, service)
    server.register_blueprint(study_routes(service.studies, visitors))
    server.register_blueprint(discovery_routes(service, visitors, __version__))
    server.register_blueprint(documentation_routes())
    answers = answers_for(server)
    server.register_blueprint(blueprint(service, visitors, answers))
    guard(app)
    register_refusals(server)
    register_errors(server)
    register_metrics(server, service, answers)
    protect(server, settings, app.csp_hashes)
    return app


def server_from_environment() -> Flask:
    """The WSGI application of one web process, see wsgi.py; StoreError while it cannot be had."""
    server: Flask = create_app(Settings.from_environment()).server
    server.extensions["runs"].start()
    return server


def main(argv: Sequence[str] | None = None) -> int:
    """Serve on this machine until Ctrl-C or SIGTERM; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--host", help="address to listen on (PLATEAU_HOST, default 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (PLATEAU_PORT, default 8050)")
    parser.add_argument("--workers", type=int, help="training processes (PLATEAU_WORKERS, default cores - 1)")
    parser.add_argument("--home", type=Path, help="where runs are kept (PLATEAU_HOME, default .plateau)")
    parser.add_argument(
        "--debug",
        action="store_true",
        default=None,
        help="Dash's debug server (PLATEAU_DEBUG)",
    )
    parser.add_argument(
        "--backup",
        type=Path,
        metavar="FILE",
        help="copy the database of --home into a new file and end; also while a server uses it",
    )
    given = vars(parser.parse_args(argv))
    copy: Path | None = given.pop("backup")
    configure_logging()
    # Runs, uploads and names of others are nobody else's on this machine.
    os.umask(0o077)
    try:
        settings = Settings.from_environment(**given)
        if copy is not None:
            back_up(settings.home, copy)
            return 0
        app = create_app(settings)
        service: RunService = app.server.extensions["runs"]
        if settings.debug:
            # The reloader runs this twice: only its child may have the workers.
            if os.environ.get("WERKZEUG_RUN_MAIN") == "true":
                service.start()
            app.run(host=settings.host, port=str(settings.port), debug=True)
            service.close()
        else:
            serve(app.server, service, settings, first_paths)
    except (ValueError, StoreError) as error:
        print(f"Plateau Lab cannot start: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"Plateau Lab cannot keep its runs in {error.filename}: {error.strerror}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
