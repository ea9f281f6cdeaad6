"""The connection to one MCP server over streamable HTTP: sign-on, listing, reading, sending once.

Not the client of the `mcp` package: told to follow no redirect, it still sends a call again and
again where the server answers 307, and it sends from this process, which nobody ends at its
deadline. Its types are used, and the house's own client sends.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from mcp import types
from mcp.shared.version import SUPPORTED_PROTOCOL_VERSIONS
from pydantic import ValidationError

from daybook.state.effects.deadline import Deadline
from daybook.state.effects.outcome import Outcome
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.state.plain import in_a_line
from daybook.tools.mcp import wire
from daybook.tools.services.http import HttpService
from daybook.tools.services.reply import Reply

_MOST_PAGES: Final = 50

_HEADERS: Final = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    # Of what is packed nobody sees the end of an event.
    "accept-encoding": "identity",
}

_CLIENT: Final = {
    "protocolVersion": types.LATEST_PROTOCOL_VERSION,
    "capabilities": {},
    "clientInfo": {"name": "daybook", "version": "1"},
}


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
    ) -> None:
        self.url = url
        self._path = "/" if url.endswith("/") else ""
        self._http = HttpService(url, headers=headers, seconds=seconds)
        self._signed: dict[str, str] | None = None
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
            page = await self._ask("tools/list", params)
            listed = page.get("tools")
            if not isinstance(listed, list):
                raise self._unusable("it lists no tools")
            for one in listed:
                name = one.get("name") if isinstance(one, dict) else None
                if not isinstance(name, str) or name in found:
                    raise self._unusable("it lists a tool without a name, or two of one name")
                found[name] = one
            if not (cursor := page.get("nextCursor")):
                return found
            params = {"cursor": cursor}
        raise self._unusable("the list of its tools does not end")

    async def read(self, tool: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """Call a tool that changes nothing.

        Raises:
            ToolRefused: the server says no, in its words.
            ServiceUnavailable: it cannot be reached, or its answer cannot be used.
        """
        result = await self._ask("tools/call", {"name": tool, "arguments": dict(arguments)})
        try:
            return types.CallToolResult.model_validate(result)
        except ValidationError as error:
            raise self._unusable("its answer is no result of a tool") from error

    async def send(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        deadline: Deadline,
        judged: Callable[[Reply, str], Outcome],
    ) -> Outcome:
        """Call a tool that changes the world, once.

        Args:
            arguments: sent in this order.
            judged: says what a reply to the request of this id proves.

        Raises:
            ServiceUnavailable: the server cannot be signed on to, so nothing was sent.
        """
        signed = await self._sign_on()
        id_ = uuid.uuid4().hex
        content = wire.message("tools/call", {"name": tool, "arguments": dict(arguments)}, id_)

        def judge(reply: Reply) -> Outcome:
            if wire.is_session_over(reply):
                self._signed = None
            return judged(reply, id_)

        return await self._http.send(
            "POST",
            self._path,
            content,
            {**_HEADERS, **signed},
            deadline=deadline,
            judged=judge,
            until=id_.encode(),
        )

    # -- reading ----------------------------------------------------------------------------------

    async def _ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Ask for what changes nothing; once more where the session was over."""
        for last in (False, True):
            id_ = uuid.uuid4().hex
            signed = await self._sign_on()
            reply = await self._post(wire.message(method, params, id_), signed, id_)
            if last or not wire.is_session_over(reply):
                break
            self._signed = None
        return self._result_in(reply, id_)

    async def _sign_on(self) -> dict[str, str]:
        """Return the headers by which the server knows us, signing on where it does not yet."""
        if self._signed is not None:
            return self._signed
        id_ = uuid.uuid4().hex
        reply = await self._post(wire.message("initialize", _CLIENT, id_), {}, id_)
        try:
            told = types.InitializeResult.model_validate(self._result_in(reply, id_))
        except ValidationError as error:
            raise self._unusable("it does not say what it is") from error
        version = str(told.protocolVersion)
        if version not in SUPPORTED_PROTOCOL_VERSIONS:
            raise self._unusable(f"it speaks the version {in_a_line(version, 20)} of MCP alone")
        signed = {"mcp-protocol-version": version}
        if session := reply.headers.get("mcp-session-id"):
            signed["mcp-session-id"] = session
        await self._post(wire.message("notifications/initialized"), signed)
        self.server = in_a_line(f"{told.serverInfo.name} {told.serverInfo.version}", 80)
        self._signed = signed
        return signed

    async def _post(self, content: bytes, headers: Mapping[str, str], until: str = "") -> Reply:
        sent = {**_HEADERS, **headers}
        return await self._http.ask("POST", self._path, content, sent, until=until.encode())

    def _result_in(self, reply: Reply, id_: str) -> dict[str, Any]:
        """Return the result that a reply holds.

        Raises:
            ToolRefused: it holds an error.
            ServiceUnavailable: it is none of MCP's; the message says what to do.
        """
        try:
            answer = wire.answer_in(reply, id_)
        except wire.Unreadable as why:
            what = _none_of_mcp(reply, str(why))
            raise ServiceUnavailable(
                f"The MCP server at {self.url} {what}. Nothing was changed.", status=reply.status
            ) from why
        if isinstance(answer, types.JSONRPCError):
            said = f"{wire.words_in(answer) or 'no'} ({answer.error.code})"
            raise ToolRefused(f"The MCP server at {self.url} says: {said}. Nothing was done.")
        return answer.result

    def _unusable(self, why: str) -> ServiceUnavailable:
        return ServiceUnavailable(
            f"The MCP server at {self.url} cannot be used: {why}. Nothing was changed; ask its "
            "makers."
        )


def _none_of_mcp(reply: Reply, why: str) -> str:
    """Say what an answer that is none of MCP's comes to, and what to do."""
    status = reply.status
    if status in (401, 403):
        return (
            f"wants a sign-in ({status}): give it a token, as "
            'headers={"Authorization": "Bearer ..."} or --token-from VARIABLE'
        )
    if 300 <= status < 400:
        to = urlsplit(reply.headers.get("location", ""))
        place = in_a_line(f"{to.netloc.rpartition('@')[2]}{to.path}", 200)
        return f"leads elsewhere ({status}, {place}), which is not followed: use the URL there"
    if status >= 500:
        return f"failed ({status}): try again"
    return f"is none ({status}, {why}): see its URL, which often ends in /mcp"
