"""The console: pages on the server's own routes, which langgraph.json names."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.console import chat, inbox, ledger, thread, together
from daybook.app.console.guard import (
    Guard,
    first_page,
    for_staff,
    sign_in,
    sign_in_page,
    sign_out,
)
from daybook.app.notifications import slack_answers
from daybook.app.operating.metrics import metrics
from daybook.app.server.layers import LAYERS
from daybook.app.server.openapi import describe_routes
from daybook.app.server.refusals import REFUSALS, refused
from daybook.app.server.stop_route import stop_over_http

HERE = Path(__file__).parent


class Metrics:
    """Answer /metrics: the server has a route of its own there, which asks nobody who they are."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for metrics, or let it through."""
        if scope["type"] == "http" and scope["path"] == "/metrics":
            response = await metrics(Request(scope, receive))
            await response(scope, receive, send)
        else:
            await self._app(scope, receive, send)


PAGES: list[BaseRoute] = [
    Route("/", first_page),
    Route("/sign-in", sign_in_page, methods=["GET"]),
    Route("/sign-in", sign_in, methods=["POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
    Route("/inbox", inbox.page, methods=["GET"]),
    Route("/inbox/live", thread.live_inbox, methods=["GET"]),
    Route("/inbox/here", thread.at_inbox, methods=["POST"]),
    Route("/inbox/together", for_staff(together.answer_together), methods=["POST"]),
    Route("/threads", thread.listing, methods=["GET"]),
    Route("/threads", chat.begin, methods=["POST"]),
    Route("/threads/{thread_id}", thread.page, methods=["GET"]),
    Route("/threads/{thread_id}/live", thread.live_thread, methods=["GET"]),
    Route("/threads/{thread_id}/say", chat.say, methods=["POST"]),
    Route("/threads/{thread_id}/go-on", chat.go_on, methods=["POST"]),
    Route("/threads/{thread_id}/press", chat.press, methods=["POST"]),
    Route("/threads/{thread_id}/stop", chat.stop, methods=["POST"]),
    Route("/threads/{thread_id}/answer", inbox.answer_question, methods=["POST"]),
    Route("/threads/{thread_id}/outcome", inbox.outcome, methods=["GET"]),
    Route("/threads/{thread_id}/runs/{run_id}", chat.follow, methods=["GET"]),
    Route("/threads/{thread_id}/ledger", for_staff(ledger.show_ledger), methods=["GET"]),
    Route("/threads/{thread_id}/grade", for_staff(ledger.graded), methods=["GET"]),
    Route("/threads/{thread_id}/progress", thread.progress, methods=["GET"]),
    Route("/threads/{thread_id}/record", for_staff(ledger.record), methods=["GET"]),
    Route("/search", for_staff(ledger.search), methods=["GET"]),
    Route("/verify", for_staff(ledger.verification), methods=["GET"]),
    Route("/verify", for_staff(ledger.verify), methods=["POST"]),
]

app = Starlette(
    routes=[
        # As people type it: the server redirects nothing to the slash by itself.
        Route("/console", RedirectResponse("/console/")),
        Route("/daybook/threads/{thread_id}/stop", stop_over_http, methods=["POST"]),
        Route("/daybook/slack", slack_answers.receive_answer, methods=["POST"]),
        Mount(
            "/console",
            routes=[
                Mount("/static", StaticFiles(directory=HERE / "static")),
                Mount("", routes=PAGES, middleware=[Middleware(Guard)]),
            ],
        ),
    ],
    middleware=[*LAYERS, Middleware(Metrics)],
    # The server merges these with its own.
    exception_handlers=dict.fromkeys(REFUSALS, refused),
)
describe_routes(app.routes)
