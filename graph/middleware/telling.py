"""Tell the model what came of its calls: a tool message for each, written from the ledger."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from typing import Literal

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage

from daybook.graph.carrying.effects import value_of
from daybook.graph.middleware.decisions import ANSWER, Decided
from daybook.nodes.planning.phases import call_name, place_of
from daybook.nodes.running.work import Work
from daybook.state.ledger.plan import Action, Plan
from daybook.tools.outcomes import NOT_SETTLED

_OPEN = "daybook_open"
"""Marks a message whose call is not settled yet: it is written again when the agent comes back."""

_MADE_ANEW = ("edited", "moved")
"""Decisions after which the call is planned once more, with another version as its outcome."""

_NEVER = "This was not carried out, and nothing was done."

_NOT_SETTLED = (
    "This is not settled yet: the other side does not say whether it was done. It is not done "
    "twice. Do not call it again; it is looked at again when the person comes back."
)


async def came_of(
    message: AIMessage, effects: Sequence[ToolCall], decided: Decided, work: Work
) -> list[ToolMessage]:
    """Answer the effect calls of a message with what came of each, as the ledger has it now."""
    decision = decided.of(effects)
    names = [call_name(place_of(decision), position) for position in range(len(effects))]
    done = await _actions(decided, work)
    asked = [(decided.turn_id, name) for name in names]
    refused, _ = await work.reads.results(work.session.thread_id, asked)
    said = {read.call: str(read.result["said"]) for read in refused if read.cache == "failed"}
    answers = []
    for name, call in zip(names, effects, strict=True):
        versions = done.get(name, [])
        if versions and (name not in said or versions[-1][1].decision not in _MADE_ANEW):
            content, status, is_open = _outcome(versions, work)
            answers.append(_answer(message, call, content, status=status, is_open=is_open))
        else:
            answers.append(_answer(message, call, said.get(name, _NEVER), status="error"))
    return answers


def never(message: AIMessage, call: ToolCall) -> ToolMessage:
    """Answer a call that nothing was done about, because something else came first."""
    return _answer(message, call, _NEVER, status="error")


def untold(messages: Sequence[AnyMessage]) -> Iterator[tuple[AIMessage, list[ToolCall]]]:
    """Yield the model's messages with those of their calls that have no answer, or no last one."""
    for message, answers in _answered(messages):
        told = {one.tool_call_id for one in answers if not one.additional_kwargs.get(_OPEN)}
        if missing := [call for call in message.tool_calls if call["id"] not in told]:
            yield message, missing


def mended(messages: Sequence[AnyMessage], answers: Sequence[ToolMessage]) -> list[AnyMessage]:
    """Put answers where they belong: behind the message whose calls they answer."""
    by_id = {one.id: one for one in answers}
    whole: list[AnyMessage] = []
    for message in messages:
        if message.id not in by_id:
            whole.append(message)
        if isinstance(message, AIMessage):
            ids = [_id(message, call) for call in message.tool_calls]
            whole += [by_id[id_] for id_ in ids if id_ in by_id]
    return whole


def _answer(
    message: AIMessage,
    call: ToolCall,
    content: str,
    *,
    status: Literal["success", "error"],
    is_open: bool = False,
) -> ToolMessage:
    return ToolMessage(
        content,
        name=call["name"],
        tool_call_id=str(call["id"]),
        id=_id(message, call),
        status=status,
        additional_kwargs={_OPEN: True} if is_open else {},
    )


def _id(message: AIMessage, call: ToolCall) -> str:
    """Name an answer; written again by this name, it takes the place of what was said before."""
    return f"{ANSWER}{message.id}/{call['id']}"


def _answered(messages: Sequence[AnyMessage]) -> Iterator[tuple[AIMessage, list[ToolMessage]]]:
    """Yield the model's messages that call tools with the answers that follow each."""
    for index, message in enumerate(messages):
        if isinstance(message, AIMessage) and message.tool_calls:
            after = itertools.takewhile(
                lambda one: not isinstance(one, AIMessage), messages[index + 1 :]
            )
            yield message, [one for one in after if isinstance(one, ToolMessage)]


async def _actions(decided: Decided, work: Work) -> dict[str, list[tuple[Plan, Action]]]:
    """Return by call the actions of a turn, oldest first: an edit makes another one of it."""
    thread_id = work.session.thread_id
    plans = await work.ledger.ended_plans(thread_id, after=decided.entry.seq)
    open_id = await work.ledger.open_plan(thread_id)
    if open_id is not None:
        plans.append((await work.plan(open_id))[0])
    found: dict[str, list[tuple[Plan, Action]]] = {}
    for plan in plans:
        for action in plan.actions if plan.turn_id == decided.turn_id else ():
            found.setdefault(action.call, []).append((plan, action))
    return found


def _outcome(
    versions: Sequence[tuple[Plan, Action]], work: Work
) -> tuple[str, Literal["success", "error"], bool]:
    """Return what to say of a call, its status, and whether more is to come."""
    (_, first), (plan, last) = versions[0], versions[-1]
    if not plan.over or any(step.state in NOT_SETTLED for step in last.steps):
        return _NOT_SETTLED, "error", True
    if not last.succeeded:
        return work.domain.outcome_line(last), "error", False
    shown = _result(last)
    if (last.tool, last.args) != (first.tool, first.args):
        args = ", ".join(f"{name}={value!r}" for name, value in last.args.items())
        shown = (
            f"A person changed this call to {last.tool}({args}), and that was done instead. Do "
            f"not call it again as it was. Result: {shown}"
        )
    return shown, "success", False


def _result(action: Action) -> str:
    """Write a result as the agent's own tool node writes it."""
    (step,) = action.steps
    result = dict(step.result or {})
    if step.asked and set(result) <= {"reference"}:
        # There was no answer but a person's word.
        return f"A person says that it happened. {result.get('reference', '')}".strip()
    value = value_of(result)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
