"""Threads in the middle of something as earlier commits left them, and how they are made.

They stand in tests/fixtures/commits/<commit>: a question that waits, a step in doubt that waits, a
plan under way whose process died after its first claim. They hold what was stored in between
releases, which a renamed field, a lost migration or a question of another shape would break.

To make those of a commit, check it out beside this one and run its own code by this file:

    git worktree add --detach ../then COMMIT
    cd ../then && PYTHONPATH=$PWD python -P ../daybook/tests/stored_questions.py FOLDER

Do so once for a commit and never again. Written is JSON in gzip, one file a thread, in the form of
`tests.stored_threads`. What names a machine or a shop is left out.
"""

import asyncio
import gzip
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.checkpoints.postgres import open_postgres
from daybook.nodes.running import work
from daybook.state.ledger.recovery import Event
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation
from tests.cuts import Cut, CutLedger, Fuse
from tests.purchases import asked_to_buy, events, rebuilt
from tests.scripted import last_result
from tests.shop_process import ShopProcess
from tests.stored_threads import stored

FOLDER = Path(__file__).parent / "fixtures" / "commits"

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


MAKERS: tuple[Callable[[Agent, Shop], Awaitable[Conversation]], ...] = (
    a_question,
    a_doubt,
    a_plan_under_way,
)


def read(folder: Path, name: str) -> dict[str, Any]:
    """Read a thread of a commit's folder."""
    thread: dict[str, Any] = json.loads(gzip.decompress((folder / f"{name}.json.gz").read_bytes()))
    return thread


def _begin_anew(shop: Shop) -> None:
    shop.http.post("/admin/reset").raise_for_status()


async def _write(folder: Path) -> None:
    work.WORKER = "worker"
    with (
        tempfile.TemporaryDirectory() as home,
        embedded_postgres(Path(home) / "postgres") as server,
        tempfile.TemporaryDirectory() as of_the_shop,
    ):
        process = ShopProcess(Path(of_the_shop))
        try:
            with httpx.Client(base_url=process.url) as http:
                smtp_url = f"smtp://{process.smtp_host}:{process.smtp_port}"
                shop = Shop(process.url, smtp_url, http)
                types = SHOP.restored_types
                async with (
                    open_postgres(server.url, tenant_id="default", stored_types=types) as postgres,
                    shop_agent(postgres, shop) as hasty,
                ):
                    patience = hasty.resources.patience
                    if hasattr(patience, "question"):
                        # What is stored must not be over when it is read.
                        patience = replace(patience, question=_LONG, approval=_LONG)
                    agent = rebuilt(hasty, patience=patience)
                    for make in MAKERS:
                        _begin_anew(shop)
                        talk = await make(agent, shop)
                        thread = await stored(server.url, talk.thread_id)
                        for row in thread["tables"]["thread"]:
                            row.update({name: None for name in ("world",) if name in row})
                        text = json.dumps(thread, separators=(",", ":"))
                        packed = gzip.compress(text.encode(), mtime=0)
                        (folder / f"{make.__name__}.json.gz").write_bytes(packed)
        finally:
            process.end()


if __name__ == "__main__":
    made = Path(sys.argv[1])
    made.mkdir(parents=True)
    asyncio.run(_write(made))
