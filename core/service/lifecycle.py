"""The life of a run: one record with a version number, and every transition that it can make.

A record is the *request* (what was asked: query, budget, starter, quota) and the *state* (what has become of
it). Each function here takes a record and returns the next one; it reads no clock, no file and no queue.
`Store.change` applies it by compare-and-set: read, apply, write if the version is still the same, else try
again. So two processes that change a run at the same moment change it one after the other, and what the
second one decides rests on what the first has written. A transition that changes nothing returns the very
record it was given, and nothing is written.

    transition   from                            to                                   asked by
    submit       no record, ended, paused        queued, next attempt                 a visitor
    submit       queued, running                 the same, larger budget, no command  a visitor
    submit       ended for good, parked          the same, larger budget              a visitor
    stop         queued, paused                  stopped                              starter, operator
    stop         running                         running, command "stop"              starter, operator
    pause        running                         running, command "pause"             scheduler, nobody looks
    wake         paused, not parked              queued, next attempt                 a visitor who looks
    start_attempt  queued                        running                              a worker
    end_attempt  running, budget used up         finished; queued if more was asked   its worker
    end_attempt  running, trained or settled     finished                             its worker
    end_attempt  running, given back             by command: stopped, paused, queued  its worker
    end_attempt  running, failed or at a limit   failed, stopped                      its worker
    die          running                         by command: stopped, paused, queued  scheduler, worker died
    die          running, died too often         failed; stopped if that was asked    scheduler, worker died
    fail         queued, running                 failed                               scheduler
    park         queued, running                 paused, parked                       scheduler, disk full
    unpark       paused, parked                  queued, next attempt                 scheduler, disk free
    recover      running                         by command: stopped, paused, queued  a start: no worker left
    keep         no record, paused, not parked   paused                               a study, on its way
    keep         all but running                 finished, failed                     a study, at the end

What is asked of a worker is a *command* in the record and belongs to one *attempt*. The attempt's number
grows whenever a run becomes queued. A worker names the attempt that it works on in all it writes, and
`LateError` refuses it once the run is at a later one; a message "stop attempt 3" that comes late finds
attempt 4 and hits nobody. How a run that was given back ends is decided here, from the command, and not by
the worker: a stop that was withdrawn by a submit in the meantime stops nothing.
"""

from dataclasses import replace
from typing import Any

from .run_record import Record, Request, RunState

_FOR_GOOD = ("trained", "settled", "diverged")
"""Outcomes that a larger budget does not change."""

NOT_WATCHED = "Paused: nobody is watching. It continues as soon as somebody looks."
STOPPED = "Stopped by whoever started it, or by the server's administrator."
IN_A_STUDY = "It is being computed for a study."
PARKED = "Paused until there is space: the server's disk is full or gone. It continues by itself."


class LateError(Exception):
    """The run is at a later attempt than the one that somebody writes for, or no worker has it."""


def submit(record: Record | None, request: Request) -> Record:
    """Somebody asks for a run up to a budget.

    Parameters
    ----------
    record
        What is known of the run; None when it is new.
    request
        What is asked now, with its own budget, starter and quota.

    Returns
    -------
    Record
        With the largest budget asked for so far, and queued if there is something left to do. The record that
        was given when there is not.
    """
    if record is None:
        return Record(request)
    state, larger = record.state, request.epochs > record.request.epochs
    asked = replace(record.request, query=request.query, epochs=request.epochs) if larger else record.request
    if state.status in ("queued", "running"):
        if state.command == "stop":
            # The run was about to be given up: whoever asks for it again starts it.
            asked, state = replace(asked, starter=request.starter, quota=request.quota), state.but(deaths=0)
        elif larger:
            # Whoever asks for more of somebody else's run answers for it from now on.
            asked = replace(asked, quota=request.quota)
        if asked == record.request and not state.command:
            return record
        return replace(record, request=asked, state=state.but(command=""))
    if (
        state.outcome in _FOR_GOOD
        or (state.outcome == "budget" and asked.epochs <= state.epochs)
        or (state.status in ("stopped", "paused") and state.epoch >= request.epochs)
        or state.parked
    ):
        # Nothing to do, but files name the largest budget, by whichever way it came.
        return replace(record, request=asked) if larger else record
    # A run that is only paused stays its starter's, who alone may stop it.
    starter = record.request.starter if state.status == "paused" else request.starter
    asked = replace(asked, starter=starter, quota=request.quota)
    return _queued(replace(record, request=asked), deaths=0, reason="")


def stop(record: Record) -> Record:
    """Its starter, or whoever looks after the server, wants no more of it."""
    if record.status == "running":
        return record if record.state.command == "stop" else record.but(command="stop")
    if record.status in ("queued", "paused"):
        return record.but(status="stopped", reason=STOPPED, command="", parked=False)
    return record


def pause(record: Record) -> Record:
    """Nobody has looked at a running run for a while."""
    if record.status == "running" and not record.state.command:
        return record.but(command="pause")
    return record


def wake(record: Record, quota: str) -> Record:
    """Somebody looks at a run that was paused because nobody did, and answers for it from now on."""
    if not record.wakes:
        return record
    return _queued(replace(record, request=replace(record.request, quota=quota)), reason="")


def start_attempt(record: Record) -> Record:
    """A worker begins with a queued run. LateError when it is not queued."""
    if record.status != "queued":
        raise LateError(f"it is {record.status} and waits for no worker")
    return record.but(status="running", reason="", outcome="", command="")


def begin_anew(record: Record, attempt: int) -> Record:
    """The worker has thrown away frames that a recomputation contradicts."""
    return _at(record, attempt).but(replay_mismatch=False, seconds=0.0, frames=0)


def progressed(record: Record, attempt: int) -> Record:
    """A checkpoint lies behind the place where workers died: what killed them is not there any more."""
    current = _at(record, attempt)
    return current.but(deaths=0) if current.state.deaths else record


def end_attempt(record: Record, attempt: int, reached: RunState) -> Record:
    """The worker of an attempt is done with the run, and has got so far; still "running": it gives the run
    back. LateError when the run is at a later attempt."""
    known = _at(record, attempt).state
    now = replace(record, state=reached.but(attempt=attempt, command=known.command, deaths=known.deaths))
    raised = reached.outcome == "budget" and record.request.epochs > reached.epochs
    if reached.status != "running" and not raised:
        return now.but(command="")
    if raised:
        # More was asked for in the very moment in which the old budget was used up.
        now = now.but(outcome="", reason="")
    return _obeyed(now)


def die(record: Record, attempt: int, *, guilty: bool, most: int, reason: str) -> Record:
    """The worker that had the run is no more; `most` deaths over one run are too many.

    Parameters
    ----------
    guilty
        Whether the worker died of this run, and not of another one that it had as well.
    reason
        What is said of a run that is given up, with {deaths}.
    """
    if record.status != "running" or record.state.attempt != attempt:
        return record
    deaths = record.state.deaths + guilty
    if record.state.command == "stop":
        return _obeyed(record)
    if guilty and deaths >= most:
        text = reason.format(deaths=deaths)
        return record.but(status="failed", reason=text, outcome="", deaths=deaths, command="")
    return _obeyed(record.but(deaths=deaths))


def fail(record: Record, reason: str) -> Record:
    """It cannot be computed."""
    if record.status not in ("queued", "running"):
        return record
    return record.but(status="failed", reason=reason, outcome="", command="")


def park(record: Record) -> Record:
    """Nothing that it makes can be written for the time being."""
    if record.status not in ("queued", "running"):
        return record
    if record.state.command == "stop":
        return _obeyed(record)
    return record.but(status="paused", parked=True, reason=PARKED, command="")


def unpark(record: Record) -> Record:
    """There is space again."""
    if record.state.parked and record.status == "paused":
        return _queued(record, reason="")
    return record


def recover(record: Record) -> Record:
    """No worker is left from before, whatever the record says."""
    return _obeyed(record) if record.status == "running" else record


def keep(record: Record | None, request: Request, reached: RunState) -> Record:
    """A study has computed the run outside of the queue, up to the budget of its request or, still "running",
    on the way there.

    What somebody has stopped, or has been told to wait for, is not changed by a study that is on its way.
    """
    if record is not None and (record.status == "running" or record.request.epochs != request.epochs):
        return record
    on_its_way = reached.status == "running"
    if record is not None and on_its_way and not record.wakes:
        return record
    base = record or Record(request)
    kept = replace(base, state=reached.but(attempt=base.state.attempt, deaths=base.state.deaths))
    return kept.but(status="paused", reason=IN_A_STUDY, epochs=0.0) if on_its_way else kept


def damaged(record: Record, frames: int) -> Record:
    """The record as it must be seen when the store has so many whole frames of the run."""
    if record.status in ("queued", "running") or frames >= record.state.frames:
        return record
    reason = f"Its stored frames are damaged from frame {frames} on. Run it again to recompute them."
    return record.but(status="failed", reason=reason, outcome="", frames=frames)


def _at(record: Record, attempt: int) -> Record:
    """The record, if it is a worker's of this attempt."""
    if record.status != "running" or record.state.attempt != attempt:
        raise LateError(f"attempt {attempt} is over: the run is {record.status}, {record.state.attempt}")
    return record


def _obeyed(record: Record) -> Record:
    """A run that its worker has given back, or died over: what its command says."""
    match record.state.command:
        case "stop":
            return record.but(status="stopped", reason=STOPPED, command="")
        case "pause":
            return record.but(status="paused", reason=NOT_WATCHED, command="")
        case _:
            return _queued(record)


def _queued(record: Record, **changes: Any) -> Record:
    attempt = record.state.attempt + 1
    return record.but(status="queued", attempt=attempt, command="", parked=False, **changes)
