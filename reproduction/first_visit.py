"""`python -m reproduction.first_visit`: write the tables of the first visit, which ship with the app.

`make reproduce` does it too. Whoever changes a sentence or what a table holds does it again: a test says so.
"""

import shutil
import tempfile
from pathlib import Path

from components.pages.lab.first_visit import first_queries
from core.service import RunService, Settings, shipped_path, write_answer


def write_first_visit(folder: Path) -> int:
    """Write them into a folder that holds nothing else; returns how many there are."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with tempfile.TemporaryDirectory() as home:
        service = RunService(Settings(home=Path(home)))
        queries = list(first_queries(service))
        for query in queries:
            write_answer(service, query, shipped_path(folder, query))
        service.close()
    return len(queries)


if __name__ == "__main__":
    print(f"{write_first_visit(Settings().answer_library)} tables of the first visit written.")
