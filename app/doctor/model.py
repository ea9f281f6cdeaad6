"""The check of the model's provider."""

from __future__ import annotations

from importlib.util import find_spec

import httpx

from daybook.graph.check import SECONDS, Check, Verdict, within_limit
from daybook.graph.settings.environment import Settings
from daybook.tools.domain import Domain

_OPENAI = "https://api.openai.com/v1"
_MOST_NAMES = 5


async def model(settings: Settings, domain: Domain) -> list[Check]:
    """Check that the provider takes the key and has the model; else that there is another."""
    if not settings.has_provider and domain.needs_provider:
        found = f"none: the domain {domain.name} has none of its own, and no provider is set"
        return [Check("model", Verdict.WRONG, found, "Set OPENAI_API_KEY or OPENAI_BASE_URL.")]
    if not settings.has_provider and domain.stand_in:
        return [_standing_in(domain.stand_in)]
    if not settings.has_provider:
        return [Check("model", Verdict.OK, f"the embedded one of the domain {domain.name}")]
    return await within_limit("model", _provider(settings))


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


async def _provider(settings: Settings) -> list[Check]:
    base = (settings.openai_base_url or _OPENAI).rstrip("/")
    key = {"Authorization": f"Bearer {settings.openai_key}"} if settings.openai_key else {}
    try:
        async with httpx.AsyncClient(timeout=SECONDS) as http:
            answer = await http.get(f"{base}/models", headers=key)
    except httpx.HTTPError as error:
        found = f"{base} cannot be reached ({type(error).__name__})"
        return [Check("model", Verdict.WRONG, found, "See OPENAI_BASE_URL and the network.")]
    return [_judged(base, settings.model, answer)]


def _judged(base: str, name: str, answer: httpx.Response) -> Check:
    # The provider's own words are not shown: a refusal may quote the key.
    if answer.status_code in (401, 403):
        found = f"{base} refuses the key ({answer.status_code})"
        return Check("model", Verdict.WRONG, found, "See OPENAI_API_KEY.")
    names = _names(answer)
    if names is None:
        found = f"{base}/models answers {answer.status_code} and no list of models"
        advice = "See OPENAI_BASE_URL; it ends in /v1 with most providers."
        return Check("model", Verdict.WRONG, found, advice)
    if name not in names:
        some = ", ".join(sorted(names)[:_MOST_NAMES]) or "none"
        found = f"{base} answers and has no model {name}, but {len(names)} others: {some}"
        return Check("model", Verdict.WRONG, found, "See DAYBOOK_MODEL.")
    return Check("model", Verdict.OK, f"{name} at {base}")


def _names(answer: httpx.Response) -> set[str] | None:
    """Read the names from the list of models; None where the answer is no such list."""
    if not answer.is_success:
        return None
    try:
        return {str(one["id"]) for one in answer.json()["data"]}
    except (ValueError, TypeError, KeyError):
        return None
