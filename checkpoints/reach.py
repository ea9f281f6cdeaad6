"""How a database is reached: bounded waits, and the errors if it cannot be."""

from __future__ import annotations

import re

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import PoolTimeout

from daybook.state.errors import ConfigurationError, DatabaseUnavailable

# A host that drops packets says nothing at all: without these a start waits for more than two
# minutes, and a query on an open connection for hours.
_LIMITS = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",
}

DISK_FULL = "53100"
"""SQLSTATE disk_full."""

_READ_ONLY = "25006"
"""SQLSTATE read_only_sql_transaction."""

# Servers and libpq say it in words; a connection that failed has no SQLSTATE.
_ADVICE = (
    (r"refused|No such file|not running", "Start the server, or check host and port in the URL"),
    (r"resolve|translate host|not known", "Check the host in DATABASE_URL"),
    (r"authentication failed|no password", "Check user and password in DATABASE_URL"),
    (r'database ".*" does not exist', "Create it, or check the database's name in DATABASE_URL"),
    (r'role ".*" does not exist', "Check the user in DATABASE_URL"),
    (r"pg_hba\.conf", "Let this user in from this machine (pg_hba.conf), or check DATABASE_URL"),
    (r"SSL|certificate", "Check sslmode in DATABASE_URL, and the server's certificate"),
    (r"too many|slots", "Close some connections, or raise max_connections"),
    (r"timeout|timed out|unreachable", "Check host and port in DATABASE_URL, and the firewalls"),
)
_ADVICE_OTHERWISE = "Check that it runs and that DATABASE_URL names it, then run the command again"


class ConnectionLost(psycopg.OperationalError, DatabaseUnavailable):
    """The database went away; also for whoever takes psycopg's own error."""


class NoConnection(PoolTimeout, ConnectionLost):
    """No connection could be had in time."""


def lost(error: psycopg.OperationalError) -> DatabaseUnavailable:
    """Make of a connection that was lost, or that cannot be had, a sentence for people."""
    if isinstance(error, DatabaseUnavailable):
        return error
    kind = NoConnection if isinstance(error, PoolTimeout) else ConnectionLost
    return kind(str(unavailable(error)))


def bounded(url: str) -> str:
    """Add limits in time to a libpq URL where it has none of its own: 5 s to connect."""
    given = conninfo_to_dict(url)
    return make_conninfo(url, **{k: v for k, v in _LIMITS.items() if k not in given})


def with_application_name(url: str, process: str) -> str:
    """Add to a libpq URL by which name the server knows this process's sessions."""
    return make_conninfo(url, application_name=process)


def unavailable(error: psycopg.Error) -> DatabaseUnavailable:
    """Make of a failed connection a sentence for people."""
    if isinstance(error, DatabaseUnavailable):
        return DatabaseUnavailable(str(error))
    why = _words(error)
    if error.sqlstate == DISK_FULL or is_full(why):
        return DatabaseUnavailable(
            f"The disk of the database is full: {why}. Nothing is lost: committed data is kept. "
            "Free space there, then run the command again."
        )
    advice = next((a for pattern, a in _ADVICE if re.search(pattern, why)), _ADVICE_OTHERWISE)
    return DatabaseUnavailable(
        f"The database cannot be reached: {why}. Nothing is lost: committed data is kept. {advice}."
    )


def is_full(words: str) -> bool:
    """Tell whether a server or a system says that no space is left on a disk."""
    return re.search(r"no space left|disk (?:is )?full|quota exceeded", words, re.I) is not None


def not_allowed(error: psycopg.Error, schema: str) -> ConfigurationError:
    """Make of a refused migration a sentence for people."""
    if error.sqlstate == _READ_ONLY:
        return read_only(_words(error))
    return ConfigurationError(
        f"The database cannot be prepared: {_words(error)}. Its contents were not changed. The "
        f'user in DATABASE_URL needs the right to create the schema "{schema}" in it (grant '
        "create on database ...), or must own that schema; `daybook doctor` says what is missing."
    )


def read_only(why: str) -> ConfigurationError:
    """Say that nothing can be written in a database."""
    return ConfigurationError(
        f"The database does not accept writes: {why}. Nothing was done. Set DATABASE_URL to its "
        "primary, or let this user write (default_transaction_read_only)."
    )


def _words(error: psycopg.Error) -> str:
    """Return the first line of what the server or libpq said, without its ornaments."""
    line = (str(error).strip() or type(error).__name__).splitlines()[0]
    line = re.sub(r"^connection (failed|is bad): ", "", line)
    return re.sub(r"\bFATAL: +", "", line).strip().rstrip(".")
