"""The one place through which code of a domain is called.

Tools, probes, observations, renderers and whatever else a domain is made of are other people's
code: they may raise anything, at any moment, and may never end. What they raise becomes a refusal
in words, or something stated in its place, and no other exception leaves here. What an exception
says are other people's words: the operator finds them in the log, without secrets, and nobody else
is told more than its type.
"""

from __future__ import annotations

import asyncio
import logging
import sysconfig
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from daybook.state.clock import SYSTEM, Clock
from daybook.state.errors import ServiceUnavailable, ToolFailed, ToolRefused
from daybook.state.people.privacy import redacted

_LOG = logging.getLogger(__name__)

T = TypeVar("T")

UNABLE = (ToolRefused, ServiceUnavailable, ToolFailed)
"""What says that a call could not be done, in words that a model may read."""

_GRACE = 1.0
"""Seconds in which what is stopped may still end, and report what it knows."""

_LEFT: set[asyncio.Task[Any]] = set()
"""What would not end. The event loop alone would lose it, with a warning about that."""


async def heard(
    what: str, ask: Callable[[], Awaitable[T]], seconds: float, clock: Clock = SYSTEM
) -> T:
    """Call asynchronous code of others, and return what it gives, within a time.

    It runs in a task of its own: what swallows its cancellation is left behind, a moment after its
    time, and whoever waits for it goes on. Code that blocks (`time.sleep`, a driver without async)
    holds the whole event loop and cannot be stopped by anybody: run it in a thread of its own.

    Args:
        what: names it for the log.
        ask: makes the call.
        seconds: how long it may take; what it gives a moment later still counts.

    Raises:
        ToolRefused, ServiceUnavailable: it said so on purpose.
        ToolFailed: it raised anything else, whatever that is, or took too long.
        CancelledError: whoever called this was cancelled, and not the code itself.
        KeyboardInterrupt: a person ends the process.
    """
    running = asyncio.create_task(_caught(ask))
    is_late = False
    try:
        is_late = not await clock.ended(running, seconds)
    finally:
        # Also where we are cancelled: nothing of it may go on beside what is done next.
        if not running.done():
            await _stopped(what, running, clock)
    if is_late and not _has_value(running):
        _LOG.error("%s took longer than %g s", what, seconds)
        raise ToolFailed(f"it timed out after {seconds:g} s")
    if running.cancelled():
        raise _failed(what, asyncio.CancelledError())
    came = running.result()
    if came.error is not None:
        raise _failed(what, came.error)
    value: T = came.value
    return value


def made(what: str, make: Callable[[], T]) -> T:
    """Call code of others that asks nobody, and return what it makes.

    Args:
        what: names it for the log.
        make: makes the call, and whatever else its result must stand.

    Raises:
        ToolRefused, ServiceUnavailable: it said so on purpose.
        ToolFailed: it raised anything else, whatever that is.
        KeyboardInterrupt: a person ends the process.
    """
    try:
        return make()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _failed(what, error) from error


def made_or(otherwise: Callable[[], T], what: str, make: Callable[[], T]) -> T:
    """Call code of others that asks nobody; where it raises, return what is stated in its place.

    Args:
        otherwise: makes what is stated; code of ours.
        what, make: as for `made`.
    """
    try:
        return made(what, make)
    except UNABLE:
        return otherwise()


@contextmanager
def ours() -> Iterator[None]:
    """Mark what goes wrong in the block as our own, where code of others waits for it.

    A database that went away while a tool asked for the past is no fault of the tool.
    """
    try:
        yield
    except (*UNABLE, asyncio.CancelledError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise _Ours(error) from error


class _Ours(Exception):
    def __init__(self, error: BaseException) -> None:
        self.error = error
        super().__init__()


@dataclass(frozen=True)
class _Came:
    """What a call came to: a value, or what it raised."""

    value: Any = None
    error: BaseException | None = None


async def _caught(ask: Callable[[], Awaitable[Any]]) -> _Came:
    """Keep what is raised as a value: a task that raises SystemExit ends the event loop."""
    try:
        return _Came(value=await ask())
    except KeyboardInterrupt:
        raise
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return _Came(error=error)
    except BaseException as error:
        return _Came(error=error)


async def _stopped(what: str, running: asyncio.Task[_Came], clock: Clock) -> None:
    running.cancel()
    try:
        await clock.ended(running, _GRACE)
    finally:
        if not running.done():
            _LEFT.add(running)
            running.add_done_callback(_LEFT.discard)
            _LOG.error("%s does not end although it was stopped; it is left behind", what)


def _has_value(running: asyncio.Task[_Came]) -> bool:
    return running.done() and not running.cancelled() and running.result().error is None


def _failed(what: str, error: BaseException) -> BaseException:
    """Return what is raised instead of an error."""
    if isinstance(error, _Ours):
        return error.error
    if isinstance(error, ToolRefused | ServiceUnavailable):
        return error
    _LOG.error("%s failed: %s", what, redacted("".join(traceback.format_exception(error))))
    return ToolFailed(f"the tool failed ({type(error).__name__})", error)


_INSTALLED = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platlib", "purelib"))


def failed_in(error: BaseException) -> str:
    """Name an error's type, and the file and line of an adopter's own that it came from.

    Its words are left out: they may hold anything.
    """
    frames = [(one.filename, one.lineno) for one in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        frames = [(error.filename, error.lineno)]
    own = [one for one in frames if not one[0].startswith(("<", *_INSTALLED))]
    if not frames:
        return type(error).__name__
    file, line = (own or frames)[-1]
    return f"{type(error).__name__} in {Path(file).name}, line {line}"
