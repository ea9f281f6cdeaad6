"""Hand-overs as a provider sees them: whose instructions, which tools, and what is left out."""

import uuid
from typing import Any

from daybook.tools.shop.reviewer import REVIEWER_SYSTEM
from tests.conversation import Conversation, answer_of
from tests.integration.wire import Wire
from tests.provider import Request


def system(request: Request) -> str:
    """Return the instructions of a request."""
    first = (request.body.get("messages") or request.body.get("input"))[0]
    content: Any = first["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


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
