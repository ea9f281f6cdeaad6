"""Calls of one decision: sent as they were decided, run in the model's order, each on its own."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.page import Page
from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.recovery import Event
from daybook.state.people.tool_messages import as_said
from daybook.testing.model import Prompt, Turn, last_result
from tests.answers import REJECT
from tests.conversation import Conversation, answer_of, outcomes_of
from tests.cuts import Cut, CutLedger, Fuse
from tests.parcels.agent import ParcelsAgent, parcels_agent, results
from tests.parcels.depot import Depot
from tests.parcels.fixtures import agent, depot

__all__ = ["agent", "depot"]

DECIDED: dict[str, Any] = {
    "zip": "100",
    "to": {
        "street": "  Barn  lane ",
        "city": None,
        "a": {"z": 1, "bb": [{"y": 1, "x": 2}], "b": 3},
    },
    "note": None,
    "count": 1e16,
    "zero": -0.0,
    "price": 1.10,
    "great": 1e300,
    "words": " ö 🥾 日本 \x00\x1f\u2028 \\u0000 ",
    "yes": "true",
    "empty": {},
    "a": [],
}

WRITTEN = json.dumps(DECIDED)


async def test_whatever_is_decided_arrives_and_is_read_and_found_as_it_was_written(
    agent: ParcelsAgent, depot: Depot
):
    talk = await agent.decides([("send", DECIDED)])
    assert depot.sent == [WRITTEN]
    assert answer_of(await talk.state()).startswith("send confirmed")
    calls = [call for m in agent.model.prompts[-1] for call in getattr(m, "tool_calls", [])]
    assert [json.dumps(call["args"]) for call in calls] == [WRITTEN]
    entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
    (intended,) = [entry for entry in entries if entry.event is Event.INTENDED]
    assert intended.payload is not None
    assert intended.payload["args"]["zip"] == "100", "by this it is indexed"
    assert intended.payload["written"] == WRITTEN


async def test_what_is_approved_is_shown_and_sent_as_it_was_decided(
    agent: ParcelsAgent, depot: Depot
):
    agent.model.then([("insure", DECIDED)], "insured")
    talk = agent.talk()
    (question,) = (await talk.say("go")).interrupts
    assert json.dumps(question.value["action_requests"][0]["args"]) == WRITTEN
    assert json.dumps(question.value["plan"][0]["steps"][0]["args"]) == WRITTEN
    await talk.approve()
    assert depot.sent == [WRITTEN]


async def test_what_is_sent_again_after_a_lost_answer_is_the_same_bytes(
    agent: ParcelsAgent, depot: Depot
):
    depot.spoil("send", "drop")
    await agent.decides([("send", DECIDED)])
    first, again = depot.raw
    assert first == again
    assert depot.sent[0] == WRITTEN


async def test_a_run_may_die_at_every_page_and_checkpoint_of_an_approved_and_edited_call(
    postgres_url: str, depot: Depot
):
    async with (
        parcels_agent(postgres_url, depot.url) as dying,
        parcels_agent(postgres_url, depot.url) as living,
    ):
        fuse = Fuse()
        dying.resources.postgres.ledger = CutLedger(dying.resources.postgres, fuse, "after")
        for moments in range(60):
            fuse.light(moments)
            talk = dying.talk()
            later = living.talk(talk.thread_id)
            for one in (dying, living):
                one.model.script[:] = [
                    lambda prompt: "done" if results(prompt) else [("insure", {"b": 1})]
                ] * 3
            edited = {"type": "edit", "edited_action": {"name": "insure", "args": DECIDED}}
            died = False
            try:
                await talk.say("go", "m-1")
                await talk.answer(edited)
            except Cut:
                died = True
            fuse.put_out()
            stands = await later.run(None) if died else await later.state()
            if died and not stands.values.get("turn"):
                stands = await later.say("go", "m-1")
            if stands.interrupts:
                await later.answer(edited)
            assert set(depot.sent) == {WRITTEN}, f"it died after {moments} moments"
            depot.bodies.clear()
            if not died:
                assert moments > 5
                return
    raise AssertionError("the sweep does not end")


async def test_what_cannot_be_sent_is_refused_in_words_before_the_intent(
    agent: ParcelsAgent, depot: Depot
):
    refused = {"a\ud800b": "lone surrogate", float("nan"): "NaN", 2**70: "too large"}
    talk = await agent.decides(*([("send", {"deep": [{"x": value}]})] for value in refused))
    for said, why in zip(results(agent.model.prompts[-1]), refused.values(), strict=True):
        assert said.startswith("send refused: The arguments are invalid")
        assert why in said
    assert depot.raw == []
    entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
    assert Event.INTENDED not in {entry.event for entry in entries}


async def test_what_is_typed_is_sent_as_it_was_decided_too(agent: ParcelsAgent, depot: Depot):
    details = {"why": "  too  big ", "b": {"z": None, "a": 1.0}}
    await agent.decides([("give_back", {"details": details, "parcel": " P-1 "})])
    assert depot.sent == [json.dumps({"parcel": " P-1 ", "details": details, "copies": 1})]


async def test_the_same_operation_is_recognised_however_it_is_spelled(
    agent: ParcelsAgent, depot: Depot
):
    calls = [("give_back", {"parcel": "P-1"})], [("give_back", {"parcel": " P-1  ", "copies": 1})]
    talk = await agent.decides(*calls)
    assert len(depot.raw) == 1
    assert results(agent.model.prompts[-1])[-1].startswith("give_back refused: ")
    # In another turn it is the same operation still.
    agent.model.then([("give_back", {"parcel": "P-1 "})], last_result)
    done = await talk.say("once more")
    assert answer_of(done).startswith("give_back refused: ")
    assert len(depot.raw) == 1


async def test_a_plan_is_made_of_what_was_decided_and_named_after_its_normal_form(
    agent: ParcelsAgent, depot: Depot
):
    agent.model.then([("collect", {"words": " at  noon ", "parcel": " P-1 "})], "collected")
    talk = agent.talk()
    await talk.say("go")
    await talk.approve()
    assert depot.sent == [json.dumps({"words": " at  noon ", "parcel": " P-1 "})]
    (key,) = depot.bodies
    assert key == "parcel/P-1/collect/1"


async def test_a_call_that_a_person_changed_is_refused_however_it_is_spelled(
    agent: ParcelsAgent, depot: Depot
):
    agent.model.then(
        [("insure", {"to": "Mia"})],
        [("insure", {"to": " Mia  ", "note": None})],
        last_result,
    )
    talk = agent.talk()
    await talk.say("go")
    edited = {"type": "edit", "edited_action": {"name": "insure", "args": {"to": "Ada"}}}
    done = await talk.answer(edited)
    assert "The original call is not tried again" in answer_of(done)
    assert depot.sent == ['{"to": "Ada"}']


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
    assert "the preceding call was not completed" in noted
    assert read_in(looked) == {"writes": []}
    assert done.values["notes"] == []


async def test_a_write_behind_a_change_that_waits_for_a_write_is_refused(agent, depot):
    await agent.decides([SEND, note("sent"), ("give_back", {"parcel": "P-1"})])
    _, noted, back = told(agent)
    assert noted == "noted sent"
    assert "It comes after note, which runs when send is complete. Call it then." in back
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
        assert "before the preceding call completed" in looked
        assert "before the preceding call completed" in noted
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


BACK = ("give_back", {"parcel": "P-1"})
COLLECT = ("collect", {"parcel": "P-1"})


def seen(agent: ParcelsAgent, last: int) -> list[str]:
    """Return what the model read last, so many results."""
    return results(agent.model.prompts[-1])[-last:]


@pytest.mark.parametrize("calls", [[BACK, SEND], [SEND, BACK]], ids=["before", "after"])
async def test_what_was_done_already_is_refused_and_its_sibling_is_done(agent, depot, calls):
    await agent.decides([BACK])
    await agent.decides(calls)
    told = dict(zip([name for name, _ in calls], seen(agent, 2), strict=True))
    assert told["give_back"].startswith("give_back refused: parcel/P-1/return was done already")
    assert told["send"].startswith("send confirmed")
    assert depot.done == ["/give_back", "/send"]


async def test_what_is_under_way_elsewhere_is_refused_and_its_sibling_is_done(agent, depot):
    agent.model.then([COLLECT])
    await agent.talk().say("collect it")
    await agent.decides([COLLECT, SEND])
    collect, send = seen(agent, 2)
    assert "is in progress already" in collect
    assert send.startswith("send confirmed")


class RacedLedger(Ledger):
    """A ledger in which another thread is first, between the look and the commit of an intent."""

    def __init__(self, postgres: Postgres, first: Callable[[], Awaitable[object]]) -> None:
        super().__init__(postgres.pool, cluster=postgres.cluster, unstored=postgres.unstored)
        self._first: Callable[[], Awaitable[object]] | None = first

    @asynccontextmanager
    async def page(self, *where: Any, **of: Any) -> AsyncIterator[Page]:
        async with super().page(*where, **of) as page:
            yield page
            if page.about[0] == "opened" and self._first is not None:
                first, self._first = self._first, None
                await first()


async def test_another_thread_may_be_first_with_one_of_them(postgres_url, agent, depot):
    async with parcels_agent(postgres_url, depot.url) as other:
        agent.resources.postgres.ledger = RacedLedger(
            agent.resources.postgres, lambda: other.decides([BACK])
        )
        await agent.decides([BACK, SEND])
    back, send = seen(agent, 2)
    assert "was done already" in back
    assert send.startswith("send confirmed")
    assert depot.done == ["/give_back", "/send"]


async def test_of_an_edited_plan_only_what_cannot_be_begun_is_refused(agent, depot):
    await agent.decides([BACK])
    agent.model.then([("insure", {"to": "Mia"}), COLLECT], lambda prompt: results(prompt)[0])
    talk = agent.talk()
    await talk.say("go")
    edited = {"name": "give_back", "args": {"parcel": "P-1"}}
    await talk.answer({"type": "approve"}, {"type": "edit", "edited_action": edited})
    if (await talk.state()).interrupts:
        await talk.approve()
    insure, back = seen(agent, 2)
    assert insure.startswith("insure confirmed")
    assert "was done already" in back
    assert depot.done == ["/give_back", "/insure"]
