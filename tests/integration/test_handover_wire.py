"""Hand-overs as a provider sees them: whose instructions, which tools, and what is left out."""

import json
import uuid
from typing import Any

from daybook.tools.shop.agents import INTERVIEWER_SYSTEM
from daybook.tools.shop.positions import FLOW, INTERVIEWING, SHOPPING
from daybook.tools.shop.reviewer import REVIEWER_SYSTEM
from tests.conversation import Conversation, answer_of
from tests.integration.wire import Wire
from tests.provider import Request

SECRETIVE = "only Torvald knows, and he is in the glacier hut"


def system(request: Request) -> str:
    """Return the instructions of a request."""
    first = (request.body.get("messages") or request.body.get("input"))[0]
    content: Any = first["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


async def test_an_interview_and_its_hand_over_go_over_the_wire(wire: Wire):
    wire.provider.then(
        [("start_interview", {"goal": "sleep warm"})],
        "How cold will it be?",
        [("note_brief", {"category": "sleeping-bags"}), ("hand_over", {})],
        "These are warm.",
    )
    async with wire.agent() as opened:
        talk = Conversation(opened.graph)
        await talk.say("I freeze at night")
        done = await talk.say(SECRETIVE)
    assert answer_of(done) == "These are warm."
    shopper, *interviewer, last = wire.provider.requests
    assert {frozenset(one.tools) for one in interviewer} == {FLOW.offered[INTERVIEWING]}
    assert {system(one) for one in interviewer} == {INTERVIEWER_SYSTEM}
    assert set(shopper.tools) == set(last.tools) == FLOW.offered[SHOPPING]
    assert system(shopper) == system(last)
    assert "brief: goal=sleep warm; category=sleeping-bags" in json.dumps(last.body)
    # The message that ended the interview is handed over with it, and no other.
    assert SECRETIVE in json.dumps(last.body)
    assert "How cold" not in json.dumps(last.body)
    assert "I freeze at night" in json.dumps(interviewer[0].body)


async def test_the_reviewer_is_offered_its_verdict_and_nothing_else(wire: Wire):
    judged = {"sku": "BOOT-001", "rating": 4, "points_for": ["dry"]}
    wire.provider.then(
        [("compare_reviews", {"skus": ["BOOT-001"]})],
        [("verdict", {"products": [judged]})],
        "It keeps dry.",
    )
    async with wire.agent("responses") as opened:
        done = await Conversation(opened.graph, thread=str(uuid.uuid4())).say("is BOOT-001 dry?")
    assert answer_of(done) == "It keeps dry."
    _, reviewer, last = wire.provider.requests
    assert list(reviewer.tools) == ["verdict"]
    assert system(reviewer) == REVIEWER_SYSTEM
    assert last.results == [
        "r1 compare_reviews ok: 1 products, no best one\nBOOT-001 | 4 of 5 | + dry"
    ]
