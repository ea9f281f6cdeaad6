"""Whatever code of a domain waits for: it has its time, and the thread goes on without it."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from daybook.tools.kinds import read
from tests.careless.agent import BARN, Careless, careless_agent
from tests.careless.domain import WORLD
from tests.conversation import answer_of
from tests.unit.tcp_server import tcp_server

BUDGET = 0.2
"""Seconds that code of the domain may take here; what is waited for takes for ever."""


@pytest.fixture
async def hasty(postgres_url: str) -> AsyncIterator[Careless]:
    async with careless_agent(postgres_url, BUDGET) as agent:
        yield agent


@pytest.fixture
async def mute(hasty: Careless) -> AsyncIterator[asyncio.Event]:
    """Let what waits ask a server that takes a request and never answers; tell when it hung up."""
    hung_up = asyncio.Event()

    async def takes_all(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(1024):
            pass
        hung_up.set()

    async with tcp_server(takes_all) as port, httpx.AsyncClient(timeout=None) as http:
        WORLD.wait = lambda: http.get(f"http://127.0.0.1:{port}/")
        yield hung_up


@pytest.mark.parametrize(
    ("hangs", "tool", "args"),
    [
        ("read", "find", BARN),
        ("change", "note", {"people": 3}),
        ("plan", "rent", BARN),
        ("observe", "clean", BARN),
    ],
)
async def test_what_does_not_answer_is_refused_in_words_and_hung_up_on(
    hasty: Careless, mute: asyncio.Event, hangs: str, tool: str, args: dict[str, object]
):
    WORLD.hangs = hangs
    ended = await hasty.decides((tool, args))
    assert answer_of(ended) == f"{tool} refused: It took longer than 0.2 s. Go on without."
    await mute.wait()
    assert WORLD.happened == []
    WORLD.mended()
    await hasty.answers()
    assert "refused" not in answer_of(await hasty.decides((tool, args)))


async def test_a_read_that_hangs_holds_none_beside_it(hasty: Careless, mute: asyncio.Event):
    WORLD.hangs = "read"
    await hasty.decides(("note", {"people": 3}), ("find", BARN))
    noted, hanging = hasty.results()
    assert hanging == "find refused: It took longer than 0.2 s. Go on without."
    assert noted == "3 people"


async def test_a_read_that_swallows_its_end_holds_nobody(hasty, monkeypatch):
    monkeypatch.setattr("daybook.tools.boundary._GRACE", BUDGET)
    go_on, ended = asyncio.Event(), asyncio.Event()

    async def never() -> None:
        while not go_on.is_set():
            try:
                await go_on.wait()
            except asyncio.CancelledError:
                continue
        ended.set()

    WORLD.hangs, WORLD.wait = "read", never
    said = answer_of(await hasty.decides(("find", BARN)))
    assert said == "find refused: It took longer than 0.2 s. Go on without."
    assert not ended.is_set()
    WORLD.mended()
    await hasty.answers()
    go_on.set()
    await ended.wait()


@pytest.mark.parametrize("within", [BUDGET / 2, 60.0])
async def test_a_read_has_the_time_that_it_declares(hasty: Careless, within: float):
    """One that asks a model waits for that too."""
    over = asyncio.Event()
    if within > BUDGET:
        # A moment after the budget is over, and long before the time of the patient one is.
        asyncio.get_running_loop().call_later(2 * BUDGET, over.set)

    @read(within=within)
    async def compare(*, ctx: object) -> str:
        """Compare rooms."""
        await over.wait()
        return "the barn is better"

    said = answer_of(await hasty.with_tool(compare).decides(("compare", {})))
    expected = "refused: It took longer than 0.1 s" if within < BUDGET else "the barn is better"
    assert expected in said
