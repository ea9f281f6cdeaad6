"""Make the tokens by which people sign in at a server, list them and revoke them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from daybook.app.output import tell, tell_aside
from daybook.checkpoints.people.tokens import Token, Tokens, open_token_office
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.errors import DaybookError
from daybook.state.run_input import check_caller, checked_id
from daybook.state.session import Person

_LONGEST_NOTE = 200


async def make(settings: Settings, person: Person, *, days: int, note: str) -> None:
    """Make a token and print it; it cannot be printed again.

    Raises:
        DaybookError: the person cannot be named so, or there is no such role.
    """
    check_caller(person.user_id, person.role)
    if len(note) > _LONGEST_NOTE or not note.isprintable():
        raise DaybookError(
            f"A note is one line of at most {_LONGEST_NOTE} characters. No token was made."
        )
    async with open_database(settings) as postgres:
        was_open = not await Tokens(postgres.pool).were_made()
        async with open_token_office(postgres) as office:
            made = await office.make(person, timedelta(days=days), note)
    # Alone on standard output, for scripts; the rest is for people.
    tell(made.text)
    tell_aside(
        f"This is the token of {person.user_id} ({person.role}), good until "
        f"{_day(made.about.expires_at)}. It is shown this once: keep it like a password. To take "
        f"it back: daybook token --revoke {made.about.token_id}"
    )
    if was_open:
        tell_aside("It is the first: from now on no server lets anybody in without one.")


async def show(settings: Settings) -> None:
    """Print all tokens: whose they are, and whether they are good; secrets are kept nowhere."""
    async with open_database(settings) as postgres:
        tokens = await Tokens(postgres.pool).all()
    for token in tokens:
        tell("  ".join((token.token_id, token.user_id, token.role, _stands(token), token.note)))
    if not tokens:
        tell("No token was ever made: a server on this machine asks for none.")


async def revoke(settings: Settings, token: str) -> None:
    """Revoke a token by its id, or by the whole token; every server obeys at once.

    Raises:
        DaybookError: there is no such token.
    """
    named = re.fullmatch(r"(?:daybook_)?([0-9a-f]{12})(?:_.*)?", token.strip())
    token_id = named[1] if named else checked_id(token.strip(), "a token")
    async with open_database(settings) as postgres, open_token_office(postgres) as office:
        user_id = await office.revoke(token_id)
        if user_id is None:
            raise DaybookError(
                "There is no such token, and nothing was revoked. `daybook token --list` shows all."
            )
    tell(f"revoked {token_id}, a token of {user_id}")


def _stands(token: Token) -> str:
    if token.revoked_at is not None:
        return f"revoked {_day(token.revoked_at)}"
    return f"{'until' if token.is_good else 'expired'} {_day(token.expires_at)}"


def _day(at: datetime) -> str:
    return at.astimezone(UTC).date().isoformat()
