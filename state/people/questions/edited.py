"""Read an edited argument that a person typed as text: as the tool's schema says, or as it was.

The one place where text becomes a number: what a tool is given is never converted behind this.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def schema_of(request: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    """Return the schema of an action's arguments; empty where an older question says none."""
    configs: Sequence[Mapping[str, Any]] = request.get("review_configs", ())
    schema: Mapping[str, Any] = configs[number].get("args_schema", {}) if configs[number:] else {}
    return schema


def typed(text: str, was: Any, name: str, schema: Mapping[str, Any]) -> Any:
    """Return the value that a typed text stands for.

    Args:
        was: the argument before; None where there was none.
        schema: a JSON schema of all arguments, which may know nothing of this one.

    Raises:
        ValueError: no text is wanted, and it is no JSON either.
    """
    wanted = _types(schema.get("properties", {}).get(name), schema)
    is_text = "string" in wanted if wanted else was is None or isinstance(was, str)
    if is_text and (was is None or isinstance(was, str) or wanted <= {"string", "null"}):
        return text
    try:
        return json.loads(text)
    except ValueError:
        if is_text:
            return text
        raise


def _types(schema: Any, whole: Mapping[str, Any]) -> frozenset[str]:
    """Name the types of JSON that a schema allows; none where it does not say."""
    if not isinstance(schema, Mapping):
        return frozenset()
    if isinstance(ref := schema.get("$ref"), str):
        return _types(whole.get("$defs", {}).get(ref.rpartition("/")[2]), whole)
    if "type" in schema:
        listed = schema["type"]
        return frozenset([listed] if isinstance(listed, str) else listed)
    if either := [*schema.get("anyOf", ()), *schema.get("oneOf", ())]:
        return frozenset().union(*(_types(one, whole) for one in either))
    values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    return frozenset("string" if isinstance(one, str) else "other" for one in values)
