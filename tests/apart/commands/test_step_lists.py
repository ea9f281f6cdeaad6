"""`daybook ledger` lists what is open and what failed."""

import json

from tests.integration.test_step_lists import a_decline, settings
from tests.purchases import (
    asked_to_buy,
)

__all__ = ["settings"]


async def test_the_command_lists_what_is_open_and_what_failed(agent, terminal, settings):
    declined = await a_decline(agent)
    waiting = await asked_to_buy(agent)
    out, err, code = terminal.run("ledger", "--failed")
    assert (err, code) == ("", 0)
    assert "declined         charge_payment" in out
    assert "The card was declined." in out
    out, err, code = terminal.run("ledger", "--open", waiting.thread_id, "--json")
    assert (err, code) == ("", 0)
    assert {step["waits_for"] for step in json.loads(out)} == {"approval"}
    out, err, code = terminal.run("ledger", declined.thread_id)
    assert (err, code) == ("", 0)
    assert "received" in out
    _, err, code = terminal.run("ledger", "--open", "--failed")
    assert code != 0
    assert "exclude each other" in err
