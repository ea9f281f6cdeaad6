"""Checks of the other sides: the shop, its mail server and the model's provider."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import httpx

from app.doctor.check import SECONDS, Check, Verdict, within_limit
from checkpoints.keeper import KeeperError
from graph.resources import keep_shop, shop_has_data
from graph.settings import Settings
from tools.mail import MailService
from tools.shop.services import reach_shop

_OPENAI = "https://api.openai.com/v1"
_MOST_NAMES = 5


async def shop(settings: Settings) -> list[Check]:
    """Check the shop and the mail server that the settings name, else our own if it has data."""
    with ExitStack() as stack:
        if settings.shop_url is not None and settings.smtp_url is not None:
            shop_url, smtp_url = settings.shop_url, settings.smtp_url
        elif not shop_has_data(settings.home):
            found = f"no data below {settings.home}: a shop of our own was never started"
            return [Check("shop", Verdict.NOT_YET, found, "The first `daybook chat` does it.")]
        else:
            try:
                kept = await asyncio.to_thread(keep_shop, settings.home)
            except KeeperError as error:
                return [Check("shop", Verdict.WRONG, str(error))]
            stack.callback(kept.close)
            shop_url, smtp_url = kept.answer
        both = await asyncio.gather(
            within_limit("shop", _shop(shop_url, smtp_url)),
            within_limit("mail", _mail(smtp_url)),
        )
        return [check for checks in both for check in checks]


async def _shop(shop_url: str, smtp_url: str) -> list[Check]:
    services = await reach_shop(shop_url, smtp_url)
    await services.close()
    return [Check("shop", Verdict.OK, f"{shop_url} answers; its currency is {services.currency}")]


async def _mail(smtp_url: str) -> list[Check]:
    await MailService(smtp_url).greet(SECONDS)
    return [Check("mail", Verdict.OK, f"{smtp_url} answers")]


async def model(settings: Settings) -> list[Check]:
    """Check that the provider takes the key and has the model; the embedded one needs no check."""
    if not settings.has_provider:
        found = "the embedded rule-based one, which understands plain shopping English"
        return [Check("model", Verdict.OK, found)]
    return await within_limit("model", _provider(settings))


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
