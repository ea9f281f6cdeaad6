"""Write declarations of a server's tools as a Python module, what it says quoted in it."""

from __future__ import annotations

import keyword
import pprint
import re
from collections.abc import Mapping
from textwrap import indent
from typing import Any, Final

from daybook.state.plain import in_a_line
from daybook.tools.mcp.declared import McpTool, digest_of, hints_of

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
        name="" if _is_callable(name) else _callable(name),
    )


def module_of(
    url: str, server: str, made: Mapping[str, McpTool | str], token_from: str | None
) -> str:
    """Write the module. Nothing of what the server says stands in it but as quoted text.

    Args:
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
        f"{_constant(server)} = mcp(",
        f"    {url!r},",
    ]
    if token_from:
        lines.append(f'    headers={{"Authorization": f"Bearer {{os.environ[{token_from!r}]}}"}},')
    if reads:
        lines += [
            "    # With trust=True these are reads, since the server says so itself:",
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
        **({"name": one.name} if one.name else {}),
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


def _constant(server: str) -> str:
    words = re.findall(r"[A-Za-z0-9]+", server.rpartition(" ")[0] or server)
    name = "_".join(words).upper()[:40]
    return name if name.isidentifier() and not keyword.iskeyword(name) else "SERVER"


def _is_callable(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", name) is not None


def _callable(name: str) -> str:
    written = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:63]
    return written if re.match(r"[A-Za-z_]", written) else f"_{written}"
