"""Threads in the middle of something as earlier commits left them, and how they are made.

They stand in tests/fixtures/commits/<commit>: a question that waits, a step in doubt that waits, a
plan under way whose process died after its first claim; from 3902609 on also what a person said
and chose, a finished purchase, an agent of `create_agent` that waits, and an encrypted question.
They hold what was stored in between releases, which a renamed field, a moved class, a lost
migration or a question of another shape would break.

To make those of a commit, check it out beside this one and run its own code by this file:

    git worktree add --detach ../then COMMIT
    cd ../then && PYTHONPATH=$PWD python -P ../daybook/tests/stored_questions.py FOLDER

Do so once for a commit and never again. Written is JSON in gzip, one file a thread, in the form of
`tests.stored_threads`; and, as `stored_types_<commit>.json` beside the folder of commits, by what
names their checkpoints may call the classes that they restore. What names a machine or a shop is left out.
"""

import asyncio
import gzip
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.checkpoints.postgres import open_postgres
from daybook.nodes.running import identity
from daybook.state.ledger.recovery import Event
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation
from tests.cuts import Cut, CutLedger, Fuse
from tests.databases import database
from tests.integration.desk import open_desk
from tests.purchases import asked_to_buy, bought, events, rebuilt
from tests.scripted import last_result
from tests.shop_process import ShopProcess
from tests.stored_threads import stored

FOLDER = Path(__file__).parent / "fixtures" / "commits"

KEY = b"0123456789abcdef"
"""Of the encrypted thread."""

_LONG = timedelta(days=36_500)


async def a_question(agent: Agent, shop: Shop) -> Conversation:
    """Bring a purchase to the question for approval."""
    return await asked_to_buy(agent)


async def a_doubt(agent: Agent, shop: Shop) -> Conversation:
    """Bring a mail, whose answer is lost, to the question whether it happened."""
    talk = Conversation(agent.graph)
    agent.model.script.clear()
    mail = ("send_email", {"subject": "Hello", "body": "As you asked."})
    agent.model.then([mail], last_result)
    await talk.say("mail me")
    shop.fault("mail", "drop", seconds=30)
    doubtful = await talk.approve()
    assert doubtful.interrupts
    return talk


async def a_plan_under_way(agent: Agent, shop: Shop) -> Conversation:
    """Approve a purchase, and die when the claim of its first step is written."""
    for pages in range(20):
        agent.model.script.clear()
        talk = await asked_to_buy(agent)
        postgres, fuse = agent.resources.postgres, Fuse()
        kept, postgres.ledger = postgres.ledger, CutLedger(postgres, fuse, "after")
        fuse.light(pages)
        try:
            await talk.approve()
        except Cut:
            postgres.ledger = kept
        if Event.ATTEMPTED in await events(agent, talk, "/reserve/BOOT-001"):
            assert shop.happened() == []
            return talk
    raise AssertionError("no step was claimed")


async def what_a_person_said(agent: Agent, shop: Shop) -> Conversation:
    """Fill and thin out a cart, remember, learn twice from a failure, be interviewed, and wish."""
    talk = Conversation(agent.graph)
    agent.model.script.clear()
    boots = [("add_to_cart", {"sku": sku}) for sku in ("BOOT-001", "BOOT-002", "BOOT-003")]
    agent.model.then(boots, "They are in the cart.")
    await talk.say("add the first three boots")
    await talk.happens("click-1", type="remove", sku="BOOT-002")
    for _ in range(2):
        agent.model.then([("add_to_cart", {"sku": "BOOT-001", "quantity": 98})], last_result)
        await talk.say("98 more please")
    size = {"subject": "shoe size", "value": "42", "kind": "constraint"}
    agent.model.then([("remember", size)], "Noted.")
    await talk.say("my shoe size is 42")
    brief = {
        **{"category": "hiking-boots", "max_price": 15_000, "size": "42", "for_whom": "me"},
        **{"must_have": ["waterproof", "leather"]},
    }
    agent.model.then(
        [("start_interview", {"goal": "a week in the Alps"})],
        [("note_brief", brief)],
        [("hand_over", {"wish": "see socks"})],
        [("search_products", {"query": "wool socks"})],
        "There are wool socks.",
    )
    await talk.say("help me choose, or rather: show me socks")
    return talk


async def a_finished_purchase(agent: Agent, shop: Shop) -> Conversation:
    """Buy one pair of boots."""
    agent.model.script.clear()
    return await bought(agent)


MAKERS: tuple[Callable[[Agent, Shop], Awaitable[Conversation]], ...] = (
    a_question,
    a_doubt,
    a_plan_under_way,
    what_a_person_said,
    a_finished_purchase,
)


def read(folder: Path, name: str) -> dict[str, Any]:
    """Read a thread of a commit's folder."""
    thread: dict[str, Any] = json.loads(gzip.decompress((folder / f"{name}.json.gz").read_bytes()))
    return thread


def _begin_anew(shop: Shop) -> None:
    shop.http.post("/admin/reset").raise_for_status()


@asynccontextmanager
async def _patient_agent(url: str, shop: Shop, key: bytes | None = None) -> AsyncIterator[Agent]:
    """Open the shop's agent, whose questions are not over when they are read."""
    types = SHOP.restored_types
    async with (
        open_postgres(url, tenant_id="default", stored_types=types, key=key) as postgres,
        shop_agent(postgres, shop) as hasty,
    ):
        patience = hasty.resources.patience
        if hasattr(patience, "question"):
            patience = replace(patience, question=_LONG, approval=_LONG)
        yield rebuilt(hasty, patience=patience)


async def _keep(folder: Path, name: str, url: str, thread_id: str) -> None:
    thread = await stored(url, thread_id)
    for row in thread["tables"]["thread"]:
        row.update({name: None for name in ("world",) if name in row})
    text = json.dumps(thread, separators=(",", ":"))
    (folder / f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


async def _keep_all(folder: Path, server_url: str, shop: Shop) -> None:
    async with _patient_agent(server_url, shop) as agent:
        for make in MAKERS:
            _begin_anew(shop)
            talk = await make(agent, shop)
            await _keep(folder, make.__name__, server_url, talk.thread_id)
        _begin_anew(shop)
        patience = replace(agent.resources.patience, question=_LONG, approval=_LONG)
        postgres = agent.resources.postgres
        async with open_desk(postgres, shop.url, patience=patience) as desk:
            charge = {"order_id": "o-1", "card_id": "card_ada_1", "amount": 1200}
            desk.model.then([("charge_card", charge)])
            assert (await desk.say("charge me")).interrupts
            await _keep(folder, "an_agent_that_waits", server_url, desk.thread)
    with database(server_url) as sealed_url:
        _begin_anew(shop)
        async with _patient_agent(sealed_url, shop, KEY) as agent:
            talk = await a_question(agent, shop)
            await _keep(folder, "an_encrypted_question", sealed_url, talk.thread_id)


def _keep_names(folder: Path) -> None:
    names = sorted([one.__module__, one.__name__] for one in SHOP.restored_types)
    rows = ",\n".join(map(json.dumps, names))
    (folder.parents[1] / f"stored_types_{folder.name}.json").write_text(f"[\n{rows}\n]\n")


async def _write(folder: Path) -> None:
    identity.WORKER = "worker"
    with (
        tempfile.TemporaryDirectory() as home,
        embedded_postgres(Path(home) / "postgres") as server,
        tempfile.TemporaryDirectory() as of_the_shop,
    ):
        process = ShopProcess(Path(of_the_shop))
        try:
            with httpx.Client(base_url=process.url) as http:
                smtp_url = f"smtp://{process.smtp_host}:{process.smtp_port}"
                await _keep_all(folder, server.url, Shop(process.url, smtp_url, http))
        finally:
            process.end()


if __name__ == "__main__":
    made = Path(sys.argv[1]).absolute()
    made.mkdir(parents=True)
    asyncio.run(_write(made))
    _keep_names(made)
