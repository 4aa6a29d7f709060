"""A process that no longer answers is told from one that is slow, that loads, or that others keep waiting."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest

from core.service.workers import pulse
from core.service.workers.pulse import Pulse, Signs, signs_of
from tests.service.services import wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

BEATING = """
import sys, threading, time
def beat():
    while True:
        print(flush=True)
        time.sleep(0.05)
threading.Thread(target=beat, daemon=True).start()
input()
"""
AT_WORK = BEATING + "while True: pass"
IN_COMPILED_CODE = BEATING + "import re; re.match('(a+)+$', 'a' * 60 + 'b')"
WAITING = BEATING + "import ctypes; ctypes.PyDLL(None).pause()"
"""With the interpreter held, as the one before."""


@contextmanager
def process(program: str) -> Iterator[tuple[Pulse, subprocess.Popen[bytes]]]:
    made = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    found = Pulse(made.pid)
    assert made.stdout is not None
    stdout = made.stdout

    def listen() -> None:
        for _ in stdout:
            found.beat()

    listener = Thread(target=listen)
    listener.start()
    wait_for(lambda: found._begun)
    try:
        yield found, made
    finally:
        made.kill()
        made.wait()
        listener.join()
        for pipe in (made.stdin, made.stdout):
            assert pipe is not None
            pipe.close()


def begin(made: subprocess.Popen[bytes]) -> None:
    assert made.stdin is not None
    made.stdin.write(b"\n")
    made.stdin.flush()


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rules in a fraction of the time."""
    for name in ("BEAT_SECONDS", "STOPPED_SECONDS"):
        monkeypatch.setattr(pulse, name, getattr(pulse, name) / 10)
    made = Pulse.__init__
    monkeypatch.setattr(Pulse, "__init__", lambda self, pid: made(self, pid, 1.0, 2.0))


@pytest.mark.parametrize(
    ("program", "trouble"), [(IN_COMPILED_CODE, "while it computed"), (WAITING, "it did not answer for")]
)
def test_what_holds_the_interpreter_and_does_not_come_back_is_noticed(program: str, trouble: str) -> None:
    with process(program) as (found, made):
        assert found.trouble() == ""
        begin(made)
        wait_for(lambda: trouble in found.trouble())


def test_a_stopped_process_is_noticed_and_one_at_work_is_not() -> None:
    with process(AT_WORK) as (found, made):
        begin(made)
        start = signs_of(made.pid)
        assert start is not None
        looks = []

        def worked() -> bool:
            looks.append(found.trouble())
            now = signs_of(made.pid)
            return now is not None and start is not None and now.cpu > start.cpu + 1.5

        wait_for(worked)
        assert set(looks) == {""} and not found.is_late
        os.kill(made.pid, signal.SIGSTOP)
        wait_for(lambda: "stopped" in found.trouble())
        wait_for(lambda: found.is_late)
        os.kill(made.pid, signal.SIGCONT)
        wait_for(lambda: not found.trouble() and not found.is_late)
    assert signs_of(made.pid) is None and found.trouble() == ""


@pytest.mark.parametrize(
    ("signs", "begun", "trouble"),
    [
        ([Signs("S", 1.0), Signs("S", 1.0)], True, "it did not answer"),
        ([Signs("SR", 1.0), Signs("SR", 1.0)], True, ""),  # kept from the processor
        ([Signs("SR", 1.0), Signs("SR", 1.9)], True, ""),  # slow
        ([Signs("R", 1.0), Signs("R", 2.1)], True, "computed"),
        ([Signs("R", 1.0), Signs("R", 9.0)], False, ""),  # it still loads
        ([Signs("T", 1.0), Signs("T", 1.0)], False, "stopped"),
        ([Signs("TS", 1.0), Signs("ST", 1.0)], False, ""),
    ],
)
def test_the_rules(monkeypatch: pytest.MonkeyPatch, signs: list[Signs], begun: bool, trouble: str) -> None:
    now = [100.0]
    monkeypatch.setattr("core.service.workers.pulse.time.monotonic", lambda: now[0])
    found = Pulse(1)
    if begun:
        found.beat()
    told = ""
    for one in (signs[0], signs[0], signs[0], signs[1]):
        now[0] += 1.0
        monkeypatch.setattr(pulse, "signs_of", lambda _, one=one: one)
        told = found.trouble()
    assert trouble in told and bool(trouble) == bool(told)


def test_who_was_stopped_himself_blames_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("core.service.workers.pulse.time.monotonic", lambda: now[0])
    monkeypatch.setattr(pulse, "signs_of", lambda _: Signs("S", 1.0))
    found = Pulse(1)
    found.beat()
    now[0] += 1_000.0
    assert found.trouble() == ""
