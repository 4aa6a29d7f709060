"""What happens, for whoever reads the log: a line of JSON for a request and an event of a run."""

import json
import logging

FORMAT = "%(asctime)s %(name)s: %(message)s"

log = logging.getLogger("plateau")
log.setLevel(logging.INFO)


def log_event(event: str, level: int = logging.INFO, **fields: object) -> None:
    """One line; what is empty is left out."""
    if log.isEnabledFor(level):
        log.log(level, "%s", json.dumps({"event": event} | {k: v for k, v in fields.items() if v != ""}))
