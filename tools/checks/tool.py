"""What a tool declares beside its arguments, checked against its signature."""

from __future__ import annotations

import math
import typing
from collections.abc import Callable
from string import Formatter
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from daybook.state.errors import DeclarationError
from daybook.tools.signature import hints_of


def check_returned(fn: Callable[..., Any], allowed: tuple[Any, ...], wanted: str) -> None:
    """Check that a tool is annotated to return what its kind must.

    Args:
        allowed: the types, one or several of them.
        wanted: says what to write instead.

    Raises:
        DeclarationError: it is annotated otherwise, or not at all.
    """
    returned = hints_of(fn).get("return")
    parts = typing.get_args(returned) or (returned,)
    if returned is not Any and not set(parts) <= set(allowed):
        raise DeclarationError(
            f"The tool {fn.__name__} is annotated to return {_named(returned)}, and must return "
            f"{wanted}."
        )


def _named(hint: Any) -> str:
    return "nothing" if hint is None else getattr(hint, "__name__", str(hint))


def check_tags(name: str, args: type[BaseModel], tags: tuple[str, ...]) -> None:
    """Check that tags are made of arguments that are always there.

    Raises:
        DeclarationError: a tag names another.
    """
    for tag in tags:
        for _, field, _, _ in Formatter().parse(tag):
            known = args.model_fields.get(field or "")
            if field is not None and (known is None or _may_be_none(known)):
                raise DeclarationError(
                    f"The tag {tag} of the tool {name} is made with {field!r}, which is no "
                    f"argument that is always there. Use one of {_always(args) or 'none'}, or a "
                    "tag without arguments."
                )


def _always(args: type[BaseModel]) -> list[str]:
    return [name for name, field in args.model_fields.items() if not _may_be_none(field)]


def _may_be_none(field: FieldInfo) -> bool:
    return type(None) in typing.get_args(field.annotation)


def check_lifetime(name: str, lifetime: Any) -> None:
    """Check how long a read's result may be repeated.

    Raises:
        DeclarationError: it is no number of seconds.
    """
    if not _is_seconds(lifetime):
        raise DeclarationError(
            f"The read {name} has lifetime={lifetime!r}, which is no number of seconds. Write "
            "@read(lifetime=60), or @read() where its result may never be repeated."
        )


def check_within(name: str, within: Any) -> None:
    """Check how long a read may take.

    Raises:
        DeclarationError: it is no number of seconds in which anything can be done.
    """
    if within is not None and (not _is_seconds(within) or within == 0):
        raise DeclarationError(
            f"The read {name} has within={within!r}, which is no number of seconds. Write "
            "@read(within=30), or leave it out: a read has `Patience.budget` then."
        )


def _is_seconds(given: Any) -> bool:
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return is_number and 0 <= given < math.inf
