"""Commands that cannot be undone: without a terminal they need --yes, and a terminal asks."""

import json

import pytest

from daybook.app import cli
from daybook.state.ledger.recovery import Event
from tests.answers import MAIL
from tests.apart.commands.test_threads import commands
from tests.apart.terminal import Terminal
from tests.conftest import Agent, Shop
from tests.integration.keyboard import Keyboard
from tests.integration.test_retention import idle_for
from tests.purchases import with_boots

IRREVOCABLE: dict[str, list[str]] = {
    "forget": ["ada"],
    "memory forget": ["--all"],
    "probe-check": ["send_email", json.dumps(MAIL[1])],
    "reconcile": ["--accept"],
    "retention": ["--apply"],
}
"""Command to its arguments. What is merely ended can be made anew: a token, a delegation."""


def takes_yes(name: str) -> bool:
    """Tell whether a command, or one of a group, takes --yes."""
    first, _, second = name.partition(" ")
    command = cli.command(first)
    found = command.commands[second] if second else command
    return any("--yes" in one.opts for one in found.params)


def test_every_irrevocable_command_is_listed():
    # That of `chat` approves plans.
    assert {name for name in commands() if takes_yes(name)} == {*IRREVOCABLE, "chat"}


@pytest.mark.parametrize("command", IRREVOCABLE)
async def test_an_irrevocable_command_refuses_without_a_terminal_and_without_yes(
    agent: Agent, terminal: Terminal, shop: Shop, postgres_url: str, command: str
):
    talk = await with_boots(agent)
    await idle_for(postgres_url, talk.thread_id, days=10_000)
    terminal.run("memory", "set", "shoe size", "43")
    for lines in ([], ["y"]):
        _, err, code = terminal.run(*command.split(), *IRREVOCABLE[command], lines=lines)
        assert code != 0
        assert "add --yes" in err
    entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
    assert any(entry.payload for entry in entries if entry.event is Event.APPLIED)
    assert "43" in terminal.run("memory")[0]
    assert shop.happened() == []


async def test_at_a_terminal_it_asks_and_only_yes_does_it(agent: Agent, terminal: Terminal):
    terminal.run("memory", "set", "shoe size", "43")
    for answer, is_kept in (("n", True), ("", True), ("y", False)):
        with Keyboard(terminal.environment, "memory", "forget", "shoe size") as keyboard:
            keyboard.sees("Forget 'shoe size' of ada? (y/n) ")
            keyboard.type(answer)
            keyboard.leaves()
        assert ("43" in terminal.run("memory")[0]) is is_kept
