"""Tools of an MCP server as effects: asked about, sent once, looked up, and else in doubt."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from tests.conversation import Conversation, answer_of
from tests.mcp.agent import BARE, OfficeAgent, Shown, office_agent
from tests.mcp.office import HANGS
from tests.mcp.processes import Between, OfficeProcess

BARN = {"room": "Barn", "title": "Review"}


@pytest.fixture
async def worst(postgres_url: str, line: Between, shown: Shown) -> AsyncIterator[OfficeAgent]:
    """Yield an agent of which nothing but the tools themselves is declared."""
    async with office_agent(postgres_url, line.url, shown, BARE) as agent:
        yield agent


async def in_doubt(talk: Conversation) -> bool:
    """Tell whether a person is asked whether something happened."""
    (question,) = (await talk.state()).interrupts
    return "in_doubt" in question.value or "happened" in json.dumps(question.value)


# -- as declared ----------------------------------------------------------------------------------


async def test_an_effect_is_asked_about_and_sent_once_with_its_key(
    agent: OfficeAgent, office: OfficeProcess, line: Between
):
    talk = await agent.asked("book_room", **BARN)
    assert office.done() == []
    await talk.approve()
    (booked,) = office.done()
    assert booked["id"] in str(await agent.results(talk))
    assert booked["reference"] == "booking/Barn/Review/1"
    assert [call["arguments"] for call in line.calls("book_room")] == [
        {**BARN, "reference": "booking/Barn/Review/1"}
    ]


async def test_arguments_that_the_schema_refuses_are_refused_before_anybody_is_asked(
    agent: OfficeAgent, line: Between
):
    talk = Conversation(agent.graph, "mia")
    for args, why in (
        ({"room": "Barn"}, "title: it is missing"),
        ({**BARN, "room": 7}, "room: 7 is not of type 'string'"),
        ({**BARN, "reference": "mine"}, "reference: It is filled in when it is sent"),
    ):
        assert why in answer_of(await agent.says(talk, "book_room", **args))
    assert line.calls("book_room") == []


# -- no answer ------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["mute", "half"])
async def test_a_broken_stream_is_looked_up_and_never_sent_again(
    agent: OfficeAgent, office: OfficeProcess, line: Between, fault: str
):
    line.faults["book_room"] = [fault]
    talk = await agent.asked("book_room", **BARN)
    await talk.approve()
    (booked,) = office.done()
    assert booked["id"] in str(await agent.results(talk))
    assert len(line.calls("book_room")) == 1
    assert "found" in await agent.steps(talk)


async def test_what_never_arrived_is_sent_once_more_when_it_is_surely_not_there(
    agent: OfficeAgent, office: OfficeProcess, line: Between
):
    line.faults["book_room"] = ["deaf"]
    talk = await agent.asked("book_room", **BARN)
    await talk.approve()
    assert len(office.done()) == 1
    assert len(line.calls("book_room")) == 2
    assert "absent" in await agent.steps(talk)


@pytest.mark.parametrize("fault", ["mute", "half", "deaf"])
async def test_without_a_declaration_a_broken_stream_is_in_doubt_and_sent_no_more(
    worst: OfficeAgent, office: OfficeProcess, line: Between, fault: str
):
    line.faults["book_room"] = [fault]
    talk = await worst.asked("book_room", **BARN)
    await talk.approve()
    assert await in_doubt(talk)
    assert len(line.calls("book_room")) == 1
    assert len(office.done()) == (0 if fault == "deaf" else 1)
    assert "in_doubt" in await worst.steps(talk)


async def test_with_a_key_it_is_sent_again_under_it_and_done_once(
    agent: OfficeAgent, office: OfficeProcess, line: Between
):
    line.faults["book_once"] = ["mute", "half"]
    talk = await agent.asked("book_once", room="Barn")
    await talk.approve()
    assert len(office.done()) == 1
    keys = [call["arguments"]["idempotency_key"] for call in line.calls("book_once")]
    assert len(keys) == 3
    assert len(set(keys)) == 1


@pytest.mark.parametrize("fault", ["elsewhere", "failed"])
async def test_a_redirect_is_not_followed_with_the_request_and_a_failure_is_not_tried_again(
    worst: OfficeAgent, office: OfficeProcess, line: Between, fault: str
):
    line.faults["book_room"] = [fault]
    talk = await worst.asked("book_room", **BARN)
    await talk.approve()
    assert office.done() == [], "by itself the package follows with a second POST"
    assert len(line.calls("book_room")) == 1
    assert await in_doubt(talk)


async def test_a_server_that_dies_in_the_middle_leaves_a_doubt_and_comes_back_to_be_asked(
    worst: OfficeAgent, agent: OfficeAgent, office: OfficeProcess, line: Between
):
    hanging = {"room": HANGS, "title": "Review"}
    talk = await worst.asked("book_room", **hanging)
    approving = asyncio.ensure_future(talk.approve())
    await office.has_done()
    office.kill()
    await approving
    assert await in_doubt(talk)
    office.start()
    rooms = await agent.says(Conversation(agent.graph, "mia"), "list_rooms", day="2031-05-06")
    assert "Barn" in answer_of(rooms), "a session of before is begun anew"
    assert len(office.done()) == len(line.calls("book_room")) == 1
