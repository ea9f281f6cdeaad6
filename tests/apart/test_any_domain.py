"""Every command serves any domain: a stranger needs no worker and no console of their own."""

import asyncio
import json
import os
import re
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from daybook.app.server import dev_server
from tests.beside import serving
from tests.integration.warm_commands import ROOT, warm_commands
from tests.integration.workers import running_worker
from tests.rooms.office import Office

DESK = "tests.rooms.desk:graph"
BOOKED = ["hold", "booking"]
SAID = ["8 people on 2031-05-06", "book the Barn", "y"]


class Desk:
    """Run `daybook --domain tests.rooms.desk:graph` on a database and an office of a test's own."""

    def __init__(self, url: str, office: Office) -> None:
        self.environment = {**os.environ, "DATABASE_URL": url, "OFFICE_URL": office.url}

    def run(self, *words: str, lines: list[str] | None = None, **more: str) -> tuple[str, str, int]:
        """Run a command of the domain to its end: output, errors, exit code."""
        said = "".join(f"{line}\n" for line in lines or [])
        named = ("--domain", DESK, *words)
        return warm_commands().run(named, {**self.environment, **more}, said)

    def killed(self, *lines: str, at: str) -> str:
        """Chat in a process that dies at a fault point; return the thread."""
        out, _, code = self.run("chat", lines=list(lines), DAYBOOK_DIE_AT=at)
        assert code == -signal.SIGKILL
        return thread_of(out) or self.threads()[0]["thread_id"]

    def threads(self) -> list[dict[str, Any]]:
        """Return what `daybook threads` lists."""
        out, err, code = self.run("threads", "--json")
        assert (err, code) == ("", 0)
        return [json.loads(line) for line in out.splitlines()]


def thread_of(out: str) -> str:
    found = re.search(r"^thread (\S+)$", out, re.MULTILINE)
    return found[1] if found else ""


@pytest.fixture
def office() -> Iterator[Office]:
    with serving(Office()) as office:
        yield office


@pytest.fixture
def desk(postgres_url: str, office: Office) -> Desk:
    return Desk(postgres_url, office)


def test_the_chat_greets_shows_the_panels_asks_and_books(desk: Desk, office: Office):
    out, err, code = desk.run("chat", lines=SAID)
    assert (err, code) == ("", 0)
    assert "Say when you meet, and how many you are. Ctrl-D ends the chat" in out
    assert re.search(r"Meeting\s+Day\s+People\s+─+\s+2031-05-06\s+8", out)
    assert "Approval needed: Book Barn on 2031-05-06" in out
    assert "book_room confirmed: Barn is booked" in out
    assert "cart" not in out.lower()
    assert office.happened() == BOOKED
    (thread,) = desk.threads()
    assert (thread["user_id"], thread["thread_id"]) == ("mia", thread_of(out))


def test_operators_commands_take_a_thread_of_the_domain(desk: Desk):
    out, _, _ = desk.run("chat", lines=SAID)
    thread = thread_of(out)
    told = {
        ("ledger", thread): "acknowledged",
        ("progress", thread): "Barn",
        ("reconcile", thread): "they agree",
        ("ledger", "verify", thread): "every chain verifies",
        ("grade", thread): "6 steps: 6 right",
        ("memory",): "Nothing is remembered about mia",
    }
    for words, says in told.items():
        out, err, code = desk.run(*words)
        assert (err, code) == ("", 0), words
        assert says in out, words


@pytest.mark.parametrize("at", ["after_reply:hold_room", "before_request:book", "after_reply:book"])
async def test_a_worker_finishes_a_booking_whose_process_was_killed(
    desk: Desk, office: Office, at: str
):
    thread = await asyncio.to_thread(lambda: desk.killed(*SAID, at=at))
    words = ("--domain", DESK, "worker", "--every", "0.1", "--idle", "0")
    async with running_worker(desk.environment, *words) as worker:
        assert "of rooms" in await worker.says("worker ")
        assert thread in await worker.says("; finished")
    assert office.happened() == BOOKED
    assert office.left_held() == []


def test_what_serve_writes_is_what_langgraph_json_says_beside_its_graph():
    ours = json.loads((ROOT / "langgraph.json").read_text())
    assert {k: v for k, v in ours.items() if k not in ("graphs", "checkpointer")} == (
        dev_server.OURS
    )
