"""`daybook tools` and `daybook tool`, as processes: what they say, and that others obey at once."""

from collections.abc import Iterator

import pytest

from tests.apart.terminal import PATIENCE, Terminal
from tests.conftest import Shop


@pytest.fixture
def terminal(postgres_url: str, shop: Shop) -> Iterator[Terminal]:
    terminal = Terminal(postgres_url, shop)
    try:
        yield terminal
    finally:
        terminal.end()


def test_a_tool_is_switched_on_again_and_its_limit_is_taken_away(terminal: Terminal):
    terminal.run("tool", "checkout", "--off", "--why", "stocktaking", "--limit", "1/60")
    out, _, _ = terminal.run("tool", "checkout", "--on")
    assert "on since " in out
    assert "stocktaking" not in out
    assert "at most 1 in 60 s" in out
    out, _, _ = terminal.run("tool", "checkout", "--no-limit")
    assert "at most" not in out


def test_a_chat_that_runs_obeys_at_once(terminal: Terminal, shop: Shop):
    chat = terminal.start("chat")
    assert chat.stdin is not None
    assert chat.stdout is not None
    chat.stdin.write("I need hiking boots\n")
    chat.stdin.flush()
    for line in chat.stdout:
        if line.startswith("1. "):
            break
    terminal.run("tool", "search_products", "--off", "--why", "the index is rebuilt")
    chat.stdin.write("I need wool socks\n")
    answered, _ = chat.communicate(timeout=PATIENCE)
    assert "switched off by the operator: the index is rebuilt" in answered.split("wool socks")[1]


def test_a_purchase_that_was_approved_before_a_tool_was_switched_off_is_given_back(
    terminal: Terminal, shop: Shop
):
    terminal.run("chat", "--thread", "t-1", lines=["add BOOT-001", "check out"])
    terminal.run("tool", "charge_payment", "--off", "--why", "fraud wave")
    out, _, _ = terminal.run("chat", "--thread", "t-1", lines=["y"])
    assert "charge_payment is switched off by the operator: fraud wave" in out
    assert shop.happened() == ["reserve", "release"]
