"""Calls of one decision are run in the model's order, whatever their kind, and killed in between."""

import json
from typing import Any

import pytest

from daybook.state.people.called import as_said
from daybook.testing.model import Prompt, Turn
from tests.answers import REJECT
from tests.conversation import Conversation, outcomes_of
from tests.cuts import Cut, CutLedger, Fuse
from tests.parcels.agent import ParcelsAgent, parcels_agent, results
from tests.parcels.depot import Depot
from tests.parcels.fixtures import agent, depot

__all__ = ["agent", "depot"]

Call = tuple[str, dict[str, Any]]

LOOK: Call = ("look", {})
NOTES: Call = ("notes", {})
SEND: Call = ("send", {"to": "Mia"})
INSURE: Call = ("insure", {"to": "Mia"})


def note(text: str) -> Call:
    return "note", {"text": text}


def told(agent: ParcelsAgent) -> list[str]:
    """Return what the model read of its last decision."""
    return results(agent.model.prompts[-1])


def read_in(text: str) -> Any:
    """Return what a read showed."""
    return json.loads(text.partition("\n")[2])


async def test_reads_stand_on_either_side_of_a_write(agent: ParcelsAgent, depot: Depot):
    await agent.decides([LOOK, SEND, LOOK, ("give_back", {"parcel": "P-1"}), LOOK])
    assert depot.done == ["read", "/send", "/give_back", "read", "read"]
    assert [read_in(told(agent)[at])["writes"] for at in (0, 2, 4)] == [
        [],
        ["/send", "/give_back"],
        ["/send", "/give_back"],
    ]


async def test_changes_and_reads_are_run_where_they_stand(agent: ParcelsAgent, depot: Depot):
    await agent.decides([NOTES, note("a"), NOTES, note("b"), NOTES])
    assert [read_in(told(agent)[at])["notes"] for at in (0, 2, 4)] == [[], ["a"], ["a", "b"]]


async def test_a_change_behind_a_write_is_made_when_that_is_done(agent: ParcelsAgent, depot: Depot):
    agent.model.then([INSURE, note("insured"), NOTES], "done")
    talk = agent.talk()
    asked = await talk.say("go")
    assert asked.values["notes"] == []
    done = await talk.approve()
    assert done.values["notes"] == ["insured"]
    assert read_in(told(agent)[2]) == {"notes": ["insured"]}


async def test_a_write_that_was_rejected_leaves_the_reads_and_takes_the_changes_with_it(
    agent: ParcelsAgent, depot: Depot
):
    agent.model.then([INSURE, note("insured"), LOOK], "done")
    talk = agent.talk()
    await talk.say("go")
    done = await talk.answer(REJECT)
    insure, noted, looked = told(agent)
    assert "rejected" in insure
    assert "What stands before it in the same decision was not done" in noted
    assert read_in(looked) == {"writes": []}
    assert done.values["notes"] == []


async def test_a_write_behind_a_change_that_waits_for_a_write_is_refused(agent, depot):
    await agent.decides([SEND, note("sent"), ("give_back", {"parcel": "P-1"})])
    _, noted, back = told(agent)
    assert noted == "noted sent"
    assert "It stands behind note, which is made when send is over. Call it then." in back
    assert depot.done == ["/send"]


async def test_what_stood_behind_a_question_that_nobody_answered_is_answered_in_words(
    postgres_url: str, depot: Depot
):
    async with parcels_agent(postgres_url, depot.url, question=0) as agent:
        agent.model.then([INSURE, LOOK, note("insured")], "hello")
        talk = agent.talk()
        await talk.say("insure it")
        ended = await talk.run({"events": []})
        assert outcomes_of(ended) == [("insure", "not done")]
        await talk.say("are you there?")
        insure, looked, noted = told(agent)
        assert "nothing was done" in insure
        assert "Nothing of it was run" in looked
        assert "Nothing of it was run" in noted
        assert depot.done == []


@pytest.mark.parametrize("moment", [pytest.param("before", marks=pytest.mark.long), "after"])
async def test_a_run_may_die_at_every_page_and_the_order_stays(postgres_url, depot, moment):
    calls = [note("a"), SEND, note("b"), LOOK, NOTES]

    def decides(prompt: Prompt) -> Turn:
        return results(prompt)[-1] if results(prompt) else calls

    async with (
        parcels_agent(postgres_url, depot.url) as dying,
        parcels_agent(postgres_url, depot.url) as living,
    ):
        fuse = Fuse()
        dying.resources.postgres.ledger = CutLedger(dying.resources.postgres, fuse, moment)
        for moments in range(40):
            died = await goes(dying, living, decides, fuse, moments)
            assert [*dict.fromkeys(depot.done)] == ["/send", "read"], (
                f"it died after {moments} moments"
            )
            assert depot.done.count("/send") == 1
            depot.done.clear()
            if not died:
                assert moments > 3
                return
    raise AssertionError("the sweep does not end")


async def goes(
    dying: ParcelsAgent, living: ParcelsAgent, decides: Any, fuse: Fuse, moments: int
) -> bool:
    """Let the model decide, die when the fuse says so, take over; tell whether it came to that."""
    fuse.light(moments)
    for one in (dying, living):
        one.model.script[:] = [decides] * 3
    talk = dying.talk()
    later: Conversation = living.talk(talk.thread_id)
    died = False
    try:
        await talk.say("go", "m-1")
    except Cut:
        died = True
    fuse.put_out()
    done = await later.say("go", "m-1") if died else await later.state()
    assert done.values["decision"] is None
    assert not done.next
    assert done.values["notes"] == ["a", "b"]
    assert {m.type for m in as_said(done.values["messages"])} == {"human", "ai"}
    return died
