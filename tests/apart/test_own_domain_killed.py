"""The process of an adopter's domain dies: the next one finishes, once, and asks no model again."""

import asyncio
import signal
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from daybook.state.errors import DaybookError
from daybook.state.ledger.recovery import Event
from daybook.testing.model import Prompt, Turn, last_result
from tests.beside import serving
from tests.conversation import Conversation, answer_of
from tests.cuts import Cut, CutLedger, Fuse, Moment
from tests.rooms.agent import BARN, MEETING, SHORT, RoomsAgent, rooms_agent
from tests.rooms.domain import BOOKED
from tests.rooms.office import Office

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds after which a test gives up waiting for something that should have happened."""

MOST_MOMENTS = 100
"""More than any booking has: a sweep that goes on so long does not end."""


@pytest.fixture
def office() -> Iterator[Office]:
    with serving(Office()) as office:
        yield office


async def decided(agent: RoomsAgent, talk: Conversation) -> int:
    """Count the decisions that the ledger holds; its chain must verify."""
    entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
    assert await agent.resources.postgres.ledger.verify(talk.thread_id) == len(entries)
    return [entry.event for entry in entries].count(Event.DECIDED)


@pytest.mark.parametrize("kind", ["hold", "booking"])
async def test_a_process_that_is_killed_while_the_office_works_is_continued_by_another(
    postgres_url: str, office: Office, kind: str
):
    office.spoil(kind, "late")
    thread = "killed"
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.rooms.booking_process", postgres_url, office.url, thread),
        cwd=ROOT,
    )
    try:
        assert await asyncio.to_thread(office.met.wait, PATIENCE)
        assert child.returncode is None
    finally:
        child.kill()
        assert await child.wait() == -signal.SIGKILL
    office.go_on.set()
    assert await asyncio.to_thread(office.wait_for, kind, "", PATIENCE)
    async with rooms_agent(postgres_url, office.url) as agent:
        agent.model.then(last_result)
        talk = Conversation(agent.graph, "mia", thread)
        done = await talk.taken_over()
        assert office.happened() == ["hold", "booking"]
        assert done.values["flow"] == BOOKED
        assert answer_of(done).startswith("book_room confirmed: Barn is booked")
        assert agent.model.asked == 1, "it is asked for its answer and for nothing before"
        assert await decided(agent, talk) == 3


@pytest.mark.parametrize("moment", [pytest.param("before", marks=pytest.mark.long), "after"])
async def test_a_process_may_die_on_either_side_of_each_page_of_the_ledger(
    postgres_url: str, office: Office, moment: Moment
):
    fuse = Fuse()
    async with (
        rooms_agent(postgres_url, office.url, SHORT) as dying,
        rooms_agent(postgres_url, office.url, SHORT) as living,
    ):
        dying.resources.postgres.ledger = CutLedger(dying.resources.postgres, fuse, moment)
        for moments in range(MOST_MOMENTS):
            fuse.light(moments)
            try:
                died = await books_once(dying, living, office, fuse, moments)
            except (AssertionError, DaybookError) as error:
                error.add_note(f"the process died after {moments} moments")
                raise
            if not died:
                assert moments > 10, "a booking has more moments than that"
                return
    raise AssertionError("the sweep does not end")


async def books_once(
    dying: RoomsAgent, living: RoomsAgent, office: Office, fuse: Fuse, moments: int
) -> bool:
    """Book a room on a day of its own, die when the fuse says so, take over, and judge.

    Returns:
        Whether it came to the death at all.
    """
    day = str(date(2031, 1, 1) + timedelta(days=moments))

    def decides(prompt: Prompt) -> Turn:
        """Decide by what the prompt says and not by how often it was asked."""
        results = [message.text for message in prompt if message.type == "tool"]
        calls: list[Turn] = [
            [("note_meeting", {**MEETING, "day": day})],
            [("book_room", BARN)],
        ]
        return calls[len(results)] if len(results) < len(calls) else results[-1]

    for agent in (dying, living):
        agent.model.script[:] = [decides] * 3
    before = len(office.effects)
    talk = Conversation(dying.graph, "mia")
    later = Conversation(living.graph, "mia", talk.thread_id)
    died = False
    try:
        await talk.say("book the Barn", "m-1")
        await talk.approve()
    except Cut:
        died = True
    fuse.put_out()
    if died:
        await later.say("book the Barn", "m-1")
    if (await later.state()).interrupts:
        await later.approve()
    done = await later.state()
    assert office.happened()[before:] == ["hold", "booking"]
    assert office.left_held() == []
    assert done.values["flow"] == BOOKED
    assert answer_of(done).startswith("book_room confirmed: Barn is booked")
    assert await decided(living, later) == 3, "nothing is decided a second time"
    return died
