"""Schemas from signatures: they are never written twice."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.errors import PydanticUserError

from state.errors import DeclarationError, ToolRefused
from state.faults import faults_of
from state.keys import normalise, unkept


def arguments_of(fn: Callable[..., Any]) -> type[BaseModel]:
    """Make the model of a tool's arguments from its signature, the keyword-only `ctx` left out.

    Descriptions and limits come from `Annotated[..., Field(...)]`. Unknown arguments are refused.

    Raises:
        DeclarationError: there is no `ctx`, or a parameter cannot be written as a schema.
    """
    hints = hints_of(fn)
    parameters = dict(inspect.signature(fn).parameters)
    if parameters.pop("ctx", None) is None:
        raise DeclarationError(
            f"The tool {fn.__name__} takes no `ctx`, by which it reaches its services and its key. "
            "Write `*, ctx: ReadContext[...]` (reads, changes), PlanContext (plans) or "
            "EffectContext (writes, hybrids) as its last parameter."
        )
    fields: dict[str, Any] = {}
    for name, parameter in parameters.items():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise DeclarationError(
                f"The parameter {name} of the tool {fn.__name__} is {parameter.kind.description}. "
                "Name each argument: the schema that the model sees is made from the signature."
            )
        if name not in hints:
            raise DeclarationError(
                f"The parameter {name} of the tool {fn.__name__} has no annotation. "
                "Annotate it: the schema that the model sees is made from the signature."
            )
        empty = parameter.default is inspect.Parameter.empty
        fields[name] = (hints[name], ... if empty else parameter.default)
    try:
        model: type[BaseModel] = create_model(
            fn.__name__, __config__=ConfigDict(extra="forbid", title=""), **fields
        )
        model.model_json_schema()
    except (PydanticUserError, NameError) as error:
        raise DeclarationError(
            f"The model cannot be shown the arguments of the tool {fn.__name__}: "
            f"{str(error).splitlines()[0]} Annotate them with types that JSON can hold: text, "
            "numbers, dates, lists, pydantic models."
        ) from error
    return model


def hints_of(fn: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of a tool, `Annotated` included.

    Raises:
        DeclarationError: one of them names something that is not there when it runs.
    """
    try:
        return typing.get_type_hints(fn, include_extras=True)
    except NameError as error:
        raise DeclarationError(
            f"An annotation of the tool {fn.__name__} cannot be read: {error}. Import it at the "
            "top of its module, not under TYPE_CHECKING and not in a function."
        ) from error


def checked(model: type[BaseModel], args: Mapping[str, Any]) -> dict[str, Any]:
    """Validate arguments and bring them to their normal form.

    Raises:
        ToolRefused: they do not fit; the sentence says which and why.
    """
    try:
        valid = model.model_validate(dict(args))
    except ValidationError as error:
        raise ToolRefused(f"The arguments do not fit: {faults_of(error, 'arguments')}.") from error
    normal = normalise(valid.model_dump(mode="json", exclude_none=True))
    # Again: text that a model wrote for a number was no number before.
    if why := unkept(normal):
        raise ToolRefused(f"The arguments cannot be taken: {why}.")
    return normal


def keywords(model: type[BaseModel], args: Mapping[str, Any]) -> dict[str, Any]:
    """Give normalised arguments the types of the signature again: a date is a date.

    Raises:
        ToolRefused: they do not fit.
    """
    try:
        valid = model.model_validate(dict(args))
    except ValidationError as error:
        raise ToolRefused(f"The arguments do not fit: {faults_of(error, 'arguments')}.") from error
    return {name: getattr(valid, name) for name in model.model_fields}


def takes_unnamed(model: type[BaseModel]) -> bool:
    """Tell whether a tool takes whatever it is given and leaves it to the other side to judge."""
    return model.model_config.get("extra") == "allow"


def order_of_unnamed(model: type[BaseModel], args: Mapping[str, Any]) -> list[str]:
    """Name the arguments that a tool takes without knowing them, in order; none without a second.

    An object of JSON in the database has no order, and the other side may go by it.
    """
    unnamed = [name for name in args if name not in model.model_fields]
    return unnamed if takes_unnamed(model) and len(unnamed) > 1 else []


def schema_of(name: str, description: str, model: type[BaseModel]) -> dict[str, Any]:
    """Write a tool as the model's provider reads it (OpenAI function format)."""
    parameters = model.model_json_schema()
    parameters.pop("title", None)
    properties = parameters.setdefault("properties", {})
    for field, shown in properties.items():
        shown.pop("title", None)
        properties[field] = _without_null(shown)
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


def _without_null(shown: dict[str, Any]) -> dict[str, Any]:
    """Write an argument that may be left out as what it is otherwise: every token is sent often."""
    kinds = [kind for kind in shown.get("anyOf", ()) if kind != {"type": "null"}]
    if shown.get("default", ...) is not None or len(kinds) != 1:
        return shown
    rest = {key: value for key, value in shown.items() if key not in ("anyOf", "default")}
    return {**kinds[0], **rest}
