import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TypeAlias

from daybook.demo.shop.door.connection import Line
from daybook.demo.shop.effects import keys, terms
from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.faults import Fault, Place
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.settings import KeyRule
from daybook.demo.shop.waiting import Abandoned, first_of
from daybook.demo.shop.world import World

Act: TypeAlias = Callable[[sqlite3.Connection, Terms, KeyRule], keys.Answer]
"""What a request does inside the transaction, by the time and the rule for keys of that moment."""


@dataclass(frozen=True)
class Call:
    """One request for an effect: who asks, for what, under which key.

    `key` is what its turn is taken by; `ended` and `hurried` are the world's events of the moment
    when the request came in; `otherwise` makes what is done where a fault is of this place alone.
    """

    world: World
    line: Line
    place: Place
    reference: str
    key: str | None
    act: Act
    ended: asyncio.Event
    hurried: asyncio.Event
    otherwise: Callable[[Fault], Act] | None = None

    @property
    def rule(self) -> KeyRule:
        """Return the endpoint's present rule for keys."""
        return self.world.settings.keys[self.place]


async def answer(call: Call) -> keys.Answer:
    """Answer a request as the fault that it meets would have it.

    Raises Refusal (503) before any effect, and Abandoned where the caller gets no answer.
    """
    with call.world.faults.met(call.place, call.reference) as fault:
        return await (perform(call) if fault is None else spoilt(call, fault))


async def spoilt(call: Call, fault: Fault) -> keys.Answer:
    """Do what the fault says; raise Refusal (503) before any effect, or Abandoned."""
    match fault.mode:
        case "refuse":
            raise Refusal(503, "unavailable", "The service is unavailable.")
        case "slow":
            return await perform(call, delay=fault.seconds)
        case "held":
            performed = await perform(call)
            await first_of(fault.seconds, call.line.gone, call.ended, call.hurried)
            return performed
        case "timeout":
            await perform(call)
            await first_of(fault.seconds, call.line.gone, call.ended, call.hurried)
        case "drop":
            await perform(call)
        case "late":
            await perform_late(call, fault.lag(call.world.settings.longest_lag))
        case _:
            assert call.otherwise is not None, "a fault is queued only where it is known"
            return await perform(replace(call, act=call.otherwise(fault)))
    raise Abandoned


async def perform(call: Call, delay: float = 0.0) -> keys.Answer:
    """Perform after `delay` seconds, once for each key.

    Raises Abandoned, with nothing performed, when the caller left while another request was at
    work on the key, or when the world ended.
    """
    async with turn(call):
        if delay:
            await pause(call, delay)
        if call.ended.is_set():
            raise Abandoned
        answer = await call.world.database.transact(lambda connection: act(connection, call))
        call.world.happened()
        return answer


async def perform_late(call: Call, seconds: float) -> None:
    """Perform `seconds` after the caller's connection is gone.

    A caller that does not give up by itself within `seconds` has its connection cut.
    """
    await first_of(seconds, call.line.gone, call.ended, call.hurried)
    await call.line.cut()
    await first_of(seconds, call.ended, call.hurried)
    await perform(call)


async def pause(call: Call, seconds: float) -> None:
    """Wait, but not past the promised settling time once the caller is gone."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    await first_of(seconds, call.line.gone, call.ended, call.hurried)
    left = min(until - loop.time(), call.world.settings.longest_lag)
    if left > 0:
        await first_of(left, call.ended, call.hurried)


def turn(call: Call) -> AbstractAsyncContextManager[None]:
    """Return the turn that this request has to wait for: none when its key means nothing."""
    if call.key is None or not call.rule.honours_key:
        return nullcontext()
    return call.world.turns.take(call.place, call.key, call.line.gone)


def act(connection: sqlite3.Connection, call: Call) -> keys.Answer:
    """Perform inside the transaction, at the time that it has now."""
    return call.act(connection, terms.present(call.world.settings.hold_seconds), call.rule)


async def spoil_look_up(world: World, line: Line, reference: str) -> None:
    """Let a look-up meet its fault: a probe may be unreachable just when it is needed.

    Raises Refusal (503) or Abandoned. There is no effect that could come late, so timeout and
    late are silence alone.
    """
    ended, hurried = world.ended, world.hurried
    with world.faults.met("lookups", reference) as fault:
        if fault is None:
            return
        if fault.mode == "refuse":
            raise Refusal(503, "unavailable", "The service is unavailable.")
        if fault.mode != "drop":
            await first_of(fault.seconds, line.gone, ended, hurried)
        if fault.mode not in ("slow", "held") or ended.is_set():
            raise Abandoned
