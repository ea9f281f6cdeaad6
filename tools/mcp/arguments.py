"""Arguments of a tool that another server describes: checked by its schema, sent as written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

import jsonschema
from pydantic import BaseModel, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from daybook.state.errors import DeclarationError
from daybook.state.plain import in_a_line
from daybook.tools.signature import passed_through

_MOST_WORDS: Final = 200
_MOST_FAULTS: Final = 10


def arguments_of(name: str, schema: Mapping[str, Any], but: str = "") -> type[BaseModel]:
    """Make the model of a tool's arguments from its JSON schema.

    Nothing is converted and no default is filled in: what was decided is what is sent.

    Args:
        but: an argument that is filled in when it is sent, and that nobody else may give.

    Raises:
        DeclarationError: the schema is none, refers to other documents, or names an argument that
            no tool here may have.
    """
    shown = _without(schema, but)
    validator = _validator(name, shown)
    properties = shown.get("properties", {})
    if "ctx" in properties:
        raise DeclarationError(
            f"The MCP tool {name} takes an argument named ctx, which tools are given by Daybook. "
            "Nothing was started; it cannot be declared."
        )
    # Names of which pydantic has another meaning are taken like those that no schema names.
    fields = {field: one for field, one in properties.items() if _may_be_field(field)}
    base: type[BaseModel] = passed_through(name, {**shown, "properties": fields})

    class Described(base):  # type: ignore[misc, valid-type]
        @classmethod
        def model_json_schema(cls, *args: Any, **more: Any) -> dict[str, Any]:
            return {**deepcopy(shown), "type": "object", "properties": deepcopy(dict(properties))}

        # A validator of the model, so that no way to read arguments passes the schema by.
        @model_validator(mode="before")
        @classmethod
        def _fits_schema(cls, given: Any) -> Any:
            if faults := _faults(validator, given, but):
                raise ValidationError.from_exception_data(name, faults)
            return given

    Described.__name__ = name
    return Described


def _faults(validator: Any, given: Any, but: str) -> list[InitErrorDetails]:
    """Return what does not fit, each at its place: what a plan binds later is left out by it."""
    faults = []
    if but and isinstance(given, Mapping) and but in given:
        faults.append(_fault((but,), "It is filled in when it is sent"))
    for error in validator.iter_errors(given):
        at = tuple(error.absolute_path)
        if error.validator == "required":
            missing = [one for one in error.validator_value if one not in error.instance]
            faults += [_fault((*at, one), "Field required") for one in missing]
        else:
            faults.append(_fault(at, in_a_line(error.message, _MOST_WORDS)))
    return faults[:_MOST_FAULTS]


def _fault(at: tuple[int | str, ...], why: str) -> InitErrorDetails:
    words = why.replace("{", "(").replace("}", ")")
    return InitErrorDetails(type=PydanticCustomError("schema", words), loc=at, input=None)


def _without(schema: Mapping[str, Any], but: str) -> dict[str, Any]:
    properties = dict(schema.get("properties", {}))
    properties.pop(but, None)
    shown = {**schema, "properties": properties}
    if "required" in schema:
        shown["required"] = [one for one in schema["required"] if one != but]
    return shown


def _validator(name: str, schema: Mapping[str, Any]) -> Any:
    for reference in _references(schema):
        if not str(reference).startswith("#"):
            # Whoever checks arguments would fetch it, from wherever the server says.
            raise DeclarationError(
                f"The schema of the MCP tool {name} refers to another document. Nothing was "
                "started or fetched; write what stands there into `arguments`."
            )
    kind = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
    try:
        kind.check_schema(schema)
    except jsonschema.exceptions.SchemaError as error:
        raise DeclarationError(
            f"The arguments of the MCP tool {name} are no JSON schema "
            f"({in_a_line(error.message, _MOST_WORDS)}). Nothing was started; write what "
            "`daybook mcp inspect` prints."
        ) from error
    return kind(schema)


def _references(schema: Any) -> Iterator[Any]:
    if isinstance(schema, Mapping):
        for key, inner in schema.items():
            if key in ("$ref", "$dynamicRef", "$recursiveRef") and not isinstance(inner, Mapping):
                yield inner
            yield from _references(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _references(inner)


def _may_be_field(name: str) -> bool:
    return (
        name.isidentifier()
        and not name.startswith(("_", "model_"))
        and not hasattr(BaseModel, name)
    )
