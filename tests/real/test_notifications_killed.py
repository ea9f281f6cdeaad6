"""A worker that sends notifications is killed at each instant: each question is notified of."""

import signal
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psycopg
import pytest

from tests.conftest import Agent, Shop
from tests.integration.workers import worker_process
from tests.purchases import asked_to_buy, until

FILE = """
[[notify]]
name = "ops"
channel = "webhook"
to = "{url}"
secret = "HOOK"
inside = true
"""


class Receiver(ThreadingHTTPServer):
    """Take what is posted, and note by which id."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.ids: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"


class _Answer(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.server.ids.append(self.headers["webhook-id"])
        self.send_response(204)
        self.end_headers()

    def log_message(self, *about: object) -> None:
        """Log nothing."""


@pytest.fixture
def hook() -> Iterator[Receiver]:
    """Let a receiver listen."""
    with Receiver() as one:
        thread = threading.Thread(target=one.serve_forever)
        thread.start()
        yield one
        one.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("moment", "at_least"),
    [
        ("after_commit:notification/routed", 1),
        ("after_commit:notification/claimed", 1),
        ("before_commit:notification/sent", 2),
        ("after_commit:notification/sent", 1),
    ],
)
async def test_a_sender_is_killed_and_each_question_is_notified_of_under_its_id(
    agent: Agent,
    shop: Shop,
    postgres_url: str,
    hook: Receiver,
    tmp_path: Path,
    moment: str,
    at_least: int,
):
    file = tmp_path / "policy.toml"
    file.write_text(FILE.format(url=hook.url))
    more = {"DAYBOOK_POLICY": str(file), "HOOK": "whsec_c2VjcmV0"}
    await asked_to_buy(agent)
    async with worker_process(postgres_url, shop, **more, DAYBOOK_DIE_AT=moment) as first:
        assert await first.ended() == -signal.SIGKILL
    # What it had claimed is another's when its lease is over.
    with psycopg.connect(postgres_url, autocommit=True) as conn:
        conn.execute("update notification_delivery set lease_until = '-infinity'")
        async with worker_process(postgres_url, shop, **more) as second:
            await second.says("threads at a time")
            left = "select count(*) from notification_delivery where state <> 'sent'"
            await until(
                lambda: conn.execute(left).fetchone() == (0,) and bool(hook.ids), "all is sent"
            )
            second.gets(signal.SIGTERM)
            assert await second.ended() == 0
    assert len(hook.ids) == at_least
    assert len({*hook.ids}) == 1
