"""What is sent of arguments is all that was decided, and the same however often it is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, time
from typing import Any

from pydantic import AliasChoices, AliasPath, BaseModel

from daybook.state.errors import DeclarationError


def check_steady(name: str, args: type[BaseModel]) -> None:
    """Check that arguments come to the same for whoever sends them, and whenever.

    A process that takes over sends once more what another one sent. A set has another order there,
    and a default that is made anew (an id, the time) another value: other bytes under one key.

    Args:
        name: of the effect or plan.

    Raises:
        DeclarationError: they do not, or one of them has several names.
    """
    for argument, field in args.model_fields.items():
        if field.alias is not None or field.validation_alias is not None:
            raise DeclarationError(
                f"The argument {argument} of the tool {name} has other names (alias). What is "
                "decided, approved and sent has one: name it as the model is to write it, or take "
                "what Python cannot name with `**arguments: Any`."
            )
    for node in schema_nodes(args.__pydantic_core_schema__):
        kind = node.get("type")
        if kind == "set" or kind == "frozenset":
            raise DeclarationError(
                f"The tool {name} takes a set, which has another order in each process: what is "
                "sent again would not be what was sent. Write list[...]."
            )
        made = node.get("default_factory") if not node.get("default_factory_takes_data") else None
        if made is not None and not _is_steady(made):
            raise DeclarationError(
                f"The tool {name} takes something whose default_factory makes another each time: "
                "what is sent again would not be what was sent, and nobody has approved it. Make "
                "it in the tool from `ctx.key`, or let the model write it."
            )


def check_named(name: str, wanted: Iterable[str], args: type[BaseModel]) -> None:
    """Check that each parameter of a tool is an argument that can be given.

    Raises:
        DeclarationError: pydantic has another meaning for one of the names.
    """
    for argument in wanted:
        if argument not in args.model_fields:
            raise DeclarationError(
                f"The argument {argument} of the tool {name} has a name that pydantic keeps for "
                "itself, so it could never be given. Rename it."
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


def dropped_fields(valid: Any, given: Any, where: str = "") -> Iterator[str]:
    """Yield the places of what a nested model would drop of arguments: all of it is approved.

    A model drops what it does not know, unless it says otherwise (`extra`). What one makes of its
    input by itself (a validator before or around it) is its own.

    Args:
        valid: what pydantic made of `given`.
        where: names the place of both, with a dot behind it.
    """
    if isinstance(valid, BaseModel) and isinstance(given, Mapping):
        if _reads_by_itself(valid):
            return
        names = _names(valid)
        if valid.model_config.get("extra") is None:
            yield from (f"{where}{name}" for name in given if name not in names)
        for name, field in names.items():
            if name in given:
                yield from dropped_fields(vars(valid)[field], given[name], f"{where}{name}.")
    elif isinstance(valid, Mapping) and isinstance(given, Mapping):
        for name in given.keys() & valid.keys():
            yield from dropped_fields(valid[name], given[name], f"{where}{name}.")
    elif isinstance(valid, list | tuple) and isinstance(given, list | tuple):
        for number, (inner, decided) in enumerate(zip(valid, given, strict=False)):
            yield from dropped_fields(inner, decided, f"{where}{number}.")


def _names(valid: BaseModel) -> dict[str, str]:
    """Return by which names a model is given its fields."""
    names: dict[str, str] = {}
    config = valid.model_config
    by_name = config.get("populate_by_name") or config.get("validate_by_name")
    for field, about in type(valid).model_fields.items():
        aliases = about.validation_alias
        choices = aliases.choices if isinstance(aliases, AliasChoices) else [aliases]
        for one in choices:
            first = one.path[0] if isinstance(one, AliasPath) else one
            names[field if first is None else str(first)] = field
        if by_name:
            names[field] = field
    return names


def _reads_by_itself(valid: BaseModel) -> bool:
    validators = type(valid).__pydantic_decorators__.model_validators.values()
    return any(one.info.mode in ("before", "wrap") for one in validators)
