"""The check of the model's provider."""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec
from typing import Any

import httpx
from langchain_core.language_models import BaseChatModel

from daybook.graph.check import SECONDS, Check, Verdict, within_limit
from daybook.graph.model.chosen import chosen_model
from daybook.graph.settings.environment import OPENAI, Settings
from daybook.state.clock import SYSTEM
from daybook.state.errors import NOTHING_DONE, ModelUnavailable
from daybook.tools.domain import Domain

_MOST_NAMES = 5

_CALL_SECONDS = 90.0
"""How long the two calls of the model may take; a server may load the model for the first."""

_NAME = "ready"
_READY = {
    "type": "function",
    "function": {
        "name": _NAME,
        "description": "Report that tools can be called.",
        "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
    },
}
_ASK = f"Call the tool `{_NAME}` now. Write nothing else."


async def model(settings: Settings, domain: Domain) -> list[Check]:
    """Check that the provider takes the key and that the model calls a tool.

    Where no provider is set: that there is another model.
    """
    if not settings.has_provider and domain.needs_provider:
        found = f"none: the domain {domain.name} has none of its own, and no provider is set"
        return [Check("model", Verdict.WRONG, found, "Set OPENAI_API_KEY or OPENAI_BASE_URL.")]
    if not settings.has_provider and domain.stand_in:
        return [_standing_in(domain.stand_in)]
    if not settings.has_provider:
        return [Check("model", Verdict.OK, f"the embedded one of the domain {domain.name}")]
    return await _provider(settings, domain)


def _standing_in(module: str) -> Check:
    """Look whether the stand-in is there, and start nothing."""
    try:
        is_there = find_spec(f"{module}.__main__") is not None
    except ModuleNotFoundError:
        is_there = False
    if not is_there:
        found = f"none: the stand-in {module} is not installed, and no provider is set"
        return Check("model", Verdict.WRONG, found, "Set OPENAI_API_KEY or OPENAI_BASE_URL.")
    return Check("model", Verdict.OK, f"the stand-in {module}, which is started when it is asked")


async def _provider(settings: Settings, domain: Domain) -> list[Check]:
    base = (settings.openai_base_url or OPENAI).rstrip("/")
    names: set[str] = set()
    faults = await within_limit("model", _read_names(base, settings.openai_key, names))
    return faults or await _check_calls(base, names, settings, domain)


async def _read_names(base: str, key: str | None, names: set[str]) -> list[Check]:
    """Read the server's list of models into `names`; return why it cannot be asked at all.

    A server need have no such list, and may serve its model under any name.
    """
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        async with httpx.AsyncClient(timeout=SECONDS) as http:
            answer = await http.get(f"{base}/models", headers=headers)
    except httpx.HTTPError as error:
        found = f"{base} cannot be reached ({type(error).__name__})"
        return [Check("model", Verdict.WRONG, found, "See OPENAI_BASE_URL and the network.")]
    # The provider's own words are not shown: a refusal may quote the key.
    if answer.status_code in (401, 403):
        found = f"{base} refuses the key ({answer.status_code})"
        return [Check("model", Verdict.WRONG, found, "See OPENAI_API_KEY.")]
    names.update(_names(answer))
    return []


async def _check_calls(
    base: str, names: set[str], settings: Settings, domain: Domain
) -> list[Check]:
    """Ask the model, as a conversation does; `names` are those that its server lists."""
    some = ", ".join(sorted(names)[:_MOST_NAMES])
    found = f"{settings.model} at {base}"
    try:
        async with SYSTEM.timeout(_CALL_SECONDS), chosen_model(settings, domain) as asked:
            forced, free = await _calls(asked)
    except TimeoutError:
        advice = "The server may still load the model: try again, or choose a smaller one."
        return [Check("model", Verdict.WRONG, f"{found}: no answer in {_CALL_SECONDS:g} s", advice)]
    except ModelUnavailable as error:
        why = str(error).removesuffix(NOTHING_DONE).strip()
        others = f"The server lists {len(names)} models: {some}." if names else ""
        return [Check("model", Verdict.WRONG, f"{found}: {why}", others)]
    if names and settings.model not in names:
        found += f"; the server answers to this name, and lists others: {some}"
    return [Check("model", Verdict.OK, found), _tools(forced=forced, free=free)]


async def _calls(model: BaseChatModel) -> tuple[bool, bool]:
    """Ask for one tool call; tell whether it came where it was forced, and where it was not.

    Raises:
        ModelUnavailable: the request that a conversation makes, which forces none, has no answer.
    """

    async def called(**options: Any) -> bool:
        answer = await model.bind_tools([_READY], **options).ainvoke(_ASK)
        return any(call["name"] == _NAME for call in answer.tool_calls)

    forced = False
    # Some servers refuse `tool_choice`; a conversation does without.
    with suppress(ModelUnavailable):
        forced = await called(tool_choice=_NAME)
    return forced, await called()


def _tools(*, forced: bool, free: bool) -> Check:
    if free:
        return Check("tools", Verdict.OK, "the model called the tool that it was offered")
    if forced:
        return Check(
            "tools",
            Verdict.NOT_YET,
            "the model called a tool only where it was forced to, and else wrote text",
            "In a conversation nothing forces it. A larger model calls tools by itself; see also "
            "that the server's chat template has tools.",
        )
    return Check(
        "tools",
        Verdict.WRONG,
        "no tool call came back: the server answered with text where a tool was to be called",
        "Its chat template leaves the tools out, or the model cannot call any. Choose a model and "
        "a template with tools (llama.cpp: --jinja; vLLM: --tool-call-parser).",
    )


def _names(answer: httpx.Response) -> set[str]:
    """Read the names from the list of models; none where the answer is no such list."""
    try:
        return {str(one["id"]) for one in answer.json()["data"]} if answer.is_success else set()
    except (ValueError, TypeError, KeyError):
        return set()
