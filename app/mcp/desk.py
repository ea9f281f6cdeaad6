"""What an MCP client may have done: calls of the domain's tools, each in its person's own thread.

A client never approves anything. Where a call waits for a person, it is told where that person
answers; while it waits nothing else is begun, so a call that is repeated opens nothing twice.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot
from psycopg import InternalError, OperationalError

from daybook.app.mcp.deciding import Wanted, deciding
from daybook.checkpoints.reach import unavailable
from daybook.graph.guarded import GuardedGraph
from daybook.graph.unfinished import TAKES_UP, Left, left_in
from daybook.nodes.running.work import Resources
from daybook.state.effects.keys import canonical
from daybook.state.errors import DaybookError, ThreadClosed
from daybook.state.people.called import as_said
from daybook.state.people.questions.question import Question, is_doubt, question_of
from daybook.state.session import Person
from daybook.tools.domain import Domain

STATUS: Final = "daybook_status"
"""The one tool that is no domain's: what waits, and what was said last."""

_SAID: Final = "One call of my MCP client, and nothing more."
"""Said for each call. Neither tool nor arguments: these would count as words of the person, who
said none of them, and whose own model may go on with the turn when it was approved."""

_MOST_THREADS: Final = 1_000
"""Threads that a person may have had closed before this one."""

_NAMES = uuid.uuid5(uuid.NAMESPACE_URL, "daybook/mcp")


@dataclass(frozen=True)
class Answer:
    """What a client is told.

    Attributes:
        status: done, refused, waiting or failed.
        more: facts beside the words.
    """

    status: str
    text: str
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_error(self) -> bool:
        """Tell whether the call was not made."""
        return self.status in ("refused", "failed")


@dataclass
class Desk:
    """Make calls for the people who have signed in.

    Attributes:
        where: says by which command a person answers in a thread: person, thread.
        console: the address of the console.
    """

    graph: GuardedGraph
    domain: Domain
    resources: Resources
    where: Callable[[Person, str], str]
    console: str
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)
    _closed: dict[str, int] = field(default_factory=dict)

    async def call(self, person: Person, tool: str, args: Mapping[str, Any]) -> Answer:
        """Make one call, or say why not; raises nothing that a client should not read."""
        try:
            async with self._locks.setdefault(person.user_id, asyncio.Lock()):
                return await self._in_own_thread(person, tool, args)
        except DaybookError as error:
            return Answer("failed", str(error))
        except (OperationalError, InternalError) as error:
            return Answer("failed", str(unavailable(error)))

    async def _in_own_thread(self, person: Person, tool: str, args: Mapping[str, Any]) -> Answer:
        for number in range(self._closed.get(person.user_id, 0), _MOST_THREADS):
            try:
                return await self._called(person, self._thread(person, number), tool, args)
            except ThreadClosed:
                # What it held was erased; a new one is begun.
                self._closed[person.user_id] = number + 1
        raise DaybookError("Too many threads of yours were closed. Nothing was done.")

    def _thread(self, person: Person, number: int) -> str:
        of = [self.resources.postgres.tenant_id, self.domain.name, person.user_id, number]
        return str(uuid.uuid5(_NAMES, canonical(of)))

    async def _called(
        self, person: Person, thread_id: str, tool: str, args: Mapping[str, Any]
    ) -> Answer:
        config: RunnableConfig = {
            "configurable": {
                "thread_id": thread_id,
                "user_id": person.user_id,
                "role": person.role,
                "token_id": person.token_id,
            }
        }
        stands = await self._taken_up(config)
        if await left_in(stands, self.resources.postgres) is Left.QUESTION:
            return self._waiting(person, thread_id, stands, tool)
        if tool == STATUS:
            return Answer("done", _said_last(stands) or "Nothing was done yet, and nothing waits.")
        wanted = Wanted(tool, args)
        said = {"role": "user", "content": _SAID, "id": str(uuid.uuid4())}
        with deciding(wanted):
            await self.graph.ainvoke({"messages": [said]}, config)
        stands = await self.graph.aget_state(config)
        if await left_in(stands, self.resources.postgres) is Left.QUESTION:
            return self._waiting(person, thread_id, stands, tool)
        if wanted.told.startswith(f"{tool} refused:"):
            return Answer("refused", wanted.told)
        return Answer("done", wanted.told or _said_last(stands))

    async def _taken_up(self, config: RunnableConfig) -> StateSnapshot:
        """Finish what a process that died has left of a thread, before anything new is begun."""
        stands = await self.graph.aget_state(config)
        left = await left_in(stands, self.resources.postgres)
        if left is not None and left in TAKES_UP:
            await self.graph.ainvoke(TAKES_UP[left], config)
            stands = await self.graph.aget_state(config)
        return stands

    def _waiting(self, person: Person, thread_id: str, stands: StateSnapshot, tool: str) -> Answer:
        """Say what waits, and where its person answers: not here."""
        questions = [question_of(one.value) for one in stands.interrupts]
        waits = "\n\n".join(_described(one) for one in questions)
        tools = {one["name"] for question in questions for one in question["action_requests"]}
        page, command = f"{self.console}/threads/{thread_id}", self.where(person, thread_id)
        what = (
            "It is not known whether this happened, and a person is asked."
            if any(map(is_doubt, questions))
            else "Nothing was done yet: this waits for a person to approve it."
        )
        is_asked_for = tool in tools or tool == STATUS
        not_begun = "" if is_asked_for else f"{tool} was not begun, for something waits already. "
        text = (
            f"{not_begun}{what} No client can: it is answered in the console ({page}) or by "
            f"`{command}`. Calling again opens nothing new; {STATUS} tells what came of it.\n\n"
            f"{waits}"
        )
        more = {"thread": thread_id, "console": page, "command": command}
        return Answer("waiting" if is_asked_for else "refused", text, more)


def _described(question: Question) -> str:
    return "\n\n".join(str(one["description"]) for one in question["action_requests"])


def _said_last(stands: StateSnapshot) -> str:
    said = as_said(stands.values.get("messages", ()))
    return said[-1].text if said else ""
