"""Answers that many share: made once, and nothing is kept of what failed."""

import pytest
from flask import Flask

from core.service.cache import answers_for


def test_what_cannot_be_made_leaves_nothing_behind() -> None:
    answers = answers_for(Flask("test"))

    def fail() -> bytes:
        raise ValueError("no")

    for number in range(100):
        with pytest.raises(ValueError, match="no"):
            answers.get(str(number), fail)
    assert not answers._busy
    assert answers.get("0", lambda: b"made") == b"made" == answers.get("0", fail)
    assert not answers._busy
