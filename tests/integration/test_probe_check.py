"""`daybook probe-check` at services as others write them: what holds, and what does not.

What the service really did decides; what stands when it is over is what the check says.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from daybook.app.probe_check.findings import Finding, Verdict, findings
from daybook.app.probe_check.rehearsal import Rehearsal
from daybook.nodes.running.work import Work
from daybook.state.effects.guarantees import Guarantees
from daybook.state.session import Session
from daybook.tools.domain import Domain
from daybook.tools.kinds import Undo
from daybook.tools.registry import Registry
from tests.beside import served
from tests.strangers.agent import StrangersAgent, strangers_agent
from tests.strangers.domains import KEYED, SETTLED, believing, stripe_v1
from tests.strangers.services import Hiding, Stranger, StripeV1, Unfiltered

HELD, NOT_HELD = Verdict.HELD, Verdict.NOT_HELD
NOT_SEEN, UNDECLARED = Verdict.NOT_SEEN, Verdict.UNDECLARED

MONEY = {"amount": 13190, "currency": "USD"}


@asynccontextmanager
async def opened(
    postgres_url: str, service: Stranger, domain: Domain, reach: Any
) -> AsyncIterator[StrangersAgent]:
    with served({"it": service}) as url:
        http = reach(f"{url}/it")
        async with strangers_agent(postgres_url, domain, http) as agent:
            yield agent


@dataclass
class Checked:
    """What a check found, by the guarantee, and what it said it left."""

    found: dict[str, Finding]
    left: list[str]

    def of(self, *verdicts: Verdict) -> set[str]:
        return {what for what, one in self.found.items() if one.verdict in verdicts}


def rehearsal_of(agent: StrangersAgent, domain: Domain, tool: str, args: Any):
    session = Session("default", "probe-check", "mia", "mia", "customer", "w-1")
    work = Work(domain, agent.resources, session)
    return Rehearsal(work, domain.registry.effect(tool), args)


async def checked(
    postgres_url: str,
    service: Stranger,
    domain: Domain,
    reach: Any,
    args: Any = MONEY,
    *,
    tool: str = "charge",
) -> Checked:
    """Check an effect at a service; the ledger of the database must hold nothing afterwards."""
    async with opened(postgres_url, service, domain, reach) as agent:
        rehearsal = rehearsal_of(agent, domain, tool, args)
        trials = await rehearsal.run()
        assert [one async for one in agent.resources.postgres.ledger.thread_ids()] == []
        return Checked({one.what: one for one in findings(trials)}, trials.left)


async def believed(
    postgres_url: str,
    service: Stranger,
    guarantees: Guarantees,
    changed: Mapping[str, Any] | None = None,
    *,
    given: Any = None,
    **more: Any,
) -> Checked:
    """Check a charge, declared otherwise by `changed`, at a service of which this is believed."""
    adopted = believing(guarantees, **more)
    domain = adopted.domain
    if changed:
        charge = replace(domain.registry.effect("charge"), **changed)
        steps = {**domain.registry.effects, "charge": charge}.values()
        flow = replace(domain.flow, offered={"ready": frozenset()})
        domain = replace(domain, registry=Registry([], steps), flow=flow)
    return await checked(postgres_url, service, domain, adopted.reach, **(given or {}))


def standing(service: Stranger) -> list[str]:
    given_back = {one["of"] for one in service.effects if one["effect"] == "refund"}
    charges = [one["id"] for one in service.effects if one["effect"] == "charge"]
    return [one for one in charges if one not in given_back]


async def test_a_service_like_stripe_keeps_all_that_is_declared(postgres_url: str):
    service = StripeV1()
    seen = await checked(postgres_url, service, stripe_v1.domain, stripe_v1.reach)
    assert seen.of(NOT_HELD, NOT_SEEN) == set(), seen.found
    assert {"honours_key", "undo", "reference", "probe"} <= seen.of(HELD)
    assert seen.found["settle"].verdict is UNDECLARED, "Stripe names no longest time"
    assert standing(service) == seen.left == []
    assert service.happened().count("charge") == 2, "one for each of two keys"


async def test_a_key_that_is_not_honoured_does_not_hold(postgres_url: str):
    service = Hiding()
    seen = await believed(postgres_url, service, KEYED)
    assert seen.of(NOT_HELD) == {"honours_key"}, seen.found
    assert standing(service) == seen.left == []


async def test_a_lookup_that_lags_longer_than_declared_does_not_hold(postgres_url: str):
    seen = await believed(postgres_url, Hiding(hides=1_000), SETTLED)
    assert seen.of(NOT_HELD) == {"settle"}, seen.found
    assert len(seen.left) == 2, "what no lookup shows is not undone by a machine"


@pytest.mark.parametrize("is_empty", [True, False])
async def test_a_lookup_that_ignores_its_filter_does_not_hold_and_others_are_left_alone(
    postgres_url: str, is_empty: bool
):
    service = Unfiltered()
    if not is_empty:
        service.perform("charge", {"customer": "mia", "amount": 1}, "elsewhere")
    seen = await believed(postgres_url, service, SETTLED, asks="external_reference")
    assert seen.of(NOT_HELD) == {"probe"}, seen.found
    assert service.happened().count("charge") == 1, "nothing more is sent then"
    assert (standing(service), seen.left) == ([] if is_empty else ["CH-1"], [])


async def test_an_expected_result_that_the_service_shows_otherwise_does_not_hold(
    postgres_url: str,
):
    service = Hiding()
    in_units = lambda args: {"amount": args["amount"] / 100}  # noqa: E731
    seen = await believed(postgres_url, service, SETTLED, {"evidence": in_units})
    assert seen.of(NOT_HELD) == {"evidence"}, seen.found
    assert service.happened() == ["charge"], "what is in doubt is neither repeated nor undone"
    (left,) = seen.left
    assert left.startswith("CH-1 (in doubt), under probe-check/")


@pytest.mark.parametrize("charge_id", ["CH-9", None])
async def test_an_undo_that_is_refused_does_not_hold(postgres_url: str, charge_id: str | None):
    wrong = Undo("refund", lambda args, result: {"charge_id": charge_id}, frozenset({"refunded"}))
    service = Hiding()
    seen = await believed(postgres_url, service, SETTLED, {"undo": wrong})
    assert seen.of(NOT_HELD) == {"undo"}, seen.found
    left = " ".join(seen.left)
    assert all(one in left for one in standing(service))


async def test_what_is_interrupted_is_undone(postgres_url: str):
    """It is cut off when the first charge is made, before its answer came."""
    service, patient = Hiding(), replace(SETTLED, settle=timedelta(minutes=5))
    adopted = believing(patient)
    async with opened(postgres_url, service, adopted.domain, adopted.reach) as agent:
        rehearsal = rehearsal_of(agent, adopted.domain, "charge", MONEY)
        checking = asyncio.create_task(rehearsal.run())
        assert await asyncio.to_thread(service.wait_for, "charge", "mia", 30)
        checking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await checking
    assert standing(service) == rehearsal.trials.left == []
