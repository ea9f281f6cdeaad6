"""The protocol's own JSON schemas, by which requests and answers are judged.

A schema says of each field whether a request has it: `ucp_request`, for all operations or for each.
What is left of it for one operation is the schema of that request.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

FOLDER = Path(__file__).parent / "fixtures" / "ucp" / "schemas"
HOME = "https://ucp.dev/schemas/"

ANSWERS = {
    "search_catalog": "shopping/catalog_search.json#/$defs/search_response",
    "lookup_catalog": "shopping/catalog_lookup.json#/$defs/lookup_response",
    "get_product": "shopping/catalog_lookup.json#/$defs/get_product_response",
    "create_checkout": "shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout",
    "get_checkout": "shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout",
    "update_checkout": "shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout",
    "complete_checkout": "shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout",
    "cancel_checkout": "shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout",
    "get_order": "shopping/order.json",
}
"""By operation."""

REQUESTS = {
    "search_catalog": ("shopping/catalog_search.json#/$defs/search_request", "create"),
    "lookup_catalog": ("shopping/catalog_lookup.json#/$defs/lookup_request", "create"),
    "get_product": ("shopping/catalog_lookup.json#/$defs/get_product_request", "create"),
    "create_checkout": (ANSWERS["create_checkout"], "create"),
    "update_checkout": (ANSWERS["update_checkout"], "update"),
    "complete_checkout": (ANSWERS["complete_checkout"], "complete"),
}

ERROR = "common/types/error_response.json"


def check_answer(operation: str, body: Any) -> None:
    """Fail where an answer is not what the protocol says, or says no in another form than its own."""
    is_no = isinstance(body, dict) and body.get("ucp", {}).get("status") == "error"
    check(ERROR if is_no else ANSWERS[operation], body)
    if isinstance(body, dict) and "discounts" in body:
        check("shopping/discount.json#/$defs/dev.ucp.shopping.checkout", body)


def check_request(operation: str, body: Any) -> None:
    """Fail where the body of a request is not what the protocol says."""
    if operation in REQUESTS:
        schema, kind = REQUESTS[operation]
        check(schema, body, kind)
    else:
        assert body in (None, {}), f"{operation} has no body"


def check(schema: str, body: Any, kind: str = "") -> None:
    """Fail where a body is not as a schema has it; `kind` is of a request, "" of an answer."""
    errors = sorted(_validator(schema, kind).iter_errors(body), key=str)
    assert not errors, [f"{one.json_path}: {one.message[:300]}" for one in errors]


@cache
def _validator(schema: str, kind: str) -> Any:
    checker = Draft202012Validator.FORMAT_CHECKER
    whole = {"$ref": urljoin(HOME, schema)}
    return Draft202012Validator(whole, registry=_registry(kind), format_checker=checker)


@cache
def _registry(kind: str) -> Any:
    found = []
    for file in FOLDER.rglob("*.json"):
        contents = json.loads(file.read_text())
        if kind:
            contents = _of_request(contents, kind)
        uri = urljoin(HOME, file.relative_to(FOLDER).as_posix())
        found.append((uri, Resource(contents, DRAFT202012)))
    return Registry().with_resources(found).crawl()


def _of_request(schema: Any, kind: str) -> Any:
    """Return what a schema says of a request: no field that is left out, none that may be needed."""
    if isinstance(schema, list):
        return [_of_request(one, kind) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: _of_request(one, kind) for name, one in schema.items() if name != "properties"}
    fields = schema.get("properties")
    if not isinstance(fields, dict):
        return made
    needed = set(schema.get("required", ()))
    said_below = {
        name
        for one in schema.get("allOf", ())
        for name in one.get("then", {}).get("properties", {})
    }
    made["properties"] = {}
    for name, field in fields.items():
        said = field.get("ucp_request") if isinstance(field, dict) else None
        rule = said.get(kind) if isinstance(said, dict) else said
        # What is said below, of this kind of thing, is nearer than what is said of all.
        is_left_out = rule == "omit" and name not in said_below
        made["properties"][name] = False if is_left_out else _of_request(field, kind)
        if rule in ("omit", "optional"):
            needed.discard(name)
        if rule == "required":
            needed.add(name)
    if "required" in schema or needed:
        made["required"] = sorted(needed)
    return made
