"""What one person and one address may ask of the server."""

import asyncio
import tracemalloc
from contextlib import suppress
from typing import Any

import pytest

from daybook.app.server.quotas import LEAVING, Quotas, Rate, address_of
from daybook.graph.settings.environment import settings_from
from daybook.state.clock import Clock
from daybook.state.errors import TooMany

FEW = {
    "DAYBOOK_RUNS_UNFINISHED": "3",
    "DAYBOOK_RUNS_A_MINUTE": "6",
    "DAYBOOK_OPEN_REQUESTS": "2",
    "DAYBOOK_SIGN_IN_FAILURES": "3",
}


class Hand(Clock):
    """A clock that is moved by hand."""

    seconds = 1_000.0

    def monotonic(self) -> float:
        return self.seconds


class Server:
    """The quotas of a server, and the runs of it that have ended."""

    def __init__(self, **limits: str) -> None:
        self.clock, self.ended, self.looks = Hand(), set[str](), 0
        self.quotas = Quotas(settings_from({**FEW, **limits}), self.clock, self._is_over)

    async def _is_over(self, thread_id: str, run_id: str, who: str) -> bool:
        self.looks += 1
        await self.clock.sleep(0)
        return run_id in self.ended


def scope(address: str = "192.0.2.1") -> dict[str, Any]:
    return {"client": (address, 1), LEAVING: []}


async def test_so_many_runs_may_be_unfinished_and_others_are_not_held_up():
    server = Server()
    for run in "123":
        await server.quotas.begin_run("ada", "thread", run)
    assert server.looks == 0, "nothing is looked up for who has room"
    with pytest.raises(TooMany, match=r"3 runs .* Nothing was done; come back in 5 seconds") as no:
        await server.quotas.begin_run("ada", "thread", "4")
    assert no.value.seconds == 5
    await server.quotas.begin_run("ben", "another", "5")
    server.ended.add("2")
    await server.quotas.begin_run("ada", "thread", "6")


async def test_of_many_runs_at_once_no_more_get_in_than_may():
    server = Server(DAYBOOK_RUNS_A_MINUTE="100")
    server.ended.update("123")
    for run in "123":
        await server.quotas.begin_run("ada", "thread", run)
    came = [server.quotas.begin_run("ada", "thread", f"late {n}") for n in range(20)]
    answers = await asyncio.gather(*came, return_exceptions=True)
    assert sum(not isinstance(one, TooMany) for one in answers) == 3


async def test_a_run_that_could_not_be_created_takes_no_room():
    server = Server()
    runs = [await server.quotas.begin_run("ada", "thread") for _ in "123"]
    with pytest.raises(TooMany):
        await server.quotas.begin_run("ada", "thread")
    server.quotas.end_run("ada", runs[0])
    await server.quotas.begin_run("ada", "thread")


async def test_so_many_runs_a_minute_and_who_waits_is_let_in_again():
    server = Server(DAYBOOK_RUNS_UNFINISHED="100")
    for run in range(6):
        await server.quotas.begin_run("ada", "thread", str(run))
        server.clock.seconds += 5
    for _ in range(50):
        with pytest.raises(TooMany, match="within a minute") as no:
            await server.quotas.begin_run("ada", "thread", "late")
    assert no.value.seconds == 30, "the first was 30 seconds ago"
    await server.quotas.begin_run("ben", "another", "his")
    server.clock.seconds += no.value.seconds
    await server.quotas.begin_run("ada", "thread", "late")


async def test_who_is_refused_again_and_again_makes_nobody_look_runs_up_for_it():
    server = Server()
    for run in range(1_000):
        with suppress(TooMany):
            await server.quotas.begin_run("ada", "thread", str(run))
    assert server.looks <= 3 * 6


def test_so_many_requests_may_be_open_until_they_end():
    quotas = Server().quotas
    first, second = scope(), scope()
    quotas.count_request(first, "a", "ada")
    quotas.count_request(second, "b", "ada")
    with pytest.raises(TooMany, match="2 requests and streams open"):
        quotas.count_request(scope(), "a", "ada")
    quotas.count_request(scope(), "c", "ben")
    for left in first[LEAVING]:
        left()
    quotas.count_request(scope(), "a", "ada")


def test_an_address_that_fails_to_sign_in_is_not_asked_again_for_a_while():
    server = Server()
    for _ in range(3):
        server.quotas.check_sign_in(scope(), "guess")
        server.quotas.count_failure(scope(), "guess")
    with pytest.raises(TooMany, match="come back in 60 seconds"):
        server.quotas.check_sign_in(scope(), "another guess")
    server.quotas.check_sign_in(scope("192.0.2.2"), "guess")
    server.clock.seconds += 60
    server.quotas.check_sign_in(scope(), "guess")


def test_who_is_known_is_let_in_from_an_address_where_others_guess():
    quotas = Server().quotas
    quotas.count_request(scope(), "good", "ada")
    for _ in range(10):
        quotas.count_failure(scope(), "guess")
    quotas.check_sign_in(scope(), "good")
    quotas.count_failure(scope(), "good")
    with pytest.raises(TooMany):
        quotas.check_sign_in(scope(), "good")


def test_a_server_that_tells_no_address_shuts_nobody_out():
    """As Aegra, which hands on the headers alone."""
    quotas = Server().quotas
    for _ in range(10):
        quotas.count_failure({"headers": []}, "guess")
    quotas.check_sign_in({"headers": []}, "good")


def test_a_flood_of_addresses_takes_no_more_memory_than_some_of_them():
    rate = Rate(20, Hand(), kept=100)
    for number in range(1_000):
        rate.count(f"address {number}")
    tracemalloc.start()
    for number in range(20_000):
        rate.count(f"address {number}")
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < 200_000
    rate = Rate(1, Hand(), kept=2)
    for one in ("first", "second", "first", "third"):
        rate.count(one)
    waits = {one: bool(rate.wait(one)) for one in ("first", "second", "third")}
    assert waits == {"first": True, "second": False, "third": True}, "the most silent is forgotten"


def test_who_has_a_whole_network_of_addresses_is_one():
    assert address_of(scope("2001:db8::1")) == address_of(scope("2001:db8::2:3"))
    assert address_of(scope("2001:db8::1")) != address_of(scope("2001:db8:0:1::1"))
    assert address_of(scope("192.0.2.1")) != address_of(scope("192.0.2.2"))


def test_an_address_whose_words_nobody_signed_is_not_heard_for_a_while():
    server = Server()
    for _ in range(3):
        server.quotas.check_unsigned(scope())
        server.quotas.count_unsigned(scope())
    with pytest.raises(TooMany, match="signed by nobody"):
        server.quotas.check_unsigned(scope())
    server.quotas.check_unsigned(scope("192.0.2.2"))
    server.quotas.check_sign_in(scope(), "a token")
    server.clock.seconds += 61
    server.quotas.check_unsigned(scope())


def test_so_many_threads_are_opened_a_minute_and_runs_go_on():
    server = Server()
    for _ in range(6):
        server.quotas.count_thread("ada")
    with pytest.raises(TooMany, match="6 threads"):
        server.quotas.count_thread("ada")
    server.quotas.count_thread("ben")
    server.quotas.count_run("ada")
    server.clock.seconds += 61
    server.quotas.count_thread("ada")
