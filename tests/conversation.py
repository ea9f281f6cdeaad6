"""Hold a conversation with an agent in a test."""

import uuid
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot

from daybook.graph.guarded import GuardedGraph
from daybook.state.clock import SYSTEM
from daybook.state.errors import ThreadBusy
from daybook.state.people.tool_messages import as_said, is_called
from daybook.state.receipts import ReceiptLine, is_receipt

Messages = dict[str, Any]

T = TypeVar("T")

_PATIENCE = 60.0
"""Seconds after which a test gives up waiting for the end of a dead process's session."""


class Conversation:
    """Hold one thread of one user."""

    def __init__(
        self,
        graph: GuardedGraph,
        user: str = "ada",
        thread: str | None = None,
        role: str = "customer",
    ) -> None:
        self.graph = graph
        self.thread_id = thread or str(uuid.uuid4())
        self.config: RunnableConfig = {
            "configurable": {"thread_id": self.thread_id, "user_id": user, "role": role}
        }

    async def say(self, text: str, message_id: str | None = None) -> StateSnapshot:
        """Say something and wait until the agent answers or asks."""
        said = {"role": "user", "content": text, "id": message_id or str(uuid.uuid4())}
        return await self.run({"messages": [said]})

    async def answer(self, *decisions: dict[str, Any], **more: Any) -> StateSnapshot:
        """Answer the question that waits."""
        return await self.run(Command(resume={"decisions": list(decisions), **more}))

    async def approve(self) -> StateSnapshot:
        """Approve the one action that waits."""
        return await self.answer({"type": "approve"})

    async def happens(self, event_id: str, **event: Any) -> StateSnapshot:
        """Let something happen outside the chat."""
        return await self.run({"events": [{"id": event_id, **event}]})

    async def run(self, given: Any) -> StateSnapshot:
        """Run the graph and return where it stands."""
        await self.graph.ainvoke(given, self.config)
        return await self.state()

    async def taken_over(self) -> StateSnapshot:
        """Go on as soon as the server has noticed that the thread's runner is dead."""
        return await taken_over(lambda: self.run(None))

    async def state(self) -> StateSnapshot:
        """Return where the thread stands."""
        return await self.graph.aget_state(self.config)


async def taken_over(go_on: Callable[[], Awaitable[T]]) -> T:
    """Go on; until Postgres has seen it, whoever was killed is taken for one at work."""
    async with SYSTEM.timeout(_PATIENCE):
        while True:
            try:
                return await go_on()
            except ThreadBusy:
                await SYSTEM.sleep(0.01)


def answer_of(snapshot: StateSnapshot) -> str:
    """Return what the agent said last, apart from what shows a question."""
    text: str = as_said(snapshot.values["messages"])[-1].text
    return text


def receipt_of(snapshot: StateSnapshot) -> str:
    """Return the newest receipt of the thread, "" where there is none."""
    return next(reversed(receipts_of(snapshot)), "")


def receipts_of(snapshot: StateSnapshot) -> list[str]:
    """Return the receipts of the thread, oldest first."""
    return [one.text for one in snapshot.values["messages"] if is_receipt(one.id)]


def receipt_lines_of(snapshot: StateSnapshot) -> list[ReceiptLine]:
    """Return the lines of all receipts of the thread, oldest first."""
    return _lines([one for one in snapshot.values["messages"] if is_receipt(one.id)])


def outcomes_of(snapshot: StateSnapshot) -> list[tuple[str, str]]:
    """Return kind and status of each line of the thread's receipts, oldest first."""
    return [(line.kind, line.status.value) for line in receipt_lines_of(snapshot)]


def turn_receipts(snapshot: StateSnapshot) -> list[AnyMessage]:
    """Return the receipts that follow the user's last message, in order."""
    messages: list[AnyMessage] = snapshot.values["messages"]
    last = max((at for at, one in enumerate(messages) if one.type == "human"), default=-1)
    return [one for one in messages[last + 1 :] if is_receipt(one.id)]


def turn_receipt_text(snapshot: StateSnapshot) -> str:
    """Return the texts of the receipts that follow the user's last message."""
    return "\n".join(one.text for one in turn_receipts(snapshot))


def turn_receipt_lines(snapshot: StateSnapshot) -> list[ReceiptLine]:
    """Return the lines of the receipts that follow the user's last message."""
    return _lines(turn_receipts(snapshot))


def _lines(receipts: list[AnyMessage]) -> list[ReceiptLine]:
    made = [line for one in receipts for line in one.additional_kwargs["receipt"]]
    return [ReceiptLine.model_validate(line) for line in made]


async def texts(talk: Conversation) -> list[str]:
    """Return what was said on a thread, by both; without the calls that are shown."""
    said = (await talk.state()).values["messages"]
    return [message.text for message in said if not is_called(message.id)]
