"""A user's history in a database of its own: who owns it, what is encrypted, what was erased."""

from __future__ import annotations

from contextlib import AsyncExitStack

import psycopg
import pytest

from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.state.clock import SYSTEM
from daybook.state.errors import ToolRefused
from daybook.state.people.facts import fact_of
from daybook.state.session import Session
from daybook.testing.model import last_result
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.history import VIEWS as SHOP_VIEWS
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation, answer_of
from tests.past.shopped import session_of
from tests.purchases import asked_to_buy, bought, with_boots

ADA = Session("default", "thread", "ada", "ada", "customer", "worker")


async def test_a_function_that_a_restore_gave_to_somebody_else_answers_nothing(
    postgres: Postgres, postgres_url: str
):
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute("alter function history_ask owner to current_user")
    with pytest.raises(ToolRefused):
        await postgres.history.query(ADA, "select 1", {})


async def test_a_model_asks_across_threads_and_is_told_in_lines(agent: Agent):
    before = await bought(agent)
    agent.model.then(
        [("query_history", {"sql": "select status, total from orders; drop table thread"})],
        [("query_history", {"sql": "select status, total, thread_id from orders"})],
        last_result,
    )
    said = answer_of(await Conversation(agent.graph).say("what did I order so far?"))
    assert said.splitlines()[-2:] == [
        "status | total | thread_id",
        f"placed | 9890 | {before.thread_id}",
    ]
    refused = [m.text for m in agent.model.prompts[-2] if m.type == "tool"]
    assert refused[-1].startswith("query_history refused: The query cannot be run")


async def test_what_is_encrypted_is_refused_rather_than_null(postgres_url: str, shop: Shop):
    async with AsyncExitStack() as stack:
        postgres = await stack.enter_async_context(
            open_postgres(
                postgres_url,
                tenant_id="default",
                stored_types=SHOP.restored_types,
                key=b"0123456789abcdef",
            )
        )
        agent = await stack.enter_async_context(shop_agent(postgres, shop))
        talk = await asked_to_buy(agent)
        await postgres.memory.put(
            "ada", fact_of("shoe size", "43", "fact", talk.thread_id, SYSTEM.now())
        )
        session = session_of(talk, "ada")
        # What a plan comes to is searched by, and so it stands in the clear.
        counted = await postgres.history.query(
            session, "select count(*), sum(total) from plans where tool = 'checkout'", SHOP_VIEWS
        )
        assert counted.rows == ((1, 9890),)
        for sql in (
            "select value from facts",
            "select args from effects",
            "select text from changes",
            "select count(*) from effects where args ->> 'sku' = 'x'",
        ):
            with pytest.raises(ToolRefused, match="encrypted here"):
                await postgres.history.query(session, sql, SHOP_VIEWS)


async def test_what_was_erased_is_null_and_what_happened_stays(postgres: Postgres, agent: Agent):
    talk = await with_boots(agent)
    session = session_of(talk, "ada")
    asked = "select text is null, count(*) from changes group by 1"
    assert (await postgres.history.query(session, asked, {})).rows == ((False, 1),)
    async with open_eraser(postgres) as eraser:
        await eraser.erase(talk.thread_id, everything)
    assert (await postgres.history.query(session, asked, {})).rows == ((True, 1),)
