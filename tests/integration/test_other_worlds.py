"""A process that reaches another shop keeps its hands off threads that deal with this one."""

from datetime import timedelta

import pytest

from daybook.state.errors import ForeignWorld
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import PURCHASE, bought_until, rebuilt

AT_ONCE = timedelta(0)


async def test_a_thread_is_refused_where_another_shop_is_reached(agent: Agent, shop: Shop):
    talk = await bought_until(agent, 1)
    before = shop.happened()
    elsewhere = rebuilt(agent, world="shop-elsewhere")
    with pytest.raises(ForeignWorld, match=r"deals with shop-.* reaches shop-elsewhere"):
        await Conversation(elsewhere.graph, "ada", talk.thread_id).run(None)
    threads, stalled = agent.resources.postgres.threads, agent.resources.postgres.stalled
    assert await threads.of_user("ada", agent.domain.name, "shop-elsewhere") == []
    async with stalled.claimed(agent.domain.name, AT_ONCE, "shop-elsewhere") as (found, _):
        assert found == []
    async with stalled.claimed(agent.domain.name, AT_ONCE, agent.resources.world) as (found, _):
        assert [one.thread_id for one in found] == [talk.thread_id]
    assert shop.happened() == before
    await talk.run(None)
    assert shop.happened() == PURCHASE


async def test_a_shop_keeps_its_id_for_as_long_as_its_file(shop: Shop):
    told = shop.http.get("/capabilities").json()["shop_id"]
    shop.http.post("/admin/reset").raise_for_status()
    assert shop.http.get("/capabilities").json()["shop_id"] == told
