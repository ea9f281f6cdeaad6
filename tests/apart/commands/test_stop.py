"""`daybook stop`, and stop at the question of the chat."""

from tests.apart.terminal import Terminal
from tests.conftest import Agent, Shop
from tests.integration.test_stop import agent
from tests.purchases import (
    asked_to_buy,
    bought_until,
)

__all__ = ["agent"]


# -- the command line -----------------------------------------------------------------------------


async def test_the_command_stops_and_finishes_it(agent: Agent, shop: Shop, terminal: Terminal):
    talk = await bought_until(agent, 3)
    out, err, code = terminal.run("stop", talk.thread_id, "--user", "ben")
    assert (out, code) == ("", 1)
    assert "belongs to another user" in err
    out, err, code = terminal.run("stop", talk.thread_id, "--user", "cleo", "--role", "clerk")
    assert (err, code) == ("", 0)
    assert (
        "Stopped by cleo: Check out for 98.90 USD. It is undone: reserve BOOT-001, charge." in out
    )
    assert "Undone: reserve BOOT-001, charge. Nothing else was done." in out
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    out, err, code = terminal.run("stop", talk.thread_id)
    assert (out, code) == ("", 1)
    assert "Nothing is under way" in err


async def test_at_the_question_of_the_chat_stop_withdraws(agent, shop, terminal):
    talk = await asked_to_buy(agent)
    out, err, code = terminal.run(
        "chat", "--thread", talk.thread_id, lines=["stop", "show my cart"]
    )
    assert (err, code) == ("", 0)
    assert "Stopped by ada: Check out for 98.90 USD. Nothing of it was done." in out
    assert shop.happened() == []
