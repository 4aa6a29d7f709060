"""Runs as a service: store, queue, workers, HTTP; the only part of core that touches files, clocks,
processes and sockets.

Two back ends, embedded and Redis with Celery, under one contract. `files` keeps, `workers` compute, `queries`
answers what takes long, `studies` are many runs, `cluster` is all of it on several machines; in what order
they may import each other is declared in tests/architecture.py. What needs Flask (`api`, `web`, `cache`,
`visitors`, `serving`, `health`, `metrics`, `queries.views`) is imported from its own file, so that workers do
without. It may import everything in core.
"""

from ..tables import candidate_columns, data_columns, plateaus, rate_columns, stages
from .accounts import Client
from .addresses import is_loopback, network_origin
from .comparison import write_race_archive
from .encoding import json_columns
from .export import BIBTEX, DOI, PAPER, TITLE
from .files.library import read_volume, write_volume
from .files.run_history import (
    MAX_ENTRIES,
    MAX_TAGS,
    NAME_LENGTH,
    NOTE_LENGTH,
    TAG_LENGTH,
    HistoryEntry,
    entry_fields,
)
from .files.tokens import ScriptToken
from .overview import Overview, overview
from .queries.query import FILES, TABLES, BackgroundQuery, shipped_path, stored_config, write_answer
from .queries.service import PAGE_SECONDS, NotYetError, QueryService
from .queue import QueueFullError
from .records import DamageError, decode_frame, same_frame
from .remaining import before_it_begins
from .run_record import ENDED, Request, RunState
from .service import RunInfo, RunService
from .settings import Settings
from .store import Checkpoint, StoreError
from .studies.info import StudyInfo
from .studies.plan import study_id_of
from .studies.service import Studies
from .studies.shipped import read_study, write_study
from .studies.store import RequestedStudy, pack_record, record_curve, record_row
from .workers.reading import Reader, curve_of_run

__all__ = [
    "BIBTEX",
    "DOI",
    "ENDED",
    "FILES",
    "MAX_ENTRIES",
    "MAX_TAGS",
    "NAME_LENGTH",
    "NOTE_LENGTH",
    "PAGE_SECONDS",
    "PAPER",
    "TABLES",
    "TAG_LENGTH",
    "TITLE",
    "BackgroundQuery",
    "Checkpoint",
    "Client",
    "DamageError",
    "HistoryEntry",
    "NotYetError",
    "Overview",
    "QueryService",
    "QueueFullError",
    "Reader",
    "Request",
    "RequestedStudy",
    "RunInfo",
    "RunService",
    "RunState",
    "ScriptToken",
    "Settings",
    "StoreError",
    "Studies",
    "StudyInfo",
    "before_it_begins",
    "candidate_columns",
    "curve_of_run",
    "data_columns",
    "decode_frame",
    "entry_fields",
    "is_loopback",
    "json_columns",
    "network_origin",
    "overview",
    "pack_record",
    "plateaus",
    "rate_columns",
    "read_study",
    "read_volume",
    "record_curve",
    "record_row",
    "same_frame",
    "shipped_path",
    "stages",
    "stored_config",
    "study_id_of",
    "write_answer",
    "write_race_archive",
    "write_study",
    "write_volume",
]
