"""Play scenes on the real graph, and note of each turn what can be seen from outside."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from daybook.app.grading.steps.reading import read_trajectory
from daybook.tools.shop.domain import SHOP
from evals.steps.world import World
from evals.talk.scenes import Scene, Turn

_LISTED: Final = re.compile(
    r"^\d{1,3}\. .*\(([A-Z]+-\d+)\)(?:.*?(\d+)\.(\d\d) [A-Z]{3})?", re.MULTILINE
)
_MOST_QUESTIONS: Final = 5


@dataclass(frozen=True)
class Listed:
    """A product that an answer lists with a number; its price in cents, None where none stands."""

    sku: str
    price: int | None = None


@dataclass(frozen=True)
class Happened:
    """What came of one turn.

    Attributes:
        calls: tools in the order of their calls.
        acted: tools of these whose call was let through, not refused and not asked about first.
        before: the cart by sku, before the turn.
        after: the same behind it.
        listed: the products that the answer lists, by number.
        due: the products of which more or fewer were wanted in the cart.
        lost: what the check of words took out of the answer, which is the machine's own and so.
    """

    answer: str
    calls: tuple[str, ...] = ()
    acted: tuple[str, ...] = ()
    before: Mapping[str, int] = field(default_factory=dict)
    after: Mapping[str, int] = field(default_factory=dict)
    listed: tuple[Listed, ...] = ()
    due: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def listed_in(answer: str) -> tuple[Listed, ...]:
    """Read the products that an answer lists; of several lists the last."""
    lists: list[list[Listed]] = []
    last = 0
    for found in _LISTED.finditer(answer):
        number = int(found.group().partition(".")[0])
        if number <= last or not lists:
            lists.append([])
        price = None if found[2] is None else int(found[2]) * 100 + int(found[3])
        lists[-1].append(Listed(found[1], price))
        last = number
    return tuple(lists[-1]) if lists else ()


async def played(world: World, scene: Scene, user: str) -> list[Happened]:
    """Hold a scene in a thread of its own, in a shop where nobody has bought anything."""
    await world.shop.ask("POST", "/admin/reset")
    thread_id = str(uuid.uuid4())
    config: RunnableConfig = {
        "configurable": {"thread_id": thread_id, "user_id": user, "role": "customer"}
    }
    carts = [await _cart(world, config)]
    answers = []
    for turn in scene.turns:
        # What is forgotten later is taken out of the answers that are kept.
        answers.append(await _said(world, config, turn))
        carts.append(await _cart(world, config))
    path = await read_trajectory(world.postgres, SHOP, thread_id)
    happened = []
    for number, _ in enumerate(scene.turns, 1):
        found = path.turn(number)
        answer = answers[number - 1] or (found.answer if found is not None else "")
        steps = [step for step in path.steps if step.turn == number and step.is_call]
        happened.append(
            Happened(
                answer,
                tuple(step.tool for step in steps),
                tuple(step.tool for step in steps if step.outcome not in ("refused", "asked")),
                carts[number - 1],
                carts[number],
                listed_in(answer),
                lost=tuple(
                    text for one in path.answers if one.turn == number for text, _ in one.unsaid
                ),
            )
        )
    return happened


async def _said(world: World, config: RunnableConfig, turn: Turn) -> str:
    """Say a turn, answer what is asked before effects, and return the answer."""
    said = {"role": "user", "content": turn.say, "id": str(uuid.uuid4())}
    result = await world.graph.ainvoke({"messages": [said]}, config)
    for _ in range(_MOST_QUESTIONS):
        if not (asks := result.get("__interrupt__", ())):
            break
        question: dict[str, Any] = asks[0].value
        answers: list[dict[str, Any]] = [
            {"type": turn.wants.answer} for _ in question["action_requests"]
        ]
        answer = {"decisions": answers, "approval_id": question["approval_id"]}
        result = await world.graph.ainvoke(Command(resume=answer), config)
    last = result["messages"][-1] if result.get("messages") else None
    return last.content if isinstance(last, AIMessage) and isinstance(last.content, str) else ""


async def _cart(world: World, config: RunnableConfig) -> dict[str, int]:
    state = await world.graph.aget_state(config)
    cart = state.values.get("cart")
    return {line.sku: line.quantity for line in cart.lines} if cart is not None else {}
