"""How much one person, and one address before sign-in, may ask of this process.

What is counted is kept in memory, and by each process for itself. How much that takes is bounded:
of too many addresses, those that have been silent for longest are forgotten.
"""

from __future__ import annotations

import hashlib
import ipaddress
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from daybook.app.server.inside import is_over
from daybook.graph.serve import at_work
from daybook.graph.settings.environment import Settings, settings_from
from daybook.state.clock import Clock
from daybook.state.errors import TooMany

LEAVING = "daybook.leaving"
"""Where a request's scope holds what is to be called when it has been answered."""

_MINUTE = 60.0
_SOON = 5
"""Seconds after which a run may have ended: nobody knows when one does."""

_MOST_KEPT = 10_000
_NETWORK_BITS = 64
"""Of an IPv6 address, those that are given to one customer of a network."""


class Rate:
    """Count what somebody does within a minute.

    Args:
        most: times a minute.
        kept: people or addresses that are remembered.
    """

    def __init__(self, most: int, clock: Clock, kept: int = _MOST_KEPT) -> None:
        self._most, self._clock, self._kept = most, clock, kept
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, who: str) -> float:
        """Return in how many seconds there is room for one more; 0 is now."""
        times = self._times.get(who)
        if times is None or len(times) < self._most:
            return 0.0
        return max(0.0, times[0] + _MINUTE - self._clock.monotonic())

    def count(self, who: str) -> None:
        """Count one."""
        times = self._times.setdefault(who, deque(maxlen=self._most))
        times.append(self._clock.monotonic())
        self._times.move_to_end(who)
        if len(self._times) > self._kept:
            self._times.popitem(last=False)


@dataclass(eq=False)
class Begun:
    """A run that somebody began; without an id it is being created, or never was."""

    thread_id: str
    run_id: str | None = None


class Unfinished:
    """Know the runs that a person began and that have not ended.

    They are looked up only where somebody has as many as one may have.

    Args:
        is_over: tells of a thread, a run of it and whose it is whether that run has ended.
    """

    def __init__(self, most: int, is_over: Callable[[str, str, str], Awaitable[bool]]) -> None:
        self._most, self._is_over = most, is_over
        self._runs: dict[str, list[Begun]] = {}

    async def begin(self, who: str, run: Begun) -> bool:
        """Count a run; tell whether there was room for it."""
        for one in list(self._runs.get(who, ())) if self._is_full(who) else ():
            if one.run_id is not None and await self._is_over(one.thread_id, one.run_id, who):
                self.end(who, one)
        # Nothing is awaited in between: of many that come at once no more get in than may.
        if self._is_full(who):
            return False
        self._runs.setdefault(who, []).append(run)
        return True

    def end(self, who: str, run: Begun) -> None:
        """Count a run no more."""
        if run in self._runs.get(who, ()):
            self._runs[who].remove(run)

    def _is_full(self, who: str) -> bool:
        return len(self._runs.get(who, ())) >= self._most


class Quotas:
    """What people and addresses may ask of this process."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        is_over: Callable[[str, str, str], Awaitable[bool]] = is_over,
    ) -> None:
        self._settings = settings
        self._failures = Rate(settings.sign_in_failures, clock)
        self._strangers = Rate(settings.sign_in_failures, clock)
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._rate = Rate(settings.runs_a_minute, clock)
        self._threads = Rate(settings.runs_a_minute, clock)
        self._unfinished = Unfinished(settings.runs_unfinished, is_over)
        self._open: Counter[str] = Counter()

    def check_sign_in(self, scope: Mapping[str, Any], token: str) -> None:
        """Let in who may try to sign in.

        A token that was good is looked up whatever comes from its address: who guesses there shuts
        nobody out who shares it.

        Raises:
            TooMany: too many who came from this address could not be signed in.
        """
        wait = self._failures.wait(address_of(scope))
        if wait and _digest(token) not in self._known:
            raise TooMany("This address has failed to sign in too often", wait)

    def failed(self, scope: Mapping[str, Any], token: str) -> None:
        """Count a sign-in that failed."""
        self._known.pop(_digest(token), None)
        # A server in front may not tell it: nobody is shut out for all others.
        if address := address_of(scope):
            self._failures.count(address)

    def check_stranger(self, scope: Mapping[str, Any]) -> None:
        """Let speak who signs in nowhere, and is known by what they sign.

        Raises:
            TooMany: too much came from this address that nobody had signed who is known.
        """
        if wait := self._strangers.wait(address_of(scope)):
            raise TooMany("Too much came from this address that is signed by nobody", wait)

    def stranger_refused(self, scope: Mapping[str, Any]) -> None:
        """Count something that nobody had signed who is known."""
        if address := address_of(scope):
            self._strangers.count(address)

    def signed_in(self, scope: Mapping[str, Any], token: str, user_id: str) -> None:
        """Count a request of a person for as long as it is open.

        Raises:
            TooMany: this person has too many open.
        """
        self._known[_digest(token)] = None
        self._known.move_to_end(_digest(token))
        if len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)
        leaving = scope.get(LEAVING)
        if leaving is None:
            return
        most = self._settings.open_requests
        if self._open[user_id] >= most:
            raise TooMany(f"You have {most} requests and streams open, and more may not be", _SOON)
        self._open[user_id] += 1
        leaving.append(lambda: self._left(user_id))

    def asked(self, user_id: str) -> None:
        """Count a run that a person asks for, where nobody can tell later whether it has ended.

        Raises:
            TooMany: there were too many within a minute.
        """
        if wait := self._rate.wait(user_id):
            most = self._settings.runs_a_minute
            raise TooMany(f"You have begun {most} runs within a minute, and more may not be", wait)
        self._rate.count(user_id)

    def opens_thread(self, user_id: str) -> None:
        """Count a thread that a person opens: the server keeps it, whether anything is said or not.

        Raises:
            TooMany: there were too many within a minute.
        """
        if wait := self._threads.wait(user_id):
            most = self._settings.runs_a_minute
            raise TooMany(
                f"You have opened {most} threads within a minute, and more may not be", wait
            )
        self._threads.count(user_id)

    async def begin(self, user_id: str, thread_id: str, run_id: str | None = None) -> Begun:
        """Count a run that a person begins.

        Raises:
            TooMany: there were too many within a minute, or too many have not ended.
        """
        # What is refused below is counted too: each look at what has ended costs something.
        self.asked(user_id)
        run = Begun(thread_id, run_id)
        if not await self._unfinished.begin(user_id, run):
            most = self._settings.runs_unfinished
            raise TooMany(f"You have {most} runs that have not ended, and more may not be", _SOON)
        return run

    def not_begun(self, user_id: str, run: Begun) -> None:
        """Count a run no more that was not begun after all."""
        self._unfinished.end(user_id, run)

    def _left(self, user_id: str) -> None:
        self._open[user_id] -= 1
        if not self._open[user_id]:
            del self._open[user_id]


def quotas() -> Quotas:
    """Return those of what this process serves."""
    return _of(at_work()().clock)


@lru_cache(maxsize=1)
def _of(clock: Clock) -> Quotas:
    return Quotas(settings_from(), clock)


def address_of(scope: Mapping[str, Any]) -> str:
    """Return from where a request comes: an IPv4 address, or the network of an IPv6 one."""
    host = str((scope.get("client") or ("",))[0])
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    return str(ipaddress.ip_network((int(address), _NETWORK_BITS), strict=False))


def seconds_of(refusal: TooMany) -> dict[str, str]:
    """Return the header that says when to come back."""
    return {"Retry-After": str(refusal.seconds)}


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
