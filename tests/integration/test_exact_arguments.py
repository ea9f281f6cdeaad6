"""What was decided is what is sent, byte for byte: over the wire, killed, approved and edited."""

import json
from typing import Any

from daybook.state.ledger.recovery import Event
from daybook.testing.model import last_result
from tests.conversation import answer_of
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
    refused = {"a\ud800b": "half a character", float("nan"): "NaN", 2**70: "too large"}
    talk = await agent.decides(*([("send", {"deep": [{"x": value}]})] for value in refused))
    for said, why in zip(results(agent.model.prompts[-1]), refused.values(), strict=True):
        assert said.startswith("send refused: The arguments cannot be taken")
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
    assert "it is not tried again" in answer_of(done)
    assert depot.sent == ['{"to": "Ada"}']
