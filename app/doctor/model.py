"""The check of the model's provider."""

from __future__ import annotations

from importlib.util import find_spec

from daybook.graph.check import Check, Verdict
from daybook.graph.model.chosen import chosen_model
from daybook.graph.settings.environment import OPENAI, Settings
from daybook.state.clock import SYSTEM
from daybook.state.errors import NOTHING_DONE, ModelUnavailable
from daybook.tools.domain import Domain

_CALL_SECONDS = 90.0
"""How long the model may take; a server may load it first."""

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
    return await _asked(settings, domain)


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


async def _asked(settings: Settings, domain: Domain) -> list[Check]:
    """Ask the model for a tool call, as a conversation does, without forcing it."""
    found = f"{settings.model} at {(settings.openai_base_url or OPENAI).rstrip('/')}"
    try:
        async with SYSTEM.timeout(_CALL_SECONDS), chosen_model(settings, domain) as asked:
            answer = await asked.bind_tools([_READY]).ainvoke(_ASK)
    except TimeoutError:
        advice = "The server may still load the model: try again, or choose a smaller one."
        return [Check("model", Verdict.WRONG, f"{found}: no answer in {_CALL_SECONDS:g} s", advice)]
    except ModelUnavailable as error:
        # The provider's own words are not shown: a refusal may quote the key.
        why = str(error).removesuffix(NOTHING_DONE).strip()
        advice = "See OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL and the network."
        return [Check("model", Verdict.WRONG, f"{found}: {why}", advice)]
    is_called = any(call["name"] == _NAME for call in getattr(answer, "tool_calls", ()))
    return [Check("model", Verdict.OK, found), _TOOLS if is_called else _NO_TOOLS]


_TOOLS = Check("tools", Verdict.OK, "the model called the tool that it was offered")

_NO_TOOLS = Check(
    "tools",
    Verdict.WRONG,
    "no tool call came back: the server answered with text where a tool was to be called",
    "Its chat template leaves the tools out, or the model cannot call any. Choose a model and "
    "a template with tools (llama.cpp: --jinja; vLLM: --tool-call-parser).",
)
