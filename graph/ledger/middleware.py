"""The ledger's middleware for `create_agent`: decisions, order, receipts and text checks."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator, Sequence
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

from daybook.graph.ledger.answers import (
    CHECKPOINT_NS,
    SOON,
    answered_beside,
    hold_answer,
    leave_question,
)
from daybook.graph.ledger.calls import Calls, DecidedAt, decided_at
from daybook.graph.ledger.decisions import decision_at, decision_of, record_decision
from daybook.graph.ledger.identity import (
    PLAN,
    CallName,
    Place,
    begin_again,
    numbered,
    place_of,
    run_state,
)
from daybook.graph.ledger.outcome import OPEN, is_over, message, plans_instead_of, plans_of
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
from daybook.nodes.past.plans import emit_receipt
from daybook.nodes.running.budgets import (
    call_of,
    model_name,
    standings,
    stopped_by,
    warnings_of,
)
from daybook.nodes.running.work import Work
from daybook.state.errors import NOTHING_DONE, ModelUnavailable
from daybook.state.ledger.plan import Plan
from daybook.state.people.budget import Usage
from daybook.state.prompt.tokens import estimated
from daybook.state.receipts import is_receipt, receipt_message

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
            update = await self._mended(state["messages"], work)
            if place.depth == 1 and (lines := warnings_of(await standings(work, None))):
                said = emit_receipt(receipt_message(f"{place.turn}/budget", [], lines), work)
                update["messages"] = [*update.get("messages", ()), *said]
            return update or None

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
        running = self._calls.ready()
        async with running.admit(get_config()) as (config, work):
            place = (await place_of(config, edits=True)).within(number)
            known = await decision_at(place, work)
            model, used = model_name(request.model), list[Usage]()
            stop = "" if known else stopped_by(await standings(work, model))
        if known is not None:
            return known.response(saver_of(config).serde)
        if stop:
            return ModelResponse([AIMessage(stop, id=f"{place.turn_id}/budget")])
        # A model that read receipts could imitate them.
        messages = [one for one in request.messages if not is_receipt(one.id)]
        request = request.override(messages=messages)

        async def asking(asked: ModelRequest[Any]) -> ModelResponse[Any]:
            if used and stopped_by(await standings(work, model, used)):
                raise ModelUnavailable(f"A budget is used up. {NOTHING_DONE}")
            response = await handler(asked)
            used.extend(
                call_of(one, model, lambda: sum(estimated(said.text) for said in asked.messages))
                for one in response.result
                if isinstance(one, AIMessage)
            )
            return response

        response, findings = await ask_and_check(request, asking, place, work)
        async with running.admit(get_config()) as (config, work):
            more = findings_payload_of(findings)
            return await record_decision(place, response, used, work, config, more)

    # -- tools --------------------------------------------------------------------------------

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        """Name an effect by the decision that it belongs to, and let those before it go first.

        A hand-off goes behind all other calls: it ends the agent, and with it every question.
        """
        called = _called(request)
        if called is None:
            return await handler(self._with_effect(request))
        at = await self._decided(called)
        with _under_way(called, at):
            came = await handler(self._with_effect(request))
        if _is_handoff(came):
            await self._end_others(called)
        return came

    def _with_effect(self, request: ToolCallRequest) -> ToolCallRequest:
        """Carry out an effect by its ledger where the agent was given the bare tool."""
        effect = self._calls.effects.get(request.tool_call["name"])
        return request if effect is None else request.override(tool=effect)

    async def _decided(self, called: _Called) -> DecidedAt | None:
        """Name an effect by its decision, once those before it in the message are over, or ask.

        One that another middleware has answered by itself never comes, and is waited for for some
        time.

        Returns:
            None for what is no effect, and where the decision was not recorded.
        """
        calls, running = called.said.tool_calls, self._calls.ready()
        if calls[called.position]["name"] not in self._calls.effects:
            return None
        config = await running.reach(get_config())
        work = running.work(config)
        decision = await decision_of(called.said, await place_of(config), work)
        if decision is None:
            return None
        names, ended = decision.names(called.said), run_state(config).ended
        until = work.clock.monotonic() + work.resources.node_seconds
        for position in [one for one in called.open if one < called.position]:
            if calls[position]["name"] not in self._calls.effects:
                continue
            while ended.get(called.key(position)) is None and work.clock.monotonic() < until:
                if await is_over(names[position], work):
                    break
                # There is no event: it may have been over before this process began.
                await work.clock.sleep(SOON)
        return DecidedAt(
            place=names[called.position].place,
            withdrawn=decision.withdrawn(called.said),
            beside=frozenset(one.turn_id for one in names),
        )

    async def _end_others(self, called: _Called) -> None:
        """Wait until all other calls of the message have ended.

        Raises:
            GraphInterrupt: one of them asks.
        """
        running = self._calls.ready()
        config = await running.reach(get_config())
        clock, ended = running.resources().clock, run_state(config).ended
        until = clock.monotonic() + running.resources().node_seconds
        others = [one for one in called.open if one != called.position]
        for position in others:
            id_, key = called.said.tool_calls[position]["id"], called.key(position)
            while ended.get(key) is None:
                # Its task may have ended before this process began, or another middleware have
                # answered it.
                if key not in ended and (
                    clock.monotonic() > until or id_ in await answered_beside(config)
                ):
                    break
                await clock.sleep(SOON)
        if any(ended.get(called.key(one)) for one in others):
            await leave_question(config)
            raise GraphInterrupt(())

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
        called = _called(request)
        if called is None:
            return handler(self._with_effect(request))
        at = self._calls.run(self._decided(called))
        with _under_way(called, at):
            came = handler(self._with_effect(request))
        if _is_handoff(came):
            self._calls.run(self._end_others(called))
        return came

    def after_agent(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Do the same without an event loop."""
        return self._calls.run(self.aafter_agent(state, runtime))

    # -- what is said of earlier calls --------------------------------------------------------

    async def _mended(self, messages: Sequence[AnyMessage], work: Work) -> Update:
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
            answer = await self._interrupted(said, position, work)
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

    async def _interrupted(self, said: AIMessage, position: int, work: Work) -> ToolMessage:
        """Say what became of a call whose run ended before its answer."""
        call = said.tool_calls[position]
        decision = await decision_of(said, None, work)
        if decision is not None and call["name"] in self._calls.effects:
            name = decision.names(said)[position]
            plans = await plans_of(name, work) or await plans_instead_of(name, work)
            if plans is not None:
                return await message(plans, name, str(call["id"]), work)
        return ToolMessage(
            _INTERRUPTED, name=call["name"], tool_call_id=str(call["id"]), status="error"
        )


@dataclass(frozen=True)
class _Called:
    """Say which call of which message a tool is run for.

    Attributes:
        agent: names the run of the agent among all within the run of the thread.
        open: positions of the calls of the message that have no answer yet.
    """

    agent: str
    said: AIMessage
    position: int
    open: Sequence[int]

    def key(self, position: int) -> tuple[str, str, int]:
        """Name a call of the message."""
        return self.agent, str(self.said.id), position


def _called(request: ToolCallRequest) -> _Called | None:
    """Find the message that calls for a tool; None if it is not among the agent's messages."""
    messages: list[AnyMessage] = request.state["messages"]
    namespace: str = get_config()["configurable"].get(CHECKPOINT_NS, "")
    for index, said in reversed([*enumerate(messages)]):
        if not isinstance(said, AIMessage) or is_receipt(said.id):
            continue
        ids = [one["id"] for one in said.tool_calls]
        if request.tool_call["id"] in ids:
            answered = {one.tool_call_id for one in messages[index:] if one.type == "tool"}
            left = [position for position, id_ in enumerate(ids) if id_ not in answered]
            at = ids.index(request.tool_call["id"])
            return _Called(namespace.rpartition("|")[0], said, at, left)
    return None


@contextmanager
def _under_way(called: _Called, at: DecidedAt | None) -> Iterator[None]:
    """Let those beside a call know that it has begun, and how it ends."""
    config = get_config()
    ended, key = run_state(config).ended, called.key(called.position)
    hold_answer(config, run_state(config))
    if key in ended:
        begin_again(config)
    token = decided_at.set(at)
    ended[key], asks = None, False
    try:
        yield
    except GraphInterrupt:
        asks = True
        raise
    finally:
        decided_at.reset(token)
        ended[key] = asks


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
    """Write an answer again, in its place, with what is known by now."""
    if plan is None:
        return said
    action = plan.actions[0]
    nowhere = Place(work.session.thread_id, "", "", "", 1)
    call = CallName(nowhere, action.tool, action.args, 1)
    known = await message([plan], call, said.tool_call_id, work)
    return known.model_copy(update={"id": said.id})
