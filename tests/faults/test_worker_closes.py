"""A worker closes what was idle: its queue waits by real seconds."""

from datetime import timedelta

from daybook.checkpoints.people.threads import standing
from tests.conftest import Agent, Shop
from tests.integration.workers import working
from tests.purchases import asked_to_buy, until, with_boots


async def test_the_worker_closes_what_was_idle_for_its_time(agent: Agent, shop: Shop):
    talk, waiting = await with_boots(agent), await asked_to_buy(agent)
    postgres = agent.resources.postgres
    async with working(agent, keep=timedelta(0)) as said:
        await until(lambda: any("closed 1 conversations" in line for line in said), "it closes one")
    statuses = {one.thread_id: one.status for one in await standing(postgres.pool, "shop")}
    assert statuses == {talk.thread_id: "closed", waiting.thread_id: "waiting"}
