"""What the tests share: one Postgres, one fake service, and a thread of its own for each test."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from daybook.domain import embedded_postgres

from service.__main__ import told
from tests.talking import Talk

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a Postgres that is gone with its data afterwards, and return its URL."""
    with embedded_postgres(tmp_path_factory.mktemp("daybook")) as server:
        yield server.url


@pytest.fixture
def service() -> Iterator[str]:
    """Run the fake service, and return its URL."""
    process = subprocess.Popen(
        [sys.executable, "-m", "service"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def happened(service: str) -> Callable[[], list[str]]:
    """Return what tells all that the service has really done, in order."""

    def effects() -> list[str]:
        with urlopen(f"{service}/effects") as answer:
            return [one["path"] for one in json.load(answer)["effects"]]

    return effects


@pytest.fixture
def talk(database: str, service: str, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Return a conversation that nobody has begun; nobody's key is used for it."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    more = {"OPENAI_API_KEY": "", "DATABASE_URL": database, "DAYBOOK_BUDGET_SECONDS": "1"}
    for name, value in {**told(service), **more}.items():
        monkeypatch.setenv(name, value)
    # Of a person of its own: what was hired to somebody for a day is hired to them once.
    thread = str(uuid.uuid4())
    return Talk(user=f"mia-{thread[:8]}", thread=thread)
