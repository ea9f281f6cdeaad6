"""Tokens: made once, kept as a digest, good until they expire or are taken back."""

from datetime import timedelta

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from daybook.checkpoints.people.tokens import Tokens, open_token_office
from daybook.checkpoints.postgres import Postgres
from daybook.state.session import Person
from tests.purchases import shop_database

YEAR = timedelta(days=365)
CLEO = Person("cleo", "clerk")


async def made(postgres: Postgres, person: Person = CLEO, lifetime: timedelta = YEAR) -> str:
    async with open_token_office(postgres) as office:
        return (await office.make(person, lifetime)).text


async def test_a_token_says_who_comes_and_what_is_no_token_is_nobodys(postgres, postgres_url):
    tokens = Tokens(postgres.pool)
    assert not await tokens.were_made()
    text = await made(postgres)
    assert await tokens.person_with(text) == CLEO
    assert await tokens.were_made()
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
        assert await tokens.person_with(other) is None, other
    # The secret stands nowhere in the database.
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
    async with shop_database(postgres_url, "other") as other:
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
