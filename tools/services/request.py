"""The request to a service: the same bytes and headers in every attempt and sender."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from daybook.tools.services.contract import Contract

_TYPES = {"json": "application/json", "form": "application/x-www-form-urlencoded"}


class Unwritable(ValueError):
    """Say why a body cannot be sent."""


def key_text(contract: Contract, key: str) -> str:
    """Write a key as it is sent: it may hold any text (a client's message id), a header may not."""
    written = quote(key, safe="/.:-_", errors="surrogatepass")
    if len(written) <= contract.longest_key:
        return written
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[: contract.longest_key]


def effect_headers(contract: Contract, key: str) -> dict[str, str]:
    """Return the headers that an effect needs beside the service's own."""
    headers = {"content-type": _TYPES[contract.encoding]}
    if contract.key_header is not None:
        headers[contract.key_header] = key_text(contract, key)
    return headers


def written(contract: Contract, body: Mapping[str, Any] | bytes, key: str) -> bytes:
    """Write a body: its fields in their order and its text as given. Bytes are sent as they are.

    Raises:
        Unwritable: it is no JSON or no form, or bytes where the key is a field of the body.

    Example:
        >>> from daybook.tools.services.contract import STRIPE_V1
        >>> written(STRIPE_V1, {"metadata": {"order": 7}, "items": [{"price": "p"}]}, "k")
        b'metadata[order]=7&items[0][price]=p'
    """
    if contract.key_field is not None:
        if isinstance(body, bytes):
            raise Unwritable("the key belongs in the body, but the body is given as bytes")
        body = {**body, contract.key_field: key_text(contract, key)}
    if isinstance(body, bytes):
        return body
    try:
        if contract.encoding == "form":
            return "&".join(_fields(body)).encode("ascii")
        text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise Unwritable(f"it cannot be encoded as {contract.encoding}") from error


def _fields(value: Any, name: str = "") -> Iterator[str]:
    """Write a form: brackets name what is nested; None and what is empty have no form."""
    if isinstance(value, Mapping):
        for part, inner in value.items():
            part = quote_plus(str(part))
            yield from _fields(inner, f"{name}[{part}]" if name else part)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _fields(inner, f"{name}[{number}]")
    elif value is not None:
        yield f"{name}={quote_plus(_scalar(value))}"


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    raise TypeError(type(value).__name__)
