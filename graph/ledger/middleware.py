"""The ledger's middleware for `create_agent`: decisions, order, receipts, and what is said."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
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
from langgraph.errors import GraphInterrupt
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command

from daybook.graph.ledger.answers import SOON, leave_question
from daybook.graph.ledger.calls import Calls, DecidedAt, decided_at
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
        """Name an effect by the decision that it belongs to, and let those before it go first.

        A hand-off goes behind all of them: it ends the agent, and with it every question.
        """
        called = await self._called(request)
        if called is None or not called.is_effect:
            came = await handler(self._with_effect(request))
            if called is not None and _is_handoff(came):
                await self._end_all(called)
            return came
        await self._end_before(called)
        with self._under_way(called):
            return await handler(self._with_effect(request))

    def _with_effect(self, request: ToolCallRequest) -> ToolCallRequest:
        """Carry out an effect by its ledger where the agent was given the bare tool."""
        effect = self._calls.effects.get(request.tool_call["name"])
        return request if effect is None else request.override(tool=effect)

    async def _called(self, request: ToolCallRequest) -> _Called | None:
        """Name a call by its decision; None where that was not recorded, or has no effects."""
        messages, effects = request.state["messages"], self._calls.effects
        for said in reversed(messages):
            if not isinstance(said, AIMessage) or is_receipt(said.id):
                continue
            ids = [one["id"] for one in said.tool_calls]
            if request.tool_call["id"] not in ids:
                continue
            if not any(one["name"] in effects for one in said.tool_calls):
                return None
            running = self._calls.ready()
            config = await running.reach(get_config())
            place = await place_of(config)
            decision = await decision_of(said, place.turn, running.work(config))
            if decision is None:
                return None
            answered = {one.tool_call_id for one in messages if one.type == "tool"}
            names = decision.names(said)
            open_calls = {
                position: names[position]
                for position, one in enumerate(said.tool_calls)
                if one["id"] not in answered and one["name"] in effects
            }
            at = ids.index(request.tool_call["id"])
            return _Called(
                place=DecidedAt(names[at].place, decision.withdrawn(said)),
                decision=decision.place.turn_id,
                position=at,
                effects=open_calls,
                is_effect=request.tool_call["name"] in effects,
            )
        return None

    async def _end_before(self, called: _Called) -> None:
        """Wait until the effects before it in the message are over, or ask; for some time."""
        for position in called.effects:
            if position < called.position:
                await self._asks(called, position)

    async def _end_all(self, called: _Called) -> None:
        """Wait until all effects of the message are over.

        Raises:
            GraphInterrupt: one of them asks.
        """
        asks = [await self._asks(called, position) for position in called.effects]
        if any(asks):
            await leave_question(await self._calls.ready().reach(get_config()))
            raise GraphInterrupt(())

    async def _asks(self, called: _Called, position: int) -> bool:
        """Wait until an effect of the message has ended here, and tell whether it asks.

        One that another middleware has answered by itself never comes.
        """
        running = self._calls.ready()
        work = running.work(await running.reach(get_config()))
        until = work.clock.monotonic() + work.resources.node_seconds
        ended, call = run_state(get_config()).ended, (called.decision, position)
        while call not in ended and work.clock.monotonic() < until:
            if await is_over(called.effects[position], work):
                break
            # There is no event: it may have been over before this process began.
            await work.clock.sleep(SOON)
        return ended.get(call, False)

    @contextmanager
    def _under_way(self, called: _Called) -> Iterator[None]:
        token = decided_at.set(called.place)
        asks = False
        try:
            yield
        except GraphInterrupt:
            asks = True
            raise
        finally:
            decided_at.reset(token)
            run_state(get_config()).ended[called.decision, called.position] = asks

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
        called = self._calls.run(self._called(request))
        if called is None or not called.is_effect:
            came = handler(self._with_effect(request))
            if called is not None and _is_handoff(came):
                self._calls.run(self._end_all(called))
            return came
        self._calls.run(self._end_before(called))
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
            name = decision.names(said)[position]
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
        effects: the calls of effects in it that have no answer yet, by their positions.
    """

    place: DecidedAt
    decision: str
    position: int
    effects: Mapping[int, CallName]
    is_effect: bool


def _is_handoff(came: ToolMessage | Command[Any]) -> bool:
    """Tell whether a tool hands over to another agent."""
    return isinstance(came, Command) and came.graph == Command.PARENT


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
