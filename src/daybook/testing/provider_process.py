"""The process of the fake providers: one for each cell, opened and spoilt over the wire.

It prints its address. `POST /~/open` makes a provider
below the name of a cell, `/~/spoil` and `/~/lie` say what goes wrong with it, `/~/close` ends it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from threading import Thread
from typing import Any

from daybook.testing.http import Answer, Request, Server, Service, as_json
from daybook.testing.provider import Behaviour, Provider


class Control:
    """Open, spoil and close the providers of cells."""

    def __init__(self, providers: dict[str, Service]) -> None:
        self._providers = providers

    def handle(self, request: Request) -> Answer:
        """Do what the matrix says."""
        told = request.json()
        name = told.pop("cell")
        if request.path == "/open":
            self._providers[name] = _provider(**told)
        provider = self._providers[name]
        assert isinstance(provider, Provider)
        match request.path:
            case "/spoil":
                provider.spoil(**told)
            case "/lie":
                provider.lie(**told)
            case "/close":
                provider.go_on.set()
                del self._providers[name]
        return as_json(200, {})


def load(name: str) -> Any:
    """Import what `module:name` names."""
    module, _, names = name.partition(":")
    found: Any = import_module(module)
    for part in names.split("."):
        found = getattr(found, part)
    return found


def _provider(provider: str, behaviour: dict[str, Any]) -> Provider:
    kind: type[Provider] = load(provider)
    told: Any = {name: tuple(v) if isinstance(v, list) else v for name, v in behaviour.items()}
    return kind(Behaviour(**told)) if told else kind()


def main() -> None:
    """Serve until standard input ends."""
    providers: dict[str, Service] = {}
    providers["~"] = Control(providers)
    server = Server(providers)
    sys.stdout.write(f"{server.url}\n")
    sys.stdout.flush()
    Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
