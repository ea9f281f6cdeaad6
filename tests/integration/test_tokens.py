"""Tokens and sessions at the console: kept as digests, good until they expire or are taken back."""

from datetime import timedelta

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from daybook.checkpoints.people.tokens import (
    Credential,
    Sessions,
    Tokens,
    digest_of,
    open_token_office,
)
from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from daybook.state.errors import NotSignedIn
from daybook.state.session import Person
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import PURCHASE, asked_to_buy, shop_database

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


HOUR = timedelta(hours=1)


async def test_a_session_is_its_tokens_person_and_no_token(postgres: Postgres):
    sessions, tokens = Sessions(postgres.pool), Tokens(postgres.pool)
    token = await made(postgres)
    secret = await sessions.begin(token, HOUR)
    assert secret is not None
    assert await sessions.person_with(secret) == CLEO
    assert await tokens.person_with(secret) is None
    assert await sessions.person_with(token) is None
    for wrong in ("", "x" * 1_000, secret[:-1], token[:-1], "daybook_" + "0" * 12 + "_"):
        assert await sessions.begin(wrong, HOUR) is None
        assert await sessions.person_with(wrong) is None
    async with postgres.pool.connection() as conn:
        row = await (await conn.execute("select session::text as kept from session")).fetchone()
    assert row is not None
    assert secret not in row["kept"]


async def test_it_is_over_when_its_person_says_so_when_its_token_is_and_after_its_time(
    postgres: Postgres,
):
    sessions = Sessions(postgres.pool)
    one, other = await made(postgres), await made(postgres)
    left, stays, late = [
        await sessions.begin(token, lifetime) or ""
        for token, lifetime in ((one, HOUR), (other, HOUR), (other, timedelta()))
    ]
    await sessions.end(left)
    assert await sessions.person_with(left) is None
    assert await sessions.person_with(late) is None
    assert await sessions.person_with(stays) == CLEO
    async with open_token_office(postgres) as office:
        await office.revoke(other.split("_")[1])
    assert await sessions.person_with(stays) is None
    assert await sessions.begin(other, HOUR) is None


async def test_it_lasts_no_longer_than_the_token_that_began_it(postgres: Postgres):
    sessions = Sessions(postgres.pool)
    brief = await made(postgres, lifetime=timedelta(minutes=10))
    secret = await sessions.begin(brief, 12 * HOUR) or ""
    opened = Credential(session=digest_of(secret))
    assert await sessions.person_with(secret) == CLEO
    assert await sessions.good([opened]) == {opened}
    await SYSTEM.sleep(601)
    assert await sessions.person_with(secret) is None
    assert await sessions.good([opened]) == set()
    assert await sessions.begin(brief, HOUR) is None


async def test_what_is_open_is_looked_at_in_one_look(postgres: Postgres):
    sessions = Sessions(postgres.pool)
    assert await sessions.good([Credential()]) == {Credential()}, "before a token is made"
    token, revoked = await made(postgres), await made(postgres)
    good = Credential(token_id=token.split("_")[1])
    bad = Credential(token_id=revoked.split("_")[1])
    async with open_token_office(postgres) as office:
        await office.revoke(revoked.split("_")[1])
    assert await sessions.good([good, bad, Credential(), Credential(session=b"x" * 32)]) == {good}


@pytest.mark.parametrize(
    "statement",
    [
        "insert into session (digest, tenant_id, user_id, role, token_id, expires_at) "
        "select sha256('x'), 'default', 'eve', 'operator', token_id, 'infinity' from token",
        "update session set ended_at = null",
        "delete from session",
    ],
)
async def test_who_serves_makes_nobody_somebody(postgres: Postgres, statement: str):
    await made(postgres)
    async with postgres.pool.connection() as conn:
        with pytest.raises(InsufficientPrivilege):
            await conn.execute(statement)


async def test_a_table_of_the_callers_own_is_not_taken_for_the_tokens(postgres: Postgres):
    async with postgres.pool.connection() as conn, conn.transaction():
        await conn.execute(
            "create temp table token on commit drop as "
            "select 'e' as token_id, 'default' as tenant_id, 'eve' as user_id, 'operator' as role, "
            "sha256('x') as digest, null::timestamptz as revoked_at, "
            "'infinity'::timestamptz as expires_at"
        )
        begun = await conn.execute(
            "select begin_session('e', sha256('x'), sha256('y'), interval '1 hour') as begun"
        )
        assert await begun.fetchone() == {"begun": False}


async def test_another_tenant_has_none_of_them(postgres: Postgres, postgres_url: str):
    token = await made(postgres)
    secret = await Sessions(postgres.pool).begin(token, HOUR) or ""
    async with shop_database(postgres_url, "other") as other:
        elsewhere = Sessions(other.pool)
        assert await elsewhere.begin(token, HOUR) is None
        assert await elsewhere.person_with(secret) is None
        await elsewhere.end(secret)
    assert await Sessions(postgres.pool).person_with(secret) == CLEO


async def test_a_run_that_waited_while_its_token_was_revoked_does_nothing(
    agent: Agent, shop: Shop, postgres: Postgres
):
    talk = await asked_to_buy(agent)
    token = await made(postgres, Person("ada"))
    talk.config["configurable"]["token_id"] = token.split("_")[1]
    async with open_token_office(postgres) as office:
        await office.revoke(token.split("_")[1])
    with pytest.raises(NotSignedIn, match="Nothing was done"):
        await talk.approve()
    assert shop.effects() == []
    del talk.config["configurable"]["token_id"]
    await talk.approve()
    assert shop.happened() == PURCHASE


async def test_nobody_begins_a_thread_by_a_token_that_lapsed(agent: Agent, postgres: Postgres):
    talk = Conversation(agent.graph)
    late = await made(postgres, Person("ada"), timedelta())
    talk.config["configurable"]["token_id"] = late.split("_")[1]
    with pytest.raises(NotSignedIn):
        await talk.say("hello")
    assert (await talk.state()).values == {}
