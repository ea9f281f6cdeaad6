"""Whatever code of a domain raises or waits for: the turn ends in words, and the thread goes on."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import pytest
from langgraph.types import StateSnapshot

from daybook.state.errors import ToolRefused
from daybook.state.ledger.recovery import Event
from daybook.tools.kinds import read
from tests.careless.agent import BARN, Careless, careless_agent
from tests.careless.domain import ERRORS, WORLD, Error
from tests.conversation import answer_of, turn_receipt_text
from tests.unit.tcp_server import tcp_server


@dataclass
class Failing:
    """Hold the agent, and what is raised in a test."""

    agent: Careless
    errors: Sequence[Error]


@pytest.fixture(
    params=[
        pytest.param(ERRORS[::2], id="some"),
        pytest.param(ERRORS[1::2], id="others", marks=pytest.mark.long),
    ]
)
async def failing(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> AsyncIterator[Failing]:
    monkeypatch.setattr("daybook.nodes.effects.claim.AGAIN", timedelta(0))
    async with careless_agent(postgres_url) as agent:
        yield Failing(agent, request.param)


Turn = Callable[[Careless], Awaitable[StateSnapshot]]


def calls(tool: str, **args: Any) -> Turn:
    async def turn(careless: Careless) -> StateSnapshot:
        return await careless.decides((tool, args))

    return turn


async def _each(
    failing: Failing, name: str, turn: Turn, times: int = 1_000
) -> AsyncIterator[tuple[str, StateSnapshot]]:
    """Let a function raise each of the errors, in a turn of its own, and yield the turn's end."""
    await failing.agent.answers()
    for error in failing.errors:
        WORLD.breaks(name, error, times)
        ended = await turn(failing.agent)
        assert WORLD.raised, "it was never asked"
        yield type(error()).__name__, ended
        WORLD.mended()
    await failing.agent.answers()
    await failing.agent.events()


@pytest.mark.parametrize(
    ("name", "tool", "args"),
    [
        ("read", "find", BARN),
        ("hidden", "find", BARN),
        ("types", "find", BARN),
        ("change", "note", {"people": 3}),
        ("plan", "rent", BARN),
        ("types", "rent", BARN),
        ("types", "clean", BARN),
        ("observe", "clean", BARN),
        ("evidence", "clean", BARN),
        ("operation", "repair", BARN),
        ("policy", "clean", BARN),
    ],
)
async def test_a_call_that_cannot_be_made_is_refused_in_words(failing, name, tool, args):
    async for error, ended in _each(failing, name, calls(tool, **args)):
        if (name, error) == ("evidence", "KeyError"):
            # Which says more: it may be a result that nobody has yet.
            error = "DeclarationError"
        words = f"{tool} refused: The tool failed ({error}). Continue without it."
        assert answer_of(ended) == words
    assert WORLD.happened == []


async def test_an_event_that_cannot_be_applied_is_refused_in_words(failing: Failing):
    async for _, ended in _each(failing, "apply", calls("note", people=3)):
        assert answer_of(ended) == ("note refused: The event is invalid. Nothing was done.")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rendered", "ok, but its result cannot be shown"),
        ("tail", "find: {'room': 'Barn', 'seats': 8}"),
        ("pauses", "find: {'room': 'Barn', 'seats': 8}"),
        ("warns", "find: {'room': 'Barn', 'seats': 8}"),
    ],
)
async def test_what_cannot_be_shown_is_said_plainly(failing: Failing, name: str, said: str):
    async for _, ended in _each(failing, name, calls("find", room="Barn")):
        assert answer_of(ended).endswith(said)


@pytest.mark.parametrize("name", ["refused"])
async def test_a_refusal_is_told_although_telling_fails(failing: Failing, name: str):
    async for _, ended in _each(failing, name, calls("find", room=3)):
        assert answer_of(ended).startswith("find refused: The arguments do not fit: ")


async def test_a_question_that_cannot_be_made_is_not_asked(failing: Failing):
    async for _, ended in _each(failing, "slot", calls("repair", room="Barn")):
        said = answer_of(ended)
        assert said == "repair is over" or "was done already" in said
    assert len(WORLD.did("repair")) == 1


@pytest.mark.parametrize("name", ["after", "outcome", "settled"])
async def test_what_was_done_stands_whatever_fails_after_it(failing: Failing, name: str):
    async for _, ended in _each(failing, name, calls("clean", room="Barn")):
        said = answer_of(ended)
        assert "clean is over" in said or "clean confirmed: done" in said
        if name == "settled":
            assert "could not be updated" in turn_receipt_text(ended)
    assert len(WORLD.did("clean")) == len(failing.errors)
    assert (await failing.agent.events()).count(Event.SUCCEEDED) == len(failing.errors)
    if name == "settled":
        assert (await failing.agent.talk.state()).values["rented"] == 0


FAULTS = [error for error in ERRORS if not isinstance(error(), httpx.TransportError)]


@pytest.mark.parametrize("which", range(len(FAULTS)))
async def test_an_answer_whose_look_up_fails_is_kept_and_not_built_on(postgres_url, which):
    async with careless_agent(postgres_url) as agent:
        await agent.answers()
        WORLD.breaks("probe", FAULTS[which], 1_000)
        ended = await agent.decides(("clean", {"room": "Barn"}))
        assert WORLD.raised, "it was never asked"
        asked = [one.value["in_doubt"] for one in ended.interrupts]
        assert asked or "a worker checks it again" in answer_of(ended)
        events = await agent.events()
        assert Event.ACKNOWLEDGED in events
        assert Event.SUCCEEDED not in events
        WORLD.mended()
        await agent.talk.run(None)
        assert len(WORLD.did("clean")) == 1
        if not asked:
            assert Event.SUCCEEDED in await agent.events()
            await agent.answers()


async def test_an_answer_whose_look_up_is_away_for_a_while_is_built_on_when_it_is_back(
    postgres_url: str,
):
    async with careless_agent(postgres_url) as agent:
        await agent.answers()
        WORLD.breaks("probe", lambda: httpx.ReadError("gone"), 3)
        assert answer_of(await agent.decides(("clean", {"room": "Barn"}))) == "clean is over"
        assert (await agent.events()).count(Event.UNREACHABLE) == 3
        assert len(WORLD.did("clean")) == 1


async def test_what_fails_before_it_sends_is_looked_up_and_not_taken_for_done(failing: Failing):
    async for _, ended in _each(failing, "before", calls("clean", room="Barn"), times=1):
        assert answer_of(ended) == "clean is over"
    assert len(WORLD.did("clean")) == len(failing.errors)


async def test_what_cannot_be_compared_once_is_compared_again(failing: Failing):
    async def turn(careless: Careless) -> StateSnapshot:
        # The first of them is claimed as it is observed: nothing can have moved.
        return await careless.decides(("clean", {"room": "Barn"}), ("clean", {"room": "Loft"}))

    async for _, ended in _each(failing, "moved", turn, times=1):
        assert answer_of(ended) == "clean is over"
    assert len(WORLD.did("clean")) == 2 * len(failing.errors)


async def test_an_undo_that_cannot_be_made_leaves_what_was_done_to_be_told(failing: Failing):
    WORLD.full = True

    async def turn(careless: Careless) -> StateSnapshot:
        await calls("rent", room="Barn")(careless)
        doubtful = await careless.talk.approve()
        assert "hold" in doubtful.interrupts[0].value["in_doubt"], "a person is asked about it"
        return await careless.talk.answer({"type": "respond", "message": "it happened"})

    async for _, ended in _each(failing, "undo", turn):
        assert answer_of(ended) == "rent is over"
    assert len(WORLD.did("hold")) == len(failing.errors)
    assert WORLD.did("release") == []


@pytest.mark.parametrize("name", ["gist", "progress", "carried"])
async def test_a_thread_starts_from_another_or_says_why_not(failing: Failing, name: str):
    await failing.agent.decides(("find", BARN))
    for error in failing.errors:
        fresh = failing.agent.anew()
        WORLD.breaks(name, error)
        start = {"type": "fresh_from", "thread": failing.agent.talk.thread_id}
        if name == "carried":
            with pytest.raises(ToolRefused, match="cannot be taken over: the tool failed"):
                await fresh.talk.happens("start", **start)
        else:
            await fresh.talk.happens("start", **start)
        assert WORLD.raised
        WORLD.mended()
        await fresh.answers()


async def test_a_thread_that_cannot_be_begun_says_so_and_is_begun_later(failing: Failing):
    for error in failing.errors:
        WORLD.breaks("initial", error)
        with pytest.raises(ToolRefused, match="cannot be started: the tool failed"):
            await failing.agent.talk.say("hello")
    WORLD.mended()
    await failing.agent.answers()
    assert (await failing.agent.talk.state()).values["people"] == 0


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
    assert answer_of(ended) == f"{tool} refused: It timed out after 0.2 s. Continue without it."
    await mute.wait()
    assert WORLD.happened == []
    WORLD.mended()
    await hasty.answers()
    assert "refused" not in answer_of(await hasty.decides((tool, args)))


async def test_a_read_that_hangs_holds_none_beside_it(hasty: Careless, mute: asyncio.Event):
    WORLD.hangs = "read"
    await hasty.decides(("note", {"people": 3}), ("find", BARN))
    noted, hanging = hasty.results()
    assert hanging == "find refused: It timed out after 0.2 s. Continue without it."
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
    assert said == "find refused: It timed out after 0.2 s. Continue without it."
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
    expected = "refused: It timed out after 0.1 s" if within < BUDGET else "the barn is better"
    assert expected in said
