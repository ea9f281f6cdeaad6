"""Schemas from signatures, so that they are never written twice."""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Callable, Collection, Mapping
from copy import deepcopy
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, WithJsonSchema, create_model
from pydantic.errors import PydanticUserError

from daybook.state.effects.exact import unsendable
from daybook.state.effects.keys import normalise, rewritten
from daybook.state.errors import DeclarationError, ToolRefused
from daybook.state.misfits import faults_of
from daybook.tools.boundary import made_or
from daybook.tools.checks.arguments import check_named, schema_nodes

_ANYTHING: Mapping[str, Any] = {"properties": {}, "additionalProperties": True}

_INVALID = "invalid_arguments"

_NOT_CONVERTED = (
    " Nothing is converted: write a number and true or false without quotes, and text with them."
)

# A service may write an id of its own as a number. A model that does so was refused before.
_CONFIG = ConfigDict(extra="forbid", title="", coerce_numbers_to_str=True)

_NOT_GIVEN = object()
"""Stands for an argument that the model may be shown, may leave out, and that nobody checks."""


def arguments_of(fn: Callable[..., Any]) -> type[BaseModel]:
    """Make the model of a tool's arguments from its signature, the keyword-only `ctx` left out.

    Descriptions and limits come from `Annotated[..., Field(...)]`. Unknown arguments are refused,
    unless the function takes `**arguments: Any`: then whatever the model writes beside the named
    ones is passed as it was written, and the provider judges. What the model is shown of those
    is `**arguments: Annotated[Any, WithJsonSchema({...})]`, a JSON schema of an object.

    Raises:
        DeclarationError: there is no `ctx`, or a parameter cannot be written as a schema.
    """
    hints = hints_of(fn)
    parameters = dict(inspect.signature(fn).parameters)
    if parameters.pop("ctx", None) is None:
        raise DeclarationError(
            f"The tool {fn.__name__} has no `ctx` parameter, which holds its services and key. "
            "Write `*, ctx: ReadContext[...]` (reads, changes), PlanContext (plans) or "
            "EffectContext (writes, hybrids) as its last parameter."
        )
    fields: dict[str, Any] = {}
    shown: Mapping[str, Any] | None = None
    for name, parameter in parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            shown = _shown(fn.__name__, name, hints.get(name))
            continue
        by_name = (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if parameter.kind not in by_name or name not in hints:
            raise DeclarationError(
                f"The parameter {name} of the tool {fn.__name__} is {parameter.kind.description} "
                f"and {('has a type' if name in hints else 'has no annotation')}. Give each "
                "argument a name and annotate it; the model's schema is made from the signature."
            )
        empty = parameter.default is inspect.Parameter.empty
        fields[name] = (hints[name], ... if empty else parameter.default)
    try:
        model = model_of(fn.__name__, fields, __config__=_CONFIG)
        model.model_json_schema()
    except (PydanticUserError, NameError) as error:
        raise DeclarationError(
            f"The arguments of the tool {fn.__name__} have no JSON schema: "
            f"{str(error).splitlines()[0]} Annotate them with JSON types: text, numbers, dates, "
            "lists, pydantic models."
        ) from error
    check_named(fn.__name__, fields, model)
    return model if shown is None else passed_through(fn.__name__, shown, named=model)


def model_of(name: str, fields: Mapping[str, Any], **more: Any) -> type[BaseModel]:
    """Make a model of fields by name.

    Raises:
        DeclarationError: pydantic has another meaning for one of the names.
    """
    try:
        model: type[BaseModel] = create_model(name, **more, **fields)
    except (PydanticUserError, NameError):
        raise
    except (TypeError, ValueError) as error:
        raise DeclarationError(
            f"The arguments {', '.join(sorted(fields))} of the tool {name} have a name that "
            f"pydantic reserves ({str(error).splitlines()[0]}). Rename it."
        ) from error
    return model


def _shown(tool: str, name: str, hint: Any) -> Mapping[str, Any]:
    """Return the JSON schema that the model is shown of what a tool takes without naming it."""
    if hint is None or (typing.get_args(hint)[:1] != (Any,) and hint is not Any):
        raise DeclarationError(
            f"The parameter **{name} of the tool {tool} takes any argument, but is not annotated "
            f"as Any. Write `**{name}: Any`, or name each argument with its type."
        )
    schemas = [one.json_schema for one in typing.get_args(hint) if isinstance(one, WithJsonSchema)]
    return schemas[0] if schemas and schemas[0] is not None else _ANYTHING


def passed_through(
    name: str, shown: Mapping[str, Any], named: type[BaseModel] | None = None
) -> type[BaseModel]:
    """Make the arguments of a tool that passes on whatever the model writes, as it was written.

    Unknown and mistyped ones reach the provider, missing ones do not; it judges.

    Args:
        shown: a JSON schema of an object: what the model is shown. Nothing is checked against it.
        named: arguments with types of their own, which are checked.

    Example:
        >>> shown = {"properties": {"order_id": {"type": "string"}}}
        >>> checked(passed_through("cancel", shown), {"order": [1e16], "order_id": None})
        {'order': [1e+16], 'order_id': None}
    """
    own = named.model_json_schema() if named is not None else {}
    # What is not named is taken: that is said by `shown` or not at all.
    own.pop("additionalProperties", None)
    properties = {**own.get("properties", {}), **shown.get("properties", {})}
    schema = {"type": "object", **own, **shown, "properties": properties}
    if required := [*own.get("required", ()), *shown.get("required", ())]:
        schema["required"] = required

    class Whatever(named or BaseModel):  # type: ignore[misc]
        model_config = ConfigDict(extra="allow", title="")

        @classmethod
        def model_json_schema(cls, *args: Any, **given: Any) -> dict[str, Any]:
            return deepcopy(schema)

    known = named.model_fields if named is not None else {}
    fields: dict[str, Any] = {
        field: (Any, _NOT_GIVEN)
        for field in shown.get("properties", {})
        if field not in known and _may_be_field(field)
    }
    return model_of(name, fields, __base__=Whatever)


def _may_be_field(name: str) -> bool:
    """Tell whether pydantic has no other meaning for a name; others are passed on like any."""
    return (
        name.isidentifier()
        and not name.startswith(("_", "model_"))
        and not hasattr(BaseModel, name)
    )


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
    """Return the arguments as they were decided, once they fit: nothing of them is changed.

    They fit where they are written as the signature's types are written in JSON: a date as text,
    a number as a number. Text that reads like a number is none. A number without a fraction is a
    whole number, however it is written (5.0). Defaults are not filled in. What a nested type would
    drop is refused too, for all of it is approved; unless a type says what it does (`extra`).

    Raises:
        ToolRefused: they do not fit, or cannot be sent as they are; the sentence says which and
            why.
    """
    decided = dict(args)
    if why := unsendable(decided):
        raise ToolRefused(f"The arguments are invalid: {why}.", code=_INVALID)
    if "ctx" in decided:
        raise _misfit("ctx: This name is reserved.")
    try:
        text = json.dumps(rewritten(decided, _whole))
        model.model_validate_json(text, strict=True, extra=_extra(model))
    except ValidationError as error:
        how = _NOT_CONVERTED if any(one["type"].endswith("_type") for one in error.errors()) else ""
        raise _misfit(f"{faults_of(error, 'arguments')}.{how}") from error
    return decided


@cache
def _extra(model: type[BaseModel]) -> Literal["forbid"] | None:
    """Forbid what nested types do not know, where none of them says what becomes of it."""
    said = {
        node.get("config", {}).get("extra_fields_behavior")
        for node in schema_nodes(model.__pydantic_core_schema__)
    }
    is_strict = model.model_config.get("extra") == "forbid"
    return "forbid" if is_strict and not said & {"allow", "ignore"} else None


def misnamed(model: type[BaseModel], given: Collection[str]) -> str:
    """Say which arguments are given, taken and missing; "" if all fit by name."""
    fields = model.model_fields
    missing = sorted(n for n, one in fields.items() if one.is_required() and n not in given)
    if not missing and (takes_unnamed(model) or fields.keys() >= set(given)):
        return ""
    return (
        f"the arguments {sorted(given)}; it takes {sorted(fields)}, of which "
        f"{missing or 'none'} is missing"
    )


def _misfit(why: str) -> ToolRefused:
    return ToolRefused(f"The arguments do not fit: {why}", code=_INVALID)


def comparable(model: type[BaseModel], args: Mapping[str, Any]) -> dict[str, Any]:
    """Bring arguments to their normal form: for comparison and look-up, never to be sent.

    Calls that come to the same have the same: defaults are filled in, None is left out, text is
    stripped and runs of white space are folded, and a number without a fraction is a whole one
    where its type says nothing else. What does not fit is normalised as it stands.
    """
    return normalise(understood(model, rewritten(args, _whole)))


def understood(model: type[BaseModel], args: Mapping[str, Any]) -> dict[str, Any]:
    """Write arguments as the function understands them, as JSON: defaults filled in, None left out.

    What is declared beside a function (evidence, probe, undo) is made of these. What a tool passes
    on without knowing it, or what is not complete yet, stands as it is.
    """

    def dumped() -> dict[str, Any]:
        try:
            valid = model.model_validate(dict(args), strict=False)
        except ValidationError:
            return dict(args)
        return valid.model_dump(mode="json", exclude_none=True)

    if takes_unnamed(model):
        return dict(args)
    what = f"what types the arguments of {model.__name__}"
    return made_or(lambda: dict(args), what, dumped)


def keywords(model: type[BaseModel], args: Mapping[str, Any]) -> dict[str, Any]:
    """Give arguments the types of the signature again: a date is a date.

    Whatever a tool takes without naming it stands as it was written, in its order.

    Raises:
        ToolRefused: they do not fit.
    """
    try:
        # A plan is drafted of the normal form, where the fields of nested types have their names.
        valid = model.model_validate(dict(args), strict=False, by_alias=True, by_name=True)
    except ValidationError as error:
        raise _misfit(f"{faults_of(error, 'arguments')}.") from error
    # Not by attribute: every model has some of its own (model_extra).
    named = {name: vars(valid)[name] for name in model.model_fields}
    if not takes_unnamed(model):
        return named
    given = {name: named.get(name, value) for name, value in args.items()}
    return {**given, **{n: v for n, v in named.items() if n not in args and v is not _NOT_GIVEN}}


def takes_unnamed(model: type[BaseModel]) -> bool:
    """Tell whether a tool takes whatever it is given and leaves it to the provider to judge."""
    return model.model_config.get("extra") == "allow"


def _whole(part: Any) -> Any:
    """Write a number without a fraction as a whole one: JSON makes no difference, pydantic does."""
    is_whole = isinstance(part, float) and part.is_integer() and abs(part) < 2**63
    return int(part) if is_whole else part


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
