"""Whatever code of a domain raises: the turn ends in words, what was done stands, the thread goes on.

Each test lets one function raise one error after the other, a turn for each, on one thread.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from langgraph.types import StateSnapshot

from checkpoints.postgres import open_postgres
from graph.build import build
from graph.guarded import GuardedGraph
from nodes.work import Resources
from state.errors import ToolRefused
from state.guarantees import Patience
from state.recovery import Event
from tests.careless.domain import CARELESS, ERRORS, WORLD, Error
from tests.conversation import Conversation, answer_of
from tests.scripted import ScriptedModel, last_result

BARN = {"room": "Barn"}


@dataclass
class Careless:
    """Hold the agent, and one conversation with it."""

    graph: GuardedGraph
    resources: Resources
    model: ScriptedModel
    talk: Conversation
    errors: Sequence[Error]

    async def decides(self, tool: str, args: dict[str, Any]) -> StateSnapshot:
        """Let the model call a tool and say what came of it."""
        self.model.then([(tool, args)], last_result)
        return await self.talk.say("go on")

    async def events(self) -> list[Event]:
        ledger = self.resources.postgres.ledger
        found = await ledger.entries(self.talk.thread_id)
        assert await ledger.verify(self.talk.thread_id) >= len(found)
        return [entry.event for entry in found]

    async def answers(self) -> None:
        """See that a further message is taken and answered."""
        self.model.then("Hello.")
        assert answer_of(await self.talk.say("hello")).endswith("Hello.")


@pytest.fixture(
    params=[
        pytest.param(ERRORS[::2], id="some"),
        pytest.param(ERRORS[1::2], id="others", marks=pytest.mark.long),
    ]
)
async def careless(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> AsyncIterator[Careless]:
    monkeypatch.setattr("nodes.claim.AGAIN", timedelta(0))
    WORLD.__init__()  # type: ignore[misc]
    async with open_postgres(
        postgres_url, tenant_id="default", stored_types=CARELESS.restored_types
    ) as postgres:
        model = ScriptedModel()
        patience = Patience(backoff=timedelta(0), unknown_settle=timedelta(0))
        resources = Resources(postgres=postgres, model=model, patience=patience)
        graph = build(CARELESS, lambda: resources, postgres.saver)
        yield Careless(graph, resources, model, Conversation(graph, "mia"), request.param)
        WORLD.mended()


Turn = Callable[[Careless], Awaitable[StateSnapshot]]


def calls(tool: str, **args: Any) -> Turn:
    async def turn(careless: Careless) -> StateSnapshot:
        return await careless.decides(tool, {**args})

    return turn


async def _each(
    careless: Careless, name: str, turn: Turn, times: int = 1_000
) -> AsyncIterator[tuple[str, StateSnapshot]]:
    """Let a function raise each of the errors, in a turn of its own, and yield the turn's end."""
    await careless.answers()
    for error in careless.errors:
        WORLD.breaks(name, error, times)
        ended = await turn(careless)
        assert WORLD.raised, "it was never asked"
        yield type(error()).__name__, ended
        WORLD.mended()
    await careless.answers()
    await careless.events()


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
async def test_a_call_that_cannot_be_made_is_refused_in_words(
    careless: Careless, name: str, tool: str, args: dict[str, Any]
):
    async for error, ended in _each(careless, name, calls(tool, **args)):
        if (name, error) == ("evidence", "KeyError"):
            # Which says more: it may be a result that nobody has yet.
            error = "DeclarationError"
        words = f"{tool} refused: The tool failed ({error}). Go on without."
        assert answer_of(ended) == words
    assert WORLD.happened == []


async def test_an_event_that_cannot_be_applied_is_refused_in_words(careless: Careless):
    async for _, ended in _each(careless, "apply", calls("note", people=3)):
        assert answer_of(ended) == (
            "note refused: This event cannot be taken as it is. Nothing was done."
        )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rendered", "ok, but its result cannot be shown"),
        ("tail", "find: {'room': 'Barn', 'seats': 8}"),
        ("pauses", "find: {'room': 'Barn', 'seats': 8}"),
        ("answer", "I have no answer to that. Say it in another way."),
    ],
)
async def test_what_cannot_be_shown_is_said_plainly(careless: Careless, name: str, said: str):
    async for _, ended in _each(careless, name, calls("find", room="Barn")):
        assert answer_of(ended).endswith(said)


@pytest.mark.parametrize("name", ["advice", "refused"])
async def test_a_refusal_is_told_although_telling_fails(careless: Careless, name: str):
    async for _, ended in _each(careless, name, calls("find", room=3)):
        assert answer_of(ended).startswith("find refused: The arguments do not fit: ")


async def test_a_question_that_cannot_be_made_is_not_asked(careless: Careless):
    async for _, ended in _each(careless, "slot", calls("repair", room="Barn")):
        said = answer_of(ended)
        assert said == "repair is over" or "was done already" in said
    assert len(WORLD.did("repair")) == 1


@pytest.mark.parametrize("name", ["after", "probe", "outcome", "settled"])
async def test_what_was_done_stands_whatever_fails_after_it(careless: Careless, name: str):
    async for _, ended in _each(careless, name, calls("clean", room="Barn")):
        said = answer_of(ended)
        assert "clean is over" in said or "clean confirmed: done" in said
        if name == "settled":
            assert "could not be brought up to date" in said
    assert len(WORLD.did("clean")) == len(careless.errors)
    assert (await careless.events()).count(Event.SUCCEEDED) == len(careless.errors)
    if name == "settled":
        assert (await careless.talk.state()).values["rented"] == 0


async def test_what_fails_before_it_sends_is_looked_up_and_not_taken_for_done(careless: Careless):
    async for _, ended in _each(careless, "before", calls("clean", room="Barn"), times=1):
        assert answer_of(ended) == "clean is over"
    assert len(WORLD.did("clean")) == len(careless.errors)


async def test_what_cannot_be_compared_once_is_compared_again(careless: Careless):
    async for _, ended in _each(careless, "moved", calls("clean", room="Barn"), times=1):
        assert answer_of(ended) == "clean is over"
    assert len(WORLD.did("clean")) == len(careless.errors)


async def test_an_undo_that_cannot_be_made_leaves_what_was_done_to_be_told(careless: Careless):
    WORLD.full = True

    async def turn(careless: Careless) -> StateSnapshot:
        await calls("rent", room="Barn")(careless)
        doubtful = await careless.talk.approve()
        assert "hold" in doubtful.interrupts[0].value["in_doubt"], "a person is asked about it"
        return await careless.talk.answer({"type": "respond", "message": "it happened"})

    async for _, ended in _each(careless, "undo", turn):
        assert answer_of(ended) == "rent is over"
    assert len(WORLD.did("hold")) == len(careless.errors)
    assert WORLD.did("release") == []


@pytest.mark.parametrize("name", ["gist", "progress", "carried"])
async def test_a_thread_starts_from_another_or_says_why_not(careless: Careless, name: str):
    await careless.decides("find", BARN)
    for error in careless.errors:
        fresh = Careless(
            careless.graph,
            careless.resources,
            careless.model,
            Conversation(careless.graph, "mia"),
            careless.errors,
        )
        WORLD.breaks(name, error)
        start = {"type": "fresh_from", "thread": careless.talk.thread_id}
        if name == "carried":
            with pytest.raises(ToolRefused, match="cannot be taken over: the tool failed"):
                await fresh.talk.happens("start", **start)
        else:
            await fresh.talk.happens("start", **start)
        assert WORLD.raised
        WORLD.mended()
        await fresh.answers()


async def test_a_thread_that_cannot_be_begun_says_so_and_is_begun_later(careless: Careless):
    for error in careless.errors:
        WORLD.breaks("initial", error)
        with pytest.raises(ToolRefused, match="cannot be begun: the tool failed"):
            await careless.talk.say("hello")
    WORLD.mended()
    await careless.answers()
    assert (await careless.talk.state()).values["people"] == 0
