"""Send a mail over SMTP, once, and classify what came of it.

Before the final dot, or with an error reply, a mail is provably not sent. After it the mail can be
neither looked up nor undone.
"""

from __future__ import annotations

import asyncio
import hashlib
from email.message import EmailMessage
from email.utils import parseaddr
from urllib.parse import urlsplit

import aiosmtplib

from state.errors import ServiceUnavailable
from state.outcome import Confirmed, Declined, NotSent, Outcome, Unknown


class MailService:
    """Reach one SMTP server.

    Args:
        url: `smtp://host:port`.
        sender: the address in From.
    """

    def __init__(self, url: str, sender: str = "Daybook <daybook@daybook.example>") -> None:
        parts = urlsplit(url)
        self.url = url
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 25
        self._sender = sender

    async def send(self, to: str, subject: str, body: str, *, key: str, seconds: float) -> Outcome:
        """Send one mail with a Message-ID that is derived from the key.

        Args:
            key: the idempotency key; SMTP honours none, but people and logs can tell by it.
            seconds: the whole budget.
        """
        try:
            message = self._written(to, subject, body, key)
        except ValueError as error:
            return Declined("not_a_mail", f"The mail cannot be written: {error}.")
        smtp = aiosmtplib.SMTP(hostname=self._host, port=self._port, timeout=seconds)
        sent_data = False
        try:
            async with asyncio.timeout(seconds):
                await smtp.connect()
                await smtp.mail(parseaddr(self._sender)[1])
                await smtp.rcpt(to)
                sent_data = True
                await smtp.data(message.as_bytes())
        except aiosmtplib.SMTPResponseException as reply:
            return _refusal(reply)
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            why = type(error).__name__
            return Unknown(f"no reply to the mail ({why})") if sent_data else NotSent(why)
        finally:
            smtp.close()
        return Confirmed({"message_id": message_id(key)})

    async def greet(self, seconds: float) -> None:
        """Connect, exchange greetings and take leave; no mail is sent.

        Raises:
            ServiceUnavailable: nobody listens there, or what answers is no mail server.
        """
        smtp = aiosmtplib.SMTP(hostname=self._host, port=self._port, timeout=seconds)
        try:
            await smtp.connect()
            await smtp.ehlo()
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise ServiceUnavailable(
                f"The mail server at {self.url} cannot be reached ({type(error).__name__}). "
                "Nothing was sent; see that it runs, and SMTP_URL."
            ) from error
        finally:
            smtp.close()

    def _written(self, to: str, subject: str, body: str, key: str) -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, to, subject
        message["Message-ID"] = f"<{message_id(key)}>"
        message.set_content(body)
        return message


def message_id(key: str) -> str:
    """Derive the Message-ID, without angle brackets, from an idempotency key."""
    return f"{hashlib.sha256(key.encode()).hexdigest()[:32]}@daybook.example"


def _refusal(reply: aiosmtplib.SMTPResponseException) -> Outcome:
    if reply.code >= 500:
        return Declined(f"smtp_{reply.code}", f"The mail server refused the mail ({reply.code}).")
    return NotSent(f"the mail server refused for now ({reply.code})")
