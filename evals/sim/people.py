"""The people of a life: what they say, how they answer, and what they do when nobody answers."""

from __future__ import annotations

import asyncio
import json
import random
import uuid
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from psycopg import OperationalError

from daybook import ServiceUnavailable, ToolRefused
from daybook.domain import GuardedGraph
from daybook.state.clock import SYSTEM
from daybook.state.effects.keys import undo_key
from daybook.state.errors import DatabaseUnavailable, InputRefused, NothingPending, ThreadBusy
from daybook.state.ledger.stopping import STOP
from evals.model_server import Deciding
from evals.sim.judge import Judge
from evals.sim.processes import Gone, Process
from evals.sim.recipe import Answer, Calls, Person, Wish
from evals.sim.trade import AtShop

_COMES_BACK = (DatabaseUnavailable, Gone, OperationalError, ServiceUnavailable, ThreadBusy)
_PAUSE_S = 1.5
_TRIES = 400
_LATE_S = 2_000.0


@dataclass
class Shopper:
    """One person, in a thread of their own.

    Attributes:
        servers: returns the processes that serve at present.
        say: told what this person does, for a trace.
    """

    person: Person
    number: int
    servers: Callable[[], Sequence[Process]]
    judge: Judge
    trade: AtShop
    chance: random.Random
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        self.name, self.thread = self.person.name, self._new_id()
        about = {"thread_id": self.thread, "user_id": self.name}
        self.config: RunnableConfig = {"configurable": about}

    async def live(self) -> None:
        """Do what they wish, one after the other."""
        for wish in self.person.wishes:
            await SYSTEM.sleep(wish.after)
            await self._wish(wish)

    async def _wish(self, wish: Wish) -> None:
        self.say(f"{self.name} wants to {wish.want}, and will say: {wish.answer}")
        if wish.want == "both at once":
            async with asyncio.TaskGroup() as both:
                both.create_task(self._buys(1))
                both.create_task(self._tells(self.trade.adding(3)))
        elif wish.want == "cancel":
            taken_back = self.trade.cancelling(self.judge, self.name)
            if not taken_back:
                return
            await self._tells(taken_back)
        elif wish.want == "look":
            await self._tells(self.trade.looking)
        else:
            await self._buys(2 if wish.want == "buy two" else 1)
        await self._answers(wish.answer)

    async def _buys(self, kinds: int) -> None:
        for calls in self.trade.buying(self.number, kinds):
            await self._tells(calls)

    async def _answers(self, how: Answer) -> None:
        question = await self.question()
        if question is None:
            return
        match how:
            case "nothing":
                return
            case "other words":
                await self._tells(self.trade.adding(2))
                return
            case "late":
                await SYSTEM.sleep(_LATE_S)
            case "stale":
                await self._gives(question, "approve", approval_id="0" * 24)
        await self._gives(question, "reject" if how == "no" else "approve")

    async def settle(self) -> bool:
        """Answer what is asked, at the end of the day; tell whether something was."""
        question = await self.question()
        if question is None:
            return False
        if "in_doubt" in question:
            await self._doubt(question)
        else:
            await self._gives(question, self.chance.choice(("approve", "reject")))
        return True

    async def stop(self) -> None:
        """Wish that what is under way be stopped, beside whatever else this person does."""
        event = {"type": STOP, "id": self._new_id()}
        self.say(f"{self.name} wishes to stop")
        with suppress(ToolRefused):
            await self._run({"events": [event]})

    async def question(self) -> Any:
        """Return what this person is asked, or None."""
        state = await self.state()
        return state.interrupts[0].value if state is not None and state.interrupts else None

    async def state(self) -> Any:
        """Return what the graph holds of this person's thread."""
        return await self._surely(lambda graph: graph.aget_state(self.config))

    async def _doubt(self, question: Any) -> None:
        """Say the truth of what is in doubt: an effect, or its undo."""
        step = question["in_doubt"]
        asked = question["action_requests"][0]["args"]["tool"]
        is_undo = f", the undo of {asked}" in question["action_requests"][0]["description"]
        key = undo_key(step) if is_undo else step
        named = "" if is_undo else self.judge.named(step)
        words = "it did not happen"
        if self.judge.has_happened(key):
            words = f"it happened {named}".strip()
        self.say(f"{self.name} is asked of {key}: {words}")
        await self._answer([{"type": "respond", "message": words}], question["approval_id"])

    async def _gives(self, question: Any, what: str, approval_id: str | None = None) -> None:
        if "in_doubt" in question:
            return
        self.say(f"{self.name} says {what} to {question['approval_id']} as {approval_id}")
        if what == "approve":
            self.judge.hears(approval_id or question["approval_id"], question)
        more = {"message": "too dear"} if what == "reject" else {}
        decisions = [{"type": what, **more} for _ in question["action_requests"]]
        await self._answer(decisions, approval_id or question["approval_id"])

    async def _answer(self, decisions: Sequence[Any], approval_id: str) -> None:
        await self._run(Command(resume={"decisions": decisions, "approval_id": approval_id}))

    async def _tells(self, calls: Calls) -> None:
        message = {"role": "user", "content": said(calls), "id": self._new_id()}
        await self._run({"messages": [message]})

    async def _run(self, given: Any) -> None:
        await self._surely(lambda graph: graph.ainvoke(given, self.config))

    def _new_id(self) -> str:
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))

    async def _surely(self, act: Callable[[GuardedGraph], Awaitable[Any]]) -> Any:
        """Ask some server, and again where it dies, is busy, or has lost its database."""
        for _ in range(_TRIES):
            servers = self.servers()
            if servers:
                try:
                    return await self.chance.choice(servers).ask(act)
                except (*_COMES_BACK, NothingPending, InputRefused) as error:
                    self.say(f"{self.name} is told: {type(error).__name__}")
                    if isinstance(error, NothingPending | InputRefused):
                        # It was taken, and the confirmation was lost; or it is over.
                        return None
            await SYSTEM.sleep(self.chance.uniform(0.5, 2 * _PAUSE_S))
        raise TimeoutError(f"nobody answers {self.name}")


_MARK = "DO "


def said(calls: Calls) -> str:
    """Say what a person wants, in words that the model understands."""
    return _MARK + json.dumps(calls)


def obedient() -> Deciding:
    """Make a model that calls what the last thing that was said names, once; then it is done."""
    return Deciding(decide=_decided)


def _decided(messages: list[BaseMessage], tools: Sequence[Any]) -> AIMessage:
    for message in reversed(messages):
        if message.type in ("tool", "ai"):
            break
        if message.type == "human" and (text := message.text).find(_MARK) >= 0:
            wanted = json.JSONDecoder().raw_decode(text[text.index(_MARK) + len(_MARK) :])[0]
            calls = [{"name": n, "args": a, "id": str(uuid.uuid4())} for n, a in wanted]
            return AIMessage("", tool_calls=calls)
    return AIMessage("It is done.")
