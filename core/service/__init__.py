"""Runs as a service: store, queue, workers, HTTP; the only part of core that touches files, clocks,
processes and sockets.

Two back ends, embedded and Redis with Celery, under one contract. `files` keeps, `workers` compute, `queries`
answers what takes long, `studies` are many runs, `cluster` is all of it on several machines; in what order
they may import each other is declared in tests/architecture.py. What needs Flask (`api`, `web`, `cache`,
`visitors`, `serving`, `health`, `metrics`, `queries.views`) is imported from its own file, so that workers do
without. It may import everything in core.
"""

from core.service.accounts import Client
from core.service.addresses import is_loopback, network_origin
from core.service.citation import BIBTEX, PAPER
from core.service.comparison import write_race_archive
from core.service.encoding import json_columns
from core.service.files.library import write_volume
from core.service.files.run_history import (
    MAX_ENTRIES,
    MAX_TAGS,
    NAME_LENGTH,
    NOTE_LENGTH,
    TAG_LENGTH,
    HistoryEntry,
    entry_fields,
)
from core.service.overview import Overview, overview
from core.service.pictures import candidate_columns, data_columns, rate_columns
from core.service.queries.query import FILES, TABLES, BackgroundQuery, stored_config
from core.service.queries.service import PAGE_SECONDS, NotYetError, QueryService
from core.service.queue import QueueFullError
from core.service.remaining import before_it_begins
from core.service.run_record import ENDED, Request, RunState
from core.service.service import RunInfo, RunService
from core.service.settings import Settings
from core.service.store import Checkpoint, StoreError
from core.service.studies.info import StudyInfo
from core.service.studies.plan import study_id_of
from core.service.studies.service import Studies
from core.service.studies.shipped import write_study
from core.service.studies.store import StudyOrder, pack_record, record_curve, record_row
from core.service.summaries import curve_of_run, plateaus, stages
from core.service.workers.reading import Reader

__all__ = [
    "BIBTEX",
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
    "BackgroundQuery",
    "Checkpoint",
    "Client",
    "HistoryEntry",
    "NotYetError",
    "Overview",
    "QueryService",
    "QueueFullError",
    "Reader",
    "Request",
    "RunInfo",
    "RunService",
    "RunState",
    "Settings",
    "StoreError",
    "Studies",
    "StudyInfo",
    "StudyOrder",
    "before_it_begins",
    "candidate_columns",
    "curve_of_run",
    "data_columns",
    "entry_fields",
    "is_loopback",
    "json_columns",
    "network_origin",
    "overview",
    "pack_record",
    "plateaus",
    "rate_columns",
    "record_curve",
    "record_row",
    "stages",
    "stored_config",
    "study_id_of",
    "write_race_archive",
    "write_study",
    "write_volume",
]
