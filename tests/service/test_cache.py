"""Answers that many share: made once, and nothing is kept of what failed."""

import pytest
from flask import Flask

from core.service.cache import LARGEST_ENTRY, answers_for


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


def test_it_is_bounded_by_bytes_and_live_polls_push_out_nothing_that_is_shared() -> None:
    answers = answers_for(Flask("test"))
    table = b"t" * 100_000
    answers.keep("table", table)
    for number in range(3_000):  # eight runs, polled for minutes
        answers.keep(f"frames:{number}", b"f" * 2_000)
    assert answers.known("table") == table
    for number in range(40):
        answers.keep(f"long:{number}", b"l" * (3 << 20))
        assert answers.known("table") == table, "what is asked for stays"
    kept = [number for number in range(40) if answers.known(f"long:{number}")]
    assert kept == list(range(19, 40)), "the oldest go"
    answers.keep("too long", b"x" * (LARGEST_ENTRY + 1))
    assert answers.known("too long") is None
