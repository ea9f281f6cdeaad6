"""The shop's mail server, and the messages that it accepted."""

import asyncio
import email
import email.policy
import sqlite3
from dataclasses import dataclass
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session

from daybook.demo.shop import clock, effects
from daybook.demo.shop.faults import Fault, first_of
from daybook.demo.shop.world import World

ACCEPTED = "250 2.0.0 Accepted"
UNAVAILABLE = "451 4.3.0 Try again later"


@dataclass(frozen=True)
class Letter:
    """What is kept of a message; `message_id` is without angle brackets, "" when missing."""

    message_id: str
    recipients: tuple[str, ...]
    subject: str
    body: str


def parse(content: bytes, recipients: list[str]) -> Letter:
    """Read a message, however broken it may be."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    part = message.get_body(("plain", "html"))
    try:
        body = clean(part.get_content()) if part is not None else ""
    except LookupError:
        # It is in a charset that there is not.
        body = ""
    return Letter(
        message_id=clean(message.get("Message-ID", "")).strip().removeprefix("<").removesuffix(">"),
        recipients=tuple(clean(recipient) for recipient in recipients),
        subject=clean(message.get("Subject", "")),
        # Lines end with CRLF on the wire only.
        body=body.replace("\r\n", "\n"),
    )


def clean(value: object) -> str:
    """Return text that SQLite can store: bytes that were no UTF-8 are replaced."""
    return str(value).encode("utf-8", "replace").decode()


def accept(connection: sqlite3.Connection, letter: Letter) -> None:
    """Take a message for good: from here on it counts as sent."""
    connection.execute(
        "insert into mail (message_id, recipient, subject, body) values (?, ?, ?, ?)",
        (letter.message_id, ", ".join(letter.recipients), letter.subject, letter.body),
    )
    domains = {recipient.rpartition("@")[2] for recipient in letter.recipients}
    effects.record(
        connection,
        "mail",
        letter.message_id,
        clock.now(),
        user_of(connection, letter),
        {"to_domain": ", ".join(sorted(domains)), "subject": letter.subject},
    )


def user_of(connection: sqlite3.Connection, letter: Letter) -> str | None:
    """Return the one user that a message goes to, if it is one."""
    marks = ", ".join("?" for _ in letter.recipients)
    rows = connection.execute(
        f"select user_id from person where email in ({marks})",
        [recipient.lower() for recipient in letter.recipients],
    ).fetchall()
    return rows[0]["user_id"] if len(rows) == 1 else None


def listed(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return every message that was accepted, oldest first."""
    rows = connection.execute(
        'select message_id, recipient as "to", subject, body from mail order by n'
    )
    return [dict(row) for row in rows]


class PostOffice:
    """Take every message for every recipient; nothing can be looked up or taken back.

    aiosmtpd cancels the handler when the connection is lost: what is committed by then stays.
    """

    def __init__(self, world: World) -> None:
        self._world = world

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Answer the final dot as the fault that the message meets would have it."""
        letter = parse(bytes(envelope.original_content or b""), envelope.rcpt_tos)
        with self._world.faults.met("mail", letter.message_id) as fault:
            if fault is None:
                return await self._accept(letter)
            return await self._spoilt(server, letter, fault)

    async def _spoilt(self, server: SMTP, letter: Letter, fault: Fault) -> str:
        ended, hurried = self._world.ended, self._world.hurried
        if fault.mode == "refuse":
            return UNAVAILABLE
        if fault.mode == "slow":
            await first_of(fault.seconds, ended, hurried)
            return UNAVAILABLE if ended.is_set() else await self._accept(letter)
        await self._accept(letter)
        if fault.mode == "timeout":
            await first_of(fault.seconds, ended, hurried)
        return await hang_up(server)

    async def _accept(self, letter: Letter) -> str:
        # Shielded, because a caller that goes while the disk is busy must not undo the rest of
        # the work: the message is then accepted although nobody was told.
        await asyncio.shield(
            self._world.database.transact(lambda connection: accept(connection, letter))
        )
        return ACCEPTED


async def hang_up(server: SMTP) -> str:
    """Close the connection instead of answering; return only by being cancelled."""
    if isinstance(server.transport, asyncio.Transport):
        server.transport.abort()
    await asyncio.Event().wait()
    return ""


def reception(world: World) -> SMTP:
    """Return the protocol of one SMTP connection."""
    return SMTP(
        PostOffice(world),
        enable_SMTPUTF8=True,
        hostname="shop.example.org",
        ident="Daybook shop",
        loop=asyncio.get_running_loop(),
    )
