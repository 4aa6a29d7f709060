"""A client of the HTTP interface, for scripts: start runs and studies on a Lab, follow them, take them home.

It needs nothing but the standard library. With a token, which is made on the page /runs, a script acts for
that browser. Without one the server knows it by its cookie: keep the client, or give `cookies` a file, to
stop or list later what it has started.
"""

import json
import time
from collections.abc import Iterator, Mapping
from http.cookiejar import LWPCookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from .answers import AboutAnswer, OneRunAnswer, OwnRunAnswer, StartedRunAnswer, StudyAnswer
from .fitting import FitResult

ENDED = ("finished", "stopped", "failed")
TRIES = 5
"""So often a request that the server asks to repeat is repeated."""


class ApiError(RuntimeError):
    """The server refused; `status` is its code, the text its sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(f"{status}: {sentence}")
        self.status, self.sentence = status, sentence


class LabClient:
    """One server, one visitor.

    Parameters
    ----------
    url
        The address of a Lab.
    cookies
        A file that keeps who this script is; left out, it is a newcomer each time.
    token
        A token of the page /runs: the script acts for that browser, and needs no cookies.

    Raises
    ------
    ApiError
        What the server says where it refuses; its `status` is the HTTP status.

    Examples
    --------
    >>> from core.client import LabClient
    >>> lab = LabClient()
    >>> len(lab.about()["methods"])
    16
    >>> run = lab.start("target=five&method=lsq")
    >>> lab.wait(run["id"])["status"], len(lab.frames(run["id"])["loss"])
    ('finished', 1)
    >>> lab.info(run["id"])["query"], lab.stop(run["id"])["status"]
    ('method=lsq&target=five', 'finished')
    >>> lab.link("target=five&method=lsq").removeprefix(lab.url)
    '/?method=lsq&target=five'
    >>> lab.remove(run["id"])
    >>> [each["query"] for each in lab.runs()]
    []
    >>> many = lab.study("target=five&method=lsq&seed=0..1")
    >>> losses = [row["loss"] for row in lab.rows(many["id"])]  # of those that are done
    >>> lab.stop_study(many["id"])["status"]
    'stopped'
    >>> lab.remove_study(many["id"])
    >>> list(lab.studies())
    []
    """

    def __init__(
        self, url: str = "http://127.0.0.1:8050", cookies: str | Path | None = None, token: str = ""
    ) -> None:
        self.url = url.rstrip("/")
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._jar = LWPCookieJar(str(cookies) if cookies else None)
        if cookies and Path(cookies).exists():
            self._jar.load(ignore_discard=True)
        self._opener = build_opener(HTTPCookieProcessor(self._jar))

    def about(self) -> AboutAnswer:
        """What the server knows: methods, targets, settings, limits."""
        return self._ask("GET", "/api")

    def start(self, query: str | FitResult) -> StartedRunAnswer:
        """Start a run, or find it; the data of a result of `fit` are uploaded first."""
        if isinstance(query, FitResult):
            for text in query.dataset.values():
                self._ask("POST", "/api/data", {"csv": text})
            query = query.query
        return self._ask("POST", "/api/runs", {"query": query})

    def link(self, query: str | FitResult) -> str:
        """The address of a run's page; the run is started."""
        return self.url + self.start(query)["url"]

    def runs(self) -> Iterator[OwnRunAnswer]:
        """The runs that this client has started, the newest first."""
        return self._listed("runs")

    def info(self, run_id: str) -> OneRunAnswer:
        """Status, epoch, loss and reason of a run."""
        return self._ask("GET", f"/api/runs/{run_id}")

    def wait(self, run_id: str, seconds: float = 600.0) -> OneRunAnswer:
        """The same once the run has ended; TimeoutError if that takes longer."""
        deadline = time.monotonic() + seconds
        while (found := self.info(run_id))["status"] not in ENDED:
            if time.monotonic() > deadline:
                raise TimeoutError(f"run {run_id} is {found['status']} after {seconds:g} s")
            time.sleep(0.2)
        return found

    def frames(self, run_id: str) -> dict[str, list[Any]]:
        """All frames so far, as columns."""
        columns: dict[str, list[Any]] = {}
        block: dict[str, Any] = {"next": -1}
        while "head" not in block or (block["index"] and block["next"] + 1 < block["head"]):
            block = self._ask("GET", f"/api/runs/{run_id}/frames", after=block["next"])
            for name, values in block.items():
                if isinstance(values, list):
                    columns.setdefault(name, []).extend(values)
        return columns

    def stop(self, run_id: str) -> OneRunAnswer:
        """Stop a run that this client has started."""
        return self._ask("POST", f"/api/runs/{run_id}/stop")

    def remove(self, run_id: str) -> None:
        """Take a run from the list of own runs."""
        self._ask("DELETE", f"/api/runs/{run_id}")

    def study(self, query: str) -> StudyAnswer:
        """Start a study, or find it."""
        return self._ask("POST", "/api/studies", {"query": query})

    def studies(self) -> Iterator[StudyAnswer]:
        """The studies that this client has started, the newest first."""
        return self._listed("studies")

    def stop_study(self, study_id: str) -> StudyAnswer:
        """Let a study rest that this client has started."""
        return self._ask("POST", f"/api/studies/{study_id}/stop")

    def remove_study(self, study_id: str) -> None:
        """Delete a study that this client has started, with its rows."""
        self._ask("DELETE", f"/api/studies/{study_id}")

    def rows(self, study_id: str) -> list[dict[str, Any]]:
        """The rows of a study so far."""
        rows: list[dict[str, Any]] = []
        while page := self._ask("GET", f"/api/studies/{study_id}", after=len(rows))["rows"]:
            rows += page
        return rows

    def _listed(self, what: str) -> Iterator[Any]:
        after: int | None = 0
        while after is not None:
            page = self._ask("GET", f"/api/{what}", after=after)
            yield from page[what]
            after = page["next"]

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, **arguments: Any) -> Any:
        if body is not None and not (self._jar or "Authorization" in self._headers):
            self.about()  # brings the cookie: what a newcomer starts is in nobody's list
        data = json.dumps(body).encode() if body is not None else None
        request = Request(f"{self.url}{path}?{urlencode(arguments)}", data, self._headers, method=method)
        for left in range(TRIES, 0, -1):
            try:
                with self._opener.open(request, timeout=60) as answer:
                    found = json.load(answer)
                break
            except HTTPError as error:
                with error:
                    again, text = error.headers.get("Retry-After"), error.read().decode(errors="replace")
                if again is None or left == 1:
                    raise ApiError(error.code, _sentence(text)) from None
                time.sleep(min(float(again), 5.0))
        if self._jar.filename:
            self._jar.save(ignore_discard=True)
        return found


def _sentence(text: str) -> str:
    """What an answer says is wrong."""
    try:
        return str(json.loads(text)["error"])
    except (ValueError, KeyError, TypeError):
        return text[:200]
