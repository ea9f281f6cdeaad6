"""The chat: what it understands by itself, and what it says where a model fails."""

import asyncio
import os

import pytest

from tests.apart.terminal import Terminal
from tests.conftest import Shop
from tests.integration.warm_commands import warm_commands
from tests.integration.wire import KEY, Wire, environment
from tests.provider import last_result, status
from tests.purchases import PURCHASE


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
    assert "That is no answer" not in out
    assert "the question waits" in out.split("> quit")[0] + out.split("quit")[-1]
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
    assert "See OPENAI_API_KEY" in out
    assert KEY not in out
    assert "It is in the cart." in out
    assert "See OPENAI_MODEL" in out
    assert "order DB-" in out.split("See OPENAI_MODEL")[1]
    assert shop.happened() == PURCHASE


async def test_a_script_whose_last_line_was_not_answered_learns_it_by_the_exit_code(
    wire: Wire, shop: Shop
):
    wire.provider.then(status(401))
    out, err, code = await chat(wire, "add BOOT-001")
    assert code == 1
    assert "See OPENAI_API_KEY" in err
    assert "Traceback" not in err
    wire.provider.then([("add_to_cart", {"sku": "BOOT-001"})], "It is in the cart.")
    out, err, code = await chat(wire)
    assert (err, code) == ("", 0)
    assert "It is in the cart." in out
