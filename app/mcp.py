"""Look at an MCP server: its tools, what is promised of each, and whether they changed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from daybook.app.domains import imported
from daybook.app.output import tell
from daybook.state.errors import ConfigurationError, DeclarationError, InputRefused
from daybook.state.plain import in_a_line, plain_json
from daybook.tools.mcp.configuration import server_from
from daybook.tools.mcp.connection import Connection
from daybook.tools.mcp.declaration import McpTool, digest_of, hints_of
from daybook.tools.mcp.server import McpServer, mcp, promised

_WHAT = "an MCP server, as mcp(...) returns it"

_MOST_WORDS = 100


async def inspect(
    at: str, *, server: str, token_from: str | None, declared: str | None, write: str | None
) -> bool:
    """Print what a server offers, and what is promised of it; tell whether all is as looked at.

    Args:
        at: its URL, or a JSON file of `mcpServers`.
        server: which one of the file's.
        token_from: the variable of the environment that holds a token to sign in with.
        declared: `module:NAME` of what `mcp(...)` returned, to be compared.
        write: the file into which the tools are written that can be used.

    Raises:
        DaybookError: the server cannot be looked at, or a file is there already.
    """
    if write is not None:
        _refuse_what_is_there(Path(write))
    known: McpServer | None = imported(declared, _WHAT, McpServer) if declared else None
    headers = dict(known.server.headers) if known is not None else {}
    if token_from:
        headers["Authorization"] = f"Bearer {_token(token_from)}"
    connection = Connection(server_from(at, server, headers))
    try:
        shown = await connection.tools()
    finally:
        await connection.close()
    told, place = connection.told or "A server without a name", connection.server.place
    tell(f"{told} at {place}: {len(shown)} tools")
    usable, changed = [], []
    for name, one in shown.items():
        about = known.declared(name) if known is not None else McpTool()
        tell(f"\n{in_a_line(name, 128)}: {in_a_line(one.get('description'), _MOST_WORDS) or '-'}")
        hints = ", ".join(f"{hint}={value}" for hint, value in hints_of(one).items())
        tell(f"  the server says  {hints or 'nothing of what it does'}")
        try:
            mcp(at, [one], name=server)
        except DeclarationError as error:
            tell(f"  cannot be used   {in_a_line(str(error), 300)}")
            continue
        usable.append(one)
        _tell_of(about, one)
        then = known.listed.get(name) if known is not None else None
        if then is not None and digest_of(then) != digest_of(one):
            tell("  CHANGED          since it was looked at: it is refused until it is again")
            changed.append(name)
    for name in (known.listed if known is not None else {}).keys() - shown.keys():
        tell(f"\n{name}\n  NOT THERE any more: it is refused until it is taken out")
        changed.append(name)
    if changed:
        tell(
            f"\n{len(changed)} of the tools in use changed. Read what they say now; where that is "
            "what you want, take it over with --write."
        )
    if write is not None:
        _write(Path(write), {"server": told, "tools": usable})
        tell(f"\nWritten: {write}. Read it, then name it: mcp({at!r}, {write!r}) (docs/mcp.md).")
    return not changed


def _tell_of(about: McpTool, listed: Mapping[str, Any]) -> None:
    """Tell what a tool is held to be."""
    kind = about.kind_of(listed)
    if kind == "read":
        tell("  held as          a read")
    else:
        honoured = "honoured" if about.guarantees.honours_key else "not said to be honoured"
        key = f"argument {about.key_argument}, {honoured}" if about.key_argument else "none"
        asked = "asked" if about.approval_of(listed) == "always" else "not asked"
        tell(f"  held as          a {kind}, {asked} about, sent once")
        tell(f"  key              {key}")
        tell(f"  probe            {about.probe.tool if about.probe else 'none'}")
        tell(f"  undo             {about.undo.tool if about.undo else 'none'}")
    tell(f"  no answer        {promised(about, kind)}")


def _refuse_what_is_there(file: Path) -> None:
    if file.exists():
        raise InputRefused(f"{file} is there already. Nothing was written; name another file.")


def _write(file: Path, said: Mapping[str, Any]) -> None:
    text = plain_json(json.dumps(said, indent=2, ensure_ascii=False))
    try:
        file.write_text(f"{text}\n")
    except OSError as error:
        raise InputRefused(f"{file} cannot be written ({error.strerror}).") from error


def _token(variable: str) -> str:
    token = os.environ.get(variable, "")
    if not token:
        raise ConfigurationError(
            f"The variable {in_a_line(variable, 60)} is not set. Nothing was asked; put the token "
            "there, without Bearer before it."
        )
    return token
