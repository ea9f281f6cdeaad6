"""The ledger's middleware for `create_agent`: decisions, order, receipts, and what is said."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, NotRequired

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)
from langgraph.config import get_config
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command

from daybook.graph.ledger.answers import SOON
from daybook.graph.ledger.decisions import (
    answerable,
    call_by,
    correction_at,
    decided_by,
    decision_at,
    end_turn,
    record_decision,
)
from daybook.graph.ledger.identity import CallName, Place, depth_of, place_of, run_state
from daybook.graph.ledger.ledger import decided_at
from daybook.graph.ledger.outcome import OPEN, PLAN, is_over, message, plans_of
from daybook.nodes.prompt.answer_check import findings_payload, known_from, note_for
from daybook.nodes.receipts import shown, thread_plans
from daybook.nodes.running.stream import is_streamed
from daybook.nodes.running.work import Work
from daybook.state.ledger.plan import Plan
from daybook.state.people.privacy import redacted
from daybook.state.receipts import is_receipt, receipt_message
from daybook.tools.receipts.check import Finding, check, correction_text
from daybook.tools.receipts.lines import receipt_lines

if TYPE_CHECKING:
    from daybook.graph.ledger.ledger import Ledger

_LOG = logging.getLogger(__name__)

_INTERRUPTED = (
    "This call was interrupted and has no result. It is not known here whether it was carried out."
)


class LedgerState(AgentState[Any]):
    """Add to the agent's state up to where its messages have the receipts of sub-agents.

    The number is that of an entry of the ledger.
    """

    daybook_seen: NotRequired[Annotated[int, PrivateStateAttr]]


Ask = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
Update = dict[str, Any]


class LedgerMiddleware(AgentMiddleware[LedgerState, Any, Any]):
    """Let an agent's effects be decided once, carried out in order, and told as they were.

    The effects themselves run where the agent runs its tools, after all other middlewares.
    """

    state_schema = LedgerState

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.tools = []

    # -- before the model ---------------------------------------------------------------------

    async def abefore_agent(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Settle what earlier runs left, and tell the model what became of it.

        A question that nobody has answered is withdrawn: something new was said.
        """
        running = self._ledger.ready()
        async with running.admitted(get_config()) as (config, work):
            place = await place_of(config)
            await self._ledger.settle_others(place, config, work)
            return await self._mended(state["messages"], work) or None

    async def abefore_model(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Put the receipts of what was carried out into the messages."""
        running = self._ledger.ready()
        async with running.admitted(get_config()) as (config, work):
            return await _receipts(state, await place_of(config), work)

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Ask
    ) -> ModelResponse[Any]:
        """Return what was decided here before; ask the model only where nothing was."""
        running = self._ledger.ready()
        async with running.admitted(get_config()) as (config, work):
            place = await place_of(config, edits=True)
            known = await decision_at(place, work)
        if known is not None:
            return ModelResponse(result=[known])
        # A model that read receipts could imitate them.
        messages = [one for one in request.messages if not is_receipt(one.id)]
        request = request.override(messages=messages)
        response, findings = await _checked(request, handler, place, work)
        decided = [one for one in response.result if isinstance(one, AIMessage)]
        if len(response.result) != 1 or not decided or response.structured_response is not None:
            return response
        async with running.admitted(get_config()) as (_, work):
            recorded = await record_decision(place, decided[0], work, _found(findings))
        return replace(response, result=[recorded])

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
        effect = self._ledger.effect_named(request.tool_call["name"])
        return request if effect is None else request.override(tool=effect)

    async def _call_of(self, request: ToolCallRequest) -> _Called | None:
        """Name a call by its decision, once those before it are over, or ask."""
        if self._ledger.effect_named(request.tool_call["name"]) is None:
            return None
        thread_id = str(get_config()["configurable"].get("thread_id", ""))
        for said in reversed(request.state["messages"]):
            if not isinstance(said, AIMessage) or is_receipt(said.id):
                continue
            ids = [one["id"] for one in said.tool_calls]
            if request.tool_call["id"] not in ids:
                continue
            position = ids.index(request.tool_call["id"])
            place = decided_by(said, thread_id)
            if place is None:
                return None
            called = _Called(place.within(position), place.turn_id, position)
            answered = {one.tool_call_id for one in request.state["messages"] if one.type == "tool"}
            before = [
                (earlier, call)
                for earlier in range(position)
                if ids[earlier] not in answered
                and self._ledger.effect_named(said.tool_calls[earlier]["name"]) is not None
                and (call := call_by(said, earlier, thread_id)) is not None
            ]
            await self._wait_for(before, called)
            return called
        return None

    async def _wait_for(self, before: Sequence[tuple[int, CallName]], called: _Called) -> None:
        """Wait until the effects before it in the message are over, or ask; for some time.

        One that another middleware has answered by itself never comes.
        """
        running = self._ledger.ready()
        await running.database.opened()
        work = running.work(get_config())
        until = work.clock.monotonic() + work.resources.node_seconds
        ended = run_state(get_config()).ended
        for position, call in before:
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
        running = self._ledger.ready()
        async with running.admitted(get_config()) as (config, work):
            place = await place_of(config)
            if place.depth > 1:
                # What is last is the answer of a sub-agent, to whatever called it.
                return None
            # Receipts are left where a run ends without another model call: `return_direct`.
            update = await _receipts(state, place, work) or {}
            await end_turn(place, work)
            correction = await _correction(state["messages"], work)
        if correction:
            update["messages"] = [*update.get("messages", ()), *correction]
        return update or None

    # -- the same, for those who await nothing ------------------------------------------------

    def before_agent(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Do the same without an event loop."""
        return self._ledger.run(self.abefore_agent(state, runtime))

    def before_model(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Do the same without an event loop."""
        return self._ledger.run(self.abefore_model(state, runtime))

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        """Do the same without an event loop."""

        async def ask(asked: ModelRequest[Any]) -> ModelResponse[Any]:
            return await asyncio.to_thread(handler, asked)

        return self._ledger.run(self.awrap_model_call(request, ask))

    def wrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]],
    ) -> ToolMessage | Command[Any]:
        """Do the same without an event loop."""
        call: Coroutine[Any, Any, _Called | None] = self._call_of(request)
        called = self._ledger.run(call)
        if called is None:
            return handler(self._with_effect(request))
        with self._under_way(called):
            return handler(self._with_effect(request))

    def after_agent(self, state: LedgerState, runtime: Runtime[Any]) -> Update | None:
        """Do the same without an event loop."""
        return self._ledger.run(self.aafter_agent(state, runtime))

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
                    receipts += _receipt_of(plan, messages)
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
            if (plan_id := answer.additional_kwargs.get(PLAN)) is not None:
                known_plan, _ = await work.plan(plan_id)
                receipts += _receipt_of(known_plan, messages)
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
        name = call_by(said, position, work.session.thread_id)
        if name is not None and self._ledger.effect_named(call["name"]) is not None:
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


# -- receipts -------------------------------------------------------------------------------------


async def _receipts(state: LedgerState, place: Place, work: Work) -> Update | None:
    """Return the receipts of the calls that were answered last; None where there is none.

    In the user's own agent those of its sub-agents' calls, too.
    """
    thread_id, messages = work.session.thread_id, state["messages"]
    plans: list[Plan] = []
    for said in reversed(messages):
        if isinstance(said, HumanMessage) or (isinstance(said, AIMessage) and said.tool_calls):
            break
        if isinstance(said, ToolMessage) and (name := said.additional_kwargs.get(PLAN)):
            plan, _ = await work.ledger.plan(thread_id, str(name))
            plans[:0] = [plan] if plan is not None else []
    update: Update = {}
    if place.depth == 1:
        seen = state.get("daybook_seen", 0)
        ended = await work.ledger.ended_plans(thread_id, after=seen)
        plans += [plan for plan in ended if depth_of(plan.turn_id) > 1]
        if ended:
            update["daybook_seen"] = max(plan.over_seq for plan in ended)
    if receipts := [one for plan in plans for one in _receipt_of(plan, messages)]:
        update["messages"] = receipts
    return update or None


def _receipt_of(plan: Plan, messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Make the receipt of a plan: while it is open, when it is over, and when that changed."""
    lines = receipt_lines([plan])
    name = plan.plan_id if plan.over else f"{plan.plan_id}/parked"
    receipt = receipt_message(name, lines)
    known = {one.id: one for one in messages if is_receipt(one.id)}
    before = known.get(receipt.id) if receipt is not None else None
    if receipt is not None and before is not None:
        if not plan.over or before.additional_kwargs == receipt.additional_kwargs:
            return []
        late = f"{plan.plan_id}/late/{plan.last_seq}"
        receipt = receipt_message(late, lines, ["Since the last receipt:"])
    return [] if receipt is None or receipt.id in known else [receipt]


# -- the check of the model's text ----------------------------------------------------------------


async def _checked(
    request: ModelRequest[Any], ask: Ask, place: Place, work: Work
) -> tuple[ModelResponse[Any], list[Finding]]:
    """Ask the model and check its text against the ledger.

    Where nobody has read the answer yet, the model is asked once more. What was streamed stays, and
    a correction follows it.
    """
    response = answerable(await ask(request))
    text = _text(response, request.messages)
    if not text:
        return response, []
    findings = await _findings(text, request, place, work)
    if findings and not is_streamed():
        second = await _once_more(request, text, findings, ask)
        if second is not None and (again := _text(second, request.messages)):
            return second, await _findings(again, request, place, work)
    return response, findings


def _found(findings: Sequence[Finding]) -> Mapping[str, Any]:
    """Write findings as the ledger keeps them with the decision."""
    if not findings:
        return {}
    correction = redacted(correction_text(findings))
    return {"findings": findings_payload(findings), "correction": correction}


async def _correction(messages: Sequence[AnyMessage], work: Work) -> list[AIMessage]:
    """Return what contradicts the model's last message, as a message."""
    for said in reversed(messages):
        if isinstance(said, AIMessage) and not is_receipt(said.id):
            place = decided_by(said, work.session.thread_id)
            correction = await correction_at(place, work) if place is not None else ""
            about = place.turn_id if place is not None else ""
            return shown(receipt_message(about, [], correction=correction), work)
    return []


def _text(response: ModelResponse[Any], messages: Sequence[AnyMessage]) -> str:
    """Return a response's text; "" where it calls, or where something shown to it is no text."""
    if response.structured_response is not None or len(response.result) != 1:
        return ""
    (answer,) = response.result
    if not isinstance(answer, AIMessage) or answer.tool_calls or answer.invalid_tool_calls:
        return ""
    # A picture may tell of what no text does.
    return answer.text if all(map(_is_text, (*messages, answer))) else ""


def _is_text(said: AnyMessage) -> bool:
    return all(block["type"] in ("text", "reasoning", "tool_call") for block in said.content_blocks)


async def _findings(
    text: str, request: ModelRequest[Any], place: Place, work: Work
) -> list[Finding]:
    shown_: list[AnyMessage] = list(request.messages)
    if isinstance(request.system_message, SystemMessage):
        shown_.insert(0, request.system_message)
    plans = [
        replace(plan, turn_id=place.turn) if plan.turn_id.startswith(f"{place.turn}/") else plan
        for plan in await thread_plans(work.ledger, work.session.thread_id)
    ]
    return check(text, known_from(shown_, plans, place.turn, work.domain))


async def _once_more(
    request: ModelRequest[Any], text: str, findings: Sequence[Finding], ask: Ask
) -> ModelResponse[Any] | None:
    """Ask the model once more; None where it does not answer, or calls something."""
    # Some providers take a system message at the beginning alone.
    note = HumanMessage(note_for(findings).text)
    again = [*request.messages, AIMessage(text), note]
    try:
        return answerable(await ask(request.override(messages=again)))
    except Exception:
        # The first answer is there, and the receipt corrects it without the model.
        _LOG.warning("The model gave no second answer.", exc_info=True)
        return None
