"""Tokens: made once, kept as a digest, good until they expire or are taken back."""

import asyncio
from datetime import timedelta

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from daybook.app.conversations.terminal import Terminal as AppTerminal
from daybook.app.operating.forget import forget
from daybook.app.operating.tokens import make, revoke, show
from daybook.checkpoints.people.tokens import Tokens, open_token_office
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import DaybookError
from daybook.state.session import Person
from tests.conftest import Agent
from tests.integration.test_cli import Terminal, terminal
from tests.purchases import with_boots

__all__ = ["terminal"]

YEAR = timedelta(days=365)
CLEO = Person("cleo", "clerk")


async def made(postgres: Postgres, person: Person = CLEO, lifetime: timedelta = YEAR) -> str:
    async with open_token_office(postgres) as office:
        return (await office.make(person, lifetime)).text


async def test_a_token_says_who_comes_and_what_they_are(postgres: Postgres):
    tokens = Tokens(postgres.pool)
    assert not await tokens.were_made()
    text = await made(postgres)
    assert await tokens.person_with(text) == CLEO
    assert await tokens.were_made()


async def test_what_is_no_token_is_nobodys(postgres: Postgres):
    text = await made(postgres)
    prefix, token_id, secret = text.split("_", 2)
    for other in (
        "",
        "daybook",
        f"{prefix}_{token_id}",
        f"{prefix}_{token_id}_",
        f"{prefix}_{token_id}_{secret[:-1]}",
        f"{prefix}_{token_id}_{secret}x",
        f"{prefix}_{'0' * 12}_{secret}",
        f"other_{token_id}_{secret}",
        f"{prefix}_{token_id}\x00_{secret}",
        f"{prefix}_{token_id}_\udcff",
        "x" * 100_000,
    ):
        assert await Tokens(postgres.pool).person_with(other) is None, other


async def test_a_secret_stands_nowhere_in_the_database(postgres: Postgres, postgres_url: str):
    secret = (await made(postgres)).split("_", 2)[2]
    async with await psycopg.AsyncConnection.connect(postgres_url) as conn:
        ((row,),) = await (await conn.execute("select token::text from token")).fetchall()
    assert secret not in row
    assert len(secret) * 6 >= 256


async def test_a_token_expires_and_is_taken_back(postgres: Postgres):
    tokens = Tokens(postgres.pool)
    late, revoked = await made(postgres, lifetime=timedelta()), await made(postgres)
    async with open_token_office(postgres) as office:
        assert await office.revoke(revoked.split("_")[1]) == "cleo"
        assert await office.revoke("0" * 12) is None
    assert [await tokens.person_with(text) for text in (late, revoked)] == [None, None]
    assert await tokens.were_made(), "a server that had tokens never runs without again"


async def test_another_tenant_knows_none_of_them(postgres: Postgres, postgres_url: str):
    text = await made(postgres)
    async with open_postgres(postgres_url, tenant_id="other", stored_types=()) as other:
        assert await Tokens(other.pool).person_with(text) is None
        assert not await Tokens(other.pool).were_made()
        async with open_token_office(other) as office:
            assert await office.revoke(text.split("_")[1]) is None
            assert await office.revoke_all("cleo") == 0
    assert await Tokens(postgres.pool).person_with(text) == CLEO


@pytest.mark.parametrize(
    "statement",
    [
        "insert into token (token_id, tenant_id, user_id, role, digest, expires_at) "
        "values ('000000000000', 'default', 'eve', 'operator', sha256('x'), 'infinity')",
        "update token set role = 'operator'",
        "delete from token",
        "truncate token",
    ],
)
async def test_who_serves_can_make_and_change_no_token(postgres: Postgres, statement: str):
    async with postgres.pool.connection() as conn:
        with pytest.raises(InsufficientPrivilege):
            await conn.execute(statement)


# -- the command ----------------------------------------------------------------------------------


async def test_the_command_prints_a_token_alone_and_says_the_rest_beside_it(
    terminal: Terminal, postgres: Postgres, capsys: pytest.CaptureFixture[str]
):
    out, err, code = await asyncio.to_thread(
        terminal.run, "token", "cleo", "--role", "clerk", "--days", "3", "--note", "till 2"
    )
    assert code == 0
    (text,) = out.splitlines()
    assert await Tokens(postgres.pool).person_with(text) == CLEO
    assert "shown this once" in err
    assert "It is the first" in err
    (about,) = await Tokens(postgres.pool).all()
    assert (about.expires_at - about.made_at).days == 3

    settings = settings_from(terminal.environment)
    await show(settings)
    listed = capsys.readouterr().out
    assert f"{about.token_id}  cleo  clerk  until " in listed
    assert "till 2" in listed
    assert text.split("_", 2)[2] not in listed + err

    # By the whole token too: it is what people have at hand.
    await revoke(settings, text)
    assert capsys.readouterr().out == f"revoked {about.token_id}, a token of cleo\n"
    assert await Tokens(postgres.pool).person_with(text) is None


async def test_what_cannot_be_done_is_said_and_makes_no_token(
    terminal: Terminal, postgres: Postgres
):
    settings = settings_from(terminal.environment)
    for person, note, said in (
        (Person("a/b"), "", "The id of a user"),
        (Person("cleo", "king"), "", "There is no such role"),
        (Person("cleo"), "x" * 300, "at most 200 characters"),
        (Person("cleo"), "two\nlines", "one line"),
    ):
        with pytest.raises(DaybookError, match=said):
            await make(settings, person, days=1, note=note)
    with pytest.raises(DaybookError, match="no such token"):
        await revoke(settings, "0" * 12)
    out, err, code = await asyncio.to_thread(terminal.run, "token", "cleo", "--list")
    assert (out, code) == ("", 2)
    assert "one of the three" in err
    assert not await Tokens(postgres.pool).were_made()


async def test_who_is_forgotten_has_no_token_any_more(
    terminal: Terminal, agent: Agent, postgres: Postgres
):
    await with_boots(agent)
    async with open_token_office(postgres) as office:
        ada = (await office.make(Person("ada"), YEAR, "her phone")).text
    ben = await made(postgres, Person("ben"))
    out, err, code = await asyncio.to_thread(terminal.run, "forget", "ada", "--yes")
    assert (err, code) == ("", 0)
    assert "Revoked: all 1 tokens of ada" in out
    tokens = Tokens(postgres.pool)
    assert await tokens.person_with(ada) is None
    assert await tokens.person_with(ben) == Person("ben")
    assert [token.note for token in await tokens.all()] == ["", ""]
    # Somebody who never shopped has tokens all the same.
    await forget(settings_from(terminal.environment), AppTerminal(), "ben", is_sure=True)
    assert await tokens.person_with(ben) is None
