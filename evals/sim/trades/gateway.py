"""Where merchants reach us: whichever process serves answers; nobody does where all are down."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import uvicorn
from psycopg import OperationalError
from starlette.types import Message, Receive, Scope, Send
from uvicorn.server import ServerState

from daybook.demo.shop.door.connection import LineProtocol
from daybook.graph.merchants.events import hear_event, hear_profile
from daybook.graph.merchants.settings import EVENTS_PATH, PROFILE_PATH
from daybook.graph.routes import Answered, Arrived
from daybook.state.errors import DaybookError
from evals.sim.ground.loop import Owner, VirtualLoop, context_of
from evals.sim.ground.network import Network
from evals.sim.lives.processes import Gone, Process

_HOST, _PORT = "daybook", 8000
PUBLIC_URL = f"http://{_HOST}:{_PORT}"

_ROUTES = {PROFILE_PATH: hear_profile, EVENTS_PATH: hear_event}
_AWAY = Answered(503)


class Gateway:
    """Listen, and hand what comes to one process after the other."""

    def __init__(
        self, loop: VirtualLoop, network: Network, serving: Callable[[], Sequence[Process]]
    ) -> None:
        self._serving = serving
        self._count = 0
        config = uvicorn.Config(
            self,
            loop="asyncio",
            lifespan="off",
            ws="none",
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            http=LineProtocol,
        )
        config.load()
        state = ServerState()
        context_of(Owner("gateway")).run(
            network.listen,
            _HOST,
            _PORT,
            lambda: LineProtocol(config=config, server_state=state, app_state={}, _loop=loop),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        body, more = b"", True
        while more:
            message: Message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        headers = {name.decode().lower(): value.decode() for name, value in scope["headers"]}
        path = scope["path"]
        answered = await self._answer(
            Arrived(scope["method"], f"{PUBLIC_URL}{path}", headers, body)
        )
        given = [(name.encode(), value.encode()) for name, value in answered.headers.items()]
        length = (b"content-length", str(len(answered.body)).encode())
        start = {"type": "http.response.start", "status": answered.status}
        await send({**start, "headers": [*given, length]})
        await send({"type": "http.response.body", "body": answered.body})

    async def _answer(self, arrived: Arrived) -> Answered:
        route = _ROUTES.get(arrived.url.removeprefix(PUBLIC_URL))
        serving = self._serving()
        if route is None or not serving:
            return _AWAY
        self._count += 1
        process = serving[self._count % len(serving)]
        resources = process.resources
        assert resources is not None
        try:
            answered: Answered = await process.ask(lambda _: route(resources, arrived))
        except (Gone, DaybookError, OperationalError):
            return _AWAY
        if answered.later is not None and not process.ended:
            process.begin(_done(answered.later))
        return answered


async def _done(later: Callable[[], Awaitable[None]]) -> None:
    await later()
