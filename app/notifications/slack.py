"""Slack: messages by an incoming webhook or a bot, and the signature of Slack's requests."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from daybook.app.notifications.channel import Clients, NotDelivered
from daybook.app.notifications.notice import Notice
from daybook.app.notifications.routes import Route, SlackApp, secret_of

WINDOW_SECONDS = 300
"""Older requests are refused, and newer ones are remembered, so that each counts once."""

_MOST = 150
"""The most characters of a Slack header."""


async def send_to_hook(route: Route, notice: Notice, clients: Clients) -> None:
    """Post a notice by an incoming webhook.

    Raises:
        NotDelivered: it was not taken.
    """
    body = json.dumps(_message(notice)).encode()
    await clients.post(secret_of(route.secret), body, {}, inside=route.inside)


async def post(app: SlackApp, channel: str, notice: Notice, clients: Clients) -> str:
    """Post a notice as the bot, with buttons where it can be answered; return what names it.

    Raises:
        NotDelivered: it was not taken.
    """
    message = _message(notice, has_buttons=bool(app.signing_secret) and notice.is_answerable)
    posted = await _call(app, "chat.postMessage", {"channel": channel, **message}, clients)
    return f"{posted['channel']}:{posted['ts']}"


async def update(app: SlackApp, notice: Notice, clients: Clients) -> None:
    """Say in what was posted of a question that it is over, and take the buttons away.

    Raises:
        NotDelivered: it was not taken.
    """
    for reference in notice.delivery.earlier:
        channel, _, ts = reference.partition(":")
        message = {"channel": channel, "ts": ts, **_message(notice)}
        try:
            await _call(app, "chat.update", message, clients)
        except NotDelivered as error:
            # Someone deleted it.
            if error.why != "message_not_found":
                raise


async def whisper(app: SlackApp, channel: str, user: str, text: str, clients: Clients) -> None:
    """Tell one user something that nobody else sees.

    Raises:
        NotDelivered: it was not taken.
    """
    message = {"channel": channel, "user": user, "text": _escaped(text)}
    await _call(app, "chat.postEphemeral", message, clients)


def is_signed(app: SlackApp, headers: Mapping[str, str], body: bytes, now: float) -> bool:
    """Tell whether Slack signed a request, within the last five minutes.

    Args:
        now: seconds since 1970.
    """
    at, given = headers.get("x-slack-request-timestamp", ""), headers.get("x-slack-signature", "")
    if not (at.isascii() and at.isdigit() and len(at) < 12):
        return False
    key = secret_of(app.signing_secret).encode()
    digest = hmac.new(key, f"v0:{at}:".encode() + body, hashlib.sha256).hexdigest()
    # Bytes: text that is not ASCII is not compared, but raised.
    is_ours = hmac.compare_digest(f"v0={digest}".encode(), given.encode("utf-8", "replace"))
    return is_ours and abs(now - int(at)) <= WINDOW_SECONDS


async def _call(
    app: SlackApp, method: str, about: Mapping[str, Any], clients: Clients
) -> dict[str, Any]:
    headers = {
        "content-type": "application/json; charset=utf-8",
        "authorization": f"Bearer {secret_of(app.token)}",
    }
    body = json.dumps(about).encode()
    answer = await clients.post(f"{app.api}/{method}", body, headers, inside=app.inside)
    try:
        said = json.loads(answer)
        is_done = said["ok"] is True
    except (ValueError, LookupError, TypeError):
        raise NotDelivered("the response is not from Slack") from None
    if not is_done:
        word = str(said.get("error", ""))
        raise NotDelivered(word if word.isidentifier() else "refused by Slack")
    return dict(said)


def _message(notice: Notice, *, has_buttons: bool = False) -> dict[str, Any]:
    head = {"type": "plain_text", "text": notice.head[:_MOST], "emoji": False}
    blocks: list[dict[str, Any]] = [{"type": "header", "text": head}]
    fields = [_markdown(f"*{name}*\n{_escaped(line)}") for name, line in notice.lines.items()]
    blocks.append({"type": "section", "fields": fields})
    if notice.link:
        link = _markdown(f"<{notice.link}|Open it in the console>")
        blocks.append({"type": "section", "text": link})
    if has_buttons:
        buttons = [_button(notice, *one) for one in _BUTTONS]
        blocks.append({"type": "actions", "elements": buttons})
    return {"text": _escaped(notice.head), "blocks": blocks, "unfurl_links": False}


_BUTTONS = (("approve", "Approve", "primary"), ("reject", "Reject", "danger"))

WORDS = frozenset(word for word, *_ in _BUTTONS)
"""The labels of the buttons."""


def _button(notice: Notice, word: str, name: str, style: str) -> dict[str, Any]:
    # It names what was delivered and nothing else: which question that is stands in Postgres.
    return {
        "type": "button",
        "action_id": word,
        "value": notice.delivery.delivery_id,
        "style": style,
        "text": {"type": "plain_text", "text": name},
    }


def _markdown(text: str) -> dict[str, Any]:
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def _escaped(text: str) -> str:
    """Write text so that Slack reads no link, mention or command in it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
