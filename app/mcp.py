"""Inspect an MCP server: its tools, the kind assigned to each, and whether they changed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from daybook.app.domain_names import imported
from daybook.app.output import tell
from daybook.state.errors import ConfigurationError, DeclarationError, InputRefused
from daybook.state.plain import in_a_line, plain_json
from daybook.tools.mcp.configuration import server_from
from daybook.tools.mcp.connection import Connection
from daybook.tools.mcp.declaration import McpTool, digest_of, hints_of
from daybook.tools.mcp.server import McpServer, mcp

_WHAT = "an MCP server, as mcp(...) returns it"

_MOST_WORDS = 100


async def inspect(
    at: str, *, server: str, token_from: str | None, declared: str | None, write: str | None
) -> bool:
    """Print what a server offers; tell whether it is as it was when it was looked at.

    Args:
        at: its URL, or a JSON file of `mcpServers`.
        server: which one of the file's.
        token_from: the variable of the environment that holds a token to sign in with.
        declared: `module:NAME` of what `mcp(...)` returned, to be compared.
        write: the file into which the tools are written that can be used.

    Raises:
        DaybookError: the server cannot be looked at, or a file is there already.
    """
    known: McpServer | None = imported(declared, _WHAT, McpServer) if declared else None
    headers = dict(known.server.headers) if known is not None else {}
    if token_from:
        headers["Authorization"] = f"Bearer {_token(token_from)}"
    connection = Connection(server_from(at, server, headers))
    try:
        shown = await connection.tools()
    finally:
        await connection.close()
    tell(f"{connection.server.address}: {len(shown)} tools")
    usable, changed = [], []
    for name, one in shown.items():
        about = known.declared(name) if known is not None else McpTool()
        tell(f"\n{in_a_line(name, 128)}: {in_a_line(one.get('description'), _MOST_WORDS) or '-'}")
        hints = ", ".join(f"{hint}={value}" for hint, value in hints_of(one).items())
        tell(f"  server hints     {hints or 'none'}")
        try:
            mcp(at, [one], name=server)
        except DeclarationError as error:
            tell(f"  cannot be used   {in_a_line(str(error), 300)}")
            continue
        usable.append(one)
        kind = about.kind_of(one)
        asked = "needs approval" if about.approval_of(one) == "always" else "no approval"
        held = "a read" if kind == "read" else f"a {kind}; {asked}; sent once"
        tell(f"  treated as       {held}")
        then = known.listed.get(name) if known is not None else None
        if then is not None and digest_of(then) != digest_of(one):
            tell("  CHANGED          since it was inspected: calls are refused until you accept it")
            changed.append(name)
    for name in (known.listed if known is not None else {}).keys() - shown.keys():
        tell(f"\n{name}\n  REMOVED by the server: calls are refused until you undeclare it")
        changed.append(name)
    if changed:
        tell(
            f"\n{len(changed)} of the declared tools changed. Review the changes; to accept them, "
            "run this with --write."
        )
    if write is not None:
        _write(Path(write), {"tools": usable})
        tell(f"\nWritten: {write}. Review it, then use mcp({at!r}, {write!r}): docs/merchants.md.")
    return not changed


def _write(file: Path, said: Mapping[str, Any]) -> None:
    try:
        with file.open("x") as out:
            out.write(plain_json(json.dumps(said, indent=2, ensure_ascii=False)) + "\n")
    except OSError as error:
        raise InputRefused(f"{file} was not written ({error.strerror}); name another.") from error


def _token(variable: str) -> str:
    token = os.environ.get(variable, "")
    if not token:
        raise ConfigurationError(
            f"The variable {in_a_line(variable, 60)} is not set. Nothing was requested; set it to "
            'the token, without "Bearer".'
        )
    return token
