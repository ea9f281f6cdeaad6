"""Notifications by e-mail: they contain a link, and cannot be answered by mail."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from daybook.app.notifications.channel import SECONDS, NotDelivered
from daybook.app.notifications.notice import Notice
from daybook.app.notifications.routes import Route, secret_of
from daybook.app.server.loopback import is_loopback_host


async def send(route: Route, notice: Notice, sender: str) -> None:
    """Send a notice.

    Raises:
        NotDelivered: the mail server did not take it, its certificate is not trusted, or it would
            have the password unencrypted.
    """
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, route.to, notice.head
    message["Message-ID"] = f"<{notice.delivery.delivery_id}@daybook.example>"
    message["Auto-Submitted"] = "auto-generated"
    lines = [f"{name}: {line}" for name, line in notice.lines.items()]
    message.set_content("\n".join([notice.head, "", *lines, "", notice.link]))
    try:
        await asyncio.to_thread(_sent, secret_of(route.secret), message)
    except (smtplib.SMTPException, OSError) as error:
        raise NotDelivered(type(error).__name__) from None


def _sent(url: str, message: EmailMessage) -> None:
    parts = urlsplit(url)
    host, port, tls = parts.hostname or "", parts.port or 0, ssl.create_default_context()
    is_encrypted = parts.scheme == "smtps"
    with (
        smtplib.SMTP_SSL(host, port, timeout=SECONDS, context=tls)
        if is_encrypted
        else smtplib.SMTP(host, port, timeout=SECONDS)
    ) as smtp:
        smtp.ehlo()
        if not is_encrypted and smtp.has_extn("starttls"):
            smtp.starttls(context=tls)
            is_encrypted = True
        if parts.username is not None:
            # Whoever stands between takes STARTTLS out of what the server offers.
            if not is_encrypted and not is_loopback_host(host):
                raise NotDelivered("the mail server offers no encryption for the password")
            smtp.login(unquote(parts.username), unquote(parts.password or ""))
        smtp.send_message(message)
