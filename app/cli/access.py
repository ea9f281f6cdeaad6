"""Commands for tokens and delegations."""

from __future__ import annotations

import getpass
import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from daybook.app.cli.options import Commands, named_user
from daybook.app.output import day, minute, tell, tell_aside
from daybook.checkpoints.people.delegations import Delegation, delegations
from daybook.checkpoints.people.tokens import Token, Tokens, open_token_office
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings, settings_from
from daybook.state.errors import DaybookError
from daybook.state.run_input import check_caller, checked_id
from daybook.state.session import Person

commands = Commands()

_LONGEST_NOTE = 200


@commands.command()
async def token(
    user: Annotated[
        str | None, typer.Argument(help="The user who signs in with it.", callback=named_user)
    ] = None,
    role: Annotated[str, typer.Option(help="customer, clerk or operator.")] = "customer",
    days: Annotated[int, typer.Option(min=1, max=3650, help="Days until it expires.")] = 90,
    note: Annotated[str, typer.Option(help="A note for the list.")] = "",
    lists: Annotated[bool, typer.Option("--list", help="List all, without secrets.")] = False,
    revoke: Annotated[
        str | None, typer.Option("--revoke", metavar="ID", help="Revoke a token.")
    ] = None,
) -> None:
    """Create an access token for USER, list all tokens, or revoke one."""
    if sum((user is not None, lists, revoke is not None)) != 1:
        raise typer.BadParameter("Give one of USER, --list or --revoke ID.")
    if revoke is not None:
        await _revoke_token(settings_from(), revoke)
    elif user is not None:
        await _make_token(settings_from(), Person(user, role), days=days, note=note)
    else:
        await _list_tokens(settings_from())


async def _make_token(settings: Settings, person: Person, *, days: int, note: str) -> None:
    """Make a token and print it; it cannot be printed again."""
    check_caller(person.user_id, person.role)
    if len(note) > _LONGEST_NOTE or not note.isprintable():
        raise DaybookError(
            f"A note must be one line of at most {_LONGEST_NOTE} characters. No token was created."
        )
    async with open_database(settings) as postgres:
        was_open = not await Tokens(postgres.pool).were_made()
        async with open_token_office(postgres) as office:
            made = await office.make(person, timedelta(days=days), note)
    # Alone on standard output, for scripts; the rest is for people.
    tell(made.text)
    tell_aside(
        f"This is the token of {person.user_id} ({person.role}), valid until "
        f"{day(made.about.expires_at)}. It is shown only once; store it like a password. To "
        f"revoke it: daybook token --revoke {made.about.token_id}"
    )
    if was_open:
        tell_aside("This is the first token: from now on every request to a server needs one.")


async def _list_tokens(settings: Settings) -> None:
    """Print all tokens: whose they are, and whether they are good; secrets are kept nowhere."""
    async with open_database(settings) as postgres:
        tokens = await Tokens(postgres.pool).all()
    for token in tokens:
        tell("  ".join((token.token_id, token.user_id, token.role, _stands(token), token.note)))
    if not tokens:
        tell("No token exists, so a local server does not ask for one.")


async def _revoke_token(settings: Settings, token: str) -> None:
    """Revoke a token by its id, or by the whole token; every server obeys at once."""
    named = re.fullmatch(r"(?:daybook_)?([0-9a-f]{12})(?:_.*)?", token.strip())
    token_id = named[1] if named else checked_id(token.strip(), "a token")
    async with open_database(settings) as postgres, open_token_office(postgres) as office:
        user_id = await office.revoke(token_id)
    if user_id is None:
        raise DaybookError(
            "Token not found; nothing was revoked. `daybook token --list` lists all tokens."
        )
    tell(f"revoked {token_id}, a token of {user_id}")


def _stands(token: Token) -> str:
    if token.revoked_at is not None:
        return f"revoked {day(token.revoked_at)}"
    return f"{'until' if token.is_good else 'expired'} {day(token.expires_at)}"


# -- standing in -----------------------------------------------------------------------------------


@commands.command()
async def delegate(
    absent: Annotated[
        str | None, typer.Argument(help="The user who is absent.", callback=named_user)
    ] = None,
    to: Annotated[str | None, typer.Argument(help="The delegate.", callback=named_user)] = None,
    until: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M"], help="In UTC; a date means its start."
        ),
    ] = None,
    role: Annotated[str, typer.Option(help="The role: clerk or operator.")] = "clerk",
    end: Annotated[
        int | None, typer.Option("--end", metavar="NUMBER", help="End a delegation early.")
    ] = None,
) -> None:
    """Let TO answer for ABSENT until a date; without arguments, list all delegations."""
    settings = settings_from()
    if end is not None and absent is None:
        await _end_delegation(settings, end)
    elif absent is None:
        await _list_delegations(settings)
    elif to is None or until is None or end is not None:
        raise typer.BadParameter("Give ABSENT, TO and --until DATE; --end NUMBER; or nothing.")
    else:
        await _delegate(settings, Person(absent, role), Person(to), until.replace(tzinfo=UTC))


async def _delegate(settings: Settings, absent: Person, to: Person, until: datetime) -> None:
    check_caller(absent.user_id, absent.role)
    check_caller(to.user_id, to.role)
    if not absent.is_staff or absent.user_id == to.user_id:
        raise DaybookError(
            "A delegation needs --role clerk or operator, and two users. Nothing was changed."
        )
    async with open_database(settings) as postgres, open_token_office(postgres) as office:
        number = await office.delegate(absent, to.user_id, until, getpass.getuser())
    if number is None:
        raise DaybookError(f"{minute(until)} UTC is in the past. Nothing was changed.")
    tell(
        f"{to} may answer for {absent} as {absent.role} until {minute(until)} UTC. To end it: "
        f"daybook delegate --end {number}"
    )


async def _list_delegations(settings: Settings) -> None:
    async with open_database(settings) as postgres:
        known = await delegations(postgres.pool)
    for one in known:
        about = f"{one.to_user} for {one.user_id} as {one.role}"
        tell(f"{one.delegation_id}  {about}  {_ends(one)}, made by {one.made_by}")
    if not known:
        tell("There are no delegations.")


async def _end_delegation(settings: Settings, number: int) -> None:
    async with open_database(settings) as postgres, open_token_office(postgres) as office:
        to_user = await office.end_delegation(number)
    if to_user is None:
        raise DaybookError(
            f"Delegation {number} not found; nothing was changed. `daybook delegate` lists all "
            "delegations."
        )
    tell(f"Ended: {to_user} can no longer answer as a delegate.")


def _ends(one: Delegation) -> str:
    if one.ended_at is not None:
        return f"ended {minute(one.ended_at)} UTC"
    return f"{'until' if one.is_good else 'was until'} {minute(one.until)} UTC"
