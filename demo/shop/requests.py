"""The path of a request: its body, a fault that it meets, its key, the transaction."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request

from daybook.demo.listening import fault_in
from daybook.demo.shop import clock
from daybook.demo.shop.clock import Terms
from daybook.demo.shop.connection import Line
from daybook.demo.shop.faults import Abandoned, Fault, Place, Refusal, first_of
from daybook.demo.shop.keys import Answer
from daybook.demo.shop.settings import KeyRule
from daybook.demo.shop.world import World

LARGEST_BODY = 64 * 1024
LONGEST_KEY = 255

B = TypeVar("B", bound=BaseModel)


def world_of(request: Request) -> World:
    """Return the world that this application serves."""
    world: World = request.app.state.world
    return world


def line_of(request: Request) -> Line:
    """Return the connection that the request came on."""
    line: Line = request.state.line
    return line


async def raw_of(request: Request) -> bytes:
    """Read the body as it came.

    Raises Refusal (413 too_large), and Abandoned when the caller left before it was complete.
    """
    raw = bytearray()
    try:
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > LARGEST_BODY:
                raise Refusal(413, "too_large", "The body is too large.")
    except ClientDisconnect as gone:
        raise Abandoned from gone
    return bytes(raw)


async def body_of(request: Request, model: type[B]) -> B:
    """Read the JSON body as `model`.

    Raises Refusal: 400 malformed_json, 413 too_large, 422 invalid. Raises Abandoned when the
    caller left before the body was complete.
    """
    raw = await raw_of(request)
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise refused(error) from error


def query_of(request: Request, model: type[B]) -> B:
    """Read the query string as `model`; raise Refusal (422 invalid)."""
    try:
        return model.model_validate_strings(dict(request.query_params))
    except ValidationError as error:
        raise refused(error) from error


def key_of(request: Request) -> str | None:
    """Return the idempotency key of a request, if it has one; raise Refusal (422 invalid)."""
    key = request.headers.get("idempotency-key")
    if key is not None and not 1 <= len(key) <= LONGEST_KEY:
        raise Refusal(422, "invalid", f"A key has 1 to {LONGEST_KEY} characters.")
    return key


def refused(error: ValidationError) -> Refusal:
    """Refuse a request that is not as it must be."""
    where, why = fault_in(error)
    if error.errors()[0]["type"] == "json_invalid":
        return Refusal(400, "malformed_json", "The body is not JSON.")
    return Refusal(422, "invalid", f"{where}: {why}.", field=where)


Act: TypeAlias = Callable[[sqlite3.Connection, Terms, KeyRule], Answer]
"""What a request does inside the transaction, by the time and the rule for keys of that moment."""


@dataclass(frozen=True)
class Call:
    """One request for an effect: who asks, for what, under which key.

    `key` is what its turn is taken by; `ended` and `hurried` are the world's events of the moment
    when the request came in.
    """

    world: World
    line: Line
    place: Place
    reference: str
    key: str | None
    act: Act
    ended: asyncio.Event
    hurried: asyncio.Event

    @property
    def rule(self) -> KeyRule:
        """Return the endpoint's present rule for keys."""
        return self.world.settings.keys[self.place]


async def respond(call: Call) -> Answer:
    """Answer a request as the fault that it meets would have it.

    Raises Refusal (503) before any effect, and Abandoned where the caller gets no answer.
    """
    with call.world.faults.met(call.place, call.reference) as fault:
        return await (perform(call) if fault is None else spoilt(call, fault))


async def spoilt(call: Call, fault: Fault) -> Answer:
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
        case _:
            await perform_late(call, fault.lag(call.world.settings.longest_lag))
    raise Abandoned


async def perform(call: Call, delay: float = 0.0) -> Answer:
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
        call.world.changed.set()
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


def act(connection: sqlite3.Connection, call: Call) -> Answer:
    """Perform inside the transaction, at the time that it has now."""
    return call.act(connection, Terms(clock.now(), call.world.settings.hold_seconds), call.rule)


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
