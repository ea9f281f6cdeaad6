"""`daybook forget` as a command."""

import json

from tests.apart.test_cli import Terminal, terminal
from tests.conftest import Agent
from tests.integration.keyboard import Keyboard
from tests.integration.test_forget import forgotten
from tests.purchases import (
    asked_to_buy,
    with_boots,
)

__all__ = ["terminal"]


async def test_forget_asks_erases_and_says_what_it_cannot_reach(agent: Agent, terminal: Terminal):
    talk = await with_boots(agent)
    ledger = agent.resources.postgres.ledger
    out, err, code = terminal.run("forget", "ada", lines=["n"])
    assert talk.thread_id in out
    assert "of payloads" in out
    assert (err, code) == ("Nothing was erased.\n", 1)
    assert any(entry.payload for entry in await ledger.entries(talk.thread_id))
    out, err, code = terminal.run("forget", "ada", lines=["y"])
    assert (err, code) == ("", 0)
    for said in ("Erased: ", "backups", "the provider's own records", ".langgraph_api"):
        assert said in out
    assert not any(entry.payload for entry in await ledger.entries(talk.thread_id))
    assert "erase it for good?" in out
    again, err, code = terminal.run("forget", "ada")
    assert (err, code) == ("", 0)
    assert "Erased: " not in again


async def test_a_script_that_says_nothing_is_not_asked_twice(agent: Agent, terminal: Terminal):
    talk = await with_boots(agent)
    _, err, code = terminal.run("forget", "ada")
    assert (err, code) == ("", 0)
    entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
    assert not any(entry.payload for entry in entries)


async def test_at_a_terminal_the_end_of_the_input_is_no_yes(agent: Agent, terminal: Terminal):
    talk = await with_boots(agent)
    with Keyboard(terminal.environment, "forget", "ada") as keyboard:
        keyboard.sees("erase it for good?")
        _, code = keyboard.leaves()
    assert code == 1
    entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
    assert any(entry.payload for entry in entries)


async def test_a_forgotten_thread_is_printed_and_not_continued(agent: Agent, terminal: Terminal):
    talk = await with_boots(agent)
    await forgotten(agent.resources.postgres)
    ledger, _, code = terminal.run("ledger", talk.thread_id, "--json")
    assert code == 0
    assert {entry["payload"] for entry in json.loads(ledger)} == {None}
    out, err, code = terminal.run("chat", "--thread", talk.thread_id, lines=["hello"])
    assert code == 1
    assert f"{talk.thread_id} is closed" in err
    assert "> " not in out
    out, err, code = terminal.run("chat", lines=["hello"])
    assert (err, code) == ("", 0)
    assert talk.thread_id not in out


async def test_forget_keeps_what_is_open_and_says_what_to_do(agent: Agent, terminal: Terminal):
    done, waiting = await with_boots(agent), await asked_to_buy(agent)
    out, err, code = terminal.run("forget", "ada", "--yes")
    assert code == 1
    assert "Erased: " in out
    assert f"{waiting.thread_id} (its plan waits for an answer or is under way)" in err
    assert "daybook chat --user ada --thread" in err
    assert done.thread_id not in err


def test_forgetting_somebody_unknown_says_so(terminal: Terminal):
    out, err, code = terminal.run("forget", "zoe", "--yes")
    assert (out, code) == ("", 1)
    assert "User 'zoe' has no thread" in err
