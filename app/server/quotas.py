"""How much one user, and one address before sign-in, may ask of this process.

Counts are kept in memory, by each process for itself, and bounded: of too many addresses, those
that have been silent for longest are forgotten.
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
    """Count what a user or an address does within a minute.

    Args:
        most: times a minute.
        kept: users or addresses that are remembered.
    """

    def __init__(self, most: int, clock: Clock, kept: int = _MOST_KEPT) -> None:
        self.most, self._clock, self._kept = most, clock, kept
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, name: str) -> float:
        """Return in how many seconds there is room for one more; 0 is now."""
        times = self._times.get(name)
        if times is None or len(times) < self.most:
            return 0.0
        return max(0.0, times[0] + _MINUTE - self._clock.monotonic())

    def check(self, name: str, why: str) -> None:
        """Refuse one that is too many.

        Raises:
            TooMany: there is no room for one more now.
        """
        if wait := self.wait(name):
            raise TooMany(why, wait)

    def count(self, name: str) -> None:
        """Count one."""
        times = self._times.setdefault(name, deque(maxlen=self.most))
        times.append(self._clock.monotonic())
        self._times.move_to_end(name)
        if len(self._times) > self._kept:
            self._times.popitem(last=False)


@dataclass(eq=False)
class UnfinishedRun:
    """A run that has not ended; without an id it is being created, or never was."""

    thread_id: str
    run_id: str | None = None


class Quotas:
    """What users and addresses may ask of this process.

    Args:
        is_over: given a thread, a run of it and its user, tells whether that run has ended.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        is_over: Callable[[str, str, str], Awaitable[bool]] = is_over,
    ) -> None:
        self._settings = settings
        self._is_over = is_over
        self._failures = Rate(settings.sign_in_failures, clock)
        self._unsigned = Rate(settings.sign_in_failures, clock)
        self._runs = Rate(settings.runs_a_minute, clock)
        self._threads = Rate(settings.runs_a_minute, clock)
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._unfinished: dict[str, list[UnfinishedRun]] = {}
        self._open: Counter[str] = Counter()

    def check_sign_in(self, scope: Mapping[str, Any], token: str) -> None:
        """Refuse an address from which too many sign-ins failed.

        A token that was valid lately is looked up all the same: guesses shut out no other user of
        the address.

        Raises:
            TooMany: too many sign-ins from this address failed.
        """
        if _digest(token) not in self._known:
            why = "This address has failed to sign in too often"
            self._failures.check(address_of(scope), why)

    def count_failure(self, scope: Mapping[str, Any], token: str) -> None:
        """Count a sign-in that failed."""
        self._known.pop(_digest(token), None)
        # A server in front may not tell it: nobody is shut out for all others.
        if address := address_of(scope):
            self._failures.count(address)

    def check_unsigned(self, scope: Mapping[str, Any]) -> None:
        """Refuse an address that sent too much without a good signature.

        Raises:
            TooMany: there was too much of it.
        """
        why = "Too much came from this address that is signed by nobody"
        self._unsigned.check(address_of(scope), why)

    def count_unsigned(self, scope: Mapping[str, Any]) -> None:
        """Count a request without a good signature."""
        if address := address_of(scope):
            self._unsigned.count(address)

    def count_request(self, scope: Mapping[str, Any], token: str, user_id: str) -> None:
        """Count a request of a user for as long as it is open.

        Raises:
            TooMany: this user has too many open.
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
        leaving.append(lambda: self._close_request(user_id))

    def count_run(self, user_id: str) -> None:
        """Count a run that a user asks for, where nobody can tell later whether it has ended.

        Raises:
            TooMany: there were too many within a minute.
        """
        most = self._runs.most
        why = f"You have begun {most} runs within a minute, and more may not be"
        self._runs.check(user_id, why)
        self._runs.count(user_id)

    def count_thread(self, user_id: str) -> None:
        """Count a thread that a user opens: the server keeps it even if it stays empty.

        Raises:
            TooMany: there were too many within a minute.
        """
        most = self._threads.most
        why = f"You have opened {most} threads within a minute, and more may not be"
        self._threads.check(user_id, why)
        self._threads.count(user_id)

    async def begin_run(
        self, user_id: str, thread_id: str, run_id: str | None = None
    ) -> UnfinishedRun:
        """Count a run that a user begins.

        Raises:
            TooMany: there were too many within a minute, or too many have not ended.
        """
        # What is refused below is counted too: each look-up of what has ended costs something.
        self.count_run(user_id)
        most = self._settings.runs_unfinished
        runs = self._unfinished.setdefault(user_id, [])
        for one in list(runs) if len(runs) >= most else ():
            if one.run_id is not None and await self._is_over(one.thread_id, one.run_id, user_id):
                self.end_run(user_id, one)
        # Nothing is awaited in between: of many that come at once no more get in than may.
        if len(runs) >= most:
            raise TooMany(f"You have {most} runs that have not ended, and more may not be", _SOON)
        run = UnfinishedRun(thread_id, run_id)
        runs.append(run)
        return run

    def end_run(self, user_id: str, run: UnfinishedRun) -> None:
        """Count a run no more: it has ended, or was not begun after all."""
        if run in self._unfinished.get(user_id, ()):
            self._unfinished[user_id].remove(run)

    def _close_request(self, user_id: str) -> None:
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
