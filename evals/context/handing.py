"""What enters the main prompt where work is handed over, beside a hand-over of all that was said.

An interview ends in a brief, and a reviewer in a verdict: the model that goes on reads those, and
not what led to them. With the full history it would read both.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from evals.context.catalogue import Shelf
from evals.context.cost import Asked
from evals.context.ours import Daybook
from evals.context.script import Call, Turn

_PRODUCTS = 5
"""Whose reviews are compared."""


@dataclass(frozen=True)
class Handed:
    """What one hand-over came to, in tokens.

    Attributes:
        aside: read in a scope of its own, or by the agent before.
        entered: the main prompt takes this more than before, and at each call after it.
        whole: what it would take with the full history.
    """

    name: str
    aside: int
    entered: int
    whole: int


async def reviewed(daybook: Daybook, shelf: Shelf) -> Handed:
    """Compare five products, by the reviewer and then by reading all reviews in the chat."""
    skus = [hit["sku"] for hit in shelf.hits[:_PRODUCTS]]
    judged = [
        {
            "sku": sku,
            "rating": 4,
            "points_for": ["warm down to frost", "dry after a day in the rain"],
            "points_against": ["runs half a size small"],
        }
        for sku in skus
    ]
    summary = "All keep dry; the first is the warmest by what most of them write."
    verdict = Call("verdict", {"best": skus[0], "products": judged, "summary": summary})
    by_reviewer = [
        [Call("compare_reviews", {"skus": skus, "question": "which is warm?"})],
        [verdict],
    ]
    in_the_chat = [[Call("get_reviews", {"sku": sku}) for sku in skus]]
    await daybook.play(_turn(1, "Which of these five is warm?", by_reviewer, "The first."))
    before, scope, after = daybook.replay().asked
    await daybook.play(_turn(2, "Read them to me in full.", in_the_chat, "As I said."))
    *_, asked, answered = daybook.replay().asked
    return Handed(
        f"reviews of {_PRODUCTS} products",
        aside=scope.tokens,
        entered=after.tokens - before.tokens,
        whole=answered.tokens - asked.tokens,
    )


async def interviewed(daybook: Daybook) -> Handed:
    """Let the interviewer fill a brief in four turns, and hand it over to the shopper."""
    for turn in _INTERVIEW:
        await daybook.play(turn)
    asked = daybook.replay().asked
    first = next(at for at, one in enumerate(asked) if _offers(one, "hand_over"))
    shopper = next(at for at, one in enumerate(asked) if at > first and _offers(one, "checkout"))
    interview, handed = asked[shopper - 1], asked[shopper]
    # Neither instructions nor digest nor tail would be handed over: what was said and called.
    said = [at for at, one in enumerate(interview.messages[:-1], 1) if not _is_system(one)]
    wish = next(at for at, one in enumerate(asked[0].messages, 1) if not _is_system(one))
    return Handed(
        f"an interview of {len(_INTERVIEW)} turns",
        aside=sum(one.tokens for one in asked[first:shopper]),
        entered=handed.tokens - handed.before(1) - asked[0].sizes[-1],
        whole=asked[0].sizes[wish] + sum(interview.sizes[at] for at in said),
    )


def _offers(call: Asked, tool: str) -> bool:
    return f'"name":"{tool}"' in call.tools


def _is_system(message: str) -> bool:
    return bool(json.loads(message)["role"] == "system")


def _turn(number: int, said: str, rounds: Sequence[Sequence[Call]], answer: str) -> Turn:
    return Turn(number, 1.5, (), said, None, rounds, answer)


_INTERVIEW = (
    _turn(
        1,
        "I need something for my feet, for two weeks of walking in Iceland in March.",
        [[Call("start_interview", {"goal": "boots for Iceland in March"})],
         [Call("list_categories", {})]],
        "Will you walk in snow most of the time, or on wet trails between huts?",
    ),
    _turn(
        2,
        "Mostly wet trails, with some old snow in the passes. I slipped a lot last year.",
        [[Call("note_brief", {"category": "hiking-boots", "must_have": ["waterproof", "grip"]})]],
        "What is the most that you would like to spend on them?",
    ),
    _turn(
        3,
        "Well, the last pair was 180 dollars and did not last, so up to 220 would be fine.",
        [[Call("note_brief", {"max_price": 22_000})]],
        "Which size do you wear, with the thick socks that you walk in?",
    ),
    _turn(
        4,
        "Usually 43, and half a size more with thick socks. That is all, go ahead.",
        [[Call("note_brief", {"size": "EU 43.5"})],
         [Call("hand_over", {})],
         [Call("search_products",
               {"query": "waterproof boots", "category": "hiking-boots", "max_price": 22_000})]],
        "These would do; the first has the best marks.",
    ),
)  # fmt: skip
