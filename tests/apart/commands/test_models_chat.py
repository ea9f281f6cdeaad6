"""The chat as a process, with a model over real HTTP: what fails is said, and the chat goes on."""

import asyncio
import os

from tests.conftest import Shop
from tests.integration.warm_commands import warm_commands
from tests.integration.wire import KEY, Wire, environment
from tests.provider import last_result, status
from tests.purchases import PURCHASE


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
