"""The connection to one MCP server over streamable HTTP: sign-on, listing, reading, sending once.

Not the client of the `mcp` package: that one follows redirects with the request, goes on with a
broken stream by itself, and sends from this process, which nobody ends at its deadline. Its types
are used, and the house's own client sends.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from mcp import types
from mcp.shared.version import SUPPORTED_PROTOCOL_VERSIONS
from pydantic import ValidationError

from daybook.state.clock import SYSTEM, Clock
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.outcome import Outcome
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.state.plain import in_a_line
from daybook.tools.mcp import wire
from daybook.tools.mcp.wire import Answer, Unreadable
from daybook.tools.services.http import HttpService
from daybook.tools.services.reply import Reply

MOST_TOOLS: Final = 1_000
_MOST_PAGES: Final = 50

_SESSION_ID = re.compile(r"[\x21-\x7e]{1,1000}")

_HEADERS: Final = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    # Of what is packed nobody sees the end of an event.
    "accept-encoding": "identity",
}


@dataclass(frozen=True)
class _Signed:
    """What a server and we agreed on."""

    version: str
    session: str

    @property
    def headers(self) -> dict[str, str]:
        named = {"mcp-session-id": self.session} if self.session else {}
        return {"mcp-protocol-version": self.version, **named}


class Connection:
    """The connection to one MCP server.

    Args:
        url: such as https://office.example/mcp.
        headers: sent with every request, written nowhere.
        seconds: how long a read may take.

    Raises:
        DeclarationError: the URL or a header cannot be used.

    Attributes:
        server: name and version that the server tells of itself; empty before it was asked.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        seconds: float = 10,
        clock: Clock = SYSTEM,
    ) -> None:
        self.url = url
        self._path = "/" if url.endswith("/") else ""
        self._http = HttpService(url, headers=headers, seconds=seconds, clock=clock)
        self._signed: _Signed | None = None
        self.server = ""

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def tools(self) -> dict[str, dict[str, Any]]:
        """Return the tools that the server shows now, as it shows them, by name.

        Raises:
            ServiceUnavailable: it cannot be reached, or is no MCP server.
        """
        found: dict[str, dict[str, Any]] = {}
        params: dict[str, Any] = {}
        for _ in range(_MOST_PAGES):
            answer = await self._ask("tools/list", params)
            page = (answer.result or {}).get("tools")
            if not isinstance(page, list):
                raise self._unusable("it lists no tools")
            for one in page:
                if not isinstance(one, dict) or not isinstance(name := one.get("name"), str):
                    raise self._unusable("it lists a tool without a name")
                if name in found:
                    raise self._unusable(f"it lists two tools named {in_a_line(name, 60)}")
                found[name] = one
            cursor = (answer.result or {}).get("nextCursor")
            if not isinstance(cursor, str) or not cursor:
                return found
            if len(found) > MOST_TOOLS:
                break
            params = {"cursor": cursor}
        raise self._unusable(f"it lists more than {MOST_TOOLS} tools, or does not end")

    async def read(self, tool: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """Call a tool that changes nothing.

        Raises:
            ToolRefused: the server says no, in its words.
            ServiceUnavailable: it cannot be reached, or its answer cannot be used.
        """
        answer = await self._ask("tools/call", {"name": tool, "arguments": dict(arguments)})
        try:
            return types.CallToolResult.model_validate(answer.result)
        except ValidationError as error:
            raise self._unusable("its answer is no result of a tool") from error

    async def send(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        headers: Mapping[str, str],
        deadline: Deadline,
        judged: Callable[[Reply, str], Outcome],
    ) -> Outcome:
        """Call a tool that changes the world, once.

        Args:
            arguments: sent in this order.
            headers: of this request alone.
            judged: says what a reply to the request of this id proves.

        Raises:
            ServiceUnavailable: the server cannot be signed on to, so nothing was sent.
        """
        signed = await self._sign_on()
        id_ = uuid.uuid4().hex
        content = wire.request(id_, "tools/call", {"name": tool, "arguments": dict(arguments)})

        def judge(reply: Reply) -> Outcome:
            if wire.is_session_over(reply):
                self._signed = None
            return judged(reply, id_)

        return await self._http.send(
            "POST",
            self._path,
            content,
            {**_HEADERS, **signed.headers, **headers},
            deadline=deadline,
            judged=judge,
            until=id_.encode(),
        )

    # -- reading ----------------------------------------------------------------------------------

    async def _ask(self, method: str, params: Mapping[str, Any]) -> Answer:
        """Ask for what changes nothing; once more where the session was over.

        Raises:
            ToolRefused, ServiceUnavailable: as `read`.
        """
        for _ in range(2):
            headers, id_ = (await self._sign_on()).headers, uuid.uuid4().hex
            reply = await self._post(wire.request(id_, method, params), headers, id_)
            try:
                answer = wire.answer_in(reply, id_)
            except Unreadable as why:
                if not wire.is_session_over(reply):
                    raise self._refused(reply, str(why)) from why
                self._signed = None
                continue
            if answer.result is None:
                said = f"{answer.message or 'no'} ({answer.code})"
                raise ToolRefused(f"{self._name} says: {said}. Nothing was done.")
            return answer
        raise self._unusable("it ends each session at once")

    async def _sign_on(self) -> _Signed:
        if self._signed is not None:
            return self._signed
        id_ = uuid.uuid4().hex
        wanted = {
            "protocolVersion": types.LATEST_PROTOCOL_VERSION,
            "capabilities": {},
            "clientInfo": {"name": "daybook", "version": "1"},
        }
        reply = await self._post(wire.request(id_, "initialize", wanted), {}, id_)
        try:
            answer = wire.answer_in(reply, id_)
        except Unreadable as why:
            raise self._refused(reply, str(why)) from why
        try:
            told = types.InitializeResult.model_validate(answer.result)
        except ValidationError as error:
            raise self._unusable(answer.message or "it does not say what it is") from error
        version = str(told.protocolVersion)
        if version not in SUPPORTED_PROTOCOL_VERSIONS:
            raise self._unusable(f"it speaks the version {in_a_line(version, 20)} of MCP alone")
        session = reply.headers.get("mcp-session-id", "")
        if session and not _SESSION_ID.fullmatch(session):
            raise self._unusable("the id of its session cannot be sent")
        signed = _Signed(version, session)
        await self._post(wire.notification("notifications/initialized"), signed.headers)
        info = told.serverInfo
        self.server = in_a_line(f"{info.name} {info.version}", 80)
        self._signed = signed
        return signed

    async def _post(self, content: bytes, headers: Mapping[str, str], until: str = "") -> Reply:
        sent = {**_HEADERS, **headers}
        return await self._http.ask("POST", self._path, content, sent, until=until.encode())

    # -- what is wrong ----------------------------------------------------------------------------

    @property
    def _name(self) -> str:
        return f"The MCP server at {self.url}"

    def _refused(self, reply: Reply, why: str) -> ServiceUnavailable:
        """Say what an answer that is none of MCP's comes to, and what to do."""
        status = reply.status
        if status in (401, 403):
            what = (
                f"wants a sign-in ({status}): give it a token, as "
                'headers={"Authorization": "Bearer ..."} or --token-from VARIABLE'
            )
        elif 300 <= status < 400:
            to = urlsplit(reply.headers.get("location", ""))
            place = in_a_line(f"{to.netloc.rpartition('@')[2]}{to.path}", 200)
            what = f"leads elsewhere ({status}, {place}), which is not followed: use the URL there"
        elif status in (404, 405):
            what = f"is not there ({status}): see its URL, which often ends in /mcp"
        elif status >= 500:
            what = f"failed ({status}): try again"
        else:
            what = f"is none ({status}, {why}): see its URL"
        return ServiceUnavailable(f"{self._name} {what}. Nothing was changed.", status=status)

    def _unusable(self, why: str) -> ServiceUnavailable:
        return ServiceUnavailable(
            f"{self._name} cannot be used: {why}. Nothing was changed; ask its makers."
        )
