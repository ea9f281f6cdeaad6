"""The ledger's middleware for `create_agent`: decisions, order, receipts, and what is said."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from langchain.agents.middleware.types import (
    AgentMiddleware,
    ModelRequest,
    ModelResponse,
)
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    RemoveMessage,
    ToolMessage,
)
from langgraph.config import get_config
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command

from daybook.graph.ledger.answers import SOON
from daybook.graph.ledger.calls import Calls, decided_at
from daybook.graph.ledger.decisions import decision_at, decision_of, record_decision
from daybook.graph.ledger.identity import CallName, Place, numbered, place_of, run_state
from daybook.graph.ledger.outcome import OPEN, PLAN, is_over, message, plans_of
from daybook.graph.ledger.receipts import (
    Ask,
    LedgerState,
    Update,
    ask_and_check,
    correction_of,
    findings_payload_of,
    missing_receipts,
    receipt_of,
)
from daybook.graph.ledger.running import end_run
from daybook.graph.ledger.savers import saver_of
from daybook.nodes.running.work import Work
from daybook.state.ledger.plan import Plan
from daybook.state.receipts import is_receipt

_MODEL = "/model"
"""By which calls of the model are counted in one run of its node: no tool is called so."""

_INTERRUPTED = (
    "This call was interrupted and has no result. It is not known here whether it was carried out."
)


class LedgerMiddleware(AgentMiddleware[LedgerState, Any, Any]):
    """Let an agent's effects be decided once, carried out in order, and told as they were.

    The effects themselves run where the agent runs its tools, after all other middlewares.
    """

    state_schema = LedgerState

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.tools = []

    # -- before the model ---------------------------------------------------------------------

    async def abefore_agent(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Settle what earlier runs left, and tell the model what became of it.

        A question that nobody has answered is withdrawn: something new was said.
        """
        running = self._calls.ready()
        async with running.admit(get_config()) as (config, work):
            place = await place_of(config)
            await self._calls.settle_others(place, config, work)
            return await self._mended(state["messages"], place, work) or None

    async def abefore_model(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Put the receipts of what was carried out into the messages."""
        running = self._calls.ready()
        async with running.admit(get_config()) as (config, work):
            return await missing_receipts(state, await place_of(config), work)

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Ask
    ) -> ModelResponse[Any]:
        """Return what was decided here before; ask the model only where nothing was."""
        # Another middleware may ask more than once in one place.
        with numbered(get_config(), _MODEL, {}) as number:
            return await self._decide(request, handler, number)

    async def _decide(
        self, request: ModelRequest[Any], handler: Ask, number: int
    ) -> ModelResponse[Any]:
        running, serde = self._calls.ready(), saver_of(get_config()).serde
        async with running.admit(get_config()) as (config, work):
            place = (await place_of(config, edits=True)).within(number)
            known = await decision_at(place, work)
        if known is not None:
            return known.response(serde)
        # A model that read receipts could imitate them.
        messages = [one for one in request.messages if not is_receipt(one.id)]
        request = request.override(messages=messages)
        response, findings = await ask_and_check(request, handler, place, work)
        async with running.admit(get_config()) as (_, work):
            more = findings_payload_of(findings)
            return await record_decision(place, response, work, serde, more)

    # -- tools --------------------------------------------------------------------------------

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        """Name an effect by the decision that it belongs to, and let those before it go first."""
        call = await self._call_of(request)
        if call is None:
            return await handler(self._with_effect(request))
        with self._under_way(call):
            return await handler(self._with_effect(request))

    def _with_effect(self, request: ToolCallRequest) -> ToolCallRequest:
        """Carry out an effect by its ledger where the agent was given the bare tool."""
        effect = self._calls.effects.get(request.tool_call["name"])
        return request if effect is None else request.override(tool=effect)

    async def _call_of(self, request: ToolCallRequest) -> _Called | None:
        """Name a call by its decision, once those before it are over, or ask."""
        if self._calls.effects.get(request.tool_call["name"]) is None:
            return None
        running, messages = self._calls.ready(), request.state["messages"]
        config = await running.reach(get_config())
        work = running.work(config)
        for said in reversed(messages):
            if not isinstance(said, AIMessage) or is_receipt(said.id):
                continue
            ids = [one["id"] for one in said.tool_calls]
            if request.tool_call["id"] not in ids:
                continue
            position = ids.index(request.tool_call["id"])
            decision = await decision_of(said, (await place_of(config)).turn, work)
            if decision is None:
                return None
            names = decision.names(said)
            called = _Called(names[position], decision.place.turn_id, position)
            answered = {one.tool_call_id for one in messages if one.type == "tool"}
            before = {
                earlier: CallName(names[earlier], one["name"], one["args"], 1)
                for earlier, one in enumerate(said.tool_calls[:position])
                if one["id"] not in answered and one["name"] in self._calls.effects
            }
            await self._wait_for(before, called, work)
            return called
        return None

    async def _wait_for(self, before: Mapping[int, CallName], called: _Called, work: Work) -> None:
        """Wait until the effects before it in the message are over, or ask; for some time.

        One that another middleware has answered by itself never comes.
        """
        until = work.clock.monotonic() + work.resources.node_seconds
        ended = run_state(get_config()).ended
        for position, call in before.items():
            while (called.decision, position) not in ended:
                if await is_over(call, work) or work.clock.monotonic() > until:
                    break
                # There is no event: it may have been over before this process began.
                await work.clock.sleep(SOON)

    @contextmanager
    def _under_way(self, called: _Called) -> Iterator[None]:
        token = decided_at.set(called.place)
        try:
            yield
        finally:
            decided_at.reset(token)
            run_state(get_config()).ended.add((called.decision, called.position))

    # -- after it -----------------------------------------------------------------------------

    async def aafter_agent(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Record that the run is over; correct what the model's text says against the ledger."""
        running = self._calls.ready()
        async with running.admit(get_config()) as (config, work):
            place = await place_of(config)
            if place.depth > 1:
                # What is last is the answer of a sub-agent, to whatever called it.
                return None
            # Receipts are left where a run ends without another model call: `return_direct`.
            update = await missing_receipts(state, place, work) or {}
            await end_run(place, work)
            correction = await correction_of(state["messages"], place, work)
        if correction:
            update["messages"] = [*update.get("messages", ()), *correction]
        return update or None

    # -- the same, for those who await nothing ------------------------------------------------

    def before_agent(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Do the same without an event loop."""
        return self._calls.run(self.abefore_agent(state, runtime))

    def before_model(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Do the same without an event loop."""
        return self._calls.run(self.abefore_model(state, runtime))

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        """Do the same without an event loop."""

        async def ask(asked: ModelRequest[Any]) -> ModelResponse[Any]:
            return await asyncio.to_thread(handler, asked)

        return self._calls.run(self.awrap_model_call(request, ask))

    def wrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]],
    ) -> ToolMessage | Command[Any]:
        """Do the same without an event loop."""
        call: Coroutine[Any, Any, _Called | None] = self._call_of(request)
        called = self._calls.run(call)
        if called is None:
            return handler(self._with_effect(request))
        with self._under_way(called):
            return handler(self._with_effect(request))

    def after_agent(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Do the same without an event loop."""
        return self._calls.run(self.aafter_agent(state, runtime))

    # -- what is said of earlier calls --------------------------------------------------------

    async def _mended(self, messages: Sequence[AnyMessage], place: Place, work: Work) -> Update:
        """Answer the calls of earlier runs that have no answer yet, or none that is the last."""
        again: list[AnyMessage] = []
        receipts: list[AnyMessage] = []
        for said in messages:
            if isinstance(said, ToolMessage) and said.additional_kwargs.get(OPEN):
                name = str(said.additional_kwargs[PLAN])
                plan, _ = await work.ledger.plan(work.session.thread_id, name)
                known = await _said_again(said, plan, work)
                again.append(known)
                if plan is not None and OPEN not in known.additional_kwargs:
                    receipts += receipt_of(plan, messages)
        whole = [*_replaced(messages, again)]
        missing = [
            (said, position)
            for said, answered in _answered(messages)
            for position, call in enumerate(said.tool_calls)
            if call["id"] not in answered
        ]
        if not missing:
            return {"messages": [*again, *receipts]} if again else {}
        answers: dict[str | None, list[AnyMessage]] = {}
        for said, position in missing:
            answer = await self._interrupted(said, position, place, work)
            answers.setdefault(said.id, []).append(answer)
            if PLAN in answer.additional_kwargs:
                plan, _ = await work.plan(answer.additional_kwargs[PLAN])
                receipts += receipt_of(plan, messages)
        for said in [one for one in whole if one.id in answers]:
            # Behind the answers that it has: providers take them in one block.
            at = whole.index(said) + 1
            while at < len(whole) and whole[at].type == "tool":
                at += 1
            whole[at:at] = answers[said.id]
        return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *whole, *receipts]}

    async def _interrupted(
        self, said: AIMessage, position: int, place: Place, work: Work
    ) -> ToolMessage:
        """Say what became of a call whose run ended before its answer."""
        call = said.tool_calls[position]
        decision = await decision_of(said, place.turn, work)
        if decision is not None and call["name"] in self._calls.effects:
            name = CallName(decision.names(said)[position], call["name"], call["args"], 1)
            return await message(await plans_of(name, work), name, str(call["id"]), work)
        return ToolMessage(
            _INTERRUPTED, name=call["name"], tool_call_id=str(call["id"]), status="error"
        )


@dataclass(frozen=True)
class _Called:
    """Name a call by its decision.

    Attributes:
        decision: what the ledger has for the turn of the decision.
        position: of the call in it.
    """

    place: Place
    decision: str
    position: int


def _answered(messages: Sequence[AnyMessage]) -> Iterator[tuple[AIMessage, frozenset[str]]]:
    """Yield the model's messages that call tools with the ids of the calls that have answers."""
    for index, said in enumerate(messages):
        if isinstance(said, AIMessage) and said.tool_calls:
            after = itertools.takewhile(
                lambda one: not isinstance(one, AIMessage) or is_receipt(one.id),
                messages[index + 1 :],
            )
            yield said, frozenset(one.tool_call_id for one in after if one.type == "tool")


def _replaced(messages: Sequence[AnyMessage], again: Sequence[AnyMessage]) -> list[AnyMessage]:
    by_id = {one.id: one for one in again}
    return [by_id.get(one.id, one) for one in messages]


async def _said_again(said: ToolMessage, plan: Plan | None, work: Work) -> ToolMessage:
    """Write an answer anew, in its place, with what is known by now."""
    if plan is None:
        return said
    action = plan.actions[0]
    nowhere = Place(work.session.thread_id, "", "", "", 1)
    call = CallName(nowhere, action.tool, action.args, 1)
    known = await message([plan], call, said.tool_call_id, work)
    return known.model_copy(update={"id": said.id})
