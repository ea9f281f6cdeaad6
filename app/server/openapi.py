"""Descriptions of routes for the server's OpenAPI document, which it makes from docstrings."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable
from functools import update_wrapper
from typing import Any

from starlette.requests import Request
from starlette.routing import BaseRoute, Mount, Route


def describe_routes(routes: Iterable[BaseRoute]) -> None:
    """Put the whole docstring of each endpoint into its route's description.

    The server parses docstrings as YAML, where "word: text" is a key and other prose is dropped.
    """
    for route in routes:
        if isinstance(route, Mount):
            describe_routes(route.routes)
        elif isinstance(route, Route) and (text := inspect.getdoc(route.endpoint)):
            paragraphs = [" ".join(one.split()) for one in text.split("\n\n")]
            route.endpoint = _documented(route.endpoint, paragraphs[0], "\n\n".join(paragraphs))


def _documented(handler: Any, summary: str, description: str) -> Any:
    """Return a function that the document is made from; the route calls its handler without it."""

    def endpoint(request: Request) -> None: ...

    # JSON is YAML.
    written = json.dumps({"summary": summary, "description": description})
    update_wrapper(endpoint, handler).__doc__ = written
    return endpoint
