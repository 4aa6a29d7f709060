"""The OpenAPI 3.1 document of the HTTP interface, made from the models of its bodies.

Each operation is one line of OPERATIONS; a test compares them with the routes that Flask has, in both
directions. What has no model is a table or a file that its description tells of.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from . import models


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    summary: str
    answer: type[BaseModel] | None = None
    body: type[BaseModel] | None = None
    created: bool = False
    """Whether it may answer 201."""
    arguments: tuple[str, ...] = ()
    media: str = "application/json"


ARGUMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "after": ({"type": "integer", "minimum": -1, "maximum": 1 << 40}, "Only what comes after this index."),
    "limit": ({"type": "integer", "minimum": 0, "maximum": 1000}, "At most so many; 0: as many as allowed."),
    "rows_after": ({"type": "integer", "minimum": 0, "maximum": 1 << 40}, "How many of them you have."),
    "runs_limit": ({"type": "integer", "minimum": 1, "maximum": 500}, "At most so many."),
}
_NAMES = {"rows_after": "after", "runs_limit": "limit"}
_RUN, _STUDY = "/api/runs/{run_id}", "/api/studies/{study_id}"

OPERATIONS = (
    Operation("get", "/api", "What this server knows: methods, targets, settings, limits.", models.Discovery),
    Operation("get", "/api/runs", "Your runs, the newest first.", models.OwnRuns,
              arguments=("rows_after", "runs_limit")),
    Operation("post", "/api/runs", "Start a run, or find it; a comma list of methods starts a race.",
              models.StartedRun, models.RunRequest, created=True),
    Operation("get", _RUN, "Status, epoch, loss and reason of a run.", models.OneRun),
    Operation("delete", _RUN, "Take a run from the list of your runs. Runs are shared: others keep it."),
    Operation("get", f"{_RUN}/frames", "The recorded moments after an index, as columns.", models.Frames,
              arguments=("after", "limit")),
    Operation("get", f"{_RUN}/data", "What is learned: points, and the function behind them."),
    Operation("get", f"{_RUN}/stages", "The stages, and what began each of them."),
    Operation("get", f"{_RUN}/plateaus", "Where the loss stands still, and why."),
    Operation("get", f"{_RUN}/best", "The best loss that is known for this width."),
    Operation("get", f"{_RUN}/rates", "How fast a stage decays, beside the theorem's bounds."),
    Operation("get", f"{_RUN}/candidates", "The candidates of an iteration of ANLS."),
    Operation("get", f"{_RUN}/forecast", "What ends the present stage, and when."),
    Operation("get", f"{_RUN}/forecasts", "Forecasts from all stages beside what happened."),
    Operation("get", f"{_RUN}/end", "The state at the end of a budget."),
    Operation("post", f"{_RUN}/stop", "Stop a run that you have started.", models.OneRun),
    Operation("get", f"{_RUN}/export.{{kind}}", "The run as a file: csv, json or npz.", media="*/*"),
    Operation("get", "/api/frames", "Frames of up to 16 runs at once: runs=<id>:<after>,…"),
    Operation("post", "/api/estimate", "What a query would cost.", models.Estimate, models.RunRequest),
    Operation("post", "/api/data", "Upload own data, to be named in a query.", None, models.DataRequest,
              created=True),
    Operation("get", "/api/studies", "Your studies.", models.OwnStudies),
    Operation("post", "/api/studies", "Start a study, or find it.", models.OneStudy, models.StudyRequest,
              created=True),
    Operation("get", _STUDY, "How far a study is, and the rows that you do not have.", models.OneStudy,
              arguments=("rows_after", "limit")),
    Operation("post", f"{_STUDY}/stop", "Let a study that you have started rest.", models.OneStudy),
    Operation("post", f"{_STUDY}/resume", "Go on with it.", models.OneStudy),
    Operation("get", f"{_STUDY}/export.csv", "The rows as a file.", media="text/csv"),
    Operation("get", "/api/openapi.json", "This document."),
    Operation("get", "/healthz", "Whether the server is alive.", models.Alive),
)  # fmt: skip

REFUSALS = {
    "400": "The request is wrong; the sentence names what.",
    "403": "Somebody else's.",
    "404": "There is none here.",
    "405": "Not with this method; Allow names those that are.",
    "413": "Too large.",
    "429": "Too many requests, or the queue is full; Retry-After says when to come again.",
    "503": "The store cannot be reached; Retry-After says when to come again.",
}


def document(version: str) -> dict[str, Any]:
    """The whole document."""
    used = {model for each in OPERATIONS for model in (each.answer, each.body) if model} | {models.Problem}
    ordered = sorted(used, key=lambda model: model.__name__)
    _, schemas = models_json_schema(
        [(model, "validation") for model in ordered], ref_template="#/components/schemas/{model}"
    )
    paths: dict[str, dict[str, Any]] = {}
    for each in OPERATIONS:
        paths.setdefault(each.path, {})[each.method] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Plateau Lab",
            "version": version,
            "description": "Runs and studies over HTTP. A GET never starts work; a query names one run.",
        },
        "paths": paths,
        "components": {"schemas": schemas["$defs"]},
    }


def _operation(each: Operation) -> dict[str, Any]:
    answer = {"schema": _reference(each.answer) if each.answer else {}}
    done = {"description": "Done.", "content": {each.media: answer}}
    refusals = {
        status: {"description": text, "content": {"application/json": {"schema": _reference(models.Problem)}}}
        for status, text in REFUSALS.items()
    }
    made = {"201": done} if each.created else {}
    later = {"202": {"description": "It is being made; Retry-After says when to ask again."}}
    told: dict[str, Any] = {
        "summary": each.summary,
        "operationId": f"{each.method}{each.path}".translate(str.maketrans("/{}.", "____")),
        "parameters": [*_path_parameters(each.path), *map(_argument, each.arguments)],
        "responses": {"200": done} | made | (later if each.answer is None else {}) | refusals,
    }
    if each.body is not None:
        told["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _reference(each.body)}},
        }
    return told


def _reference(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{model.__name__}"}


def _argument(name: str) -> dict[str, Any]:
    schema, text = ARGUMENTS[name]
    return {"name": _NAMES.get(name, name), "in": "query", "description": text, "schema": schema}


def _path_parameters(path: str) -> list[dict[str, Any]]:
    schemas: dict[str, dict[str, Any]] = {
        "run_id": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "study_id": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "kind": {"type": "string", "enum": ["csv", "json", "npz"]},
    }
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in schemas.items()
        if f"{{{name}}}" in path
    ]
