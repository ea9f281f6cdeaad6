"""Whatever other middlewares do to the messages, each call is made once and told as it was."""

import random
import uuid
from datetime import timedelta
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import HumanMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.types import Command

from daybook import Call, Ledger, Postgres
from daybook.state.ledger.recovery import Event
from daybook.testing.model import ScriptedModel
from tests.cuts import Cut, CutLedger, Fuse

APPROVED: Any = Command(resume={"decisions": [{"type": "approve"}]})


class Meddler(AgentMiddleware):
    """Drop, rewrite, summarise, reorder and rename what was said, otherwise each time."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    async def abefore_model(self, state: Any, runtime: Any) -> Any:
        messages = [*state["messages"]]
        # The last block of a call and its answers stays: providers refuse answers without calls.
        calls = [at for at, one in enumerate(messages) if getattr(one, "tool_calls", None)]
        start = calls[-1] if calls else len(messages) - 1
        before, last = messages[:start], messages[start:]
        match self._chance.choice(["drop", "reorder", "rewrite", "rename", "summarise", "leave"]):
            case "drop":
                before = before[self._chance.randint(0, len(before)) :]
            case "reorder":
                before = sorted(before, key=lambda one: self._chance.random())
            case "rewrite":
                before = [one.model_copy(update={"content": "..."}) for one in before]
            case "rename":
                before = [one.model_copy(update={"id": str(uuid.uuid4())}) for one in before]
            case "summarise":
                before = [HumanMessage("So far.")] if before else []
        # Calls without answers in one block would be answered as interrupted.
        before = [one for one in before if one.type == "human"]
        return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *before, *last]}


def script(chance: random.Random, payments: list[str]) -> list[Any]:
    """Decide on the payments of one message, some of them at once; then on an answer."""
    turns: list[Any] = []
    left = [*payments]
    while left:
        some, left = left[: (count := chance.randint(1, 2))], left[count:]
        turns.append([("pay", {"to": to}) for to in some])
    return [*turns, "Yes?"]


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(n, marks=pytest.mark.long) for n in range(3, 60))]
)
async def test_each_call_is_made_once_and_told_as_it_was(postgres: Postgres, seed: int):
    chance = random.Random(seed)
    paid: list[str] = []
    keys: set[str] = set()
    told: dict[str, str] = {}
    ledger = Ledger(postgres, user="ada")

    approval = chance.choice(["never", "always"])

    @ledger.effect(approval=approval, idempotent_for=timedelta(hours=1))
    async def pay(to: str, *, call: Call) -> str:
        """Pay somebody; the provider does it once for a key."""
        paid.extend([to] if call.key not in keys else [])
        keys.add(call.key)
        return f"paid {to}"

    class Hears(AgentMiddleware):
        async def abefore_model(self, state: Any, runtime: Any) -> None:
            for one in state["messages"]:
                if one.type == "tool":
                    told[one.tool_call_id] = one.text

    turns: list[Any] = []
    at = 0

    def decides(prompt: Any) -> Any:
        nonlocal at
        at += 1
        return turns[at - 1]

    async def decisions() -> int:
        entries = await whole.entries(config["configurable"]["thread_id"])
        return sum(one.event is Event.DECIDED for one in entries)

    model, fuse = ScriptedModel(script=[decides] * 1_000), Fuse()
    middleware = [Hears(), Meddler(chance), ledger.middleware()]
    agent = create_agent(model, [pay], checkpointer=postgres.saver, middleware=middleware)
    config: Any = {"configurable": {"thread_id": str(uuid.uuid4()), "user_id": "ada"}}
    whole, wanted = postgres.ledger, []
    for turn in range(4):
        payments = [f"{turn}-{number % 2}" for number in range(chance.randint(1, 4))]
        wanted += payments
        turns += script(chance, payments)
        given: Any = {"messages": [{"role": "user", "content": "pay"}]}
        while True:
            postgres.ledger = CutLedger(postgres, fuse, chance.choice(["before", "after"]))
            fuse.light(chance.randint(1, 12))
            try:
                state = await agent.ainvoke(given, config, durability="sync")
                if "__interrupt__" not in state:
                    break
                given = APPROVED
            except Cut:
                # Its process died. What it had decided on and not recorded is decided anew.
                given = None
            finally:
                fuse.put_out()
                postgres.ledger = whole
                at = await decisions()
        assert sorted(paid) == sorted(wanted), f"turn {turn}"
        history = [one async for one in agent.aget_state_history(config) if one.next]
        for old in chance.sample(history, min(2, len(history))):
            await agent.ainvoke(None, old.config)
        assert sorted(paid) == sorted(wanted), f"turn {turn}, replayed"
        assert (at, await decisions()) == (len(turns), len(turns)), "each was decided once"
    assert set(told.values()) == {f"paid {to}" for to in wanted}
    lines = await ledger.receipts(config["configurable"]["thread_id"])
    assert [line.status for line in lines] == ["done"] * len(wanted)
