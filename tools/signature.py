"""Schemas from signatures: they are never written twice."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from state.errors import DeclarationError, ToolRefused
from state.keys import normalise


def arguments_of(fn: Callable[..., Any]) -> type[BaseModel]:
    """Make the model of a tool's arguments from its signature, the keyword-only `ctx` left out.

    Descriptions and limits come from `Annotated[..., Field(...)]`. Unknown arguments are refused.

    Raises:
        DeclarationError: a parameter has no annotation.
    """
    hints = typing.get_type_hints(fn, include_extras=True)
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(fn).parameters.items():
        if name == "ctx":
            continue
        if name not in hints:
            raise DeclarationError(
                f"The parameter {name} of the tool {fn.__name__} has no annotation. "
                "Annotate it: the schema that the model sees is made from the signature."
            )
        empty = parameter.default is inspect.Parameter.empty
        fields[name] = (hints[name], ... if empty else parameter.default)
    return create_model(fn.__name__, __config__=ConfigDict(extra="forbid", title=""), **fields)


def checked(model: type[BaseModel], args: Mapping[str, Any]) -> dict[str, Any]:
    """Validate arguments and bring them to their normal form.

    Raises:
        ToolRefused: they do not fit; the sentence says which and why.
    """
    try:
        valid = model.model_validate(dict(args))
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(str(part) for part in fault['loc']) or 'arguments'}: {fault['msg']}"
            for fault in error.errors()
        )
        raise ToolRefused(f"The arguments do not fit: {faults}.") from error
    return normalise(valid.model_dump(mode="json", exclude_none=True))


def schema_of(name: str, description: str, model: type[BaseModel]) -> dict[str, Any]:
    """Write a tool as the model's provider reads it (OpenAI function format)."""
    parameters = model.model_json_schema()
    parameters.pop("title", None)
    for shown in parameters.get("properties", {}).values():
        shown.pop("title", None)
    parameters.setdefault("properties", {})
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }
