"""The configuration of an MCP server: a URL, or an entry of `mcpServers`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from daybook.state.errors import DeclarationError
from daybook.tools.services.contract import SAYS_NOTHING
from daybook.tools.services.http import checked_headers, checked_url, secrets_in

Given: TypeAlias = str | Path | Mapping[str, Any]

_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}")

_READ = ("type", "url", "headers", "command", "args", "env")


@dataclass(frozen=True)
class Server:
    """Say where a server is, or how it is started.

    Attributes:
        name: its key in `mcpServers`; "" if it was given by its URL.
        at: names it for `daybook mcp inspect`.
        url: of its streamable HTTP; "" if it is started as a command and spoken to over stdio.
        headers: sent with each request, written nowhere.
        env: of the command, beside PATH, HOME and the like; nothing else is inherited.
    """

    name: str = ""
    at: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    command: str = ""
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def address(self) -> str:
        """Return where it is, for messages: the URL, or the command without its arguments."""
        return self.url or self.command

    @property
    def label(self) -> str:
        """Return its key, or its host."""
        return self.name or urlsplit(self.url).netloc

    @property
    def secrets(self) -> tuple[str, ...]:
        """Return what is hidden where the server repeats it."""
        # `--token X`, `--token=X` and `TOKEN=X` alike.
        parts = [part for arg in self.args for part in arg.split("=", 1)]
        return secrets_in({**self.headers, **self.env, **dict(pairwise(parts))})


def server_from(given: Given, name: str = "", headers: Mapping[str, str] | None = None) -> Server:
    """Read which server is meant.

    `${VARIABLE}` and `${VARIABLE:-default}` in an entry's values are taken from the environment.

    Args:
        given: a URL; or `{"mcpServers": {...}}`, or a JSON file that holds it.
        name: which one of several.
        headers: of a URL.

    Raises:
        DeclarationError: there is no such server, or it cannot be used.
    """
    if isinstance(given, str) and re.match(r"https?://", given):
        checked_headers(headers or {}, SAYS_NOTHING)
        checked_url(given)
        return Server(at=given, url=given, headers=dict(headers or {}))
    at = "" if isinstance(given, Mapping) else str(given)
    known = _entries(given, at)
    if not name and len(known) == 1:
        [name] = known
    if not isinstance(entry := known.get(name), Mapping):
        raise _unusable(name or "?", f"one of mcpServers: {', '.join(sorted(known))}")
    # What other clients have beside these is theirs, and may be null.
    read = {what: _expanded(name, entry[what]) for what in _READ if entry.get(what) is not None}
    if not isinstance(args := read.get("args", []), list):
        raise _unusable(name, '"args" as a list of texts')
    server = Server(
        name=name,
        at=f"{at} --server {name}" if at else "FILE",
        url=str(read.get("url", "")),
        headers=_texts(name, read.get("headers", {})),
        command=str(read.get("command", "")),
        args=tuple(map(str, args)),
        env=_texts(name, read.get("env", {})),
    )
    if bool(server.url) == bool(server.command):
        raise _unusable(name, 'either "command" (stdio) or "url" (streamable HTTP)')
    if read.get("type") == "sse":
        raise _unusable(name, 'the type "stdio" or "http"; the older "sse" is not supported')
    if server.url:
        checked_url(server.url)
        checked_headers(server.headers, SAYS_NOTHING)
    return server


def listed_in(tools: str | Path | Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Read the tools of a server, as it listed them when someone looked at them.

    Raises:
        DeclarationError: they cannot be read.
    """
    found = _json(tools).get("tools") if isinstance(tools, str | Path) else tools
    if not isinstance(found, Sequence) or not all(
        isinstance(one, Mapping) and isinstance(one.get("name"), str) for one in found
    ):
        raise DeclarationError(
            f'{tools} has no list of "tools". Nothing was started; create it with `daybook mcp '
            "inspect --write`."
        )
    return found


def _entries(given: Given, at: str) -> Mapping[str, Any]:
    known = (given if isinstance(given, Mapping) else _json(given)).get("mcpServers")
    if not isinstance(known, Mapping):
        raise DeclarationError(
            f'{at or "The configuration"} has no "mcpServers". Nothing was started; see '
            "docs/merchants.md."
        )
    return known


def _json(file: str | Path) -> Mapping[str, Any]:
    try:
        said = json.loads(Path(file).read_text())
    except (OSError, ValueError) as error:
        raise DeclarationError(
            f"{file} is not a readable JSON file ({type(error).__name__}). Nothing was started; "
            "see docs/merchants.md."
        ) from error
    return said if isinstance(said, Mapping) else {}


def _expanded(name: str, value: Any) -> Any:
    """Fill in variables of the environment, however deep they stand."""
    if isinstance(value, Mapping):
        return {key: _expanded(name, one) for key, one in value.items()}
    if isinstance(value, list):
        return [_expanded(name, one) for one in value]
    if not isinstance(value, str):
        return value

    def filled(found: re.Match[str]) -> str:
        variable, otherwise = found.groups()
        said = os.environ.get(variable) or otherwise
        if said is None:
            raise _unusable(name, f"the variable {variable}, which is not set")
        return str(said)

    return _VARIABLE.sub(filled, value)


def _texts(name: str, given: Any) -> dict[str, str]:
    if not isinstance(given, Mapping):
        raise _unusable(name, '"headers" and "env" as objects of texts')
    return {str(key): str(value) for key, value in given.items()}


def _unusable(name: str, wants: str) -> DeclarationError:
    return DeclarationError(
        f"The MCP server {name} cannot be used: it needs {wants}. Nothing was started; see "
        "docs/merchants.md."
    )
