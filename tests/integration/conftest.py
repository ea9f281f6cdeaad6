"""Tests of one process, with everything real but time: they run in virtual time."""

import asyncio
from collections.abc import Callable

import pytest

from tests.opened import provider, standing_in, wire  # noqa: F401
from tests.virtual import VirtualLoop


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Let no second pass but where a test waits."""
    return {"virtual": VirtualLoop}
