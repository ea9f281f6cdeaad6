"""What tests of one process share, with everything real but time: they run in virtual time."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from procrastinate import PsycopgConnector

from tests.virtual import VirtualLoop


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Let no second pass but where a test waits."""
    return {"virtual": VirtualLoop}


@pytest.fixture(autouse=True)
def no_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers find their jobs by looking, not by LISTEN: for an answer time stands still."""

    async def listen(*about: Any, **more: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(PsycopgConnector, "listen_notify", listen)
