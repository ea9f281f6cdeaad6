"""The chat of one domain does not take up the threads of another."""

import pytest

from daybook.checkpoints.postgres import open_postgres
from daybook.state.errors import ForeignDomain
from daybook.testing.model import last_result
from daybook.tools.shop.domain import SHOP
from tests.apart.terminal import Terminal
from tests.conftest import Shop, shop_agent
from tests.conversation import Conversation
from tests.integration.test_own_domain import agent, office
from tests.rooms.agent import RoomsAgent

__all__ = ["agent", "office"]


# -- two agents on one database -------------------------------------------------------------------


async def test_a_thread_of_one_domain_is_refused_by_another_and_not_taken_up_by_its_chat(
    agent: RoomsAgent, postgres_url: str, shop: Shop, terminal: Terminal
):
    waiting = await agent.asked_to_book()
    async with (
        open_postgres(
            postgres_url, tenant_id="default", stored_types=SHOP.restored_types
        ) as postgres,
        shop_agent(postgres, shop) as other,
    ):
        with pytest.raises(ForeignDomain, match="the domain rooms"):
            await Conversation(other.graph, "mia", waiting.thread_id).say("check out")
    out, err, code = terminal.run("chat", "--user", "mia", lines=["what is in my cart?"])
    assert (err, code) == ("", 0)
    assert waiting.thread_id not in out
    out, err, code = terminal.run("chat", "--user", "mia", "--thread", waiting.thread_id)
    assert code == 1
    assert "the domain rooms" in err
    agent.model.then(last_result)
    await waiting.approve()
