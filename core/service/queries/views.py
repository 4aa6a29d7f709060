"""The routes of background queries: tables, forecasts and files of one run.

    stages       extent, floor, rate, changes and story of each stage; and the plateaus
    plateaus     where the loss stands still, and why
    best         smallest loss known for this width and these data, and how
    rates        ?stage= ; excess over the floor, between the theorem's envelopes
    candidates   ?frame= ; every move that ANLS would weigh there, with its loss
    forecast     ?frame= (the last) ; what ends that stage, when, and the way there
    forecasts    what was forecast in the middle of its stages, and what happened
    end          ?epochs= ; the frame in which that budget ends, if that is between two; as `frames` has it
    export.<kind>  csv, json, npz; ?seconds=yes also says what each frame took, which differs from server to
                   server, as nothing else does

An answer that is not there after a few seconds is 202 with Retry-After; asking again gets it.
"""

import gzip
import hashlib
import os
from typing import Any, BinaryIO

from flask import Response, request
from werkzeug.exceptions import NotFound
from werkzeug.wsgi import wrap_file

from ...config.method_codec import read_epochs
from ..arguments import known_config, switch, whole_number
from ..cache import Answers, shared
from ..export import CLOCK, file_stem
from ..openapi import LARGEST_NUMBER
from ..run_record import ENDED
from ..service import RunService
from ..visitors import Visitors
from .query import EXPORTS, BackgroundQuery
from .service import NotYetError

_FILE_TYPES = {"csv": "text/csv", "json": "application/json", "npz": "application/octet-stream"}


def file_response(file: Any, kind: str, name: str) -> Response:
    """A file to keep, sent by the server's own loop: a slow reader holds no thread."""
    saved = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-cache"}
    tag = hashlib.file_digest(file, "sha256").hexdigest()[:32]
    file.seek(0)
    body = wrap_file(request.environ, file)
    response = Response(body, 200, saved, mimetype=kind, direct_passthrough=True)
    response.content_length = os.fstat(file.fileno()).st_size
    response.set_etag(tag)
    response.make_conditional(request)
    return response


class QueryViews:
    """Each asks the query service; what everybody may share is kept in the server's cache for a while."""

    def __init__(self, service: RunService, visitors: Visitors, answers: Answers) -> None:
        self._service, self._visitors, self._answers = service, visitors, answers

    def stages(self, run_id: str) -> Response:
        """The stage table; with `head`, like the others of all frames, that of the first ones alone."""
        return self._of_all_frames("stages", run_id)

    def plateaus(self, run_id: str) -> Response:
        """The plateau table."""
        return self._of_all_frames("plateaus", run_id)

    def rates(self, run_id: str) -> Response:
        """The decay of one stage between its envelopes."""
        stage = whole_number("stage", 0, 0, LARGEST_NUMBER)
        known_config(self._service, run_id)
        head = self._service.count(run_id)
        last = self._service.frames(run_id, head - 2, head - 1)
        if stage > (last[0].stage if last else 0):
            raise NotFound(f"The run has no stage {stage} yet.")
        return self._of_all_frames("rates", run_id, stage)

    def best(self, run_id: str) -> Response:
        """The best known loss for the run's width and data."""
        known_config(self._service, run_id)
        return self._table(BackgroundQuery("best", run_id), final=True)

    def candidates(self, run_id: str) -> Response:
        """The candidates of ANLS at one frame."""
        return self._of_one_frame("candidates", run_id, 0)

    def forecast(self, run_id: str) -> Response:
        """What happens next, seen from one frame."""
        return self._of_one_frame("forecast", run_id, max(self._service.count(run_id) - 1, 0))

    def forecasts(self, run_id: str) -> Response:
        """The track record. It grows when a stage ends, not with every frame; a part of it may be missing for
        lack of time, so it is never final."""
        known_config(self._service, run_id)
        head = self._service.count(run_id)
        latest = self._service.frames(run_id, head - 2, head - 1)
        key = f"forecasts:{run_id}:{latest[0].stage if latest else 0}"
        return self._table(BackgroundQuery("forecasts", run_id, head=head), final=False, key=key)

    def end(self, run_id: str) -> Response:
        """The last frame of a link whose run was trained further."""
        config, _ = known_config(self._service, run_id)
        text = request.args.get("epochs", "")
        # refused with a sentence if it is no number of epochs for this method
        epochs = read_epochs({"epochs": text}, (config.method,), self._service.settings.limits)[0]
        if epochs > config.epochs:
            raise NotFound(f"The run was asked for {config.epochs:,g} epochs, not for more.")
        return self._table(BackgroundQuery("end", run_id, more=repr(epochs)), final=True)

    def export(self, run_id: str, kind: str) -> Response:
        """A run as a file."""
        config, status = known_config(self._service, run_id)
        if kind not in EXPORTS:
            raise NotFound("A run can be exported as csv, json or npz.")
        more = CLOCK if switch("seconds", False) else ""
        query = BackgroundQuery(kind, run_id, head=self._service.count(run_id), status=status, more=more)
        stem = file_stem(config.scale.title)
        return file_response(self._ask(query), _FILE_TYPES[kind], f"{stem}-{run_id[:8]}.{kind}")

    def _of_all_frames(self, kind: str, run_id: str, number: int = 0) -> Response:
        _, status = known_config(self._service, run_id)
        count = self._service.count(run_id)
        head = whole_number("head", count, 1, LARGEST_NUMBER)
        query = BackgroundQuery(kind, run_id, number, min(head, count), status)
        return self._table(query, final=status in ENDED or head < count)

    def _of_one_frame(self, kind: str, run_id: str, default: int) -> Response:
        _, status = known_config(self._service, run_id)
        index = whole_number("frame", default, 0, LARGEST_NUMBER)
        if index == self._service.count(run_id) and status in ("queued", "running"):
            # A moment ago this may have been the present frame of a run that rested.
            raise NotYetError(0)
        if index >= self._service.count(run_id):
            raise NotFound(f"The run has no frame {index} yet.")
        return self._table(BackgroundQuery(kind, run_id, index), final=True)

    def _table(self, query: BackgroundQuery, *, final: bool, key: str = "") -> Response:
        query = self._service.queries.dated(query)
        key = f"{key}:{query.present}" if key else query.key
        packed = self._answers.known(key)
        if packed is None:
            with self._ask(query) as file:
                packed = file.read()
            self._answers.keep(key, packed)
        zipped = request.accept_encodings["gzip"] > 0
        body = packed if zipped else gzip.decompress(packed)
        return shared(body, "application/json", final=final, packed=zipped)

    def _ask(self, query: BackgroundQuery) -> BinaryIO:
        return self._service.queries.ask(query, self._visitors.current().quota)
