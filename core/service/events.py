"""The log, for whoever looks after the server: every line is one JSON object, or a sentence in a terminal.

{"time": "2026-05-04T12:00:00.250Z", "level": "INFO", "process": "run worker", "event": "run ends", ...}
{"time": ..., "level": "WARNING", "process": "web", "logger": ..., "message": "a worker died ..."}
"""

import json
import logging
import sys
import time
from typing import Any

log = logging.getLogger("plateau")
log.setLevel(logging.INFO)


class JsonFormatter(logging.Formatter):
    """One line of JSON for each record, with the kind of process that it comes from."""

    def __init__(self, process: str = "web") -> None:
        super().__init__()
        self._process = process

    def format(self, record: logging.LogRecord) -> str:
        """See logging.Formatter."""
        seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {
            "time": f"{seconds}.{int(record.msecs):03d}Z",
            "level": record.levelname,
            "process": self._process,
            "logger": record.name,
        }
        fields: dict[str, object] | None = getattr(record, "fields", None)
        line |= {"message": record.getMessage()} if fields is None else fields
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def line_formatter(process: str) -> logging.Formatter:
    """Sentences for a person at a terminal, JSON for what collects logs."""
    text = logging.Formatter(f"%(asctime)s {process}: %(message)s")
    return text if sys.stderr.isatty() else JsonFormatter(process)


def configure_logging(process: str = "web", level: int = logging.INFO) -> None:
    """Log to standard error, what libraries warn of too."""
    handler = logging.StreamHandler()
    handler.setFormatter(line_formatter(process))
    logging.basicConfig(handlers=[handler])
    logging.getLogger().setLevel(level)
    logging.captureWarnings(True)


def log_event(event: str, level: int = logging.INFO, **fields: object) -> None:
    """One line; what is empty is left out."""
    if log.isEnabledFor(level):
        event_fields = {"event": event} | {name: value for name, value in fields.items() if value != ""}
        log.log(level, "%s", json.dumps(event_fields, default=str), extra={"fields": event_fields})
