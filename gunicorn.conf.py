"""How gunicorn serves wsgi:application; it reads this file in the folder that it is started in.

What is set here holds for every such server; processes, threads and address are given on the command line.
"""

from typing import Any

preload_app = True
"""Once for all processes, before there is a socket (see wsgi.py)."""

logconfig_dict = {
    "formatters": {"line": {"()": "core.service.events.line_formatter", "process": "web"}},
    "handlers": {"log": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"level": "INFO", "handlers": ["log"]},
    "loggers": {"gunicorn.error": {"propagate": True}, "gunicorn.access": {"propagate": False}},
}
"""Its own lines are like those of the application."""


def post_worker_init(worker: Any) -> None:
    """A web process is there: it begins without waiting to be asked."""
    worker.wsgi.begin()
