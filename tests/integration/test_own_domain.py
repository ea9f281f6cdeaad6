"""A domain of an adopter's own runs on the same nodes: what the office did is the judge."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest

from daybook.state.flow import FlowTable
from daybook.testing.model import last_result
from daybook.tools.domain import Domain, Prompt
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import plan
from daybook.tools.registry import Registry
from tests.beside import serving
from tests.conversation import Conversation, answer_of
from tests.rooms.agent import DAY, MEETING, RoomsAgent, rooms_agent
from tests.rooms.domain import Meeting, order_coffee
from tests.rooms.office import ROOMS, Office


@pytest.fixture
def office() -> Iterator[Office]:
    with serving(Office()) as office:
        yield office


@pytest.fixture
async def agent(postgres_url: str, office: Office) -> AsyncIterator[RoomsAgent]:
    async with rooms_agent(postgres_url, office.url) as agent:
        yield agent


# -- reads and state ------------------------------------------------------------------------------


async def test_a_change_is_typed_state_and_comes_from_outside_too(agent: RoomsAgent):
    talk = Conversation(agent.graph, "mia")
    agent.model.then([("note_meeting", MEETING)], "Noted.")
    noted = await talk.say("eight of us on the sixth of May")
    assert noted.values["meeting"] == Meeting.model_validate(MEETING)
    moved = await talk.happens("calendar-1", type="meeting", day=DAY, people=20)
    assert moved.values["meeting"].people == 20
    assert agent.model.asked == 2, "no model is asked about an event"


# -- limits of a turn ------------------------------------------------------------------------------


async def test_a_turn_ends_by_its_own_limit_in_words_whatever_a_client_says_of_langgraphs(
    agent: RoomsAgent,
):
    days = [{"day": f"2031-05-{day:02}", "people": 8} for day in range(1, 26)]
    agent.model.then(*([("free_rooms", asked)] for asked in days))
    talk = Conversation(agent.graph, "mia")
    talk.config = {**talk.config, "recursion_limit": 3}
    text = answer_of(await talk.say("look at each day of May"))
    assert text.endswith("(The limit is 25 decisions in one turn (DAYBOOK_DECISIONS).)")


# -- faults of the domain's own code --------------------------------------------------------------


async def test_a_plan_that_fails_on_an_edit_leaves_the_question_to_be_answered(
    agent: RoomsAgent, office: Office
):
    """Raised after the question, it would leave every later answer unheard."""

    @plan
    async def book_any(room: str, *, ctx: object) -> ActionDraft:
        """Book a room by its number of seats."""
        if room == "Cellar":
            raise OSError("the plan of the house cannot be read")
        step = StepDraft(
            "hold", "order_coffee", f"cups/{room}", {"room": room, "cups": ROOMS[room]}
        )
        return ActionDraft("book_any", {"room": room}, "Coffee", (replace(step, pivot=True),))

    agent = agent.of(
        Domain(
            name="careless",
            registry=Registry([book_any], [order_coffee]),
            flow=FlowTable("open", {}, {"open": frozenset({"book_any"})}),
            prompt=Prompt("Book."),
        )
    )
    talk = Conversation(agent.graph, "mia")
    agent.model.then([("book_any", {"room": "Attic"})], last_result)
    await talk.say("the small one")
    for room, error in (("Dungeon", "KeyError"), ("Cellar", "OSError")):
        edit = {"name": "book_any", "args": {"room": room}}
        asked = await talk.answer({"type": "edit", "edited_action": edit})
        (question,) = asked.interrupts
        described = question.value["action_requests"][0]["description"]
        why = f"The edit of book_any cannot be applied: the tool failed ({error})."
        assert described.startswith(why)
    done = await talk.approve()
    assert answer_of(done) == "book_any confirmed: done"
    assert office.happened() == ["coffee"]
