import email
import sqlite3
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from typing import Any

from daybook.demo.shop.clock import now
from daybook.demo.shop.effects import performed


@dataclass(frozen=True)
class Letter:
    """What is kept of a message; `message_id` is without angle brackets, "" when missing."""

    message_id: str
    recipients: tuple[str, ...]
    subject: str
    body: str


def opened(content: bytes, recipients: list[str]) -> Letter:
    """Read a message, however broken it may be."""
    message = email.message_from_bytes(content)
    return Letter(
        message_id=plain(message.get("Message-ID", "")).strip().removeprefix("<").removesuffix(">"),
        recipients=tuple(plain(recipient) for recipient in recipients),
        subject=decoded(message.get("Subject", "")),
        body=body_of(message),
    )


def decoded(header: object) -> str:
    """Return a header as text; one that cannot be decoded is returned as it came."""
    try:
        return plain(make_header(decode_header(str(header))))
    except (HeaderParseError, LookupError, UnicodeError, ValueError):
        return plain(header)


def plain(value: object) -> str:
    """Return text that SQLite can store: bytes that were no UTF-8 are replaced."""
    return str(value).encode("utf-8", "replace").decode()


def body_of(message: Message) -> str:
    """Return the first text part of a message."""
    for part in message.walk():
        if part.get_content_maintype() != "text":
            continue
        payload = part.get_payload(decode=True)
        text = payload if isinstance(payload, bytes) else b""
        # Lines end with CRLF on the wire only.
        return as_text(text, part.get_content_charset("utf-8")).replace("\r\n", "\n")
    return ""


def as_text(raw: bytes, charset: str) -> str:
    """Decode what may not be what it says it is."""
    try:
        return raw.decode(charset, "replace")
    except LookupError:
        return raw.decode("utf-8", "replace")


def accept(connection: sqlite3.Connection, letter: Letter) -> None:
    """Take a message for good: from here on it counts as sent."""
    connection.execute(
        "insert into mail (message_id, recipient, subject, body) values (?, ?, ?, ?)",
        (letter.message_id, ", ".join(letter.recipients), letter.subject, letter.body),
    )
    domains = {recipient.rpartition("@")[2] for recipient in letter.recipients}
    performed.record(
        connection,
        "mail",
        letter.message_id,
        now(),
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
