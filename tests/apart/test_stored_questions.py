"""What earlier commits left waiting is shown, answered and finished by this one.

The threads are of four commits between which the stored shapes differ (tests/stored_questions.py).
"""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from daybook.app.console.app import app
from daybook.graph.shop.app import checkpointer
from daybook.state.errors import UnknownStateVersion
from daybook.state.people.questions.question import QUESTION_VERSION, question_of
from tests.databases import database
from tests.integration.test_stored_threads import left_as_then
from tests.integration.workers import worker_process
from tests.purchases import PURCHASE
from tests.stored_questions import FOLDER, read
from tests.stored_threads import Stored

COMMITS = sorted(FOLDER.iterdir())
OPERATOR = {"daybook_session": "development.operator.olga", "daybook_form": "as-it-was-drawn"}


@pytest.fixture
def empty_url(server_url: str) -> Iterator[str]:
    """Yield an empty database of this test's own."""
    with database(server_url) as url:
        yield url


@pytest.fixture(params=COMMITS, ids=lambda folder: folder.name)
def commit(request: pytest.FixtureRequest) -> Path:
    """Return the folder of a commit's threads."""
    return Path(request.param)


async def test_a_worker_finishes_a_plan_under_way(empty_url, commit, shop, monkeypatch):
    thread = read(commit, "a_plan_under_way")
    await left_as_then(empty_url, thread, monkeypatch)
    async with worker_process(empty_url, shop, "--idle", "0") as worker:
        assert thread["thread_id"] in await worker.says("; finished")
    assert shop.happened() == PURCHASE


async def test_the_console_shows_what_waits(empty_url, commit, shop, monkeypatch):
    threads = [read(commit, name) for name in ("a_question", "a_doubt", "a_plan_under_way")]
    await left_as_then(empty_url, {**threads[0], "tables": _together(threads)}, monkeypatch)
    places = {"DATABASE_URL": empty_url, "SHOP_URL": shop.url, "SMTP_URL": shop.smtp_url}
    for name, value in places.items():
        monkeypatch.setenv(name, value)
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
    async with (
        checkpointer(),
        httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1/console/", cookies=OPERATOR
        ) as http,
    ):
        inbox = (await http.get("inbox")).raise_for_status().text
        assert "Check out for 98.90 USD" in inbox
        assert "What do you know?" in inbox
        for thread, shows in zip(threads, ("Approve", "It happened", "Go on"), strict=True):
            page = (await http.get(f"threads/{thread['thread_id']}")).raise_for_status().text
            assert shows in page


def _together(threads: list[Stored]) -> dict[str, list[object]]:
    return {
        table: [row for thread in threads for row in thread["tables"][table]]
        for table in threads[0]["tables"]
    }


def test_a_question_of_a_later_release_is_named_and_left():
    later = {"version": QUESTION_VERSION + 1, "action_requests": []}
    with pytest.raises(UnknownStateVersion, match=r"answer it in the release that wrote it"):
        question_of(later)
