"""URLs in settings: what is wrong with one, and how to print it without its password.

A URL may hold a password, so what is wrong is said without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from psycopg import ProgrammingError, pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

_SECRET = {
    option.keyword.decode() for option in pq.Conninfo.get_defaults() if option.dispchar == b"*"
}


def database_fault(url: str) -> str | None:
    """Say what is wrong with a libpq URL or connection string; None if nothing is."""
    try:
        parts = conninfo_to_dict(url)
    except ProgrammingError:
        return "is not a Postgres URL, such as postgresql://user:password@host:5432/daybook"
    if "@" in str(parts.get("host", "")):
        return "contains an @ in its user or password, which must be written %40"
    ports = str(parts.get("port", "")).split(",")
    if not all(port == "" or _is_port(port) for port in ports):
        return "has a port that is not a number from 1 to 65535"
    return None


def http_fault(url: str) -> str | None:
    """Say what is wrong with the URL of a service; None if nothing is."""
    return _fault(url, ("http", "https"), "http://host:port")


def smtp_fault(url: str) -> str | None:
    """Say what is wrong with the URL of a mail server; None if nothing is."""
    return _fault(url, ("smtp",), "smtp://host:port", needs_port=True)


_LISTS = frozenset({"host", "hostaddr", "port"})
_PLAIN = (re.compile(r"[\w./-]+"), re.compile(r"[\w./,-]+"))
"""What cannot hold a password that stands in the wrong place: of one value, and of a list."""

URL_FAULTS: Mapping[str, Callable[[str], str | None]] = {
    "DATABASE_URL": database_fault,
    "SHOP_URL": http_fault,
    "SMTP_URL": smtp_fault,
    "OPENAI_BASE_URL": http_fault,
}
"""How the URL of a variable is looked at."""


def printable_url(name: str, url: str) -> str:
    """Return a URL of `URL_FAULTS` as it may be shown: without passwords."""
    if URL_FAULTS[name](url) is not None:
        return "set, malformed"
    if name != "DATABASE_URL":
        return url
    parts = conninfo_to_dict(url)
    hidden = [secret for secret in sorted(_SECRET) if parts.pop(secret, None)]
    # A URL with a slip of the pen may hold its password in any part.
    if not all(_PLAIN[name in _LISTS].fullmatch(str(part)) for name, part in parts.items()):
        return "set"
    return " ".join([make_conninfo("", **parts), *(f"{secret}=(hidden)" for secret in hidden)])


def _fault(
    url: str, schemes: tuple[str, ...], form: str, *, needs_port: bool = False
) -> str | None:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return f"is not a URL of the form {form}"
    if parts.scheme not in schemes or not host or any(letter.isspace() for letter in url):
        return f"is not a URL of the form {form}"
    if "@" in parts.netloc or parts.query:
        return f"must have the form {form}, without user, password or query"
    if port == 0 or (needs_port and port is None):
        return f"needs a port: {form}"
    return None


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and 1 <= int(text) <= 65535
