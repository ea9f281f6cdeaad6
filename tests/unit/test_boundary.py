"""Code of others is called through one place: it may raise anything, and may never end."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any

import httpx
import psycopg
import pytest

from daybook.state.errors import DatabaseUnavailable, ServiceUnavailable, ToolFailed, ToolRefused
from daybook.tools.boundary import heard, made, made_or, ours

LONG, SHORT = 60.0, 0.01
"""Seconds that are never over in a test, and such as are over at once."""


class Wordless(Exception):
    """Cannot even be written out."""

    def __str__(self) -> str:
        raise ValueError("no words")

    __repr__ = __str__


RAISED: dict[str, Callable[[], BaseException]] = {
    "a client's error": lambda: httpx.ReadError("peer closed"),
    "a mistake": lambda: KeyError("amount"),
    "a plain error": lambda: RuntimeError("boom"),
    "an error of the adopter's own database": lambda: psycopg.OperationalError("gone"),
    "a time limit of its own": lambda: TimeoutError(),
    "the end of an iteration": lambda: StopIteration(),
    "too deep": lambda: RecursionError(),
    "no memory": lambda: MemoryError(),
    "a group": lambda: ExceptionGroup("several", [ValueError(), ToolRefused("no")]),
    "a group of the worst": lambda: BaseExceptionGroup("several", [SystemExit(3)]),
    "an exit": lambda: SystemExit(3),
    "a cancellation": lambda: asyncio.CancelledError(),
    "an end of a generator": lambda: GeneratorExit(),
    "without words": lambda: Wordless(),
    "an error of ours that is the tool's": lambda: DatabaseUnavailable("mine"),
}

each = pytest.mark.parametrize("error", list(RAISED.values()), ids=list(RAISED))


def raising(error: Callable[[], BaseException]) -> Callable[[], Any]:
    def raises() -> Any:
        raise error()

    return raises


@each
async def test_whatever_is_raised_is_named_by_its_type_alone(error, caplog):
    async def ask() -> None:
        raise error()

    with pytest.raises(ToolFailed, match=r"^The tool failed \(\w+\)\. Continue with") as failed:
        await heard("the read rooms", ask, LONG)
    assert failed.value.why.startswith("the tool failed (")
    assert "the read rooms failed" in caplog.text
    assert asyncio.current_task().cancelling() == 0
    with pytest.raises(ToolFailed, match=rf"\({type(error()).__name__}\)"):
        made("the tail", raising(error))
    assert made_or(lambda: "plainly", "the tail", raising(error)) == "plainly"


@pytest.mark.parametrize("error", [ToolRefused("The room is full."), ServiceUnavailable("Away.")])
async def test_a_value_and_what_is_said_on_purpose_are_heard_as_they_are(error, caplog):
    async def ask() -> None:
        raise error

    async def says() -> str:
        return "Barn"

    assert await heard("a tool", says, LONG) == made("a tool", lambda: "Barn") == "Barn"
    with pytest.raises(type(error)) as said:
        await heard("a tool", ask, LONG)
    assert said.value is error
    with pytest.raises(type(error)):
        made("a tool", raising(lambda: error))
    assert made_or(lambda: 1, "a tool", raising(lambda: error)) == 1
    assert caplog.text == ""


@pytest.mark.parametrize("called", ["heard", "made"])
async def test_an_interruption_by_a_person_is_no_fault_of_a_tool(called):
    """Pressed while a tool computes: Python raises it in the middle of the tool's code."""

    async def ask() -> None:
        raise KeyboardInterrupt

    def in_a_loop_of_its_own() -> None:
        try:
            if called == "heard":
                asyncio.run(heard("a tool", ask, LONG))
            else:
                made("a tool", raising(KeyboardInterrupt))
        except KeyboardInterrupt:
            interrupted.set()

    interrupted = threading.Event()
    thread = threading.Thread(target=in_a_loop_of_its_own)
    thread.start()
    await asyncio.to_thread(thread.join)
    assert interrupted.is_set()


async def test_what_does_not_end_in_time_is_stopped_and_said_and_what_is_in_hand_then_counts():
    ended = asyncio.Event()

    async def ask() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def has_something_in_hand() -> str:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return "charged"

    with pytest.raises(ToolFailed, match=r"^It timed out after 0\.01 s\. Continue without it\.$"):
        await heard("a tool", ask, SHORT)
    assert ended.is_set()
    assert await heard("a tool", has_something_in_hand, SHORT) == "charged"


async def test_what_swallows_its_end_is_left_behind(caplog, monkeypatch):
    monkeypatch.setattr("daybook.tools.boundary._GRACE", SHORT)
    go_on, ended = asyncio.Event(), asyncio.Event()

    async def ask() -> None:
        while not go_on.is_set():
            try:
                await go_on.wait()
            except asyncio.CancelledError:
                continue
        ended.set()

    with pytest.raises(ToolFailed, match="timed out"):
        await heard("the read rooms", ask, SHORT)
    assert "the read rooms does not end although it was stopped" in caplog.text
    assert not ended.is_set()
    go_on.set()
    await ended.wait()


async def test_what_is_our_own_is_raised_as_it_is():
    """A database of ours that goes away while a tool asks for the past is no fault of the tool."""

    async def ask() -> None:
        with ours():
            raise psycopg.OperationalError("gone")

    with pytest.raises(psycopg.OperationalError, match="gone"):
        await heard("a tool", ask, LONG)

    def refused() -> None:
        with ours():
            raise ToolRefused("There is no r7.")

    with pytest.raises(ToolRefused, match="r7"):
        made("a tool", refused)


def test_the_operator_reads_what_was_raised_without_its_secrets(caplog):
    def fails() -> None:
        raise RuntimeError("GET https://ada:hunter22@shop/ with card 4111 1111 1111 1111: 500")

    with pytest.raises(ToolFailed) as failed:
        made("the read rooms", fails)
    assert "RuntimeError: GET https://" in caplog.text
    assert "in fails" in caplog.text, "and where"
    assert "hunter22" not in caplog.text
    assert "4111 1111" not in caplog.text
    assert "GET" not in str(failed.value)
