"""Receipts in an agent's messages, and the check of its model's text against the ledger."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import (
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage

from daybook.graph.ledger.decisions import answerable, decision_of
from daybook.graph.ledger.identity import PLAN, Place, depth_of
from daybook.graph.ledger.outcome import plans_of
from daybook.nodes.past.plans import emit_receipt, thread_plans
from daybook.nodes.prompt.answer_check import findings_payload, known_from, note_for
from daybook.nodes.running.model_call import is_streamed
from daybook.nodes.running.work import Work
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.people.privacy import redacted
from daybook.state.receipts import is_receipt, receipt_message
from daybook.tools.receipts.check import Finding, check, correction_text
from daybook.tools.receipts.lines import receipt_lines

_LOG = logging.getLogger(__name__)


class LedgerState(AgentState[Any]):
    """Add to the agent's state up to where its messages have the receipts of sub-agents.

    The number is that of an entry of the ledger.
    """

    daybook_seen: NotRequired[Annotated[int, PrivateStateAttr]]


Ask = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
Update = dict[str, Any]


async def missing_receipts(state: LedgerState, place: Place, work: Work) -> Update | None:
    """Return the receipts of the calls that were answered last; None if there is none.

    In the user's own agent those of whatever else ended in the thread, as by sub-agents, too.
    """
    thread_id, messages = work.session.thread_id, state["messages"]
    plans: list[Plan] = []
    is_marked = True
    for said in reversed(messages):
        if isinstance(said, AIMessage) and said.tool_calls and not is_marked:
            plans = await _plans_of(said, place, work)
        if isinstance(said, HumanMessage) or (isinstance(said, AIMessage) and said.tool_calls):
            break
        if isinstance(said, ToolMessage) and (name := said.additional_kwargs.get(PLAN)):
            plan, _ = await work.ledger.plan(thread_id, str(name))
            plans[:0] = [plan] if plan is not None else []
        elif isinstance(said, ToolMessage) and said.name in work.domain.registry.effects:
            # Another middleware wrote the answer again, without its mark.
            is_marked = False
    update: Update = {}
    if place.depth == 1:
        seen = state.get("daybook_seen", 0)
        if ended := await work.ledger.ended_plans(thread_id, after=seen):
            update["daybook_seen"] = max(plan.over_seq for plan in ended)
            plans += await _from_elsewhere(ended, place, work)
    if receipts := [one for plan in plans for one in receipt_of(plan, messages)]:
        update["messages"] = receipts
    return update or None


async def _plans_of(said: AIMessage, place: Place, work: Work) -> list[Plan]:
    """Return what became of the calls of a model's message."""
    decision = await decision_of(said, place, work)
    calls = decision.names(said) if decision is not None else []
    effects = work.domain.registry.effects
    return [
        plan for call in calls if call.tool in effects for plan in (await plans_of(call, work))[-1:]
    ]


async def _from_elsewhere(ended: Sequence[Plan], place: Place, work: Work) -> list[Plan]:
    """Keep the plans of sub-agents, and those of earlier runs that ended before this one began.

    A replay of an earlier run is told nothing of the later ones.
    """
    known = await work.ledger.turn(place.thread_id, place.turn)
    begun = [entry.seq for entry in known if entry.event is Event.RECEIVED]
    return [
        plan
        for plan in ended
        if depth_of(plan.turn_id) > 1
        or (
            not plan.turn_id.startswith(f"{place.turn}/")
            and plan.over_seq < min(begun, default=plan.over_seq + 1)
        )
    ]


def receipt_of(plan: Plan, messages: Sequence[AnyMessage]) -> list[AnyMessage]:
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


async def ask_and_check(
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


def findings_payload_of(findings: Sequence[Finding]) -> Mapping[str, Any]:
    """Write findings as the ledger keeps them with the decision."""
    if not findings:
        return {}
    correction = redacted(correction_text(findings))
    return {"findings": findings_payload(findings), "correction": correction}


async def correction_of(
    messages: Sequence[AnyMessage], place: Place, work: Work
) -> list[AIMessage]:
    """Return what contradicts the model's last message, as a message."""
    for said in reversed(messages):
        if isinstance(said, AIMessage) and not is_receipt(said.id):
            found = await decision_of(said, place, work)
            if found is None:
                return []
            about = found.place.turn_id
            return emit_receipt(receipt_message(about, [], correction=found.correction), work)
    return []


def _text(response: ModelResponse[Any], messages: Sequence[AnyMessage]) -> str:
    """Return a response's text; "" if it calls, or where something shown to it is no text."""
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
    """Ask the model once more; None if it does not answer, or calls something."""
    # Some providers take a system message at the beginning alone.
    note = HumanMessage(note_for(findings).text)
    again = [*request.messages, AIMessage(text), note]
    try:
        return answerable(await ask(request.override(messages=again)))
    except Exception:
        # The first answer is there, and the receipt corrects it without the model.
        _LOG.warning("The model gave no second answer.", exc_info=True)
        return None
