"""An MCP server as a process, a line to it that breaks, and an agent of its tools."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.mcp.agent import OfficeAgent, Shown, office_agent, provable, shown_at
from tests.mcp.processes import Between, OfficeProcess, line_to


@pytest.fixture
def office(tmp_path: Path) -> Iterator[OfficeProcess]:
    office = OfficeProcess(tmp_path)
    try:
        yield office
    finally:
        office.kill()


@pytest.fixture
async def line(office: OfficeProcess) -> AsyncIterator[Between]:
    async with line_to(office.port) as between:
        yield between


@pytest.fixture
async def shown(office: OfficeProcess) -> Shown:
    return await shown_at(office.url)


@pytest.fixture
async def agent(postgres_url: str, line: Between, shown: Shown) -> AsyncIterator[OfficeAgent]:
    """Yield an agent that knows how a booking is looked up, and trusts the office."""
    async with office_agent(postgres_url, line.url, shown, provable()) as agent:
        yield agent
