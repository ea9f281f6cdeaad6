"""What a nested type would drop of what was decided: a person approves all of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import AliasChoices, AliasPath, BaseModel


def left_out(valid: Any, given: Any, where: str = "") -> Iterator[str]:
    """Yield the places of what stands in arguments and in nothing that was made of them.

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
                yield from left_out(vars(valid)[field], given[name], f"{where}{name}.")
    elif isinstance(valid, Mapping) and isinstance(given, Mapping):
        for name in given.keys() & valid.keys():
            yield from left_out(valid[name], given[name], f"{where}{name}.")
    elif isinstance(valid, list | tuple) and isinstance(given, list | tuple):
        for number, (inner, decided) in enumerate(zip(valid, given, strict=False)):
            yield from left_out(inner, decided, f"{where}{number}.")


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
