"""The chat shows what waited in threads of earlier commits, and takes its answer."""

import asyncio
from pathlib import Path

import pytest

from tests.apart.test_cli import Terminal
from tests.apart.test_stored_questions import commit, empty_url
from tests.conftest import Shop
from tests.integration.test_stored_threads import left_as_then
from tests.purchases import PURCHASE
from tests.stored_questions import read
from tests.stored_threads import Stored

__all__ = ["commit", "empty_url"]


async def chatted(
    url: str, shop: Shop, thread: Stored, monkeypatch: pytest.MonkeyPatch, *lines: str
) -> str:
    """Open the chat, which finds the thread, and say lines; return what it prints."""
    await left_as_then(url, thread, monkeypatch)
    terminal = Terminal(url, shop)
    out, err, code = await asyncio.to_thread(terminal.run, "chat", lines=list(lines))
    assert (err, code) == ("", 0)
    assert f"thread {thread['thread_id']}" in out
    return out


async def test_the_chat_shows_a_question_that_waits_and_takes_its_answer(
    empty_url: str, commit: Path, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    asked = read(commit, "a_question")
    out = await chatted(empty_url, shop, asked, monkeypatch, "y")
    assert "Approval needed: Check out for 98.90 USD" in out
    assert shop.happened() == PURCHASE


async def test_the_chat_lets_a_question_that_waits_be_rejected(
    empty_url: str, commit: Path, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    out = await chatted(empty_url, shop, read(commit, "a_question"), monkeypatch, "n too dear")
    assert "too dear" in out
    assert shop.happened() == []


@pytest.mark.parametrize(
    ("word", "happened"), [("h M-1", []), ("n", ["mail"])], ids=["happened", "not happened"]
)
async def test_the_chat_shows_a_doubt_that_waits_and_takes_a_persons_word(
    empty_url: str,
    commit: Path,
    shop: Shop,
    word: str,
    happened: list[str],
    monkeypatch: pytest.MonkeyPatch,
):
    out = await chatted(empty_url, shop, read(commit, "a_doubt"), monkeypatch, word)
    # As it was written then, or by this release, where the node that asks ran again.
    assert "Did this happen? send_email" in out or "went out (send_email)" in out
    assert "send_email confirmed" in out or "mail" in out.rpartition("did it happen?")[2]
    assert shop.happened() == happened
