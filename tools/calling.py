"""How a tool's function is called: its arguments typed again, what it returns as plain data.

The ledger holds JSON. A tool's author writes dates and models, and gets them.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from typing import Any, TypeAlias

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from state.errors import ToolRefused
from state.exact import inexact
from state.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from tools.signature import keywords

_LOG = logging.getLogger(__name__)

Function: TypeAlias = Callable[..., Awaitable[Any]]

_WHEN = TypeAdapter(datetime)

FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What a mistake in code raises."""


_NAMELESS = "The tool cannot tell which operation these arguments are about. Nothing was done."


def plain(value: Any) -> Any:
    """Write a value as JSON can hold it; what JSON cannot hold is named by its type."""
    return to_jsonable_python(value, fallback=lambda odd: f"<{type(odd).__name__}>")


def typed(fn: Function, args: type[BaseModel]) -> Function:
    """Give a function the arguments of its signature in place of JSON.

    Raises, when it is called:
        ToolRefused: the arguments do not fit.
    """

    @wraps(fn)
    async def run(*, ctx: Any, **given: Any) -> Any:
        return await fn(**keywords(args, given), ctx=ctx)

    return run


def refusing_faults(fn: Function) -> Function:
    """Make a function whose faults in its own code refuse the call: nothing was sent yet.

    One that ended the run would end every later run too, and would leave a person's answer unheard.
    What comes from outside (a database that is away) is raised as it is.

    Raises, when it is called:
        ToolRefused: it is faulty; the operator finds the fault in the log.
    """

    @wraps(fn)
    async def run(*args: Any, **given: Any) -> Any:
        try:
            return await fn(*args, **given)
        except FAULTS as fault:
            _LOG.exception("%s failed", fn.__name__)
            raise ToolRefused("The tool failed. Nothing was done; go on without.") from fault

    return run


def naming_operations(fn: Callable[[Mapping[str, Any]], str]) -> Callable[[Mapping[str, Any]], str]:
    """Make a function that names the operation of a call, or refuses the call.

    Raises, when it is called:
        ToolRefused: these arguments give no name.
    """

    @wraps(fn)
    def run(args: Mapping[str, Any]) -> str:
        try:
            name = fn(args)
        except FAULTS as fault:
            _LOG.exception("an operation cannot be named")
            raise ToolRefused(
                "The tool cannot tell what this is about. Nothing was done."
            ) from fault
        if not isinstance(name, str) or not name:
            raise ToolRefused("The tool cannot tell what this is about. Nothing was done.")
        return name

    return run


def returning_data(fn: Function) -> Function:
    """Make a function that returns plain data."""

    @wraps(fn)
    async def run(*args: Any, **given: Any) -> Any:
        return plain(await fn(*args, **given))

    return run


def returning_matches(fn: Function) -> Function:
    """Make a probe whose matches are kept as results are."""

    @wraps(fn)
    async def run(*args: Any, **given: Any) -> Any:
        return [_kept(match) for match in await fn(*args, **given)]

    return run


def returning_outcome(fn: Function) -> Callable[..., Awaitable[Outcome]]:
    """Make a function that returns an outcome, whatever it returned.

    What is no outcome says nothing of what was done: it is unknown.
    """

    @wraps(fn)
    async def run(*args: Any, **given: Any) -> Outcome:
        match await fn(*args, **given):
            case Confirmed(result=Mapping() as result):
                return _confirmed(result)
            case Declined(detail=detail) as declined:
                return replace(declined, detail=_facts(detail))
            case NotSent() | Unknown() as outcome:
                return outcome
            case other:
                return Unknown(f"the tool returned {type(other).__name__}, which says no outcome")

    return run


def _confirmed(result: Mapping[str, Any]) -> Outcome:
    """Confirm what can be kept as it is; what would be changed by it is no proof any more."""
    try:
        kept = _kept(result)
    except (RecursionError, TypeError, ValueError) as error:
        return Unknown(f"an answer that cannot be kept ({type(error).__name__})")
    why = inexact(kept)
    return Unknown(f"an answer that cannot be kept: {why}") if why else Confirmed(kept)


def _facts(detail: Mapping[str, Any]) -> dict[str, Any]:
    """Write the facts of a refusal, which are for people: none where they cannot be kept."""
    try:
        facts: dict[str, Any] = plain(dict(detail))
    except (RecursionError, TypeError, ValueError):
        return {}
    return {} if inexact(facts) else facts


def _kept(result: Mapping[str, Any]) -> dict[str, Any]:
    """Write a result as the ledger keeps it, with an `expires_at` that can be read.

    What is held is not built upon when it ends too soon; an end that cannot be read is left out.
    """
    kept: dict[str, Any] = plain(dict(result))
    if (ends := kept.pop("expires_at", None)) is not None and (when := _moment(ends)):
        kept["expires_at"] = when
    return kept


def _moment(given: Any) -> str | None:
    """Write a time in ISO 8601 with its zone, UTC where it names none; None if it is no time."""
    try:
        when = _WHEN.validate_python(given)
    except ValidationError:
        _LOG.warning("a result's expires_at is no time that can be read; it is left out")
        return None
    if when.tzinfo is not None and isinstance(given, str):
        return given if _is_iso(given) else when.isoformat()
    return when.replace(tzinfo=when.tzinfo or UTC).isoformat()


def _is_iso(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
