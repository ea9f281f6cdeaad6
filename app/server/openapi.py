"""Descriptions of routes for the server's OpenAPI document, which it makes from docstrings."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable
from functools import wraps

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
            whole = {"summary": paragraphs[0], "description": "\n\n".join(paragraphs)}

            # The route keeps its handler; only the document is made from this function.
            @wraps(route.endpoint)
            def endpoint(request: Request) -> None: ...

            endpoint.__doc__ = json.dumps(whole)
            route.endpoint = endpoint
