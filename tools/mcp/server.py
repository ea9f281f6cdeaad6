"""The tools of an MCP server as tools of a domain, by their declarations."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Self, cast

import jsonschema
from pydantic import BaseModel, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError
from referencing import Registry

from daybook.state.context import EffectContext, PlanContext, ReadContext
from daybook.state.effects.outcome import Outcome
from daybook.state.errors import DeclarationError, ServiceUnavailable, ToolChanged, ToolRefused
from daybook.state.plain import in_a_line
from daybook.tools import kinds
from daybook.tools.calling import returning_data
from daybook.tools.checks.tool import check_seconds, check_tags
from daybook.tools.kinds import EffectTool, ReadTool, Result, Tool, effect_of
from daybook.tools.mcp import results
from daybook.tools.mcp.configuration import Given, listed_in, server_from
from daybook.tools.mcp.connection import Connection, Shown
from daybook.tools.mcp.declaration import (
    Listed,
    McpTool,
    Probe,
    arguments_shown,
    description_of,
    digest_of,
    needs_task,
)
from daybook.tools.services.contract import SAYS_NOTHING
from daybook.tools.services.request import key_text
from daybook.tools.signature import passed_through

_LOG = logging.getLogger(__name__)

_MOST_WORDS: Final = 200
_MOST_FAULTS: Final = 10

_AS_DECLARED = (
    "reference", "evidence", "owner", "undo", "operation", "guarantees", "makes_stale", "happened",
)  # fmt: skip


class McpServer:
    """The tools of an MCP server, for a domain to use; `daybook.mcp` makes one.

    The server is not called here: model and approvers see the tools that were inspected. Whether
    the server still lists the same ones is checked when a call is proposed, when it was approved,
    and before it is sent.

    As an asynchronous context manager it logs at its start which tools have changed, and ends its
    session and its process at the end; use it in `open_resources`.

    Args:
        server: its streamable HTTP URL, such as https://office.example/mcp; or a JSON file, or the
            content of one, of `{"mcpServers": {NAME: {"command", "args", "env"} or {"url",
            "headers"}}}`. Its tools are then called NAME_TOOL here.
        tools: the tools to use, as the server listed them when they were inspected: a file
            that `daybook mcp inspect --write` wrote, or its `tools`.
        declare: what is known about them, by the server's names.
        headers: sent with each request to the URL (`Authorization`), never stored.
        name: the server's name, shown to users; default its host. If `mcpServers` has several,
            the one to use.
        seconds: how long a read may take.

    Attributes:
        offered: its reads and writes, for `Registry(offered=...)`.
        steps: its hybrids, which plans alone may use, for `Registry(steps=...)`.

    Raises:
        DeclarationError: a tool is declared wrongly; the message says what to write.

    Example:
        >>> listed = {"name": "list_rooms", "inputSchema": {"type": "object", "properties": {}}}
        >>> office = mcp("https://office.example/mcp", [listed])
        >>> office["list_rooms"].kind, office["list_rooms"].approval
        ('write', 'always')
    """

    def __init__(
        self,
        server: Given,
        tools: str | Path | Sequence[Listed],
        declare: Mapping[str, McpTool] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        name: str = "",
        seconds: float = 10,
    ) -> None:
        self.server = server_from(server, name, headers)
        self.name = name or self.server.label
        self.listed = {str(one["name"]): one for one in listed_in(tools)}
        self._declared = dict(declare or {})
        if unknown := self._declared.keys() - self.listed.keys():
            raise DeclarationError(
                f"The MCP tool {min(unknown)} is declared but was not inspected. Nothing was "
                "started; add it with `daybook mcp inspect --write`, or remove it."
            )
        self._connection = Connection(self.server, seconds)
        made = [self._made(there, one) for there, one in self.listed.items()]
        self._tools: dict[str, Tool] = {one.name: one for one in made}
        if len(self._tools) < len(made):
            raise DeclarationError(
                f"Two tools of the MCP server {self.name} have the same name. Nothing was "
                'started; write name="..." for one of them.'
            )
        self.offered = tuple(one for one in made if one.kind != "hybrid")
        self.steps = tuple(one for one in made if one.kind == "hybrid")

    def __getitem__(self, name: str) -> Tool:
        """Return a tool by its name here."""
        return self._tools[name]

    async def __aenter__(self) -> Self:
        """Look which tools have changed, and say so in the log; nothing is refused for it here."""
        try:
            for change in await self.changes():
                _LOG.error("%s: it is not called until its new declaration is accepted", change)
        except (ServiceUnavailable, ToolRefused) as error:
            _LOG.warning("%s", error)
        return self

    async def __aexit__(self, *error: object) -> None:
        """End the session."""
        await self.close()

    async def close(self) -> None:
        """End the session, and the process of a server that was started as a command."""
        await self._connection.close()

    async def changes(self) -> list[str]:
        """Return the declared tools that the server no longer lists as declared, with the reason.

        Raises:
            ServiceUnavailable: the server cannot be reached, or is no MCP server.
        """
        shown = await self._connection.tools()
        found = (self._otherwise(there, shown) for there in self.listed)
        return [change for change in found if change]

    def _expect(self, wanted: Iterable[str], shown: Shown) -> None:
        """Raise ToolChanged where the server does not show tools as they were looked at."""
        for there in wanted:
            if why := self._otherwise(there, shown):
                raise ToolChanged(why, self.server.at)

    def _otherwise(self, there: str, shown: Mapping[str, Mapping[str, Any]]) -> str:
        tool = f"the tool {there} of {self.name}"
        if (now := shown.get(there)) is None:
            return f"{tool} no longer exists"
        if digest_of(now) != digest_of(self.listed[there]):
            return f"{tool} has changed since it was inspected"
        if needs_task(now):
            return f"{tool} can now only run as a task, which is not supported here"
        return ""

    # -- tools ------------------------------------------------------------------------------------

    def declared(self, there: str) -> McpTool:
        """Return what is declared of a tool, beside what the server says."""
        return self._declared.get(there, McpTool())

    def _made(self, there: str, listed: Listed) -> Tool:
        declared = self.declared(there)
        here, kind = declared.name_of(listed, self.server.name), declared.kind_of(listed)
        declared.check(listed, here)
        if declared.kind == "read" and kind != "read":
            _LOG.warning(
                "%s says that %s changes something: it needs approval, although it is declared "
                "as a read",
                self.name,
                there,
            )
        args = arguments_of(here, arguments_shown(listed), declared.key_argument)
        if not declared.description:
            declared = replace(declared, description=description_of(listed))
        if kind == "read":
            return self._read(there, here, declared, args)
        check_tags(here, args, declared.makes_stale)
        return self._effect(there, here, declared, args, kind)

    def _read(self, there: str, here: str, declared: McpTool, args: Any) -> ReadTool:
        check_seconds(here, lifetime=declared.lifetime, within=declared.within)
        check_tags(here, args, declared.tags)

        async def run(*, ctx: ReadContext[Any], **given: Any) -> Any:
            came = await self._connection.read(there, given, partial(self._expect, [there]))
            if came.isError:
                raise ToolRefused(
                    f"{self.name} says: {results.words_of(came) or 'no'}. Nothing was done."
                )
            return results.result_of(came)

        return ReadTool(
            here,
            declared.description,
            args,
            returning_data(run),
            declared.lifetime,
            declared.tags,
            declared.within,
        )

    def _effect(self, there: str, here: str, declared: McpTool, args: Any, kind: Any) -> EffectTool:
        wanted, listed = [there], self.listed[there]

        async def run(*, ctx: EffectContext[Any], **given: Any) -> Outcome:
            key = key_text(SAYS_NOTHING, ctx.key)
            return await self._connection.send(
                there,
                {**given, declared.key_argument: key} if declared.key_argument else given,
                deadline=ctx.deadline,
                expect=partial(self._expect, wanted),
                judged=lambda came: results.judged(came, declared.declines),
            )

        # What a call depends on: an approval is of the tool as it was declared then.
        async def observe(args: Result, *, ctx: PlanContext[Any]) -> dict[str, Any]:
            self._expect([there], await self._connection.tools())
            return {"tool": digest_of(listed)}

        def moved(then: Result, now: Result) -> str | None:
            is_same = dict(then) == dict(now)
            return None if is_same else f"the tool {there} of {self.name} was declared again"

        looking: dict[str, Any] = {
            what: found for what in _AS_DECLARED if (found := getattr(declared, what)) is not None
        }
        looking |= {"approval": declared.approval_of(listed), "observe": observe, "moved": moved}
        if declared.guarantees.late_sender == "killed":
            # The SDK sends from this process, which nobody ends at a deadline.
            looking["guarantees"] = replace(declared.guarantees, late_sender="accepted")
        if declared.probe is not None:
            wanted.append(declared.probe.tool)
            looking["probe"] = self._probing(there, declared.probe)
        return effect_of(
            kind, here, declared.description, args, run, cast("kinds.Declared", looking)
        )

    def _probing(self, there: str, probe: Probe) -> Callable[..., Awaitable[list[Result]]]:
        """Make what looks an effect up; where it cannot look it raises, and proves nothing.

        Raises:
            DeclarationError: it is not declared, or changes the world itself.
        """
        known = self.listed.get(probe.tool)
        if known is None or self.declared(probe.tool).kind_of(known) != "read":
            raise DeclarationError(
                f"The MCP tool {there} is looked up by {probe.tool}, which is not declared as a "
                f'read. Nothing was started; declare "{probe.tool}": McpTool(kind="read", ...), or '
                "leave the probe out."
            )

        async def look(args: Result, *, ctx: EffectContext[Any]) -> list[Result]:
            key = key_text(SAYS_NOTHING, ctx.key)
            came = await self._connection.read(
                probe.tool, probe.args(args, key), partial(self._expect, [probe.tool])
            )
            found = results.all_of(came)
            if came.isError or found is None:
                why = (
                    "shows more than is taken"
                    if found is None
                    else results.words_of(came) or "says no"
                )
                raise ServiceUnavailable(f"{probe.tool} of {self.name} failed: {why}.")
            return probe.matches(found, args, key)

        return look


mcp = McpServer
"""What adopters call it by, since they write it like a function: see `McpServer`."""


# -- arguments: checked by the schema that the server shows, sent as they are written --------------


def arguments_of(name: str, schema: Mapping[str, Any], but: str = "") -> type[BaseModel]:
    """Make the model of a tool's arguments from its JSON schema.

    Nothing is converted and no default is filled in: what was decided is what is sent.

    Args:
        but: an argument that is filled in when it is sent, and that nobody else may give.

    Raises:
        DeclarationError: the schema is none, or names an argument that no tool here may have.
    """
    shown = _without(schema, but)
    validator = _validator(name, shown)
    if "ctx" in shown["properties"]:
        raise DeclarationError(
            f"The MCP tool {name} takes an argument named ctx, a name that Daybook reserves. "
            "Nothing was started; the tool cannot be declared."
        )
    base: type[BaseModel] = passed_through(name, shown)

    class Described(base):  # type: ignore[misc, valid-type]
        # A validator of the model, so that no way to read arguments passes the schema by.
        @model_validator(mode="before")
        @classmethod
        def _fits_schema(cls, given: Any) -> Any:
            if faults := _faults(validator, given, but):
                raise ValidationError.from_exception_data(name, faults)
            return given

    Described.__name__ = name
    return Described


def _faults(validator: Any, given: Any, but: str) -> list[InitErrorDetails]:
    """Return what does not fit, each at its place: what a plan binds later is left out by it."""
    faults = []
    if but and isinstance(given, Mapping) and but in given:
        faults.append(_fault((but,), "It is filled in when it is sent"))
    for error in validator.iter_errors(given):
        at = tuple(error.absolute_path)
        if error.validator == "required":
            missing = [one for one in error.validator_value if one not in error.instance]
            faults += [_fault((*at, one), "it is missing") for one in missing]
        else:
            faults.append(_fault(at, in_a_line(error.message, _MOST_WORDS)))
    return faults[:_MOST_FAULTS]


def _fault(at: tuple[int | str, ...], why: str) -> InitErrorDetails:
    words = why.replace("{", "(").replace("}", ")")
    return InitErrorDetails(type=PydanticCustomError("schema", words), loc=at, input=None)


def _without(schema: Mapping[str, Any], but: str) -> dict[str, Any]:
    properties = dict(schema.get("properties", {}))
    properties.pop(but, None)
    shown = {**schema, "properties": properties}
    if "required" in schema:
        shown["required"] = [one for one in schema["required"] if one != but]
    return shown


def _validator(name: str, schema: Mapping[str, Any]) -> Any:
    kind = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
    try:
        kind.check_schema(schema)
    except jsonschema.exceptions.SchemaError as error:
        raise DeclarationError(
            f"The arguments of the MCP tool {name} are not a valid JSON schema "
            f"({in_a_line(error.message, _MOST_WORDS)}). Nothing was started; use the schema that "
            "`daybook mcp inspect` prints."
        ) from error
    # With a registry of its own it fetches nothing that a schema refers to.
    return kind(schema, registry=Registry())
