"""Call a service over HTTP, once, and classify what came of it.

No retries in here or in the transport: whether a call is sent again is decided by the ledger.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Any, TypeAlias
from urllib.parse import quote

import certifi
import httpx

from state.deadline import Deadline
from state.errors import ServiceUnavailable, ToolRefused
from state.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from tools.sending.child import send_from_child

# Provably nothing was sent: there was no connection to send it on.
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

_Answer: TypeAlias = httpx.Response | NotSent | Unknown
"""What comes of sending a request."""

# Provably nothing was done: the service refused before the effect.
_REFUSED_BEFORE = frozenset({429, 503})


def resource(*parts: str) -> str:
    """Write the path of a resource, each part one segment, whatever a person or model put into it.

    Raises:
        ToolRefused: a part is none.
    """
    if any(part in ("", ".", "..") for part in parts):
        raise ToolRefused("There is no such thing.")
    return "".join(f"/{quote(part, safe='')}" for part in parts)


class HttpService:
    """Hold the connections to one service.

    Args:
        base_url: such as `http://127.0.0.1:8080`.
        seconds: how long a read may take, connection included.
    """

    def __init__(self, base_url: str, seconds: float = 10) -> None:
        self.base_url = base_url
        self._seconds = seconds
        self._http = httpx.AsyncClient(
            base_url=base_url, timeout=seconds, transport=httpx.AsyncHTTPTransport(retries=0)
        )

    async def get(self, path: str, **params: Any) -> Any:
        """Read a resource.

        Raises:
            ToolRefused: the service says that there is no such thing, or that the query is wrong.
            ServiceUnavailable: it cannot be reached or does not answer properly.
        """
        wanted = {name: value for name, value in params.items() if value is not None}
        try:
            async with asyncio.timeout(self._seconds):
                answer = await self._http.get(path, params=wanted)
        except (httpx.HTTPError, TimeoutError) as error:
            raise ServiceUnavailable(
                f"The service at {self.base_url} cannot be reached ({type(error).__name__}). "
                "Nothing was changed; see that it runs, then try again."
            ) from error
        body = _json(answer)
        if 400 <= answer.status_code < 500:
            raise ToolRefused(_sentence(body, f"{path} was refused ({answer.status_code})."))
        if answer.status_code >= 500:
            raise ServiceUnavailable(
                f"The service at {self.base_url} failed ({answer.status_code}) on {path}. "
                "Nothing was changed; try again.",
                status=answer.status_code,
            )
        if body is None:
            raise ServiceUnavailable(
                f"What answers at {self.base_url} on {path} is no such service: its answer "
                f"({answer.status_code}) is not JSON. Nothing was changed; see its URL."
            )
        return body

    async def post(
        self, path: str, body: Mapping[str, Any], *, key: str, deadline: Deadline
    ) -> Outcome:
        """Send one effect and classify the answer by "could the request have been sent?".

        Args:
            key: the idempotency key, as a header.
            deadline: of the whole call, connection included (`ctx.deadline`).
        """
        if deadline.seconds <= 0:
            return NotSent("its time was over before it was sent")
        # A key may hold any text (a client's message id); a header may not.
        header = quote(key, safe="/.:-_")
        request = self._http.build_request(
            "POST",
            path,
            json=body,
            headers={"Idempotency-Key": header},
            timeout=deadline.seconds,
        )
        send = {"sender": self._from_here, "kernel": _from_child}[deadline.kept_by]
        answer = await send(request, deadline)
        return _classify(answer) if isinstance(answer, httpx.Response) else answer

    async def _from_here(self, request: httpx.Request, deadline: Deadline) -> _Answer:
        try:
            async with asyncio.timeout(deadline.seconds):
                return await self._http.send(request)
        except _NOT_SENT as error:
            return _not_connected(type(error).__name__)
        except (httpx.HTTPError, TimeoutError) as error:
            return _not_answered(type(error).__name__)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


async def _from_child(request: httpx.Request, deadline: Deadline) -> _Answer:
    url = request.url
    call = {
        "protocol": "http",
        "secure": url.scheme == "https",
        "host": url.raw_host.decode("ascii"),
        "port": url.port or (443 if url.scheme == "https" else 80),
        "target": url.raw_path.decode("ascii"),
        "headers": [[n.decode("latin-1"), v.decode("latin-1")] for n, v in request.headers.raw],
        "body": request.content.decode("latin-1"),
        "trust": _trusted(),
    }
    told = await send_from_child(call, deadline)
    if not told.began:
        return _not_connected(told.why)
    if told.answer is None:
        return _not_answered(told.why)
    try:
        return httpx.Response(
            told.answer["status"],
            headers=[(name, value) for name, value in told.answer["headers"]],
            content=told.answer["body"].encode("latin-1"),
        )
    except httpx.HTTPError as error:
        return _not_answered(type(error).__name__)


def _trusted() -> dict[str, str]:
    """Name the authorities that httpx checks a server by."""
    for variable, place in (("SSL_CERT_FILE", "cafile"), ("SSL_CERT_DIR", "capath")):
        if named := os.environ.get(variable):
            return {place: named}
    return {"cafile": certifi.where()}


def _not_connected(why: str) -> NotSent:
    return NotSent(f"no connection ({why})")


def _not_answered(why: str) -> Unknown:
    return Unknown(f"no answer ({why})")


def _classify(answer: httpx.Response) -> Outcome:
    body = _json(answer)
    if answer.status_code in _REFUSED_BEFORE:
        return NotSent(_sentence(body, f"refused before the effect ({answer.status_code})"))
    if answer.is_success and isinstance(body, dict):
        return Confirmed(body)
    if 400 <= answer.status_code < 500 and isinstance(body, dict):
        code = str(body.get("error", answer.status_code))
        if code == "in_progress":
            return Unknown("an earlier request under this key is still in progress")
        detail = {k: v for k, v in body.items() if k not in ("error", "message")}
        return Declined(code, _sentence(body, f"refused ({code})"), detail)
    return Unknown(f"an answer that says nothing ({answer.status_code})")


def _json(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return None


def _sentence(body: Any, otherwise: str) -> str:
    return str(body.get("message") or otherwise) if isinstance(body, dict) else otherwise
