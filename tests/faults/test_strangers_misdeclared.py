"""What is declared of a service is not so: what can be found out while running stops the tool.

What cannot be found out is said by the last tests: what it costs, and who finds it.
"""

from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from daybook.state.effects.guarantees import Guarantees
from tests.conversation import Conversation, answer_of
from tests.purchases import until
from tests.strangers.agent import StrangersAgent, agent_on
from tests.strangers.domains import KEYED, SETTLED, believing
from tests.strangers.services import Hiding, Stranger, Unfiltered


def opened(
    postgres_url: str, service: Stranger, believed: Guarantees, **more: Any
) -> AbstractAsyncContextManager[StrangersAgent]:
    """Open an agent that believes something of a service."""
    return agent_on(postgres_url, service, believing(believed, **more), budget=1.0)


def standing(service: Stranger, customer: str = "mia") -> list[str]:
    """Name the charges of a customer that were not given back."""
    given_back = {one["of"] for one in service.effects if one["effect"] == "refund"}
    return [
        one["id"]
        for one in service.effects
        if one["effect"] == "charge" and one["customer"] == customer and one["id"] not in given_back
    ]


async def contradictions(agent: StrangersAgent, talk: Conversation) -> list[str]:
    """Name the promises that a thread's ledger says were not kept."""
    entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
    return [e.detail["promise"] for e in entries if e.event.value == "contradicted"]


async def is_stopped(agent: StrangersAgent, service: Stranger, promise: str) -> None:
    """See that nothing more is sent by the tool, and that a person is told why."""
    before = len(service.effects)
    agent.model.script.clear()  # what a question that waits would have had said
    later = await agent.wants_to_buy(Conversation(agent.graph, "ben"))
    assert not later.interrupts, "nobody is asked about what is not sent"
    assert len(service.effects) == before, "it was sent although its service is contradicted"
    assert f"does not behave as declared ({promise})" in answer_of(later)


@pytest.mark.parametrize(
    ("believed", "hides", "promise"), [(KEYED, 1, "honours_key"), (SETTLED, 2, "settle")]
)
async def test_a_promise_that_is_not_kept_is_found_out_and_stops_the_tool(
    postgres_url: str, believed: Guarantees, hides: int, promise: str
):
    service = Hiding(hides=hides)
    service.spoil("charge", "drop", "mia")
    async with opened(postgres_url, service, believed) as agent:
        talk = await agent.asked_to_buy()
        asked = await talk.approve()
        assert service.happened("mia") == ["charge", "charge"], "it was believed, and sent again"
        for name in standing(service):
            assert name in str(asked.interrupts[0].value), "a reviewer is asked which one counts"
        assert await contradictions(agent, talk) == [promise]
        await is_stopped(agent, service, promise)


async def test_a_reference_that_is_not_unique_is_found_out_and_undoes_nothing(postgres_url: str):
    service = Hiding()
    async with opened(postgres_url, service, SETTLED, reference="batch") as agent:
        await (await agent.asked_to_buy("ada")).approve()
        assert service.happened("ada") == ["charge", "order"]
        talk = await agent.asked_to_buy()
        asked = await talk.approve()
        assert asked.interrupts, "whose it is, is for a person to say"
        assert service.happened() == ["charge", "order", "charge"], "nothing is built on it"
        assert await contradictions(agent, talk) == ["reference"]
        await is_stopped(agent, service, "reference")


@pytest.mark.parametrize("is_lost", [False, True])
async def test_a_probe_that_ignores_its_filter_undoes_nothing_of_others(postgres_url, is_lost):
    service = Unfiltered()
    for customer in ("ada", "ben"):
        service.perform("charge", {"customer": customer, "amount": 1}, f"elsewhere/{customer}")
    if is_lost:
        service.spoil("charge", "drop", "mia")
    async with opened(postgres_url, service, SETTLED, asks="external_reference") as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert "refund" not in service.happened()
        assert service.happened("mia").count("charge") == 1
        assert done.interrupts or service.happened("mia") == ["charge", "order"]


async def test_a_failure_that_is_not_stored_may_be_overtaken_by_what_it_refused(postgres_url: str):
    """The first request comes late; its repetition is refused, and that is believed for all.

    Nothing looks again at what was refused for good, so this is not found out while running.
    """
    service = Hiding()
    service.spoil("charge", "late", "mia", seconds=2.0)
    service.spoil("charge", "decline", "mia")
    async with opened(postgres_url, service, KEYED) as agent:
        talk = await agent.asked_to_buy()
        done = await talk.approve()
        assert answer_of(done).startswith("buy failed: The card was declined.")
        await until(lambda: service.happened("mia"), "the first request comes")
        assert standing(service), "it stands, and the ledger does not know"
