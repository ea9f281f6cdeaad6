"""Signed webhooks by standardwebhooks.com: any receiver can verify the sender."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from datetime import datetime

from daybook.app.notifications.channel import Clients
from daybook.app.notifications.notice import Notice
from daybook.app.notifications.routes import Route, secret_of
from daybook.state.errors import ConfigurationError

_PREFIX = "whsec_"


async def send(route: Route, notice: Notice, clients: Clients, now: datetime) -> None:
    """Post a notice.

    Raises:
        NotDelivered: it was not taken.
        ConfigurationError: a secret cannot be read.
    """
    about = {
        "type": f"daybook.{notice.delivery.kind}",
        "timestamp": notice.delivery.at.isoformat(),
        "data": notice.facts,
    }
    body = json.dumps(about, ensure_ascii=False).encode()
    headers = signed(
        notice.delivery.delivery_id, int(now.timestamp()), body, secret_of(route.secret)
    )
    await clients.post(route.to, body, headers, inside=route.inside)


def signed(delivery_id: str, at: int, body: bytes, secrets: str) -> dict[str, str]:
    """Sign a body with each of some secrets: while they are exchanged both are known.

    Args:
        at: seconds since 1970.
        secrets: `whsec_...`, with blanks between.

    Raises:
        ConfigurationError: one is no secret of that form.
    """
    content = f"{delivery_id}.{at}.".encode() + body
    signatures = []
    for secret in secrets.split():
        try:
            if not secret.startswith(_PREFIX):
                raise ValueError
            key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
        except (ValueError, binascii.Error):
            raise ConfigurationError(
                "A webhook secret must be `whsec_` followed by base64. Nothing was sent; create "
                'one: echo "whsec_$(openssl rand -base64 24)"'
            ) from None
        digest = hmac.new(key, content, hashlib.sha256).digest()
        signatures.append(f"v1,{base64.b64encode(digest).decode()}")
    return {
        "webhook-id": delivery_id,
        "webhook-timestamp": str(at),
        "webhook-signature": " ".join(signatures),
    }
