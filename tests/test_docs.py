"""What the documents name exists."""

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MATHS = (ROOT / "docs/maths.md").read_text()
NAMES = sorted(set(re.findall(r"`(core\.[a-z_.]+)`", MATHS)))


def test_the_table_of_statements_is_there() -> None:
    assert len(NAMES) >= 25


@pytest.mark.parametrize("name", NAMES)
def test_every_name_in_the_mathematics_exists(name: str) -> None:
    module, _, function = name.rpartition(".")
    assert hasattr(import_module(module), function)


@pytest.mark.parametrize(
    "document", ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/maths.md"]
)
def test_every_path_that_a_document_names_exists(document: str) -> None:
    text = (ROOT / document).read_text()
    paths = re.findall(
        r"`((?:core|components|assets|tests|reproduction|lessons|docs|benchmarks)/[\w./-]*)`", text
    )
    new = {"core/methods/rmsprop.py", "components/panels/energy.py"}  # in the recipes
    missing = [path for path in paths if path not in new and not (ROOT / path).exists()]
    assert not missing
