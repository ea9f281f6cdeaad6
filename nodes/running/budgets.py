"""Budgets of model usage: checked before a model call, and updated after it."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable, Sequence

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from daybook.nodes.running.work import Work
from daybook.state.agent import Turn
from daybook.state.people.budget import Standing, Usage, standing_of
from daybook.state.prompt.tokens import estimated

_LOG = logging.getLogger(__name__)

_MOST = 2**40
"""Tokens of one call: what a provider reports is written down whatever it is."""


def model_name(model: BaseChatModel) -> str:
    """Name a model: as its provider does, else by what it is."""
    # One of someone's own may declare no kind that can be read.
    names = (getattr(model, name, None) for name in ("model_name", "model", "_llm_type"))
    return next((name for name in names if isinstance(name, str)), type(model).__name__)


def usage_of(answer: AIMessage) -> dict[str, int]:
    """Return the tokens that the provider counted; nothing if it told none."""
    usage = answer.usage_metadata
    if usage is None:
        return {}
    cached = usage.get("input_token_details", {}).get("cache_read")
    counted = {"tokens_in": usage["input_tokens"], "tokens_out": usage["output_tokens"]}
    return {**counted, **({"tokens_cached": cached} if cached is not None else {})}


def call_of(answer: AIMessage, model: str, asked: Callable[[], int]) -> Usage:
    """Say what a call of a model took; where the provider reported nothing, by an estimate.

    Args:
        asked: estimates the tokens of what it was asked.
    """
    told, call_id = usage_of(answer), str(uuid.uuid4())
    # No prompt takes nothing: some servers report zeros.
    if not told.get("tokens_in"):
        calls = json.dumps([call["args"] for call in answer.tool_calls], default=str)
        output = estimated(answer.text) + (estimated(calls) if answer.tool_calls else 0)
        return Usage(model, asked(), 0, output, call_id, is_estimated=True)
    given, cached, output = (
        min(max(told.get(name) or 0, 0), _MOST)
        for name in ("tokens_in", "tokens_cached", "tokens_out")
    )
    return Usage(model, given, min(cached, given), output, call_id)


async def standings(work: Work, model: str | None, taken: Sequence[Usage] = ()) -> list[Standing]:
    """Say how the budgets of a run stand, before a model is called.

    Args:
        model: that is to be called; None for none.
        taken: calls of this run that are not written down yet.
    """
    policy, session = work.policy, work.session
    if not policy.budgets:
        return []
    wanted = [(one.per, one.days) for one in policy.budgets]
    found = await work.resources.postgres.usage.used(wanted, session.thread_id, session.user_id)
    return [
        standing_of(one, policy.prices, [*used, *taken], model)
        for one, used in zip(policy.budgets, found, strict=True)
    ]


def stopped_by(budgets: Sequence[Standing]) -> str:
    """Say why no model may be called, or nothing."""
    over = next((one for one in budgets if one.is_over), None)
    if over is None:
        return ""
    _LOG.warning("%s.", over)
    return over.stop


def warnings_of(budgets: Sequence[Standing], given: Sequence[str] = ()) -> list[str]:
    """Warn of budgets that are nearly used up.

    Args:
        given: warnings; none is given twice.
    """
    lines = [f"{one}." for one in budgets if one.warns and one.about not in "".join(given)]
    for line in lines:
        _LOG.warning(line)
    return lines


def warned(turn: Turn, budgets: Sequence[Standing]) -> Turn:
    """Let a turn's answer warn of budgets, of each once."""
    lines = warnings_of(budgets, turn["notices"])
    return {**turn, "notices": [*turn["notices"], *lines]} if lines else turn
