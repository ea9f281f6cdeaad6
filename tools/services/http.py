"""Call a service over HTTP once, and classify the outcome by the service's contract.

No retries in here or in the transport: whether a call is sent again is decided by the ledger.
"""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Callable, Mapping
from contextlib import aclosing
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import certifi
import httpx

from daybook.state.clock import SYSTEM, Clock
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.exact import Inexact
from daybook.state.effects.outcome import Declined, NotSent, Outcome, Unknown
from daybook.state.errors import DeclarationError, ServiceUnavailable, ToolRefused
from daybook.tools.services.child_process.child import send_from_child
from daybook.tools.services.classify import classify, is_own_error, message_of, says_no
from daybook.tools.services.contract import HEADER, SAYS_NOTHING, Contract
from daybook.tools.services.public import PublicTransport, public_address
from daybook.tools.services.reply import Reply, reply
from daybook.tools.services.request import Unwritable, effect_headers, written

# Provably nothing was sent: there was no connection to send it on.
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

_Answer: TypeAlias = Reply | NotSent | Unknown
"""The result of sending a request."""

NOT_OF_THE_THING: Final = frozenset({401, 403, 407, 408, 425, 429})
"""Statuses about the caller, its rate or the moment, and not about the request itself."""

MOST_BYTES: Final = 1 << 20
"""The most bytes of an answer that are read."""

_OURS = {"accept": "application/json", "accept-encoding": "gzip", "user-agent": "daybook"}

_RESERVED = frozenset({"host", "content-length", "transfer-encoding", "connection"})

_IS_SECRET = re.compile("auth|token|secret|key|cookie|password|credential", re.IGNORECASE)

_SHORTEST_SECRET = 8

_VALUE = re.compile(r"|[!-~]|[!-~][ -~]*[!-~]")


def resource(*parts: str) -> str:
    """Build the path of a resource; each part becomes one escaped segment.

    Raises:
        ToolRefused: a part is empty, "." or "..".
    """
    if any(part in ("", ".", "..") for part in parts):
        raise ToolRefused("Not found.", code="not_found")
    return "".join(f"/{quote(part, safe='')}" for part in parts)


class HttpService:
    """The HTTP connections to one service.

    Args:
        base_url: such as `http://127.0.0.1:8080`, without user or password.
        contract: what its answers prove; by default only 200 and 201 with a JSON object confirm.
        headers: sent with every request, such as `Authorization`. They
            are never stored, and a secret that the service repeats is hidden.
        seconds: the timeout of a read, connection included.
        most: the most bytes of an answer; a longer one proves nothing.
        is_public: connect only to public addresses, since a third party named the URL.

    Raises:
        DeclarationError: the URL or a header cannot be used; the message says what to write.
    """

    def __init__(
        self,
        base_url: str,
        contract: Contract = SAYS_NOTHING,
        headers: Mapping[str, str] | None = None,
        seconds: float = 10,
        *,
        most: int = MOST_BYTES,
        is_public: bool = False,
        clock: Clock = SYSTEM,
    ) -> None:
        self._is_public = is_public
        self._base = checked_url(base_url)
        self.base_url, self.contract = base_url, contract
        self._headers = {**_OURS, **checked_headers(headers or {}, contract)}
        self._hidden = secrets_in(headers or {})
        self._seconds, self._most, self._clock = seconds, most, clock
        self._whole = {200, 203, *contract.success}.difference(contract.in_progress)
        transport = PublicTransport if is_public else httpx.AsyncHTTPTransport
        self._http = httpx.AsyncClient(
            timeout=seconds,
            # To read the authorities takes 30 ms, and where nothing is encrypted nobody asks them.
            transport=transport(verify=httpx.URL(base_url).scheme == "https", retries=0),
            follow_redirects=False,
        )

    async def get(self, path: str, **params: Any) -> Any:
        """Read a resource.

        Raises:
            ToolRefused: the service says that the resource does not exist or the query is wrong.
            ServiceUnavailable: it cannot be reached or does not answer properly.
        """
        return await self._read(path, params, may_be_none=False)

    async def find(self, path: str, **params: Any) -> Any:
        """Read a resource that may not exist; None if the service itself answers 404.

        Use it in a probe where 404 means that there is no effect. With `get` a 404 does not prove
        that: a proxy, or a misspelt path, gives one too.

        Raises:
            ToolRefused, ServiceUnavailable: as `get`.
        """
        return await self._read(path, params, may_be_none=True)

    async def ask(
        self,
        method: str,
        path: str,
        content: bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send a request that changes nothing, and return the answer whatever its status.

        For protocols that read by methods other than GET, or parse their answers themselves.

        Raises:
            ServiceUnavailable: it cannot be reached.
        """
        return await self._asked(method, self._url(path), headers, content)

    async def _asked(
        self,
        method: str,
        url: httpx.URL,
        headers: Mapping[str, str] | None = None,
        content: bytes = b"",
    ) -> Reply:
        request = self._request(method, url, headers, content, self._seconds)
        try:
            async with self._clock.timeout(self._seconds):
                return await self._answer(request)
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            if fault := untrusted(error, url.host):
                raise distrusted(fault) from error
            raise ServiceUnavailable(
                f"The service at {self.base_url} cannot be reached ({type(error).__name__}). "
                "Nothing was changed; check that it is running, then try again."
            ) from error

    async def _read(self, path: str, params: Mapping[str, Any], *, may_be_none: bool) -> Any:
        wanted = {name: value for name, value in params.items() if value is not None}
        # Given to the request itself, they would replace what the path asks for already.
        answer = await self._asked("GET", self._url(path).copy_merge_params(wanted))
        status, body, fault = answer.status, None, ""
        try:
            body = answer.json()
        except Inexact as inexact:
            fault = str(inexact)
        if may_be_none and status == 404 and is_own_error(self.contract, body):
            return None
        sentence = message_of(self.contract, body)
        if 400 <= status < 500 and status not in NOT_OF_THE_THING:
            code = "not_found" if status == 404 else None
            raise ToolRefused(sentence or f"{path} was refused ({status}).", code=code)
        said_no = not fault and says_no(self.contract, body)
        if said_no or status not in self._whole:
            raise ServiceUnavailable(
                f"The service at {self.base_url} returned {status} on "
                f"{path}{f': {sentence}' if sentence else '.'} Nothing was changed; try again.",
                status=status,
            )
        if fault:
            raise ServiceUnavailable(
                f"The service at {self.base_url} returned an unexpected answer ({status}) on "
                f"{path}: {fault}. Nothing was changed; check its URL."
            )
        return body

    async def post(
        self, path: str, body: Mapping[str, Any] | bytes, *, key: str, deadline: Deadline
    ) -> Outcome:
        """Send one effect and classify the answer by the contract.

        Args:
            body: its fields, sent in this order; or bytes, sent as they are.
            key: the idempotency key; the contract says how it is sent.
            deadline: of the whole call, connection included (`ctx.deadline`).
        """
        try:
            content = written(self.contract, body, key)
        except Unwritable as unwritable:
            return Declined("not_a_body", f"It cannot be sent: {unwritable}.", at_the_door=True)
        return await self.send(
            "POST",
            path,
            content,
            effect_headers(self.contract, key),
            deadline=deadline,
            judged=lambda reply: classify(self.contract, reply),
        )

    async def send(
        self,
        method: str,
        path: str,
        content: bytes,
        headers: Mapping[str, str],
        *,
        deadline: Deadline,
        judged: Callable[[Reply], Outcome],
    ) -> Outcome:
        """Send one effect once, byte for byte as given.

        For protocols whose answers cannot be classified by a contract; otherwise use `post`.

        Args:
            headers: beside the service's own; names in lower case.
            deadline: of the whole call, connection included (`ctx.deadline`).
            judged: says what an answer proves; raises nothing.
        """
        if deadline.seconds <= 0:
            return NotSent("its deadline passed before it was sent")
        request = self._request(method, self._url(path), headers, content, deadline.seconds)
        send = {"sender": self._from_here, "kernel": self._from_child}[deadline.kept_by]
        # Before it goes out: what the tool raises after this is no word that nothing was sent.
        number = len(deadline.sent)
        deadline.sent.append(True)
        answer = await send(request, deadline)
        outcome = judged(answer) if isinstance(answer, Reply) else answer
        deadline.sent[number] = not isinstance(outcome, NotSent)
        return outcome

    def _request(
        self,
        method: str,
        url: httpx.URL,
        headers: Mapping[str, str] | None,
        content: bytes,
        seconds: float,
    ) -> httpx.Request:
        return httpx.Request(
            method,
            url,
            headers={**self._headers, **(headers or {})},
            content=content,
            extensions={"timeout": httpx.Timeout(seconds).as_dict()},
        )

    async def _from_here(self, request: httpx.Request, deadline: Deadline) -> _Answer:
        try:
            async with deadline.clock.timeout(deadline.seconds):
                return await self._answer(request)
        except NOT_SENT as error:
            why = untrusted(error, request.url.host) or type(error).__name__
            return NotSent(f"no connection ({why})")
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            return Unknown(f"no answer ({type(error).__name__})")

    async def _answer(self, request: httpx.Request) -> Reply:
        """Send a request, and read no more of the answer than may be taken."""
        # Nothing is added to the request, which is what a child would send.
        answer = await self._http.send(request, stream=True, auth=None)
        async with aclosing(answer):
            content = bytearray()
            async for piece in answer.aiter_raw():
                content += piece
                if len(content) > self._most:
                    break
            headers = answer.headers.multi_items()
        return self._reply(answer.status_code, headers, bytes(content))

    async def _from_child(self, request: httpx.Request, deadline: Deadline) -> _Answer:
        url = request.url
        host = address = url.raw_host.decode("ascii")
        if self._is_public:
            try:
                async with deadline.clock.timeout(deadline.seconds):
                    address = await public_address(url)
            except (httpx.ConnectError, TimeoutError) as error:
                return NotSent(f"no connection ({type(error).__name__})")
        call = {
            "protocol": "http",
            "secure": url.scheme == "https",
            "host": host,
            "address": address,
            "port": url.port or (443 if url.scheme == "https" else 80),
            "method": request.method,
            "target": url.raw_path.decode("ascii"),
            "headers": [[n.decode("latin-1"), v.decode("latin-1")] for n, v in request.headers.raw],
            "body": request.content.decode("latin-1"),
            "most": self._most,
            "trust": _trusted(),
        }
        told = await send_from_child(call, deadline)
        if not told.began:
            return NotSent(f"no connection ({told.why})")
        if told.answer is None:
            return Unknown(f"no answer ({told.why})")
        headers = [(name, value) for name, value in told.answer["headers"]]
        content = told.answer["body"].encode("latin-1")
        return self._reply(told.answer["status"], headers, content)

    def _reply(self, status: int, headers: list[tuple[str, str]], content: bytes) -> Reply:
        return reply(status, headers, content, self._most, self._hidden)

    def _url(self, path: str) -> httpx.URL:
        """Name a resource below the service: a path never leads to another one.

        Raises:
            ToolRefused: it is no path.
        """
        try:
            return httpx.URL(f"{self._base}/{path.lstrip('/')}" if path else self._base)
        except httpx.InvalidURL as error:
            raise ToolRefused("Not found.", code="not_found") from error

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


def untrusted(error: BaseException | None, host: str) -> str:
    """Say what is wrong with the certificate of a host, of an error that comes of it; else ""."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"the certificate of {host} is not trusted: {error.verify_message}"
        error = error.__cause__ or error.__context__
    return ""


def distrusted(fault: str) -> ServiceUnavailable:
    """Say what `untrusted` has found, and what can be done about it."""
    return ServiceUnavailable(
        f"T{fault[1:]}. Nothing was changed; check the certificate, or let SSL_CERT_FILE name the "
        "authority that signed it."
    )


def checked_url(base_url: str) -> str:
    """Return a URL without a slash at its end; DeclarationError where it cannot be used."""
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise DeclarationError("The URL of a service must look like https://api.example.com.")
    if url.userinfo:
        raise DeclarationError(
            f"The URL of the service at {url.host} contains a user name or token. URLs appear in "
            'logs and messages; pass it as headers={"Authorization": ...}.'
        )
    if url.query or url.fragment:
        raise DeclarationError(
            f"The URL of the service at {url.host} has a query or fragment: pass these with each "
            "request."
        )
    return base_url.rstrip("/")


def checked_headers(headers: Mapping[str, str], contract: Contract) -> dict[str, str]:
    """Return headers, names in lower case; no message shows a value."""
    checked: dict[str, str] = {}
    for name, value in headers.items():
        lower = name.lower()
        if lower in _RESERVED or lower == (contract.key_header or "").lower():
            raise DeclarationError(f"The header {name!r} is set by Daybook; remove it.")
        if not HEADER.fullmatch(lower):
            raise DeclarationError("A header has an invalid name.")
        if not isinstance(value, str) or not _VALUE.fullmatch(value):
            raise DeclarationError(
                f"The header {name!r} has an invalid value: it must be one line of ASCII without "
                "leading or trailing white space."
            )
        checked[lower] = value
    return checked


def secrets_in(headers: Mapping[str, str]) -> tuple[str, ...]:
    """Return what must not be spread where a service repeats it: of `Bearer abc` the last part."""
    parts = [
        value.split()[-1] for name, value in headers.items() if _IS_SECRET.search(name) and value
    ]
    return tuple(part for part in parts if len(part) >= _SHORTEST_SECRET)


def _trusted() -> dict[str, str]:
    """Name the authorities that httpx checks a server by."""
    for variable, place in (("SSL_CERT_FILE", "cafile"), ("SSL_CERT_DIR", "capath")):
        if named := os.environ.get(variable):
            return {place: named}
    return {"cafile": certifi.where()}
