"""A whole race to take away as one archive: every run, the data, the queries and what to cite."""

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence
from functools import partial

from core.config.run_config import RunConfig
from core.problem import TrainingData
from core.service.citation import BIBTEX, PAPER
from core.service.export import blocks, csv_lines
from core.service.service import RunService


def race_archive(service: RunService, run_ids: Sequence[str], link: str, more: Mapping[str, str]) -> bytes:
    """The archive; KeyError for a run that the server does not have. `more` are further files by name."""
    found = [(run_id, service.config(run_id)) for run_id in run_ids]
    known = [(run_id, config) for run_id, config in found if config is not None]
    if len(known) < len(found):
        raise KeyError(next(run_id for run_id, config in found if config is None))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        names = {}
        for place, (run_id, config) in enumerate(known, 1):
            name = f"{place}-{config.method.name}"
            names[name] = config
            read = blocks(partial(service.frames, run_id), service.count(run_id))
            archive.writestr(f"{name}.csv", "".join(csv_lines(config.width, read)))
            archive.writestr(f"{name}-data.csv", data_csv(config.training_data()))
        archive.writestr("README.txt", contents(names, link))
        archive.writestr("cite.bib", BIBTEX + "\n")
        for name, text in more.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def data_csv(data: TrainingData) -> str:
    """What was learned: one line a datum, with its weight."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["x", "y", "weight"])
    writer.writerows(zip(data.x.tolist(), data.y.tolist(), data.w.tolist(), strict=True))
    return text.getvalue()


def contents(runs: Mapping[str, RunConfig], link: str) -> str:
    """What is in the archive, and the query that computes each run again."""
    listed = "".join(f"{name}.csv\n    {run.method.title}: {run.to_query()}\n" for name, run in runs.items())
    return (
        f"Plateau Lab, a comparison of {len(runs)} runs: {link}\n\n{listed}"
        "…-data.csv\n    what each of them learns\n\n"
        "Frames, stages and data are counted from 0, neurons in the names of columns from 1.\n\n"
        f"Please cite: {PAPER}\n"
    )
