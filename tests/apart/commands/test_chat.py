"""The chat as a process: what it understands, stops, refuses, and says where a model fails."""

import asyncio
import os

import pytest

from daybook.state.errors import ForeignDomain
from daybook.testing.model import last_result as result_of
from tests.apart.terminal import Terminal
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation
from tests.integration.test_own_domain import agent as rooms
from tests.integration.test_own_domain import office
from tests.integration.test_stop import agent
from tests.integration.warm_commands import warm_commands
from tests.integration.wire import KEY, Wire, environment
from tests.provider import last_result, status
from tests.purchases import PURCHASE, asked_to_buy, bought_until, shop_database
from tests.rooms.agent import RoomsAgent

__all__ = ["agent", "office", "rooms"]


@pytest.mark.parametrize("word", ["quit", "exit", "Quit "])
def test_quit_ends_the_chat_as_the_end_of_the_input_does(
    terminal: Terminal,
    word: str,
):
    out, err, code = terminal.run("chat", "--thread", "t-1", lines=["hello", word, "add BOOT-001"])
    assert (err, code) == ("", 0)
    assert "daybook chat --thread t-1" in out.split(f"> {word.strip()}")[1]
    assert "add BOOT-001" not in out


def test_help_at_a_question_leaves_it_and_quit_leaves_it_waiting(
    terminal: Terminal,
    shop: Shop,
):
    lines = ["add BOOT-001", "check out", "help", "quit", "y"]
    out, err, code = terminal.run("chat", "--thread", "t-3", lines=lines)
    assert (err, code) == ("", 0)
    assert "That is not an answer" not in out
    assert "the question is still open" in out.split("> quit")[0] + out.split("quit")[-1]
    assert "daybook chat --thread t-3" in out
    assert shop.happened() == []
    out, err, code = terminal.run("chat", "--thread", "t-3", lines=["y"])
    assert (err, code) == ("", 0)
    assert shop.happened() == ["reserve", "charge", "order", "mail"]


async def chat(wire: Wire, *lines: str) -> tuple[str, str, int]:
    """Run a chat whose lines come through a pipe: output, errors, exit code."""
    ambient = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI", "DAYBOOK"))}
    settings = {**ambient, **wire.environment, **environment(wire.provider, "chat")}
    said = "".join(f"{line}\n" for line in lines)
    words = ["chat", "--thread", "t-wire"]
    return await asyncio.to_thread(warm_commands().run, words, settings, said)


async def test_the_chat_goes_on_after_a_failure_and_an_empty_line_takes_it_up(
    wire: Wire, shop: Shop
):
    wire.provider.then(
        status(401, f"no such key {KEY}"),
        [("add_to_cart", {"sku": "BOOT-001"})],
        "It is in the cart.",
        [("checkout", {})],
        status(404),
        last_result,
    )
    out, err, code = await chat(wire, "add BOOT-001", "", "check out", "y", "")
    assert (err, code) == ("", 0)
    assert "Check OPENAI_API_KEY" in out
    assert KEY not in out
    assert "It is in the cart." in out
    assert "Check OPENAI_MODEL" in out
    assert "order DB-" in out.split("Check OPENAI_MODEL")[1]
    assert shop.happened() == PURCHASE


async def test_a_script_whose_last_line_was_not_answered_learns_it_by_the_exit_code(
    wire: Wire, shop: Shop
):
    wire.provider.then(status(401))
    out, err, code = await chat(wire, "add BOOT-001")
    assert code == 1
    assert "Check OPENAI_API_KEY" in err
    assert "Traceback" not in err
    wire.provider.then([("add_to_cart", {"sku": "BOOT-001"})], "It is in the cart.")
    out, err, code = await chat(wire)
    assert (err, code) == ("", 0)
    assert "It is in the cart." in out


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
    assert "Nothing is in progress" in err


async def test_at_the_question_of_the_chat_stop_withdraws(agent, shop, terminal):
    talk = await asked_to_buy(agent)
    out, err, code = terminal.run(
        "chat", "--thread", talk.thread_id, lines=["stop", "show my cart"]
    )
    assert (err, code) == ("", 0)
    assert "Stopped by ada: Check out for 98.90 USD. None of it was done." in out
    assert shop.happened() == []


# -- two agents on one database -------------------------------------------------------------------


async def test_a_thread_of_one_domain_is_refused_by_another_and_not_taken_up_by_its_chat(
    rooms: RoomsAgent, postgres_url: str, shop: Shop, terminal: Terminal
):
    waiting = await rooms.asked_to_book()
    async with (
        shop_database(postgres_url) as postgres,
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
    rooms.model.then(result_of)
    await waiting.approve()
