"""A race as an archive."""

import csv
import io
import zipfile
from pathlib import Path

import pytest

from core.config.run_config import race_from_query
from core.service.comparison import write_race_archive
from core.service.service import RunService
from core.service.settings import Settings
from core.service.store import StoreError


def test_an_archive_holds_every_run_with_data_query_and_citation(tmp_path: Path) -> None:
    service = RunService(Settings(home=tmp_path))
    race = race_from_query("epochs=1e8,500&method=gd,anls&seed=11")  # ships with the app
    names = [config.run_id for config in race]
    path = tmp_path / "race.zip"
    write_race_archive(path, service, names, "http://lab.example/?seed=11", {"plot.py": "pass"})
    archive = zipfile.ZipFile(path)
    assert archive.read("plot.py") == b"pass" and b"@article" in archive.read("cite.bib")
    about = archive.read("README.txt").decode()
    assert "arXiv:2007.07213" in about and "http://lab.example/?seed=11" in about
    for place, config in enumerate(race, 1):
        stem = f"{place}-{config.method.name}"
        kept = service.config(config.run_id)
        assert kept is not None and f"    {config.method.title}: {kept.to_query()}\n" in about
        rows = list(csv.DictReader(io.StringIO(archive.read(f"{stem}.csv").decode())))
        frames = service.frames(config.run_id)
        assert [float(row["loss"]) for row in rows] == [frame.loss for frame in frames]
        data = list(csv.DictReader(io.StringIO(archive.read(f"{stem}-data.csv").decode())))
        assert [float(row["y"]) for row in data] == config.training_data().y.tolist()
    with pytest.raises(StoreError):
        write_race_archive(path, service, ["0" * 32], "", {})
    archive.close()
    service.close()
