"""Ids that were written before they had one form are written anew, and nobody becomes another."""

import psycopg

from daybook.checkpoints.migrate import migrate
from daybook.checkpoints.people.memory import prefix_of
from daybook.checkpoints.people.one_name import NAMES
from daybook.checkpoints.people.tokens import Tokens
from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from daybook.state.people.facts import fact_of
from daybook.state.session import Person
from tests.conftest import Agent
from tests.conversation import Conversation
from tests.integration.test_tokens import made
from tests.purchases import with_boots

_PEOPLE = ("thread", "thread_head", "ledger_payload", "read_call", "runner", "token")


async def spelled(url: str, was: str, becomes: str) -> None:
    """Write somebody's rows as they were before, and forget that the names were made one."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as owner:
        for table in _PEOPLE:
            await owner.execute(
                f"update {table} set user_id = %s where user_id = %s", (becomes, was)
            )
        prefixes = prefix_of("default", becomes), prefix_of("default", was)
        await owner.execute("update store set prefix = %s where prefix = %s", prefixes)
        await owner.execute("delete from migration where name = %s", (NAMES,))


async def test_who_was_called_otherwise_finds_everything(
    agent: Agent, postgres: Postgres, postgres_url: str
):
    talk = await with_boots(agent, "dan")
    token = await made(postgres, Person("dan"))
    fact = fact_of("size", "45", "fact", "a test", SYSTEM.now())
    await postgres.memory.put("dan", fact)
    await spelled(postgres_url, "dan", "Dan")
    assert await postgres.memory.of("dan") == ()
    assert await migrate(postgres_url) == [NAMES]
    assert await Tokens(postgres.pool).person_with(token) == Person("dan")
    assert [one.value for one in await postgres.memory.of("dan")] == ["45"]
    assert await postgres.threads.owner_of(talk.thread_id) == "dan"
    again = Conversation(agent.graph, thread=talk.thread_id, user="DAN")
    agent.model.then("Here.")
    await again.say("where are my boots?")
    assert await postgres.ledger.verify(talk.thread_id)


async def test_two_who_differ_in_spelling_stay_two(
    agent: Agent, postgres: Postgres, postgres_url: str
):
    theirs = await with_boots(agent, "dan")
    await spelled(postgres_url, "dan", "HUGO")
    await migrate(postgres_url)
    other = await with_boots(agent, "dan")
    await spelled(postgres_url, "dan", "Hugo")
    await migrate(postgres_url)
    assert await postgres.threads.owner_of(theirs.thread_id) == "hugo"
    assert await postgres.threads.owner_of(other.thread_id) == "hugo~2"
