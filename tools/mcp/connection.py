"""The connection to one MCP server, by the SDK: listing, reading, and sending an effect once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from subprocess import DEVNULL
from typing import Any, Final, TypeVar

import anyio
import httpx
from mcp import ClientSession, McpError, StdioServerParameters, stdio_client, types
from mcp.client.streamable_http import streamable_http_client
from pydantic import BaseModel, ValidationError

from daybook.state.clock import SYSTEM
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.outcome import NotSent, Outcome, Unknown
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.state.plain import in_a_line
from daybook.tools.mcp.configuration import Server
from daybook.tools.mcp.transport import FAILED, AnsweringTransport, Call, Outbox
from daybook.tools.services.reply import HIDDEN

_LOG = logging.getLogger(__name__)

_MOST_PAGES: Final = 50

_PATIENCE: Final = 5
"""Seconds that a session may take to end; a process is ended after two, and killed after four."""

# What they log of an answer that they cannot read is the server's words, whole.
for _name in ("mcp.client.stdio", "mcp.client.streamable_http"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)

_Result = TypeVar("_Result", bound=BaseModel)
Answer = types.CallToolResult | types.ErrorData

_CLOSED = (anyio.ClosedResourceError, anyio.BrokenResourceError)
"""Raised where the session was over before a request was taken up, so that nothing was sent."""


class Connection:
    """The connection to one MCP server. It is opened by its first use, and again when it is over.

    Args:
        server: where it is.
        seconds: how long a read may take, and signing on; a command may take 30 to start.

    Attributes:
        told: name and version that the server tells of itself; empty before it was asked.
    """

    def __init__(self, server: Server, seconds: float = 10) -> None:
        self.server, self.told = server, ""
        self._seconds = seconds
        self._session: _Session | None = None
        self._opening = asyncio.Lock()

    async def close(self) -> None:
        """End the session, and the process of a server that was started as a command."""
        if (session := self._session) is not None:
            self._session = None
            await session.end()

    async def tools(self) -> dict[str, dict[str, Any]]:
        """Return the tools that the server shows now, as it shows them, by name.

        Raises:
            ServiceUnavailable: it cannot be reached, or is no MCP server.
        """
        found: dict[str, dict[str, Any]] = {}
        about: types.PaginatedRequestParams | None = None
        for _ in range(_MOST_PAGES):
            request = types.ListToolsRequest(params=about)
            page = await self._ask(types.ClientRequest(request), types.ListToolsResult)
            for one in page.tools:
                if one.name in found:
                    raise self._unusable("it lists two tools of one name")
                # As it was sent: the digest of what is declared is made of it.
                found[one.name] = one.model_dump(mode="json", by_alias=True, exclude_unset=True)
            if not page.nextCursor:
                return found
            about = types.PaginatedRequestParams(cursor=page.nextCursor)
        raise self._unusable("the list of its tools does not end")

    async def read(self, tool: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """Call a tool that changes nothing.

        Raises:
            ToolRefused: the server says no, in its words.
            ServiceUnavailable: it cannot be reached, or its answer cannot be used.
        """
        return self._hidden(await self._ask(_call(tool, arguments), types.CallToolResult))

    async def send(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        deadline: Deadline,
        judged: Callable[[Answer], Outcome],
    ) -> Outcome:
        """Call a tool that changes the world, once.

        Args:
            judged: says what an answer proves.

        Raises:
            ServiceUnavailable: the server cannot be signed on to, so nothing was sent.
        """
        session = await self._opened()
        if deadline.seconds <= 0:
            return NotSent("its time was over before it was sent")
        # Before it goes out: what the tool raises after this is no word that nothing was sent.
        number = len(deadline.sent)
        deadline.sent.append(True)
        call = Call(deadline=deadline)
        outcome: Outcome
        try:
            came = await session.ask(_call(tool, arguments), types.CallToolResult, call)
            outcome = judged(self._hidden(came))
        except McpError as error:
            fault = call.fault if error.error.code == FAILED else None
            outcome = fault or judged(self._hidden(error.error))
        except _CLOSED:
            session.is_over = True
            outcome = NotSent("its session was over")
        except (OSError, ValidationError) as error:
            outcome = Unknown(f"no answer that can be read ({type(error).__name__})")
        deadline.sent[number] = not isinstance(outcome, NotSent)
        return outcome

    # -- reading ----------------------------------------------------------------------------------

    async def _ask(self, request: types.ClientRequest, result: type[_Result]) -> _Result:
        """Ask for what changes nothing; once more where the session was over."""
        for last in (False, True):
            session = await self._opened()
            call = Call(deadline=_within(self._seconds))
            try:
                return await session.ask(request, result, call)
            except McpError as error:
                if error.error.code != FAILED and error.error.code != types.CONNECTION_CLOSED:
                    said = f"{in_a_line(self._hidden(error.error).message, 300) or 'no'}"
                    raise ToolRefused(
                        f"The MCP server at {self.server.place} says: {said} ({error.error.code}). "
                        "Nothing was done."
                    ) from error
                session.is_over = call.is_over or error.error.code == types.CONNECTION_CLOSED
                if last or not session.is_over:
                    raise self._away(call.hint or "ended before it answered") from error
            except _CLOSED as error:
                session.is_over = True
                if last:
                    raise self._away("ended before it answered") from error
            except OSError as error:
                raise self._away(call.hint or "gives no answer in time") from error
            except ValidationError as error:
                raise self._unusable("its answer is none of MCP's") from error
        raise AssertionError("unreachable")

    async def _opened(self) -> _Session:
        """Return the session, opening one where there is none."""
        async with self._opening:
            if self._session is None or self._session.is_over:
                await self.close()
                self._session = _Session(self.server, self._seconds)
            session = self._session
            try:
                # Where nobody waits any more it goes on beginning, for whoever comes next.
                told = await session.begin()
            except Exception as error:
                await self.close()
                raise self._away(session.why_not(error)) from error
            self.told = in_a_line(f"{told.serverInfo.name} {told.serverInfo.version}", 80)
            return session

    def _hidden(self, came: _Result) -> _Result:
        """Hide the secrets of the configuration where a server repeats them."""
        said = came.model_dump_json(by_alias=True)
        if not any(secret in said for secret in self.server.secrets):
            return came
        for secret in self.server.secrets:
            said = said.replace(secret, HIDDEN)
        return type(came).model_validate_json(said)

    def _away(self, why: str) -> ServiceUnavailable:
        return ServiceUnavailable(
            f"The MCP server at {self.server.place} {why}. Nothing was changed."
        )

    def _unusable(self, why: str) -> ServiceUnavailable:
        return self._away(f"cannot be used: {why}; ask its makers")


class _Session:
    """A session of the SDK, held by a task of its own: it must be left where it was entered."""

    def __init__(self, server: Server, seconds: float) -> None:
        self._server = server
        # A package runner may have to fetch the command first.
        self._seconds = seconds if server.url else max(seconds, 30)
        self._calls: dict[Any, Call] = {}
        self._first = Call(deadline=_within(self._seconds))
        self._end = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._begun: asyncio.Future[tuple[ClientSession, types.InitializeResult]]
        self._begun = loop.create_future()
        self._task = loop.create_task(self._hold())
        self.is_over = False

    async def begin(self) -> types.InitializeResult:
        """Wait until it is signed on; raises whatever the SDK raises where it cannot be."""
        if not self._begun.done():
            async with SYSTEM.timeout(self._first.deadline.seconds):
                await asyncio.shield(self._begun)
        return self._begun.result()[1]

    async def ask(self, request: types.ClientRequest, result: type[_Result], call: Call) -> _Result:
        """Send a request and wait for its answer, until the call's deadline."""
        session, _ = self._begun.result()
        async with call.deadline.clock.timeout(call.deadline.seconds):
            # Not `call_tool`, which lists the tools again behind an effect and may fail over it.
            return await session.send_request(request, result, metadata=call)

    async def end(self) -> None:
        """Leave it: a server's process ends, or is ended."""
        self.is_over = True
        self._end.set()
        if not self._begun.done() or not await SYSTEM.ended(self._task, _PATIENCE):
            self._task.cancel()
            await asyncio.wait([self._task])

    def why_not(self, error: Exception) -> str:
        """Say why it could not be begun, and what to do."""
        if self._first.hint:
            return self._first.hint
        if isinstance(error, OSError) and self._server.command and error.errno:
            return f"cannot be started ({error.strerror}): see its command"
        if isinstance(error, RuntimeError):
            return f"cannot be used: {in_a_line(str(error), 200)}"
        if self._server.command:
            return "does not begin as an MCP server does: run its command by hand to see why"
        return f"does not say what it is ({type(error).__name__}): see its URL"

    async def _hold(self) -> None:
        try:
            async with AsyncExitStack() as stack:
                read, write = await self._streams(stack)
                outbox: Any = Outbox(write, self._calls)
                session = await stack.enter_async_context(
                    ClientSession(
                        read, outbox, client_info=types.Implementation(name="daybook", version="1")
                    )
                )
                self._begun.set_result((session, await session.initialize()))
                await self._end.wait()
        except BaseException as error:
            why: BaseException = error
            while isinstance(why, BaseExceptionGroup):
                why = why.exceptions[0]
            if not self._begun.done():
                known = why if isinstance(why, Exception) else ConnectionError("it was ended")
                self._begun.set_exception(known)
                self._begun.exception()  # nobody may wait for it any more
            if not isinstance(why, Exception):
                raise
            _LOG.debug("the session with %s ended: %s", self._server.place, type(why).__name__)
        finally:
            self.is_over = True

    async def _streams(self, stack: AsyncExitStack) -> tuple[Any, Any]:
        if self._server.url:
            client = httpx.AsyncClient(
                transport=AnsweringTransport(self._server.url, self._first, self._calls),
                # Of what is packed nobody sees the end of an event.
                headers={**self._server.headers, "accept-encoding": "identity"},
                timeout=self._seconds,
            )
            await stack.enter_async_context(client)
            streams = streamable_http_client(self._server.url, http_client=client)
            read, write, _ = await stack.enter_async_context(streams)
            return read, write
        # What it writes beside its answers belongs into nobody's terminal.
        errors: Any = DEVNULL
        started = StdioServerParameters(
            command=self._server.command,
            args=list(self._server.args),
            env=dict(self._server.env),
            cwd=self._server.cwd,
            encoding_error_handler="replace",
        )
        return await stack.enter_async_context(stdio_client(started, errlog=errors))


def _call(tool: str, arguments: Mapping[str, Any]) -> types.ClientRequest:
    about = types.CallToolRequestParams(name=tool, arguments=dict(arguments))
    return types.ClientRequest(types.CallToolRequest(params=about))


def _within(seconds: float) -> Deadline:
    return Deadline(SYSTEM.monotonic() + seconds)
