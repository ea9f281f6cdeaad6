"""Hold what the agent answers against the ledger: what it says was done, and what was not.

Numbers and identifiers are not judged here: another middleware may have shown the model some.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from daybook.graph.middleware.calls import answerable
from daybook.graph.middleware.decisions import Place, decision_of
from daybook.nodes.prompt.spoken import kinds_in, noted, outcomes_in, refused_words
from daybook.nodes.running.work import Work
from daybook.tools.said.check import Untrue, corrected, of_effects_in
from daybook.tools.said.known import Known, known

Ask = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]

_log = logging.getLogger(__name__)


async def held(
    request: ModelRequest[Any], response: ModelResponse[Any], ask: Ask, place: Place, work: Work
) -> ModelResponse[Any]:
    """Return a response whose answer contradicts nothing that the ledger tells.

    The model is asked once more, with what is so; it may look something up then, and act no more.
    What contradicts again is taken out, and what is so stands first. What was not let through is
    kept with the decision.
    """
    text = _answer(response, request.messages)
    if not text:
        return response
    told = await _known(request.messages, place, work)
    found = of_effects_in(text, told)
    if not found:
        return response
    unsaid = [refused_words(text, found)]
    second = await _once_more(request, text, found, ask)
    if second is not None and not _acts(second, work):
        response, text = second, _answer(second, request.messages)
        if found := of_effects_in(text, told):
            unsaid.append(refused_words(text, found))
    if found:
        message = AIMessage(corrected(text, found))
        response = replace(response, result=[message])
    (message,) = [one for one in response.result if isinstance(one, AIMessage)]
    await decision_of(place, message, work, unsaid)
    return response


def _answer(response: ModelResponse[Any], messages: Sequence[AnyMessage]) -> str:
    """Return what a response answers, "" where it calls, or where nobody can read what was shown.

    A picture may tell of what no text does.
    """
    if response.structured_response is not None or len(response.result) != 1:
        return ""
    (answer,) = response.result
    if not isinstance(answer, AIMessage) or answer.tool_calls or answer.invalid_tool_calls:
        return ""
    return answer.text if all(map(_is_text, (*messages, answer))) else ""


def _is_text(message: AnyMessage) -> bool:
    return all(
        block["type"] in ("text", "reasoning", "tool_call") for block in message.content_blocks
    )


async def _known(messages: Sequence[AnyMessage], place: Place, work: Work) -> Known:
    """Gather what became of the effects of the thread, and what the agent was told."""
    ledger, thread_id = work.ledger, work.session.thread_id
    plans = await ledger.ended_plans(thread_id, after=0)
    if (open_id := await ledger.open_plan(thread_id)) is not None:
        plans.append((await work.plan(open_id))[0])
    told = [one.text for one in messages if isinstance(one, ToolMessage)]
    effects = work.domain.registry.effects
    lines = [
        line
        for one in messages
        if isinstance(one, ToolMessage) and one.name in effects
        for line in one.text.split("\n")
    ]
    return known(
        told,
        [one.text for one in messages if isinstance(one, HumanMessage)],
        effects=outcomes_in(plans, place.turn_id, work.domain),
        kinds=kinds_in(work.domain),
        lines=lines,
    )


async def _once_more(
    request: ModelRequest[Any], text: str, found: Sequence[Untrue], ask: Ask
) -> ModelResponse[Any] | None:
    """Ask the model once more; None where it does not answer."""
    again = [*request.messages, AIMessage(text), HumanMessage(noted(found))]
    try:
        return answerable(await ask(request.override(messages=again)))
    except Exception:
        # The first answer is there, and is set right without the model.
        _log.warning("The model gave no second answer.", exc_info=True)
        return None


def _acts(response: ModelResponse[Any], work: Work) -> bool:
    calls = [
        call for one in response.result if isinstance(one, AIMessage) for call in one.tool_calls
    ]
    return any(call["name"] in work.domain.registry.effects for call in calls)
