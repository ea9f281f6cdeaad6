"""Answers from Slack buttons; they pass the same checks as answers in the console.

Slack's signature says that Slack sent it. Who pressed is found in our own file, and what was asked
in our own tables: the request names nothing but a delivery of ours.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import uuid
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qs

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house, inbox
from daybook.app.console.pages import Refused
from daybook.app.notifications import slack
from daybook.app.notifications.channel import Clients, NotDelivered
from daybook.app.notifications.routes import Routes, routes_in
from daybook.app.server.inside import available
from daybook.app.server.refusals import denied
from daybook.checkpoints.people.delegations import standing_in
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import InputRefused

_LOG = logging.getLogger(__name__)

_NOBODY = (
    "Your Slack account is not linked to a Daybook user, so you cannot answer this. Nothing was "
    "done, and the question is still open; an operator can add you under "
    "[notifications.slack.users]."
)


async def receive_answer(request: Request) -> Response:
    """Receive the answer from a Slack button."""
    routes = await asyncio.to_thread(_routes)
    app = routes.notifications.slack
    if app is None or not app.signing_secret:
        return Response(status_code=404)
    body = await request.body()
    now = house.resources().clock.now().timestamp()
    if not slack.is_signed(app, request.headers, body, now):
        denied("a request without a current Slack signature")
        return Response(status_code=401)
    digest = hashlib.sha256(request.headers["x-slack-signature"].encode()).digest()
    if not await available(house.postgres().notifications.use(digest)):
        denied("a Slack request that was used already")
        return Response(status_code=409)
    try:
        said = json.loads(parse_qs(body.decode())["payload"][0])
        [pressed] = said["actions"]
        word, delivery_id = pressed["action_id"], str(uuid.UUID(pressed["value"]))
        team, user = str(said["team"]["id"]), str(said["user"]["id"])
        if word not in slack.WORDS or app.team not in ("", team):
            raise ValueError(word)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        # Of something else that the application does in Slack.
        return Response()
    give = BackgroundTask(_give, routes, delivery_id, word, user)
    return Response(background=give)


async def _give(routes: Routes, delivery_id: str, word: str, user: str) -> None:
    """Give an answer; what keeps it from being given is told to who gave it alone."""
    bots = [route.name for route in routes.notify if route.has_bot]
    found: dict[str, Any] | None = None
    try:
        found = await available(house.postgres().notifications.delivered(delivery_id, bots))
        person = routes.slack.person(user)
        if person is None:
            denied("an answer from Slack")
            raise InputRefused(_NOBODY)
        if found is None:
            raise InputRefused("This question is from another deployment. Nothing was done.")
        person = await available(standing_in(house.postgres().pool, person))
        given = await inbox.give(found["thread_id"], found["question"], word, person)
        why = given.sentence
    except Refused as error:
        why = error.sentence
    except Exception as error:
        if not isinstance(error, InputRefused):
            _LOG.warning(
                "an answer from Slack failed, and may have been taken: %s", type(error).__name__
            )
        why = str(error) if isinstance(error, InputRefused) else _FAILED
    channel, _, _ = ((found or {}).get("reference") or "").partition(":")
    if why and channel:
        clients = Clients()
        try:
            await slack.whisper(routes.slack, channel, user, why, clients)
        except NotDelivered as error:
            _LOG.warning("a refusal could not be sent to Slack: %s", error.why)
        finally:
            await clients.close()


# Also after the answer was taken: the reply alone may be lost.
_FAILED = (
    "It is not known whether your answer was recorded. Check the question in the console, or "
    "press again: an answer counts once."
)


@lru_cache(maxsize=1)
def _routes() -> Routes:
    """Read the file once: what is changed in it holds from the next start."""
    return routes_in(settings_from().policy)
