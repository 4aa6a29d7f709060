"""Everything in this directory kills processes or damages files."""

from pathlib import Path

import pytest

from tests.service.conftest import redis_server, redis_url, site

__all__ = ["redis_server", "redis_url", "site"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.fault)
