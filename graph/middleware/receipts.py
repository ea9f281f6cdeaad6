"""Receipts beside the agent's text, and the check of that text against the ledger."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import (
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage

from daybook.graph.middleware.calls import answerable
from daybook.graph.middleware.decisions import Decided, Place, decision_of
from daybook.nodes.planning.phases import place_of
from daybook.nodes.prompt.answer_check import findings_payload, known_from, note_for
from daybook.nodes.receipts import shown, thread_plans
from daybook.nodes.running.stream import is_streamed
from daybook.nodes.running.work import Work
from daybook.state.effects.keys import storable
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.people.privacy.redaction import redacted
from daybook.state.receipts import is_receipt, receipt_message
from daybook.tools.receipts.check import Finding, check, correction_text
from daybook.tools.receipts.lines import receipt_lines


class ReceiptState(AgentState[Any]):
    """Add the receipts that are not in the messages yet to the agent's state."""

    daybook_receipts: NotRequired[Annotated[list[AIMessage], PrivateStateAttr]]


Ask = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]

_log = logging.getLogger(__name__)


def without_receipts(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return messages without receipts: a model that read them could imitate them."""
    return [message for message in messages if not is_receipt(message.id)]


async def checked(
    request: ModelRequest[Any], ask: Ask, place: Place, work: Work
) -> ModelResponse[Any]:
    """Ask the model and check its text against the ledger; findings are kept with the decision.

    Where nobody has read the answer yet, the model is asked once more. What was streamed stands,
    and the receipt corrects it.
    """
    response = answerable(await ask(request))
    text = _text(response, request.messages)
    if not text:
        return response
    findings = await _findings(text, request, place, work)
    if findings and not is_streamed():
        second = await _once_more(request, text, findings, ask)
        if second is not None and (again := _text(second, request.messages)):
            response, findings = second, await _findings(again, request, place, work)
    if findings:
        (message,) = [one for one in response.result if isinstance(one, AIMessage)]
        payload = {
            "findings": findings_payload(findings),
            "correction": redacted(correction_text(findings)),
        }
        await decision_of(place, message, work, payload)
    return response


async def receipts_of(decided: Decided, state: ReceiptState, work: Work) -> list[AIMessage]:
    """Return the receipts of the plans that carried a decision out.

    Those that the messages hold are left out, unless more is known of their plan by now.
    """
    thread_id = work.session.thread_id
    plans = await work.ledger.ended_plans(thread_id, after=decided.entry.seq)
    if (open_id := await work.ledger.open_plan(thread_id)) is not None:
        plans.append((await work.plan(open_id))[0])
    # Where somebody went back in the thread, plans of later decisions of the turn are there too.
    calls = f"{place_of(decided.of(()))}."
    own = [
        plan
        for plan in plans
        if plan.turn_id == decided.turn_id and plan.actions[0].call.startswith(calls)
    ]
    known = {message.id: message for message in state["messages"] if is_receipt(message.id)}
    made = [_receipt(plan, known) for plan in own]
    return [one for one in made if one is not None and one.id not in known]


def _receipt(plan: Plan, known: Mapping[str | None, AnyMessage]) -> AIMessage | None:
    """Make the receipt of a plan: while it is open, when it is over, and when that changed."""
    lines = receipt_lines([plan])
    if not plan.over:
        return receipt_message(f"{plan.plan_id}/parked", lines)
    receipt = receipt_message(plan.plan_id, lines)
    before = known.get(receipt.id) if receipt is not None else None
    if receipt is None or before is None or before.additional_kwargs == receipt.additional_kwargs:
        return receipt
    return receipt_message(
        f"{plan.plan_id}/late/{plan.last_seq}", lines, ["Since the last receipt:"]
    )


def store_receipts(state: ReceiptState) -> dict[str, Any] | None:
    """Return the receipts that wait, as messages; None where none waits."""
    receipts = state.get("daybook_receipts")
    return {"messages": receipts, "daybook_receipts": []} if receipts else None


async def correction_of(message: AIMessage, turn_id: str, work: Work) -> list[AIMessage]:
    """Return what contradicts the model's last message in a turn, as a message."""
    for entry in reversed(await work.ledger.turn(work.session.thread_id, turn_id)):
        payload = entry.payload or {}
        if entry.event is Event.DECIDED and payload.get("text") == storable(message.text):
            correction = str(payload.get("correction", ""))
            return shown(receipt_message(turn_id, [], correction=correction), work)
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


def _is_text(message: AnyMessage) -> bool:
    return all(
        block["type"] in ("text", "reasoning", "tool_call") for block in message.content_blocks
    )


async def _findings(
    text: str, request: ModelRequest[Any], place: Place, work: Work
) -> list[Finding]:
    shown_: list[AnyMessage] = list(request.messages)
    if isinstance(request.system_message, SystemMessage):
        shown_.insert(0, request.system_message)
    plans = await thread_plans(work.ledger, work.session.thread_id)
    return check(text, known_from(shown_, plans, place.turn_id, work.domain))


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
        _log.warning("The model gave no second answer.", exc_info=True)
        return None
