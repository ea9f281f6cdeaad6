"""Arguments of a tool that another server describes: checked by its schema, sent as written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import jsonschema
from pydantic import BaseModel, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError
from referencing import Registry

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
        DeclarationError: the schema is none, or names an argument that no tool here may have.
    """
    shown = _without(schema, but)
    validator = _validator(name, shown)
    if "ctx" in shown["properties"]:
        raise DeclarationError(
            f"The MCP tool {name} takes an argument named ctx, which tools are given by Daybook. "
            "Nothing was started; it cannot be declared."
        )
    base: type[BaseModel] = passed_through(name, shown)

    class Described(base):  # type: ignore[misc, valid-type]
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
    kind = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
    try:
        kind.check_schema(schema)
    except jsonschema.exceptions.SchemaError as error:
        raise DeclarationError(
            f"The arguments of the MCP tool {name} are no JSON schema "
            f"({in_a_line(error.message, _MOST_WORDS)}). Nothing was started; write what "
            "`daybook mcp inspect` prints."
        ) from error
    # With a registry of its own it fetches nothing that a schema refers to.
    return kind(schema, registry=Registry())
