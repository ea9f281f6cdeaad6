"""What the chat itself understands: help, quit, exit, and an empty line."""

import pytest

from tests.apart.test_cli import Terminal, terminal  # noqa: F401
from tests.conftest import Shop
from tests.integration.keyboard import Keyboard


@pytest.mark.parametrize("word", ["quit", "exit", "Quit "])
def test_quit_ends_the_chat_as_the_end_of_the_input_does(
    terminal: Terminal,  # noqa: F811
    word: str,
):
    out, err, code = terminal.run("chat", "--thread", "t-1", lines=["hello", word, "add BOOT-001"])
    assert (err, code) == ("", 0)
    assert "daybook chat --thread t-1" in out.split(f"> {word.strip()}")[1]
    assert "add BOOT-001" not in out


def test_help_and_an_empty_line_ask_no_model(terminal: Terminal):  # noqa: F811
    out, err, code = terminal.run("chat", "--thread", "t-2", lines=["help", "", "HELP"])
    assert (err, code) == ("", 0)
    for word in ("stop", "quit", "approves", "docs/"):
        assert word in out.split("> help")[1]
    _, err, code = terminal.run("ledger", "t-2")
    assert code == 1
    assert "no ledger" in err, "nothing was said to the thread"


def test_help_at_a_question_leaves_it_and_quit_leaves_it_waiting(
    terminal: Terminal,  # noqa: F811
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


def test_at_a_terminal_quit_ends_the_process(terminal: Terminal):  # noqa: F811
    with Keyboard(terminal.environment, "chat", "--thread", "t-4") as ada:
        ada.sees("> ")
        ada.type("help")
        ada.sees("quit")
        ada.sees("> ")
        ada.type("quit")
        ada.sees("chat --thread t-4")
        assert ada.process.wait(60) == 0
