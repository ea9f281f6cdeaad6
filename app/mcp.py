"""Look at an MCP server: its tools, what is promised of each, and declarations to start from."""

from __future__ import annotations

import keyword
import os
import pprint
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import Any, Final

from daybook.app.domains import imported
from daybook.app.output import tell, tell_aside
from daybook.state.errors import ConfigurationError, DeclarationError, InputRefused
from daybook.state.plain import in_a_line
from daybook.tools.mcp.configuration import Server, server_from
from daybook.tools.mcp.connection import Connection
from daybook.tools.mcp.declaration import McpTool, digest_of, hints_of, name_here, needs_task
from daybook.tools.mcp.server import McpServer, arguments_of, promised

STDOUT = "-"

_WHAT = "an MCP server, as mcp(...) returns it"

_MOST_WORDS = 100


async def inspect(
    at: str | None,
    *,
    server: str,
    token_from: str | None,
    declared: str | None,
    write: str | None,
) -> bool:
    """Print what a server offers, and what is promised of it; tell whether all is as declared.

    Args:
        at: its URL, or a JSON file of `mcpServers`; None for that of `declared`.
        server: which one of the file's.
        token_from: the variable of the environment that holds a token to sign in with.
        declared: `module:NAME` of what `mcp(...)` returned, to be compared.
        write: the file into which declarations are written; "-" writes them to standard output,
            and all else beside it.

    Raises:
        DaybookError: the server cannot be looked at, or a file is there already.
    """
    _refuse_what_is_there(write)
    known = imported(declared, _WHAT, McpServer) if declared else None
    if at is None and known is None:
        raise InputRefused("Name a server: its URL, or a JSON file of mcpServers.")
    headers = {"Authorization": f"Bearer {_token(token_from)}"} if token_from else {}
    if known is not None and at in (None, known.server.url):
        there = known.server
    else:
        there = server_from(str(at), server)
    there = replace(there, headers={**there.headers, **headers})
    connection = Connection(there)
    try:
        shown = await connection.tools()
    finally:
        await connection.close()
    say = tell_aside if write == STDOUT else tell
    made = {name: _taken(there, name, one) for name, one in shown.items()}
    say(f"{connection.told or 'A server without a name'} at {there.place}: {len(shown)} tools")
    changed = [name for name, one in shown.items() if _tell(name, one, made[name], known, say)]
    for name in known.declared if known else ():
        if name not in shown:
            say(f"\n{name}\n  NOT THERE any more: it is refused until it is taken out")
            changed.append(name)
    if changed:
        say(
            f"\n{len(changed)} of the declared tools changed. Read what they say now; where that "
            "is what you want, take it over with --write, digest and all."
        )
    elif known is None:
        say(
            "\nWhat a server says of itself proves nothing: each tool is held as it would be if "
            "you declared no more than that it is there. --write FILE writes the declarations."
        )
    if write is not None:
        _write(module_of(there, connection.told, made, token_from), write)
        if write != STDOUT:
            say(f"\nWritten: {write}. Read it, then give its tools to your Registry (docs/mcp.md).")
    return not changed


def _tell(
    name: str,
    shown: Mapping[str, Any],
    made: McpTool | str,
    known: McpServer | None,
    say: Callable[[str], None],
) -> bool:
    """Tell of one tool; return whether it is no longer what was declared."""
    hints = ", ".join(f"{hint}={value}" for hint, value in hints_of(shown).items())
    say(f"\n{in_a_line(name, 128)}: {in_a_line(shown.get('description'), _MOST_WORDS) or '-'}")
    say(f"  the server says  {hints or 'nothing of what it does'}")
    if isinstance(made, str):
        say(f"  cannot be used   {made}")
        return False
    one = known.declared.get(name) if known is not None else None
    held = one or made
    kind = held.held_as
    asked = "asked about" if held.asked == "always" else "not asked about"
    held_as = "a read" if kind == "read" else f"a {kind}, {asked}, sent once"
    say(f"  held as          {held_as}{'' if one else ' (not declared)'}")
    if kind != "read":
        say(f"  key              {_key(held)}")
        say(f"  probe            {held.probe.tool if held.probe else 'none'}")
        say(f"  undo             {held.undo.tool if held.undo else 'none'}")
    say(f"  no answer        {promised(held, kind)}")
    if one is None or digest_of(shown) == one.digest:
        return False
    say("  CHANGED          since it was declared: it is refused until it is declared anew")
    return True


def _key(tool: McpTool) -> str:
    honoured = "honoured" if tool.guarantees.honours_key else "not said to be honoured"
    return f"argument {tool.key_argument}, {honoured}" if tool.key_argument else "none"


def _taken(server: Server, name: str, shown: Mapping[str, Any]) -> McpTool | str:
    """Make the declaration that a tool begins with; why there is none, where it cannot be used."""
    if needs_task(shown):
        return "it is run as a task alone, which is not done here"
    made = begun(name, shown)
    try:
        here = name_here(server.name, name)
        made.check(name, here)
        arguments_of(here, made.arguments)
    except DeclarationError as error:
        return str(error)
    return made


def _token(variable: str) -> str:
    token = os.environ.get(variable, "")
    if not token:
        raise ConfigurationError(
            f"The variable {in_a_line(variable, 60)} is not set. Nothing was asked; put the token "
            "there, without Bearer before it."
        )
    return token


def _refuse_what_is_there(write: str | None) -> None:
    if write not in (None, STDOUT) and Path(str(write)).exists():
        raise InputRefused(f"{write} is there already. Nothing was written; name another file.")


def _write(text: str, place: str) -> None:
    if place == STDOUT:
        tell(text.rstrip("\n"))
        return
    try:
        with Path(place).open("x") as out:
            out.write(text)
    except OSError as error:
        raise InputRefused(
            f"{place} cannot be written ({error.strerror}). Nothing was written; name another file."
        ) from error


# -- declarations, as a Python module --------------------------------------------------------------

_MOST_DESCRIPTION: Final = 1_000
_MOST_OF_ARGUMENT: Final = 300

_MAY_BE_KEY = re.compile(
    r"idempot|dedup|(client|request|external)_?(id|ref|token|key)|reference", re.IGNORECASE
)
"""Names of arguments that may carry a key."""

_NOT_SHOWN: Final = frozenset({"title", "examples", "example", "$comment", "deprecated"})
"""Words of a schema that nobody needs, and that the model would read."""

_NAMED_BELOW: Final = frozenset({"properties", "patternProperties", "$defs", "definitions"})
"""Where names stand in a schema, and no words of its own."""


def begun(name: str, shown: Mapping[str, Any]) -> McpTool:
    """Make the declaration of a tool as it is shown, with nothing believed of it."""
    schema = shown.get("inputSchema")
    return McpTool(
        description=in_a_line(shown.get("description"), _MOST_DESCRIPTION) or name,
        arguments=_plain(schema) if isinstance(schema, Mapping) else {},
        digest=digest_of(shown),
        hints=hints_of(shown),
    )


def module_of(
    server: Server, told: str, made: Mapping[str, McpTool | str], token_from: str | None
) -> str:
    """Write the module. Nothing of what the server says stands in it but as quoted text.

    Args:
        told: what the server calls itself.
        made: each tool's declaration, or why it has none.
        token_from: the variable of the environment that holds the token, where there is one.
    """
    reads = [name for name, one in made.items() if isinstance(one, McpTool) and one.says_read_only]
    lines = [
        '"""Tools of an MCP server, as `daybook mcp inspect` was shown them.',
        "",
        "Each is an effect of the worst class: asked about, sent once, in doubt when no answer "
        "comes.",
        "What more you know of one you declare of it; docs/mcp.md tells what there is.",
        '"""',
        "",
        *(["import os", ""] if token_from else []),
        "from daybook import mcp",
        "from daybook.domain import McpTool",
        "",
        f"{_constant(server.name or told)} = mcp(",
        f"    {server.url!r}," if not server.name else f"    {server.at.partition(' --')[0]!r},",
        *([f"    name={server.name!r},"] if server.name else []),
    ]
    if token_from:
        lines.append(f'    headers={{"Authorization": f"Bearer {{os.environ[{token_from!r}]}}"}},')
    if reads:
        lines += [
            "    # The server says that these change nothing: add kind='read' where you trust it.",
            *(f"    #   {in_a_line(name, 80)}" for name in reads),
        ]
    lines.append("    declare={")
    for name, one in made.items():
        lines += _entry(name, one)
    return "\n".join([*lines, "    },", ")", ""])


def _entry(name: str, one: McpTool | str) -> list[str]:
    if isinstance(one, str):
        return [f"        # {in_a_line(name, 80)} cannot be used: {in_a_line(one, 300)}"]
    about: dict[str, Any] = {
        "description": one.description,
        "arguments": dict(one.arguments),
        "digest": one.digest,
        **({"hints": dict(one.hints)} if one.hints else {}),
    }
    lines = [f"        {name!r}: McpTool("]
    for field, value in about.items():
        written = pprint.pformat(value, width=84, sort_dicts=False)
        lines.append(indent(f"{field}={written},", " " * 12))
    for argument in one.arguments.get("properties", {}):
        if _MAY_BE_KEY.search(argument):
            lines.append(
                f"            # {in_a_line(argument, 60)} may carry a key: ask who runs the server."
            )
    return [*lines, "        ),"]


def _plain(schema: Any, *, is_names: bool = False) -> Any:
    """Take a schema with its words bounded, and without those that nobody needs."""
    if isinstance(schema, Mapping):
        return {
            name: in_a_line(value, _MOST_OF_ARGUMENT)
            if name == "description" and not is_names
            else _plain(value, is_names=name in _NAMED_BELOW and not is_names)
            for name, value in schema.items()
            if is_names or name not in _NOT_SHOWN
        }
    return [_plain(one) for one in schema] if isinstance(schema, list) else schema


def _constant(told: str) -> str:
    words = re.findall(r"[A-Za-z0-9]+", told.rpartition(" ")[0] or told)
    name = "_".join(words).upper()[:40]
    return name if name.isidentifier() and not keyword.iskeyword(name) else "SERVER"
