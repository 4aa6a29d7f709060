"""Clients take turns."""

from hypothesis import given
from hypothesis import strategies as some

from core.service.queue import FairQueue


def anybody(client: str) -> bool:
    return True


def test_clients_take_turns() -> None:
    queue = FairQueue()
    for number in range(3):
        queue.push("a", f"a{number}")
    queue.push("b", "b0")
    queue.push("c", "c0")
    assert [queue.pop(anybody) for _ in range(6)] == ["a0", "b0", "c0", "a1", "a2", None]


def test_a_client_with_enough_running_waits() -> None:
    queue = FairQueue()
    queue.push("a", "a0")
    queue.push("b", "b0")
    assert queue.pop(lambda client: client != "a") == "b0"
    assert queue.pop(lambda client: client != "a") is None
    assert queue.pop(anybody) == "a0"


def test_a_run_that_was_begun_goes_first() -> None:
    queue = FairQueue()
    queue.push("a", "a0")
    queue.push("b", "b0")
    queue.push("b", "b1", front=True)
    assert [queue.pop(anybody) for _ in range(3)] == ["b1", "a0", "b0"]


def test_a_run_is_queued_once_and_can_be_taken_out() -> None:
    queue = FairQueue()
    queue.push("a", "x")
    queue.push("b", "x")
    assert len(queue) == 1 and "x" in queue
    assert queue.remove("x") and not queue.remove("x")
    assert queue.pop(anybody) is None


@given(some.lists(some.sampled_from("abcd"), max_size=30))
def test_the_position_is_the_number_of_runs_that_go_first(clients: list[str]) -> None:
    queue = FairQueue()
    for number, client in enumerate(clients):
        queue.push(client, str(number))
    positions = {str(number): queue.position(str(number)) for number in range(len(clients))}
    for place in range(len(clients)):
        run = queue.pop(anybody)
        assert run is not None and positions[run] == place
    assert queue.position("0") is None
