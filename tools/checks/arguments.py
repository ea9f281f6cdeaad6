"""Check that a tool sends exactly the arguments that were decided, the same in every attempt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, time
from typing import Any

from pydantic import BaseModel

from daybook.state.errors import DeclarationError


def check_steady(name: str, args: type[BaseModel]) -> None:
    """Check that arguments come to the same for whoever sends them, and whenever.

    A process that takes over sends once more what another one sent. A set has another order there,
    and a default that is made again (an id, the time) another value: other bytes under one key.

    Raises:
        DeclarationError: they do not, or one of them has several names.
    """
    for argument, field in args.model_fields.items():
        if field.alias is not None or field.validation_alias is not None:
            raise DeclarationError(
                f"The argument {argument} of the tool {name} has an alias. An argument needs one "
                "name for decision, approval and request: use the name that the model writes, or "
                "take names that Python does not allow with `**arguments: Any`."
            )
    for node in schema_nodes(args.__pydantic_core_schema__):
        made = node.get("default_factory") if not node.get("default_factory_takes_data") else None
        if node.get("type") in ("set", "frozenset"):
            what = "a set, which has another order in each process. Write list[...]"
        elif made is not None and not _is_steady(made):
            what = (
                "something whose default_factory makes another each time, which nobody has "
                "approved. Make it in the tool from `ctx.key`, or let the model write it"
            )
        else:
            continue
        raise DeclarationError(
            f"A retry would not send the same arguments: the tool {name} takes {what}."
        )


def check_named(name: str, wanted: Iterable[str], args: type[BaseModel]) -> None:
    """Check that each parameter of a tool is an argument that can be given.

    Raises:
        DeclarationError: pydantic has another meaning for one of the names.
    """
    for argument in wanted:
        if argument not in args.model_fields:
            raise DeclarationError(
                f"The argument {argument} of the tool {name} has a name that pydantic reserves. "
                "Rename it."
            )


def _is_steady(made: Callable[[], Any]) -> bool:
    try:
        first, second = made(), made()
    except Exception:
        # It fails where arguments are read, in words, and nothing is sent.
        return True
    return bool(first == second) and not isinstance(first, date | time)


def schema_nodes(schema: Any, seen: set[int] | None = None) -> Iterator[Mapping[str, Any]]:
    """Yield the parts of a core schema of pydantic, those of nested models among them."""
    seen = set() if seen is None else seen
    if id(schema) in seen:
        return
    if isinstance(schema, Mapping):
        seen.add(id(schema))
        yield schema
        for key, inner in schema.items():
            # How it is written out, and what pydantic notes, is no part of what is taken.
            if key not in ("serialization", "metadata"):
                yield from schema_nodes(inner, seen)
    elif isinstance(schema, list | tuple):
        seen.add(id(schema))
        for inner in schema:
            yield from schema_nodes(inner, seen)
