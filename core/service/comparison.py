"""A whole race to take away as one archive: every run, the data, the queries and what to cite."""

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from ..config.run_config import RunConfig
from ..narrative.numbers import date_text
from ..problem import TrainingData
from .export import BIBTEX, PAPER, blocks, csv_lines
from .queries.query import stored_config
from .workers.reading import Reader


def write_race_archive(
    path: Path, reader: Reader, run_ids: Sequence[str], link: str, more: Mapping[str, str]
) -> None:
    """The archive; StoreError for a run that is not there any more. `more` are further files by name."""
    names = {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, run_id in enumerate(run_ids, 1):
            config = stored_config(reader, run_id)
            name = f"{place}-{config.method.name}"
            names[name] = config
            scale = config.scale
            found = blocks(partial(reader.frames, run_id), reader.count(run_id))
            read = ([frame.in_units(scale) for frame in block] for block in found)
            with archive.open(f"{name}.csv", "w", force_zip64=True) as file:
                lines = csv_lines(config.width, read, dates=scale.dates, seconds=True)
                file.writelines(line.encode() for line in lines)
            archive.writestr(f"{name}-data.csv", data_csv(config.training_data()))
        archive.writestr("README.txt", contents(names, link))
        archive.writestr("cite.bib", BIBTEX + "\n")
        for name, text in more.items():
            archive.writestr(name, text)


def data_csv(data: TrainingData) -> str:
    """What was learned: one line a datum, with its weight."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    scale = data.scale
    writer.writerow([scale.x_name or "x", scale.y_name or "y", "weight"])
    x, y = scale.x(data.x).tolist(), scale.y(data.y).tolist()
    writer.writerows(zip(map(date_text, x) if scale.dates else x, y, data.w.tolist(), strict=True))
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
