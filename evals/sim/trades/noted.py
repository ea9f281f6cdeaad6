"""What a merchant is asked to complete: under which keys, and by which bytes."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_COMPLETE = re.compile(r"/checkout-sessions/([^/]+)/complete$")
_TOOL = "complete_checkout"


class Noted:
    """An application whose Completes are written down as they come, faults or not.

    Attributes:
        completes: session to key to the digests of what came under it.
    """

    def __init__(self, inner: ASGIApp) -> None:
        self._inner = inner
        self.completes: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note a request, and let it go on as it was."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._inner(scope, receive, send)
            return
        came: list[Message] = [await receive()]
        while came[-1].get("more_body"):
            came.append(await receive())
        self._note(scope, b"".join(one.get("body", b"") for one in came))
        pieces = iter(came)

        async def again() -> Message:
            for one in pieces:
                return one
            return await receive()

        await self._inner(scope, again, send)

    def _note(self, scope: Scope, body: bytes) -> None:
        if found := _COMPLETE.search(scope["path"]):
            headers = {name.decode().lower(): value.decode() for name, value in scope["headers"]}
            self._write(found[1], headers.get("idempotency-key", ""), body)
        elif scope["path"].endswith("/mcp") and body:
            params = json.loads(body).get("params", {})
            if params.get("name") == _TOOL:
                given = params["arguments"]
                self._write(given["id"], given["meta"].get("idempotency-key", ""), body)

    def _write(self, session: str, key: str, body: bytes) -> None:
        self.completes[session][key].add(hashlib.sha256(body).hexdigest())
