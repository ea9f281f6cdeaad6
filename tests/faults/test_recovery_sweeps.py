"""A purchase whose process dies at every moment there is, one moment a run.

The moments are: just before and just after each page of the ledger is committed, and just
before each write of the checkpointer.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.graph.build import build
from daybook.state.errors import DaybookError
from daybook.state.ledger.recovery import Event, StepState
from daybook.testing.model import Prompt, Turn
from daybook.tools.shop.domain import SHOP
from tests.answers import APPROVE, edit
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.cuts import Cut, CutLedger, CutSaver, Fuse, Moment
from tests.purchases import (
    PURCHASE,
    SHORT,
    agent_of,
    entries,
    events,
    rebuilt,
    still_held,
    work_list,
)

MOST_MOMENTS = 100
"""More than any purchase has: a sweep that goes on so long does not end."""

BOOTS = {"sku": "BOOT-001", "name": "Boots", "quantity": 1, "unit_price": 9_890}
EDIT = edit(card_id="card_hugo_1")

Road = Callable[[Conversation], Awaitable[None]]


async def continued(talk: Conversation) -> None:
    """Continue without a word; only a message that was never taken is sent again."""
    said = (await talk.state()).values["messages"]
    if any(message.id == "m-2" for message in said):
        await talk.run(None)
    else:
        await repeated(talk)


async def repeated(talk: Conversation) -> None:
    """Send the message again, as a client does that got no answer."""
    await talk.say("check out", "m-2")


async def overtaken(talk: Conversation) -> None:
    """Say something else, as a person does that got no answer."""
    await talk.say("what became of it?", "m-3")


def decides(prompt: Prompt) -> Turn:
    """Decide as a good model does: by what the prompt says and not by how often it was asked."""
    latest = max(index for index, message in enumerate(prompt) if message.type == "human")
    results = [message.text for message in prompt[latest:] if message.type == "tool"]
    if results:
        return results[-1]
    return [("checkout", {})] if prompt[latest].text == "check out" else "I see."


@dataclass
class Pair:
    """Hold the process that dies and the one that comes after it, on one database.

    Attributes:
        fuse: when the first one dies.
        road: how the second one takes over.
        answer: what is answered to the question for approval.
    """

    dying: Agent
    living: Agent
    shop: Shop
    fuse: Fuse = field(default_factory=Fuse)
    road: Road = continued
    answer: dict[str, Any] = field(default_factory=lambda: APPROVE)

    async def sweep(self, first: int = 0, every: int = 1) -> None:
        """Die at one moment after the other, until a purchase is over before it comes to that.

        Args:
            first: moments before the first death.
            every: 1 takes each moment, 3 each third one.
        """
        for moments in range(first, MOST_MOMENTS, every):
            try:
                died = await self.dies_after(moments)
            except (AssertionError, DaybookError) as error:
                error.add_note(f"the process died after {moments} moments")
                raise
            if not died:
                assert moments > 10, "a purchase has more moments than that"
                return
        raise AssertionError("the sweep does not end")

    async def dies_after(self, moments: int) -> bool:
        """Buy boots, die after so many moments, take over, and judge what came of it.

        Returns:
            Whether it came to the death at all; a purchase has only so many moments.
        """
        before = len(self.shop.effects())
        talk = Conversation(self.dying.graph, "hugo")
        later = Conversation(self.living.graph, "hugo", talk.thread_id)
        for agent in (self.dying, self.living):
            agent.model.script[:] = [decides] * MOST_MOMENTS
        await talk.happens("click-1", type="add", line=BOOTS)
        self.fuse.light(moments)
        died = False
        try:
            await talk.say("check out", "m-2")
            await talk.answer(self.answer)
        except Cut:
            died = True
        self.fuse.put_out()
        if died:
            await self.road(later)
        if any("in_doubt" not in asked.value for asked in (await later.state()).interrupts):
            await later.answer(self.answer)
        await self.judge(later, self.shop.http.get("/effects").json()[before:])
        return died

    async def judge(self, talk: Conversation, effects: list[dict[str, Any]]) -> None:
        """See that it was bought once and said so, or withdrawn and said so."""
        done = await talk.state()
        asked = [question.value["in_doubt"] for question in done.interrupts]
        assert len(done.tasks) == len(asked)
        assert still_held(self.shop) == []
        happened = [effect["effect"] for effect in effects]
        left = await work_list(self.living, talk)
        if self.road is overtaken and not happened:
            assert done.values["flow"] == "shopping"
            assert left == {}
            return
        assert done.values["flow"] == "ordered"
        assert done.values["cart"].lines == ()
        mail = (await events(self.living, talk, "/send_email"))[-1]
        if mail is Event.IN_DOUBT:
            assert happened in (PURCHASE, PURCHASE[:3])
        else:
            assert happened == PURCHASE
        told = "is in doubt whether the confirmation" if mail is Event.IN_DOUBT else "mailed"
        # Who wrote something else is told by the model, which must have read it.
        said = self.living.model.prompts[-1] if self.road is overtaken else done.values["messages"]
        assert told in "\n".join(message.text for message in said)
        assert list(left.values()) == [StepState.IN_DOUBT] * (mail is Event.IN_DOUBT)
        assert len(asked) == len(left), "a person is asked about it"
        card = effects[1]["detail"]["card_id"]
        assert card == ("card_hugo_1" if self.answer is EDIT else "card_hugo_2")
        if self.road is continued:
            found = [e.event for e in await entries(self.living, talk)]
            assert found.count(Event.DECIDED) == 2, "nothing is decided a second time"


@pytest.fixture
async def pair(
    request: pytest.FixtureRequest, postgres: Postgres, postgres_url: str, shop: Shop
) -> AsyncIterator[Pair]:
    """Yield two processes; when the first one dies is for the test to say."""
    shop.keys(honour=getattr(request, "param", True))
    async with (
        agent_of(postgres, shop, SHORT) as first,
        open_postgres(
            postgres_url, tenant_id="default", stored_types=SHOP.restored_types
        ) as second,
    ):
        yield Pair(first, rebuilt(first, postgres=second), shop)


@pytest.mark.parametrize(
    ("moment", "road", "answer", "first", "every"),
    [
        pytest.param("before", continued, APPROVE, 0, 4, id="before-each-fourth-page"),
        # Each road begins elsewhere: together they take every moment.
        pytest.param("after", continued, APPROVE, 1, 3, id="after-each-third-page"),
        pytest.param("after", repeated, APPROVE, 0, 3, id="after-each-third-repeated"),
        pytest.param("after", overtaken, APPROVE, 2, 3, id="after-each-third-overtaken"),
        *(
            pytest.param(*case, 0, 1, id=f"{name}-every-page", marks=pytest.mark.long)
            for name, case in {
                "before": ("before", continued, APPROVE),
                "after": ("after", continued, APPROVE),
                "repeated": ("after", repeated, APPROVE),
                "overtaken": ("after", overtaken, APPROVE),
                "continued-edited": ("after", continued, EDIT),
                "repeated-edited": ("after", repeated, EDIT),
            }.items()
        ),
    ],
)
async def test_a_process_may_die_on_either_side_of_each_page_of_the_ledger(
    pair: Pair, moment: Moment, road: Road, answer: dict[str, Any], first: int, every: int
):
    """Whoever comes after it takes one of several roads."""
    pair.road, pair.answer = road, answer
    postgres = pair.dying.resources.postgres
    postgres.ledger = CutLedger(postgres, pair.fuse, moment)
    await pair.sweep(first, every)


@pytest.mark.parametrize("pair", [False], indirect=True, ids=["keys-ignored"])
@pytest.mark.parametrize(("moment", "first"), [("before", 0), ("before", 1), ("after", 0)])
async def test_a_process_may_die_beside_each_page_where_no_key_is_honoured(
    pair: Pair, moment: Moment, first: int
):
    """Just before an answer is kept, and just after a claim is: on either side of each call."""
    postgres = pair.dying.resources.postgres
    postgres.ledger = CutLedger(postgres, pair.fuse, moment)
    await pair.sweep(first, 2)


@pytest.mark.long
async def test_a_process_may_die_before_each_write_of_the_checkpointer(pair: Pair):
    agent = pair.dying
    saver = CutSaver(agent.resources.postgres, pair.fuse)
    pair.dying = replace(agent, graph=build(agent.domain, lambda: agent.resources, saver))
    await pair.sweep()
