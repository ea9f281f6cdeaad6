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
    """Check that a tool is annotated to return one or several of the types that its kind must.

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
    always = [one for one, field in args.model_fields.items() if not _may_be_none(field)]
    for tag in tags:
        for _, field, _, _ in Formatter().parse(tag):
            if field is not None and field not in always:
                raise DeclarationError(
                    f"The tag {tag} of the tool {name} is made with {field!r}, which is no "
                    f"argument that is always there. Use one of {always or 'none'}, or a tag "
                    "without arguments."
                )


def _may_be_none(field: FieldInfo) -> bool:
    return type(None) in typing.get_args(field.annotation)


def check_seconds(name: str, *, lifetime: Any, within: Any) -> None:
    """Check how long a read's result may be repeated, and how long the read may take.

    Raises:
        DeclarationError: one of them is no number of seconds.
    """
    if not _is_seconds(lifetime) or not (within is None or (_is_seconds(within) and within)):
        raise DeclarationError(
            f"The read {name} has lifetime={lifetime!r} and within={within!r}, of which one is no "
            "number of seconds. Write @read(lifetime=60, within=30), or leave them out."
        )


def _is_seconds(given: Any) -> bool:
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return is_number and 0 <= given < math.inf
