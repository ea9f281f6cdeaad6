"""A service does what it is asked and answers wrongly: what it did is never taken for another's.

What the service really did is the judge. Whatever a machine cannot know is put to a person.
"""

from collections.abc import AsyncIterator

import pytest

from daybook.testing import wrong_answers as wrong
from tests.conversation import Conversation, answer_of, turn_receipt_text
from tests.strangers.agent import StrangersAgent, agent_on
from tests.strangers.domains import wrong as adopted
from tests.strangers.malformed import MALFORMED
from tests.strangers.services import Where, Wrong

BOUGHT = ["charge", "order"]


@pytest.fixture
def service() -> Wrong:
    return Wrong()


@pytest.fixture
async def agent(postgres_url: str, service: Wrong) -> AsyncIterator[StrangersAgent]:
    async with agent_on(postgres_url, service, adopted) as agent:
        yield agent


async def bought(agent: StrangersAgent, service: Wrong) -> None:
    """Buy, and see that it happened once, stands, and was said."""
    talk = await agent.asked_to_buy()
    done = await talk.approve()
    assert service.happened("mia") == BOUGHT, "done once, and nothing of it was undone"
    assert answer_of(done).startswith("buy confirmed: done"), answer_of(done)
    assert "duplicate" not in answer_of(done) + turn_receipt_text(done)


async def in_doubt(agent: StrangersAgent, service: Wrong, kind: str, **args: str) -> Conversation:
    """Buy, and see that a step came to a person, with what was done left as it is."""
    talk = await agent.asked_to_buy(**args)
    asked = await talk.approve()
    assert "refund" not in service.happened(), "what was not known to be ours was undone"
    assert asked.interrupts, f"nobody was asked: {answer_of(asked)}"
    assert asked.interrupts[0].value["in_doubt"].endswith(f"/{kind}/1")
    wanted = ["charge"] if kind == "charge" else BOUGHT
    assert service.happened("mia") == wanted, "nothing is built on it, and nothing is sent again"
    return talk


# -- the same effect, shown otherwise --------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "lie"),
    [
        pytest.param("charge", wrong.zulu, id="a time with Z"),
        pytest.param("charge", wrong.masked, id="a masked card"),
        pytest.param("charge", wrong.with_fields(updated_at="2031-05-06T12:00:01Z"), id="a time"),
        pytest.param("charge", wrong.with_fields(refunded=None), id="a field that is empty"),
        pytest.param("order", wrong.with_fields(status="shipped"), id="a status that moved"),
    ],
)
async def test_a_row_that_is_written_otherwise_is_the_same_effect(agent, service, kind, lie):
    service.lie("look", kind, "mia", lie)
    await bought(agent, service)


@pytest.mark.parametrize("kind", ["charge", "order"])
async def test_an_id_in_another_case_is_for_a_person_and_never_undone(agent, service, kind):
    service.lie("look", kind, "mia", wrong.lower_id)
    await in_doubt(agent, service, kind)


async def test_a_reply_that_names_nothing_is_bound_to_the_one_row_under_our_key(agent, service):
    shown = {"note": "done", "amount": 13190, "currency": "USD", "customer": "mia"}
    service.lie("reply", "charge", "mia", wrong.instead(shown))
    done = await (await agent.asked_to_buy()).approve()
    assert not done.interrupts
    assert service.happened() == ["charge", "order"]


async def test_a_reply_and_a_row_that_name_nothing_are_for_a_person(agent, service):
    shown = {"note": "done", "amount": 13190, "currency": "USD", "customer": "mia"}
    for where in ("reply", "look"):
        service.lie(where, "charge", "mia", wrong.instead(shown))
    await in_doubt(agent, service, "charge")


# -- an effect that is not ours --------------------------------------------------------------------


async def test_a_row_that_names_nothing_is_for_a_person(agent: StrangersAgent, service: Wrong):
    shown = {"note": "done", "amount": 13190, "currency": "USD", "customer": "mia"}
    service.lie("look", "charge", "mia", wrong.instead(shown))
    await in_doubt(agent, service, "charge")


@pytest.mark.parametrize("where", ["reply", "look"])
async def test_the_charge_of_another_customer_is_never_refunded(agent, service, where):
    theirs = service.charged(service.STRANGER, 13190)
    service.lie(where, "charge", "mia", wrong.instead(theirs))
    await in_doubt(agent, service, "charge")


@pytest.mark.parametrize("where", ["reply", "look"])
async def test_the_charge_of_another_customer_is_never_refunded_when_the_order_is_declined(
    agent: StrangersAgent, service: Wrong, where: Where
):
    theirs = service.charged(service.STRANGER, 13190)
    service.lie(where, "charge", "mia", wrong.instead(theirs))
    service.spoil("order", "decline", "mia", times=100)
    await in_doubt(agent, service, "charge")


@pytest.mark.parametrize("where", ["reply", "look"])
async def test_a_reply_that_repeats_an_earlier_charge_undoes_no_earlier_purchase(
    agent: StrangersAgent, service: Wrong, where: Where
):
    earlier = await agent.asked_to_buy()
    await earlier.approve()
    (first,) = service.found("charge", service.effects[0]["reference"])
    service.lie(where, "charge", "mia", wrong.instead(first))
    service.spoil("order", "decline", "mia", times=100)
    talk = await agent.asked_to_buy()
    asked = await talk.approve()
    assert service.happened("mia") == [*BOUGHT, "charge"], "the earlier purchase stands"
    assert asked.interrupts, f"nobody was asked: {answer_of(asked)}"
    assert asked.interrupts[0].value["in_doubt"].endswith("/charge/1")


# -- something else than was approved --------------------------------------------------------------


@pytest.mark.parametrize("where", ["reply", "look"])
@pytest.mark.parametrize(
    "lie", [{"currency": "USD"}, {"amount": 1319000}, {"customer": Wrong.STRANGER}], ids=str
)
async def test_a_charge_of_another_amount_currency_or_owner_is_for_a_person(
    agent: StrangersAgent, service: Wrong, where: Where, lie: dict[str, object]
):
    service.lie(where, "charge", "mia", wrong.with_fields(**lie))
    await in_doubt(agent, service, "charge", currency="EUR")


# -- answers that are none -------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["reply", pytest.param("look", marks=pytest.mark.long)])
async def test_a_malformed_answer_loses_doubles_and_undoes_nothing(agent, service, where, subtests):
    for number, (what, answer) in enumerate(MALFORMED.items()):
        if what == "400 MB" and where == "reply":
            continue  # An order's reply is as large below.
        user = f"mia-{number}"
        with subtests.test(what):
            service.lie(where, "charge", user, answer)
            done = await (await agent.asked_to_buy(user)).approve()
            happened = service.happened(user)
            assert happened in (["charge"], BOUGHT), "it was sent again, or undone"
            waits = bool(done.interrupts or done.next)
            assert waits or happened == BOUGHT, f"it is lost: {answer_of(done)}"
            assert waits or answer_of(done).startswith("buy confirmed: done")
        agent.model.script.clear()


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param(["half of an answer", "no content", "400 MB"], id="some"),
        pytest.param([*MALFORMED], id="all", marks=pytest.mark.long),
    ],
)
async def test_a_malformed_answer_of_an_order_that_was_placed_undoes_no_charge(
    agent: StrangersAgent, service: Wrong, answers: list[str], subtests: pytest.Subtests
):
    for number, what in enumerate(answers):
        user = f"mia-{number}"
        with subtests.test(what):
            service.lie("reply", "order", user, MALFORMED[what])
            done = await (await agent.asked_to_buy(user)).approve()
            assert service.happened(user) == BOUGHT
            assert done.interrupts or answer_of(done).startswith("buy confirmed: done")
        agent.model.script.clear()
