"""A process that dies on either side of a call: before it is sent, or before its answer is kept."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.recovery import Event
from tests.conftest import Agent, Shop
from tests.conversation import answer_of
from tests.cuts import Cut, Moment, cut_call
from tests.purchases import PURCHASE, SHORT, agent_of, asked_to_buy, calm, events, work_list


@contextmanager
def dying(agent: Agent, path: str, moment: Moment) -> Iterator[None]:
    """Let the process die on one side of a call to the shop."""
    service = agent.resources.services.shop
    post = service.post
    cut = cut_call(post, moment)

    async def dies_at_path(asked: str, *args: object, **more: object) -> object:
        return await (cut if asked == path else post)(asked, *args, **more)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Cut):
        patch.setattr(service, "post", dies_at_path)
        yield


@pytest.mark.parametrize(
    ("path", "moment", "honour"),
    [
        pytest.param("/holds", "after", False, id="after-hold-keys-ignored"),
        pytest.param("/charges", "after", True, id="after-charge-keys-honoured"),
        pytest.param("/charges", "after", False, id="after-charge-keys-ignored"),
        pytest.param("/orders", "after", False, id="after-order-keys-ignored"),
        # What was never sent is met by no key.
        pytest.param("/orders", "before", False, id="before-order-keys-ignored"),
    ],
)
async def test_a_process_may_die_on_either_side_of_a_call(postgres, shop, path, moment, honour):
    """Where keys are honoured, the sweeps over all pages die at the other moments."""
    shop.keys(honour=honour)
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await asked_to_buy(agent)
        with dying(agent, path, moment):
            await talk.approve()
        done = await talk.run(None)
        await calm(shop)
        assert shop.happened() == PURCHASE
        assert "order DB-" in answer_of(done)
        assert await work_list(agent) == {}
        assert agent.model.asked == 4


@pytest.mark.parametrize(
    ("path", "moment"),
    [("/refunds", "after"), ("/releases", "before"), ("/releases", "after")],
)
async def test_a_process_may_die_on_either_side_of_a_compensation(postgres, shop, path, moment):
    shop.keys(honour=False)
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await asked_to_buy(agent)
        shop.fault("orders", "refuse", times=agent.resources.patience.attempts)
        with dying(agent, path, moment):
            await talk.approve()
        done = await talk.run(None)
        assert shop.happened() == ["reserve", "charge", "refund", "release"]
        assert "Undone: reserve BOOT-001, charge." in answer_of(done)
        assert await work_list(agent) == {}


@pytest.mark.parametrize(("moment", "happens"), [("before", PURCHASE[:3]), ("after", PURCHASE)])
async def test_a_process_may_die_on_either_side_of_the_mail_which_is_then_in_doubt(
    postgres: Postgres, shop: Shop, moment: Moment, happens: list[str]
):
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await asked_to_buy(agent)
        mail = agent.resources.services.mail
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Cut):
            patch.setattr(mail, "send", cut_call(mail.send, moment))
            await talk.approve()
        done = await talk.run(None)
        assert shop.happened() == happens
        assert "in doubt whether the confirmation mail was sent" in answer_of(done)
        assert (await events(agent, talk, "/send_email"))[-1] is Event.IN_DOUBT
