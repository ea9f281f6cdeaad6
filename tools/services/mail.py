"""Send a mail over SMTP once, and classify the outcome.

Before the final dot, or with an error reply, a mail is provably not sent. After it the mail can be
neither looked up nor undone. So it is sent from a process that the kernel ends at the deadline.
"""

from __future__ import annotations

import asyncio
import hashlib
import smtplib
import ssl
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from urllib.parse import urlsplit

from daybook.state.effects.deadline import Deadline
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.errors import DeclarationError, ServiceUnavailable
from daybook.tools.services.child_process.child import SenderSays, send_from_child
from daybook.tools.services.http import distrusted, untrusted


class MailService:
    """Reach one SMTP server.

    Args:
        url: `smtp://host:port`.
        sender: the address in From.

    Raises:
        DeclarationError: the URL holds a name or a password.
    """

    def __init__(self, url: str, sender: str = "Daybook <daybook@daybook.example>") -> None:
        parts = urlsplit(url)
        if "@" in parts.netloc:
            raise DeclarationError(
                f"The URL of the mail server at {parts.hostname} contains a user name or "
                "password. Daybook does not sign in to mail servers; use smtp://host:port of a "
                "server that accepts mail from this machine."
            )
        self.url = url
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 25
        self._sender, self._envelope = sender, parseaddr(sender)[1]

    async def send(
        self, to: str, subject: str, body: str, *, key: str, deadline: Deadline
    ) -> Outcome:
        """Send one mail with a Message-ID that is derived from the key.

        Args:
            key: the idempotency key; SMTP honours none, but it identifies the mail in logs.
            deadline: of the whole call, connection included (`ctx.deadline`).
        """
        if deadline.seconds <= 0:
            return NotSent("its deadline passed before it was sent")
        try:
            content = self._written(to, subject, body, key).as_bytes(policy=SMTP)
        except ValueError as error:
            return Declined("not_a_mail", f"The mail cannot be written: {error}.")
        call = {
            "protocol": "smtp",
            "host": self._host,
            "port": self._port,
            "sender": self._envelope,
            "to": to,
            "message": content.decode("latin-1"),
        }
        # Before it goes out: what the tool raises after this is no word that nothing was sent.
        number = len(deadline.sent)
        deadline.sent.append(True)
        outcome = _classify(await send_from_child(call, deadline), key)
        deadline.sent[number] = not isinstance(outcome, NotSent)
        return outcome

    async def greet(self, seconds: float) -> None:
        """Connect and exchange greetings, encrypted if the server offers it; no mail is sent.

        Raises:
            ServiceUnavailable: nothing listens there, it is not a mail server, or its
                certificate is not trusted.
        """

        def greets() -> None:
            with smtplib.SMTP(self._host, self._port, timeout=seconds) as smtp:
                smtp.ehlo()
                if smtp.has_extn("starttls"):
                    smtp.starttls(context=ssl.create_default_context())

        try:
            await asyncio.to_thread(greets)
        except (smtplib.SMTPException, OSError) as error:
            if fault := untrusted(error, self._host):
                raise distrusted(fault) from error
            raise ServiceUnavailable(
                f"The mail server at {self.url} cannot be reached ({type(error).__name__}). "
                "Nothing was sent; check that it runs, and SMTP_URL."
            ) from error

    def _written(self, to: str, subject: str, body: str, key: str) -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, to, subject
        message["Message-ID"] = f"<{message_id(key)}>"
        message.set_content(body)
        return message


def message_id(key: str) -> str:
    """Derive the Message-ID, without angle brackets, from an idempotency key."""
    return f"{hashlib.sha256(key.encode()).hexdigest()[:32]}@daybook.example"


def _classify(told: SenderSays, key: str) -> Outcome:
    if told.answer is None:
        return _no_reply(told.began, told.why)
    # Another reply than that to the whole mail may be the one to its announcement.
    code, taken = told.answer["code"], told.answer["taken"]
    if taken and code == 250:
        return Confirmed({"message_id": message_id(key)})
    if 500 <= code < 600:
        return Declined(f"smtp_{code}", f"The mail server refused the mail ({code}).")
    if 400 <= code < 500:
        return NotSent(f"the mail server refused for now ({code})")
    return _no_reply(told.began, f"it said {code}")


def _no_reply(began: bool, why: str) -> NotSent | Unknown:
    return Unknown(f"no reply to the mail ({why})") if began else NotSent(why)
