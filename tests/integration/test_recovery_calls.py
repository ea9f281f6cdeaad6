"""A process that dies on either side of a call: before it is sent, or before its answer is kept."""

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.recovery import Event
from tests.conftest import Shop
from tests.conversation import answer_of
from tests.cuts import Cut, Moment, cut_call
from tests.purchases import PURCHASE, SHORT, agent_of, asked_to_buy, calm, events, work_list


@pytest.mark.parametrize(
    ("moment", "honour"),
    [
        pytest.param("before", True, id="before-keys-honoured"),
        pytest.param("after", True, id="after-keys-honoured"),
        pytest.param("after", False, id="after-keys-ignored"),
        # What was never sent is met by no key.
        pytest.param("before", False, id="before-keys-ignored", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("path", ["/holds", "/charges", "/orders"])
async def test_a_process_may_die_on_either_side_of_each_call(
    postgres: Postgres,
    shop: Shop,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    moment: Moment,
    honour: bool,
):
    shop.keys(honour=honour)
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await asked_to_buy(agent)
        service = agent.resources.services.shop
        post = service.post
        cut = cut_call(post, moment)

        async def dies_at_path(asked: str, *args: object, **more: object) -> object:
            return await (cut if asked == path else post)(asked, *args, **more)

        with monkeypatch.context() as patch:
            patch.setattr(service, "post", dies_at_path)
            with pytest.raises(Cut):
                await talk.approve()
        done = await talk.run(None)
        await calm(shop)
        assert shop.happened() == PURCHASE
        assert "order DB-" in answer_of(done)
        assert await work_list(agent) == {}
        assert agent.model.asked == 4


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("path", ["/refunds", "/releases"])
async def test_a_process_may_die_on_either_side_of_each_compensation(
    postgres: Postgres, shop: Shop, monkeypatch: pytest.MonkeyPatch, path: str, moment: Moment
):
    shop.keys(honour=False)
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await asked_to_buy(agent)
        shop.fault("orders", "refuse", times=agent.resources.patience.attempts)
        service = agent.resources.services.shop
        post = service.post
        cut = cut_call(post, moment)

        async def dies_at_path(asked: str, *args: object, **more: object) -> object:
            return await (cut if asked == path else post)(asked, *args, **more)

        with monkeypatch.context() as patch:
            patch.setattr(service, "post", dies_at_path)
            with pytest.raises(Cut):
                await talk.approve()
        done = await talk.run(None)
        assert shop.happened() == ["reserve", "charge", "refund", "release"]
        assert "Undone: reserve BOOT-001, charge." in answer_of(done)
        assert await work_list(agent) == {}


@pytest.mark.parametrize(("moment", "happens"), [("before", PURCHASE[:3]), ("after", PURCHASE)])
async def test_a_process_may_die_on_either_side_of_the_mail_which_is_then_in_doubt(
    postgres: Postgres,
    shop: Shop,
    monkeypatch: pytest.MonkeyPatch,
    moment: Moment,
    happens: list[str],
):
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await asked_to_buy(agent)
        mail = agent.resources.services.mail
        with monkeypatch.context() as patch:
            patch.setattr(mail, "send", cut_call(mail.send, moment))
            with pytest.raises(Cut):
                await talk.approve()
        done = await talk.run(None)
        assert shop.happened() == happens
        assert "in doubt whether the confirmation mail was sent" in answer_of(done)
        assert (await events(agent, talk, "/send_email"))[-1] is Event.IN_DOUBT
