"""Call a tool's function: its arguments as typed values, its result as plain data.

The ledger holds JSON. A tool's author writes dates and models, and gets them.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from typing import Any, TypeAlias

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from daybook.state.effects.exact import Inexact, inexact
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.tools.boundary import made, made_or
from daybook.tools.signature import checked, keywords, understood

_LOG = logging.getLogger(__name__)

Function: TypeAlias = Callable[..., Awaitable[Any]]

_WHEN = TypeAdapter(datetime)


_UNKEPT = (TypeError, ValueError, RecursionError)
"""Raised where something cannot be kept."""


def jsonable(value: Any) -> Any:
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


def understanding(model: type[BaseModel], fn: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function whose first parameter are a tool's arguments what the tool makes of them."""

    @wraps(fn)
    def run(args: Mapping[str, Any], *more: Any, **given: Any) -> Any:
        return fn(understood(model, args), *more, **given)

    return run


def fitting(tool: str, args: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a model gives a tool as it was decided, once it fits.

    Raises:
        ToolRefused: it does not fit; the sentence says what.
        ToolFailed: the tool's own types failed on it.
    """
    return made(f"what checks the arguments of {tool}", lambda: checked(args, given))


def storable_mapping(given: Mapping[str, Any]) -> dict[str, Any]:
    """Write a mapping that code of others made as the ledger keeps it, and as questions show it.

    Raises:
        TypeError, ValueError, RecursionError: it is no mapping, or nobody could keep it.
    """
    data: dict[str, Any] = jsonable(dict(given))
    if why := inexact(data):
        raise Inexact(why)
    return data


def returning_data(fn: Function) -> Function:
    """Make a function that returns plain data."""

    @wraps(fn)
    async def run(*args: Any, **given: Any) -> Any:
        return jsonable(await fn(*args, **given))

    return run


def returning_matches(fn: Function) -> Function:
    """Make a probe whose matches are kept as results are."""

    @wraps(fn)
    async def run(*args: Any, **given: Any) -> Any:
        matches = await fn(*args, **given)
        if isinstance(matches, Mapping | str):
            # Empty, it would be an absence that nobody has spoken of.
            raise TypeError(f"a look-up returns a list of matches, not {type(matches).__name__}")
        return [_kept(match) for match in matches]

    return run


def returning_outcome(fn: Function) -> Callable[..., Awaitable[Outcome]]:
    """Make a function that returns an outcome, whatever it returned, as it can be written down.

    What is no outcome says nothing of what was done: it is unknown. So is a confirmation of which
    nothing can be kept, for nothing could be built on it.
    """

    @wraps(fn)
    async def run(*args: Any, **given: Any) -> Outcome:
        try:
            came = await fn(*args, **given)
        except (Declined, NotSent, Unknown) as said:
            came = said
        match came:
            case Confirmed(result=Mapping() as result):
                return _confirmed(result)
            case Declined(code=code, message=message, detail=detail) as declined:
                return replace(
                    declined, code=_words(code), message=_words(message), detail=_facts(detail)
                )
            case NotSent() | Unknown() as outcome:
                return replace(outcome, reason=_words(outcome.reason))
            case other:
                return Unknown(f"the tool returned {type(other).__name__}, which is not an outcome")

    return run


def _confirmed(result: Mapping[str, Any]) -> Outcome:
    """Confirm what can be kept as it is; what would be changed by it is no proof any more."""
    try:
        return Confirmed(_kept(result))
    except _UNKEPT as error:
        why = str(error) if isinstance(error, Inexact) else type(error).__name__
        return Unknown(f"an answer that cannot be stored: {why}")


def _words(given: Any) -> str:
    """Take words; of anything else, such as an error that was never written out, its type."""
    return given if isinstance(given, str) else type(given).__name__


def _facts(detail: Mapping[str, Any]) -> dict[str, Any]:
    """Write the facts of a refusal, which are for people: none where they cannot be kept."""
    try:
        return storable_mapping(detail)
    except _UNKEPT:
        return {}


def _kept(result: Mapping[str, Any]) -> dict[str, Any]:
    """Write a result as the ledger keeps it, with an `expires_at` that can be read.

    What is held is not built upon when it ends too soon; an end that cannot be read is left out.
    """
    data = storable_mapping(result)
    if (ends := data.pop("expires_at", None)) is not None and (when := _moment(ends)):
        data["expires_at"] = when
    return data


def _moment(given: Any) -> str | None:
    """Write a time in ISO 8601 with its zone, UTC where it names none; None if it is no time."""
    try:
        when = _WHEN.validate_python(given)
    except ValidationError:
        _LOG.warning("a result's expires_at is not a valid time; it is ignored")
        return None
    return when.replace(tzinfo=when.tzinfo or UTC).isoformat()


# -- tags: by which a write names the reads that it makes stale ------------------------------------


def tags_of(templates: Sequence[str], args: Mapping[str, Any]) -> list[str]:
    """Write the tags of a call from their templates and its arguments.

    A tag that needs an argument which was not given is left out: a tool that lets the provider
    say what is missing may be called without it, and then reads and changes nothing of that name.
    So is one that cannot be made of what was given. Nothing is raised: tags are made when the
    outcome of an effect is written down, and that may not be lost.
    """
    tags = (_tag(template, args) for template in templates)
    return [tag for tag in tags if tag is not None]


def _tag(template: str, args: Mapping[str, Any]) -> str | None:
    def written() -> str | None:
        try:
            return template.format_map(args)
        except KeyError:
            return None

    return made_or(lambda: None, f"the tag {template}", written)
