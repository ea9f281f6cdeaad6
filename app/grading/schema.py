"""Compare arguments with the JSON schema that a model was shown: types, required names, choices.

A tool that passes its arguments on (an MCP tool) accepts more than it shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": Mapping,
    "array": (list, tuple),
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def unfit(schema: Mapping[str, Any], args: Mapping[str, Any]) -> str:
    """Return why arguments do not fit the schema, or ""."""
    unknown = sorted(args.keys() - schema.get("properties", {}).keys())
    return f"there is no {', '.join(unknown)}" if unknown else _misfit(schema, args, "arguments")


def _misfit(schema: Mapping[str, Any], value: Any, name: str) -> str:
    kind = schema.get("type")
    if isinstance(kind, str) and not _is(value, kind):
        return f"{name} is not of type {kind}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{name} is not one of {', '.join(map(str, schema['enum']))}"
    if isinstance(value, Mapping):
        missing = [one for one in schema.get("required", ()) if one not in value]
        if missing:
            return f"{', '.join(missing)} is missing"
        properties = schema.get("properties", {})
        parts = ((properties[one], value[one], one) for one in value if one in properties)
        return next((why for part in parts if (why := _misfit(*part))), "")
    if isinstance(value, list | tuple) and isinstance(schema.get("items"), Mapping):
        return next((why for item in value if (why := _misfit(schema["items"], item, name))), "")
    return ""


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES.get(kind, object))
