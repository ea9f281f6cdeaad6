"""Each action of a decision is its own: one that is refused takes none of the others with it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.page import Page
from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.plan import Plan
from daybook.state.session import Session
from tests.parcels.agent import ParcelsAgent, parcels_agent, results
from tests.parcels.fixtures import agent, depot

__all__ = ["agent", "depot"]

BACK = ("give_back", {"parcel": "P-1"})
COLLECT = ("collect", {"parcel": "P-1"})
SEND = ("send", {"to": "Mia"})


def seen(agent: ParcelsAgent, last: int) -> list[str]:
    """Return what the model read last, so many results."""
    return results(agent.model.prompts[-1])[-last:]


@pytest.mark.parametrize("calls", [[BACK, SEND], [SEND, BACK]], ids=["before", "after"])
async def test_what_was_done_already_is_refused_and_its_sibling_is_done(agent, depot, calls):
    await agent.decides([BACK])
    await agent.decides(calls)
    told = dict(zip([name for name, _ in calls], seen(agent, 2), strict=True))
    assert told["give_back"].startswith("give_back refused: parcel/P-1/return was done already")
    assert told["send"].startswith("send confirmed")
    assert depot.done == ["/give_back", "/send"]


async def test_what_is_under_way_elsewhere_is_refused_and_its_sibling_is_done(agent, depot):
    agent.model.then([COLLECT])
    await agent.talk().say("collect it")
    await agent.decides([COLLECT, SEND])
    collect, send = seen(agent, 2)
    assert "is under way already" in collect
    assert send.startswith("send confirmed")


class RacedLedger(Ledger):
    """A ledger in which another thread is first, between the look and the commit of an intent."""

    def __init__(self, postgres: Postgres, first: Callable[[], Awaitable[object]]) -> None:
        super().__init__(postgres.pool)
        self._first: Callable[[], Awaitable[object]] | None = first

    @asynccontextmanager
    async def page(
        self,
        session: Session,
        plan_id: str | None = None,
        tool: str | None = None,
        known: Plan | None = None,
    ) -> AsyncIterator[Page]:
        async with super().page(session, plan_id, tool, known) as page:
            yield page
            if page.about[0] == "opened" and self._first is not None:
                first, self._first = self._first, None
                await first()


async def test_another_thread_may_be_first_with_one_of_them(postgres_url, agent, depot):
    async with parcels_agent(postgres_url, depot.url) as other:
        agent.resources.postgres.ledger = RacedLedger(
            agent.resources.postgres, lambda: other.decides([BACK])
        )
        await agent.decides([BACK, SEND])
    back, send = seen(agent, 2)
    assert "was done already" in back
    assert send.startswith("send confirmed")
    assert depot.done == ["/give_back", "/send"]


async def test_of_an_edited_plan_only_what_cannot_be_begun_is_refused(agent, depot):
    await agent.decides([BACK])
    agent.model.then([("insure", {"to": "Mia"}), COLLECT], lambda prompt: results(prompt)[0])
    talk = agent.talk()
    await talk.say("go")
    edited = {"name": "give_back", "args": {"parcel": "P-1"}}
    await talk.answer({"type": "approve"}, {"type": "edit", "edited_action": edited})
    if (await talk.state()).interrupts:
        await talk.approve()
    insure, back = seen(agent, 2)
    assert insure.startswith("insure confirmed")
    assert "was done already" in back
    assert depot.done == ["/give_back", "/insure"]
