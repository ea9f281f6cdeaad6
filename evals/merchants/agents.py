"""The agents' side of spck-conformance, run against us: its merchant, its stimuli, its rules."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot

from daybook import Patience, build
from daybook.domain import settings_from
from daybook.graph.merchants.resources import merchants_from, open_resources
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.ucp.signatures import published_keys
from evals.crash.merchants import reply, said
from evals.model_server import serving
from evals.servers import open_json_program
from evals.wallet import wallet_of

_SCENARIOS = ("conformant", "bad_signature", "mismatched_totals")
"""Those of its stimuli that are not about linking identities or AP2 mandates."""

_LANE = Path(__file__).with_name("lane.py")
_ITEM = "teapot_ceramic"
_SOON = replace(Patience(), budget=timedelta(seconds=2), attempts=2)
_PARKS_AFTER = 2.0


@dataclass(frozen=True)
class Graded:
    """What its rules say of us.

    Attributes:
        kept: rules that are kept.
        broken: names of those that are not.
        not_ours: rules about what we do not do.
        others: rules of scenarios that are not run, for they are about none of what we do.
    """

    kept: int
    broken: tuple[str, ...]
    not_ours: int
    others: int


async def grade(environment: dict[str, str], folder: Path, python: Path) -> Graded:
    """Buy at its merchant in each scenario, and let its rules grade what was asked of it.

    Args:
        environment: of the buyer, but for merchant, wallet and model.
        python: of an environment that has spck-conformance.
    """
    paid = {"handler_id": "h1", "credential": {"type": "token", "token": "escalate_token"}}
    file = folder / "lane.json"
    file.write_text(json.dumps(wallet_of("*", **paid)))
    found: list[dict[str, Any]] = []
    rules = 0
    with serving({"lane": partial(reply, looks=True)}) as models:
        own = {"DAYBOOK_WALLET": str(file), "OPENAI_BASE_URL": models["lane"].url}
        for scenario in _SCENARIOS:
            told = await _graded({**environment, **own}, python, scenario)
            found += told["graded"]
            rules = told["rules"]
    counts = Counter(one["verdict"] for one in found)
    return Graded(
        kept=counts["CLEAN"],
        broken=tuple(one["id"] for one in found if one["verdict"] == "DEVIATION"),
        not_ours=counts["not ours"],
        others=rules - len(found),
    )


async def _graded(environment: dict[str, str], python: Path, scenario: str) -> dict[str, Any]:
    keys = published_keys(merchants_from(environment).key)
    async with open_json_program(str(python), str(_LANE), scenario, json.dumps(keys)) as lane:
        url = (await lane.hear())["url"]
        await lane.tell(await _bought({**environment, "DAYBOOK_MERCHANTS": url}, url))
        graded: dict[str, Any] = await lane.hear()
        return graded


async def _bought(environment: Mapping[str, str], url: str) -> dict[str, Any]:
    """Look for something, buy it, and say what was done with what the merchant said."""
    settings, merchants = settings_from(environment), merchants_from(environment)
    async with open_resources(settings, merchants) as opened:
        resources = replace(opened, patience=_SOON, node_seconds=_PARKS_AFTER)
        graph = build(MERCHANTS, lambda: resources, resources.postgres.saver)
        thread = f"lane-{uuid.uuid4()}"
        config: RunnableConfig = {"configurable": {"thread_id": thread, "user_id": "ada"}}
        words = said(url.removeprefix("http://"), _ITEM)
        message = {"role": "user", "content": words, "id": str(uuid.uuid4())}
        await graph.ainvoke({"messages": [message]}, config)
        found = await graph.aget_state(config)
        if found.interrupts:
            approve: Command[Any] = Command(resume={"decisions": [{"type": "approve"}]})
            await graph.ainvoke(approve, config)
            found = await graph.aget_state(config)
        entries = await resources.postgres.ledger.entries(thread)
    page = await _page_opened(found)
    told = " ".join(str(one.text) for one in found.values["messages"])
    return {
        "rejected": any("signature is not the merchant's" in one.reason for one in entries),
        "refused_totals": "do not add up to the total" in told,
        "page": page,
    }


async def _page_opened(found: StateSnapshot) -> str | None:
    """Open the merchant's own page as the person does who was given it; return which it was."""
    # The page may stand in a receipt, or in the model's words before it.
    told = "\n".join(str(one.text) for one in found.values["messages"] if one.type == "ai")
    for cart in found.values.get("carts", ()):
        if cart.checkout is not None and cart.checkout.is_escalated:
            page: str | None = cart.checkout.continue_url
            if page is not None and page in told:
                async with httpx.AsyncClient(trust_env=False) as browser:
                    (await browser.get(page)).raise_for_status()
                return page
    return None
