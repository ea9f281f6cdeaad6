"""The connection to one MCP server, by the SDK: listing, reading, and sending an effect once.

Over HTTP each use is a session of its own: in a shared one, a failed request of one caller ends
those of all others. A server that was started as a command has one session, its process's.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from subprocess import DEVNULL
from typing import Any, Final, TypeAlias, TypeVar

import anyio
import httpx
from mcp import ClientSession, McpError, StdioServerParameters, stdio_client, types
from mcp.client.streamable_http import streamable_http_client
from pydantic import BaseModel

from daybook.state.clock import SYSTEM
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.outcome import NotSent, Outcome, Unknown
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.state.plain import in_a_line
from daybook.tools.mcp.configuration import Server
from daybook.tools.services.http import MOST_BYTES, NOT_SENT
from daybook.tools.services.reply import HIDDEN

Shown: TypeAlias = dict[str, dict[str, Any]]
"""Tools by name, as the server lists them."""

Expect: TypeAlias = Callable[[Shown], None]
"""Raises where the server does not show what it should, before anything is called."""

_T = TypeVar("_T", bound=BaseModel)

_MOST_PAGES: Final = 50

_SECONDS_TO_START: Final = 30
"""The limit to start a command, which a package runner may have to download first."""

_SECONDS_TO_ANSWER: Final = 2
"""The limit of a ping; nothing else may wait for it."""

_NO_ANSWERS: Final = (types.CONNECTION_CLOSED, 32_600)
"""Errors that are the SDK's own: a process that ended, and any answer with the status 404."""

_ME = types.Implementation(name="daybook", version="1")

_CLOSED = (anyio.ClosedResourceError, anyio.BrokenResourceError)
"""Raised where a session was over before a request was taken up, so that nothing was sent."""

# What they log of an answer that they cannot read is the server's words, whole.
for _name in ("mcp.client.stdio", "mcp.client.streamable_http"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


class Connection:
    """The connection to one MCP server. A command is started at its first use, and when it ended.

    Args:
        server: where it is.
        seconds: how long a read may take.
    """

    def __init__(self, server: Server, seconds: float = 10) -> None:
        self.server, self._seconds = server, seconds
        self._process: _Process | None = None
        self._starting = asyncio.Lock()

    async def close(self) -> None:
        """End the process of a server that was started as a command."""
        if (process := self._process) is not None:
            self._process = None
            await process.end()

    async def tools(self) -> Shown:
        """Return the tools that the server shows now.

        Raises:
            ServiceUnavailable: it cannot be reached, or is no MCP server.
        """
        found: Shown = {}
        await self._read(found.update)
        return found

    async def read(
        self, tool: str, arguments: Mapping[str, Any], expect: Expect
    ) -> types.CallToolResult:
        """Call a tool that changes nothing.

        Raises:
            ToolRefused: the server says no, in its words.
            ServiceUnavailable: it cannot be reached, or its answer cannot be used.
        """
        came = await self._read(expect, _call(tool, arguments))
        assert came is not None
        return came

    async def send(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        deadline: Deadline,
        expect: Expect,
        judged: Callable[[types.CallToolResult | types.ErrorData], Outcome],
    ) -> Outcome:
        """Call a tool that changes the world, once.

        Args:
            judged: says what an answer proves.

        Raises:
            ServiceUnavailable: the server cannot be asked what it shows, so nothing was sent.
        """
        number = len(deadline.sent)
        outcome: Outcome | None = None
        try:
            async with (
                deadline.clock.timeout(deadline.seconds),
                self._session(deadline) as session,
            ):
                expect(await _listed(session))
                # Before it goes out: what is raised after this is no word that nothing was sent.
                deadline.sent.append(True)
                try:
                    # Not `call_tool`, which lists the tools behind an effect and may fail over it.
                    came = await session.send_request(_call(tool, arguments), types.CallToolResult)
                    outcome = judged(self._hidden(came))
                except McpError as error:
                    outcome = judged(self._hidden(error.error))
                except _CLOSED:
                    outcome = NotSent("its session had ended")
        except Exception as error:
            # Where there was an answer, only leaving the session failed.
            if outcome is None:
                if len(deadline.sent) == number:
                    if isinstance(error, TimeoutError):
                        return NotSent("its deadline passed before it was sent")
                    raise self._unavailable(error) from error
                causes = [type(one) for one in _causes(error)]
                is_unsent = all(issubclass(cause, NOT_SENT) for cause in causes)
                why = ", ".join(cause.__name__ for cause in causes)
                outcome = NotSent(f"no connection ({why})") if is_unsent else None
                outcome = outcome or Unknown(f"no answer that can be read ({why})")
        assert outcome is not None
        deadline.sent[number] = not isinstance(outcome, NotSent)
        return outcome

    async def _read(
        self, expect: Expect, request: types.ClientRequest | None = None
    ) -> types.CallToolResult | None:
        came = None
        seconds = self._seconds + (_SECONDS_TO_START if self.server.command else 0)
        deadline = Deadline(SYSTEM.monotonic() + seconds)
        try:
            async with SYSTEM.timeout(seconds), self._session(deadline) as session:
                expect(await _listed(session))
                if request is not None:
                    came = await session.send_request(request, types.CallToolResult)
        except Exception as error:
            if came is None:
                raise self._unavailable(error) from error
        return None if came is None else self._hidden(came)

    @asynccontextmanager
    async def _session(self, deadline: Deadline) -> AsyncIterator[ClientSession]:
        """Sign on over HTTP for one use, or yield the session of the process."""
        if self.server.command:
            async with self._starting:
                if self._process is None or not await self._process.is_alive():
                    await self.close()
                    self._process = _Process(self.server)
                process = self._process
            # Where nobody waits any more it goes on starting, for whoever comes next.
            session = await asyncio.shield(process.session)
            process.users += 1
            try:
                yield session
            finally:
                process.users -= 1
            return
        async with AsyncExitStack() as stack:
            client = httpx.AsyncClient(
                transport=_Bounded(self.server.url, deadline),
                # Packed, a short answer could be a long one.
                headers={**self.server.headers, "accept-encoding": "identity"},
                # The SDK follows a redirect with a second POST, unless it may follow none.
                max_redirects=0,
                timeout=max(deadline.seconds, 0.001),
            )
            streams = streamable_http_client(self.server.url, http_client=client)
            await stack.enter_async_context(client)
            read, write, _ = await stack.enter_async_context(streams)
            session = ClientSession(read, write, client_info=_ME)
            await (await stack.enter_async_context(session)).initialize()
            yield session

    def _hidden(self, came: _T) -> _T:
        """Hide the secrets of the configuration where a server repeats them."""
        said = came.model_dump_json(by_alias=True)
        # As they stand in JSON, and nothing else of it is changed.
        secrets = [json.dumps(one, ensure_ascii=False)[1:-1] for one in self.server.secrets]
        if not any(secret in said for secret in secrets):
            return came
        for secret in secrets:
            said = said.replace(secret, HIDDEN)
        return type(came).model_validate_json(said)

    def _unavailable(self, error: Exception) -> Exception:
        """Say why a server cannot be asked, and what to do."""
        cause = _causes(error)[0]
        if isinstance(cause, ToolRefused):
            return cause
        place = f"The MCP server at {self.server.address}"
        if isinstance(cause, McpError) and cause.error.code not in _NO_ANSWERS:
            said = in_a_line(self._hidden(cause.error).message, 300) or "no"
            return ToolRefused(f"{place} says: {said} ({cause.error.code}). Nothing was done.")
        why = in_a_line(f"{type(cause).__name__} {cause}", 200)
        return ServiceUnavailable(
            f"{place} cannot be used ({why}). Nothing was changed; "
            + (
                "run its command by hand to see why."
                if self.server.command
                else "check that it runs, its token, and its URL, which often ends in /mcp."
            )
        )


class _Bounded(httpx.AsyncHTTPTransport):
    """Send nothing after a deadline, and read no answer without end.

    A request that waits for a connection would be sent when it is long given up.
    """

    def __init__(self, url: str, deadline: Deadline) -> None:
        super().__init__(verify=httpx.URL(url).scheme == "https", retries=0)
        self._deadline = deadline

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        seconds = self._deadline.seconds if request.method != "DELETE" else 0.5
        async with self._deadline.clock.timeout(seconds):
            answer = await super().handle_async_request(request)
        if "content-encoding" in answer.headers:
            await answer.aclose()
            raise httpx.ReadError("its answer is compressed, which was not requested")
        assert isinstance(answer.stream, httpx.AsyncByteStream)
        answer.stream = _Counted(answer.stream)
        return answer


class _Counted(httpx.AsyncByteStream):
    """Read so many bytes of an answer, as they travel, and no more."""

    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for chunk in self._stream:
            read += len(chunk)
            if read > MOST_BYTES:
                raise httpx.ReadError("its answer is too long")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Process:
    """A server that was started as a command, held by a task of its own."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._end, self.users = asyncio.Event(), 0
        self.session: asyncio.Future[ClientSession] = asyncio.Future()
        self._task = asyncio.create_task(self._hold())

    async def is_alive(self) -> bool:
        """Tell whether it answers, or is still starting.

        One that hangs is not ended while someone waits for what it may be doing.
        """
        if self._task.done() or not self.session.done():
            return not self._task.done()
        try:
            async with SYSTEM.timeout(_SECONDS_TO_ANSWER):
                await self.session.result().send_ping()
        except McpError as error:
            # Some know no ping, and say so.
            return error.error.code != types.CONNECTION_CLOSED
        except _CLOSED:
            return False
        except TimeoutError:
            return self.users > 0
        return True

    async def end(self) -> None:
        """End it: its input is closed; two seconds later it is ended, and two later killed."""
        self._end.set()
        if not self.session.done():
            self._task.cancel()
        await asyncio.wait([self._task])

    async def _hold(self) -> None:
        started = StdioServerParameters(
            command=self._server.command,
            args=list(self._server.args),
            env=dict(self._server.env),
            encoding_error_handler="replace",
        )
        # What it writes beside its answers belongs into nobody's terminal.
        errors: Any = DEVNULL
        try:
            async with (
                stdio_client(started, errlog=errors) as (read, write),
                ClientSession(read, write, client_info=_ME) as session,
            ):
                async with SYSTEM.timeout(_SECONDS_TO_START):
                    await session.initialize()
                self.session.set_result(session)
                await self._end.wait()
        except BaseException as error:
            if not self.session.done():
                known = error if isinstance(error, Exception) else ConnectionError("it was ended")
                self.session.set_exception(known)
                self.session.exception()  # nobody may wait for it any more
            if not isinstance(error, Exception):
                raise


async def _listed(session: ClientSession) -> Shown:
    found: Shown = {}
    about: types.PaginatedRequestParams | None = None
    for _ in range(_MOST_PAGES):
        page = await session.list_tools(params=about)
        for one in page.tools:
            if one.name in found:
                raise ValueError("it lists two tools with the same name")
            # As it was sent: the digest of what is declared is made of it.
            found[one.name] = one.model_dump(mode="json", by_alias=True, exclude_unset=True)
        if not page.nextCursor:
            return found
        about = types.PaginatedRequestParams(cursor=page.nextCursor)
    raise ValueError("the list of its tools does not end")


def _call(tool: str, arguments: Mapping[str, Any]) -> types.ClientRequest:
    about = types.CallToolRequestParams(name=tool, arguments=dict(arguments))
    return types.ClientRequest(types.CallToolRequest(params=about))


def _causes(error: BaseException) -> list[BaseException]:
    """Return what was raised, out of the groups that tasks raise."""
    if not isinstance(error, BaseExceptionGroup):
        return [error]
    return [cause for one in error.exceptions for cause in _causes(one)]
