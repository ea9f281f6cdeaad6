"""The faults of requests, and how requests wait in them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

Place = Literal[
    "holds", "releases", "charges", "refunds", "orders", "cancellations",
    "lookups", "mail", "sessions", "completions", "webhooks",
]  # fmt: skip
Mode = Literal["refuse", "timeout", "drop", "late", "slow", "held", "double", "forge"]


class Refusal(Exception):
    """Say no to a request: nothing was performed.

    `status` is the HTTP status, `code` the machine's word for the reason, `message` a sentence,
    `extra` more fields of the answer (such as how many are available).
    """

    def __init__(self, status: int, code: str, message: str, **extra: Any) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.extra = status, code, message, extra

    @property
    def body(self) -> dict[str, Any]:
        """Return the JSON body of the answer."""
        return {"error": self.code, "message": self.message, **self.extra}


class Abandoned(Exception):
    """A request ends without an answer: its caller is gone or the shop was reset."""


async def first_of(seconds: float, *events: asyncio.Event) -> None:
    """Wait until one of the events is set, at most `seconds`."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()


@dataclass
class Fault:
    """Spoil the next `times` requests at one place whose reference contains `match`.

    `seconds`: how long to stay silent (timeout), to lag (late), to wait (slow), or to keep the
    answer back (held).
    `beyond_settle`: whether a late effect may break the promise of the settling time.
    """

    place: Place
    mode: Mode
    seconds: float
    match: str = ""
    times: int = 1
    beyond_settle: bool = False

    def lag(self, longest: float) -> float:
        """Return the seconds that a late effect waits, at most `longest` unless asked to."""
        return self.seconds if self.beyond_settle else min(self.seconds, longest)

    def state(self) -> dict[str, Any]:
        """Return the fault in the shape of the answers."""
        told = dict(vars(self))
        return {"endpoint": told.pop("place"), **told}


class Faults:
    """Queue faults; they are lost with the process.

    `in_flight` counts the requests that a fault has met and not yet let go: at zero, nothing late
    is still to come.
    """

    def __init__(self) -> None:
        self._queue: list[Fault] = []
        self.in_flight = 0

    def add(self, fault: Fault) -> None:
        """Queue a fault behind those that wait already."""
        self._queue.append(fault)

    @contextmanager
    def met(self, place: Place, reference: str) -> Iterator[Fault | None]:
        """Give the oldest fault that a request meets, if any, and use it up once."""
        fitting = (one for one in self._queue if one.place == place and one.match in reference)
        fault = next(fitting, None)
        if fault is None:
            yield None
            return
        fault.times -= 1
        if fault.times == 0:
            self._queue.remove(fault)
        self.in_flight += 1
        try:
            yield fault
        finally:
            self.in_flight -= 1

    def clear(self) -> None:
        """Forget all faults that no request has met yet."""
        self._queue.clear()

    def state(self) -> dict[str, Any]:
        """Return the faults that still wait for a request, and how many requests are in one."""
        return {"faults": [fault.state() for fault in self._queue], "in_flight": self.in_flight}
