"""The chat: one conversation at a time, continued where it was cut off."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, Interrupt, StateSnapshot

from app import answers
from app.terminal import Terminal
from graph.resources import Opened, open_shop_agent
from graph.settings import Settings
from state.errors import ModelUnavailable

_HELLO = (
    "Tell me what you are looking for, for example: I need waterproof hiking boots under 150. "
    "Ctrl-D ends the chat."
)


async def chat(
    settings: Settings, terminal: Terminal, *, thread: str | None, user: str, approves_all: bool
) -> None:
    """Hold a conversation until the input ends.

    Args:
        thread: continue or begin this one; None opens the user's newest unfinished one, or a new.
        approves_all: approve every plan without asking; still recorded as the user's.

    Raises:
        DaybookError: something is not set up, or another process works on the thread.
    """
    async with AsyncExitStack() as stack:
        with terminal.working():
            terminal.progress("starting Postgres and the shop")
            opened = await stack.enter_async_context(open_shop_agent(settings))
        thread_id = thread or await _unfinished(opened, user) or str(uuid.uuid4())
        await _Conversation(opened, terminal, thread_id, user, approves_all).hold()


async def _unfinished(opened: Opened, user: str) -> str | None:
    """Find the user's newest thread with work under way or a question waiting."""
    for thread in await opened.resources.postgres.threads.of_user(user):
        if thread.status in ("active", "waiting"):
            return thread.thread_id
    return None


class _Conversation:
    def __init__(
        self, opened: Opened, terminal: Terminal, thread_id: str, user: str, approves_all: bool
    ) -> None:
        self._graph = opened.graph
        self._ledger = opened.resources.postgres.ledger
        self._terminal = terminal
        self._thread_id = thread_id
        self._approves_all = approves_all
        self._config: RunnableConfig = {
            "configurable": {"thread_id": thread_id, "user_id": user},
            "recursion_limit": 200,
        }
        self._told: set[str] = set()
        self._revision = 0

    async def hold(self) -> None:
        self._terminal.note(f"thread {self._thread_id}")
        await self._continue()
        while (line := self._terminal.read("> ")) is not None:
            if line:
                said = {"role": "user", "content": line, "id": str(uuid.uuid4())}
                await self._run({"messages": [said]})
        self._terminal.note(
            f"Continue this conversation with: daybook chat --thread {self._thread_id}"
        )

    async def _continue(self) -> None:
        """Take up what was cut off; a new thread greets."""
        snapshot = await self._graph.aget_state(self._config)
        if not snapshot.values:
            self._terminal.say(_HELLO)
            return
        self._revision = snapshot.values["cart"].revision
        self._told = {m.id for m in snapshot.values["messages"] if m.id}
        self._terminal.cart(snapshot.values["cart"])
        if snapshot.interrupts:
            await self._ask(snapshot)
        elif snapshot.tasks:
            self._terminal.note("Continuing what was cut off.")
            await self._run(None)
        elif await self._ledger.open_plan(self._thread_id):
            self._terminal.note("Looking again at what was not settled.")
            await self._run({"events": []})

    async def _run(self, given: Any) -> None:
        try:
            with self._terminal.working():
                async for mode, chunk in self._graph.astream(
                    given, self._config, stream_mode=["custom", "updates"]
                ):
                    if mode == "custom" and "progress" in chunk:
                        self._terminal.progress(chunk["progress"])
        except ModelUnavailable as error:
            self._terminal.warn(str(error))
            return
        snapshot = await self._graph.aget_state(self._config)
        self._show(snapshot.values)
        if snapshot.interrupts:
            await self._ask(snapshot)

    def _show(self, values: Mapping[str, Any]) -> None:
        for message in values.get("messages", ()):
            if isinstance(message, AIMessage) and message.id not in self._told:
                self._told.add(message.id or "")
                self._terminal.say(message.text)
        cart = values.get("cart")
        if cart is not None and cart.revision != self._revision:
            self._revision = cart.revision
            self._terminal.cart(cart)

    async def _ask(self, snapshot: StateSnapshot) -> None:
        """Put the question that waits; at the end of the input it stays waiting."""
        question: Interrupt = snapshot.interrupts[0]
        request = question.value
        if "in_doubt" in request:
            decisions = self._about_doubt(request)
        else:
            decisions = self._about_plan(request, snapshot.values.get("note", ""))
        if decisions is None:
            self._terminal.note("Nothing was decided; the question waits.")
            return
        answer: dict[str, Any] = {"decisions": decisions}
        if "approval_id" in request:
            answer["approval_id"] = request["approval_id"]
        await self._run(Command(resume={question.id: answer}))

    def _about_plan(self, request: Mapping[str, Any], note: str) -> list[dict[str, Any]] | None:
        decisions = []
        for action, shown in zip(request["action_requests"], request["plan"], strict=True):
            self._terminal.plan(shown, note)
            if self._approves_all:
                self._terminal.note("Approved (--yes).")
                decisions.append({"type": "approve"})
                continue
            decision = self._answer(
                f"approve? ({answers.HELP}) ", partial(answers.decision, action=action)
            )
            if decision is None:
                return None
            decisions.append(decision)
        return decisions

    def _about_doubt(self, request: Mapping[str, Any]) -> list[dict[str, Any]] | None:
        self._terminal.evidence(request["action_requests"][0])
        decision = self._answer(f"did it happen? ({answers.DOUBT_HELP}) ", answers.doubt)
        return None if decision is None else [decision]

    def _answer(self, prompt: str, read: Any) -> dict[str, Any] | None:
        while (line := self._terminal.read(prompt)) is not None:
            try:
                answer: dict[str, Any] = read(line)
            except answers.Unclear as unclear:
                self._terminal.warn(str(unclear))
            else:
                return answer
        return None
