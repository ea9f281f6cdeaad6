"""`daybook probe-check` at services as others write them: what holds, and what does not.

What the service really did is the judge; what stands when it is over is what the check says.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from daybook.app.probing.probe_check import lines
from daybook.app.probing.rehearsing import Rehearsing
from daybook.nodes.running.work import Work
from daybook.state.effects.guarantees import Guarantees
from daybook.state.session import Session
from daybook.tools.domain import Domain
from daybook.tools.kinds import EffectTool
from daybook.tools.probed.finding import Finding, Verdict
from daybook.tools.probed.findings import findings
from daybook.tools.registry import Registry
from daybook.tools.services.contract import Compared
from tests.strangers.agent import StrangersAgent, strangers_agent
from tests.strangers.domains import accepted, believing, stripe_v1
from tests.strangers.services.accepted import Accepted
from tests.strangers.services.hiding import Hiding
from tests.strangers.services.stranger import Kind, Row, Stranger
from tests.strangers.services.stripe_v1 import StripeV1
from tests.strangers.services.unfiltered import Unfiltered
from tests.strangers.services.wire import served

PAGE = (Path(__file__).parents[2] / "docs/services.md").read_text()

HELD, NOT_HELD = Verdict.HELD, Verdict.NOT_HELD
NOT_SEEN, UNDECLARED = Verdict.NOT_SEEN, Verdict.UNDECLARED

MONEY = {"amount": 13190, "currency": "USD"}
OTHER = {"amount": 13200, "currency": "USD"}
DECLINED = {"amount": 402, "currency": "USD"}

KEYED = Guarantees(
    honours_key=True,
    stores_failures=True,
    retention=timedelta(days=1),
    settle=timedelta(seconds=0.2),
)
SETTLED = Guarantees(settle=timedelta(seconds=0.2), late_sender="accepted")


class Declining:
    """Decline an amount, as cards of a sandbox do."""

    def perform(self: Any, kind: Kind, asked: Row, reference: str) -> Row:
        if asked.get("amount") == DECLINED["amount"]:
            raise self.declined(kind)
        return super().perform(kind, asked, reference)  # type: ignore[misc]


class SomeStripe(Declining, StripeV1):
    """Like Stripe's API v1, with a card that is declined."""


class Believed(Declining, Hiding):
    """A service that honours no key, with a card that is declined."""


@asynccontextmanager
async def opened(
    postgres_url: str, service: Stranger, domain: Domain, reach: Any
) -> AsyncIterator[StrangersAgent]:
    with served({service.name: service}) as url:
        http = reach(f"{url}/{service.name}")
        try:
            async with strangers_agent(postgres_url, domain, http) as agent:
                yield agent
        finally:
            await http.close()


class Checked:
    """Hold what a check said."""

    def __init__(self, found: list[Finding], standing: list[str]) -> None:
        self.found = {one.what: one for one in found}
        self.standing = standing

    def of(self, *verdicts: Verdict) -> set[str]:
        return {what for what, one in self.found.items() if one.verdict in verdicts}


async def checked(
    postgres_url: str,
    service: Stranger,
    domain: Domain,
    reach: Any,
    args: Any = MONEY,
    *,
    tool: str = "charge",
    compares: Compared = "unsaid",
    **more: Any,
) -> Checked:
    """Check an effect at a service; the ledger of the database must hold nothing afterwards."""
    async with opened(postgres_url, service, domain, reach) as agent:
        session = Session("default", "probe-check", "mia", "mia", "customer", "w-1")
        work = Work(domain, agent.resources, session)
        effect = domain.registry.effect(tool)
        rehearsing = Rehearsing(work, effect, args, compares=compares, **more)
        seen = await rehearsing.run()
        ids = [one async for one in agent.resources.postgres.ledger.thread_ids()]
        assert ids == [], "nothing is written into a ledger"
        return Checked(findings(rehearsing.declared, seen), rehearsing.standing)


async def believed(
    postgres_url: str, service: Stranger, guarantees: Guarantees, *, given: Any = None, **more: Any
) -> Checked:
    """Check a charge at a service of which something is believed."""
    domain = believing.domain(guarantees, **more)
    reach = lambda url: believing.reach(url, guarantees)  # noqa: E731
    return await checked(postgres_url, service, domain, reach, **(given or {}))


def with_effect(domain: Domain, effect: EffectTool) -> Domain:
    """Declare an effect of a domain otherwise."""
    steps = {**domain.registry.effects, effect.name: effect}.values()
    flow = replace(domain.flow, offered={"ready": frozenset()})
    return replace(domain, registry=Registry([], steps), flow=flow)


def standing(service: Stranger) -> list[str]:
    given_back = {one["of"] for one in service.effects if one["effect"] == "refund"}
    charges = [one["id"] for one in service.effects if one["effect"] == "charge"]
    return [one for one in charges if one not in given_back]


async def test_everything_holds_that_is_declared_of_a_service_like_stripe(postgres_url: str):
    service = SomeStripe()
    seen = await checked(
        postgres_url,
        service,
        stripe_v1.DOMAIN,
        stripe_v1.reach,
        compares="key_and_body",
        other=OTHER,
        declined=DECLINED,
    )
    assert seen.of(NOT_HELD) == set(), seen.found
    assert seen.of(NOT_SEEN) == {"retention", "stores_failures"}, seen.found
    assert {"honours_key", "other arguments", "undo", "reference"} <= seen.of(HELD)
    assert seen.found["settle"].verdict is UNDECLARED, "Stripe names no longest time"
    assert standing(service) == seen.standing == []
    assert service.happened().count("charge") == 2, "one for each of two keys"


async def test_a_no_that_may_be_made_anew_is_not_said_to_be_kept(postgres_url: str):
    """Another body is refused before anybody looks what became of the first one."""
    seen = await checked(
        postgres_url,
        SomeStripe(),
        stripe_v1.DOMAIN,
        stripe_v1.reach,
        compares="key_and_body",
        declined=DECLINED,
    )
    found = seen.found["stores_failures"]
    assert (found.verdict, "whether it is kept" in found.seen) == (NOT_SEEN, True), found


async def test_twice_that_does_not_come_to_once_is_not_harmless(postgres_url: str):
    harmless = replace(SETTLED, late_sender="harmless")
    seen = await believed(postgres_url, Believed(), harmless)
    assert seen.of(NOT_HELD) == {"late_sender"}, seen.found
    assert "sent twice, it did it twice" in seen.found["late_sender"].seen
    assert 'late_sender="accepted"' in seen.found["late_sender"].mend


async def test_what_is_done_once_however_often_it_is_sent_is_harmless(postgres_url: str):
    charge = stripe_v1.DOMAIN.registry.effect("charge")
    harmless = Guarantees(settle=timedelta(seconds=1), late_sender="harmless")
    domain = with_effect(stripe_v1.DOMAIN, replace(charge, guarantees=harmless))
    seen = await checked(postgres_url, SomeStripe(), domain, stripe_v1.reach)
    assert seen.of(NOT_HELD) == set(), seen.found
    assert seen.found["late_sender"].verdict is HELD


async def test_a_key_that_is_not_honoured_does_not_hold(postgres_url: str):
    service = Believed()
    seen = await believed(
        postgres_url, service, KEYED, given={"other": OTHER, "declined": DECLINED}
    )
    assert seen.of(NOT_HELD) == {"honours_key", "other arguments", "stores_failures"}, seen.found
    assert "sent twice, it did it twice" in seen.found["honours_key"].seen
    assert "another effect" in seen.found["other arguments"].seen
    assert "declined (card_declined), and then done" in seen.found["stores_failures"].seen
    assert standing(service) == seen.standing == []
    printed = [*lines([*seen.found.values()])]
    shown = PAGE.split("what to mend:\n\n```\n")[1].split("```")[0].splitlines()
    assert [line for line in printed if line in shown] == shown, "the page shows what is printed"


async def test_what_is_not_declared_and_not_so_is_no_failure(postgres_url: str):
    seen = await believed(
        postgres_url, Believed(), SETTLED, given={"other": OTHER, "declined": DECLINED}
    )
    assert seen.of(NOT_HELD) == set(), seen.found
    assert seen.found["honours_key"].verdict is UNDECLARED
    assert seen.found["late duplicates"].verdict is HELD


async def test_what_holds_and_is_not_declared_could_be(postgres_url: str):
    service = SomeStripe()
    charge = stripe_v1.DOMAIN.registry.effect("charge")
    modest = replace(charge, guarantees=Guarantees(settle=timedelta(seconds=1)))
    domain = with_effect(stripe_v1.DOMAIN, modest)
    seen = await checked(
        postgres_url, service, domain, stripe_v1.reach, other=OTHER, declined=DECLINED
    )
    could_be = ("honours_key", "other arguments")
    assert all("could be" in seen.found[what].mend for what in could_be), seen.found
    assert seen.found["settle"].seen.startswith("shown after 0.")
    assert seen.of(NOT_HELD) == set()


async def test_a_d_that_is_too_short_does_not_hold(postgres_url: str):
    seen = await believed(postgres_url, Hiding(looks=1_000), SETTLED)
    assert seen.of(NOT_HELD) == {"settle"}, seen.found
    assert seen.found["settle"].seen == "not shown within 0.2 s"
    assert len(seen.standing) >= 2, "what no look-up shows is not undone by a machine"


async def test_a_look_up_that_ignores_its_filter_does_not_hold_and_others_are_left_alone(
    postgres_url: str,
):
    service = Unfiltered()
    service.perform("charge", {"customer": "mia", "amount": 1}, "elsewhere")
    seen = await believed(postgres_url, service, SETTLED, asks="external_reference")
    assert "unused key" in seen.of(NOT_HELD), seen.found
    assert "CH-1" in standing(service), "what was there before is nobody's to undo"
    assert "CH-1" not in " ".join(seen.standing)


async def test_a_filter_is_seen_to_be_ignored_where_nothing_was_there_before(postgres_url: str):
    seen = await believed(postgres_url, Unfiltered(), SETTLED, asks="external_reference")
    assert "unused key" in seen.of(NOT_HELD), seen.found


async def test_a_reference_that_is_not_unique_does_not_hold(postgres_url: str):
    service = Hiding()
    seen = await believed(postgres_url, service, SETTLED, reference="batch")
    assert {"reference", "another key"} <= seen.of(NOT_HELD), seen.found
    assert seen.standing, "what it is, is for a person to say"


async def test_an_undo_that_a_second_one_is_not_settled_by_does_not_hold(postgres_url: str):
    service = Hiding()
    guarantees = replace(SETTLED, late_sender="harmless")
    domain = believing.domain(guarantees)
    charge = domain.registry.effect("charge")
    assert charge.undo is not None
    unsettled = replace(charge, undo=replace(charge.undo, settled_by=frozenset({"nothing"})))
    domain = with_effect(domain, unsettled)
    reach = lambda url: believing.reach(url, guarantees)  # noqa: E731
    seen = await checked(postgres_url, service, domain, reach)
    assert seen.found["undo"].verdict is NOT_HELD, seen.found
    assert "refunded" in seen.found["undo"].mend


async def test_an_effect_that_is_declined_is_not_judged(postgres_url: str):
    seen = await believed(postgres_url, Believed(), KEYED, given={"args": DECLINED})
    assert [*seen.found] == ["answer"]
    assert seen.found["answer"].verdict is NOT_SEEN
    assert seen.standing == []


async def test_what_cannot_be_looked_up_is_not_seen_and_named(postgres_url: str):
    service = Hiding()
    paid = service.perform("charge", {"customer": "mia", "amount": 1}, "elsewhere")
    args = {"item": "boots", "charge_id": paid["id"]}
    seen = await believed(postgres_url, service, KEYED, given={"tool": "order", "args": args})
    assert seen.of(NOT_HELD) == set()
    assert {"honours_key", "settle", "stores_failures"} <= seen.of(NOT_SEEN)
    assert seen.found["undo"].verdict is UNDECLARED
    assert len(seen.standing) == 2


async def test_evidence_that_the_service_shows_otherwise_does_not_hold(postgres_url: str):
    service = Hiding()
    domain = believing.domain(SETTLED)
    in_units = replace(
        domain.registry.effect("charge"), evidence=lambda args: {"amount": args["amount"] / 100}
    )
    reach = lambda url: believing.reach(url, SETTLED)  # noqa: E731
    seen = await checked(postgres_url, service, with_effect(domain, in_units), reach)
    assert seen.of(NOT_HELD) == {"evidence"}, seen.found
    assert "13190" in seen.found["evidence"].seen
    assert service.happened() == ["charge"], "what is in doubt is neither repeated nor undone"
    (left,) = seen.standing
    assert left.startswith("CH-1 (in doubt), under probe-check/")
    assert "in doubt" in seen.found["stores_failures"].seen


async def test_a_probe_that_fails_does_not_hold(postgres_url: str):
    async def probe(args: Any, *, ctx: Any) -> Any:
        return (await ctx.services.get("/charges", reference=ctx.key))["rows"]

    domain = believing.domain(SETTLED)
    failing = replace(domain.registry.effect("charge"), probe=probe)
    reach = lambda url: believing.reach(url, SETTLED)  # noqa: E731
    seen = await checked(postgres_url, Hiding(), with_effect(domain, failing), reach)
    assert seen.of(NOT_HELD) == {"settle"}, seen.found
    assert seen.found["settle"].seen.startswith("`probe` fails")


class Refunding(Hiding):
    """Give the money back as often as it is asked to."""

    def perform(self, kind: Kind, asked: Row, reference: str) -> Row:
        row = super().perform(kind, asked, reference)
        if kind == "refund":
            self._rows["charge"][asked["charge_id"]]["refunded"] = False
        return row


async def test_an_undo_that_is_done_twice_does_not_hold(postgres_url: str):
    domain = believing.domain(SETTLED)
    named = replace(domain.registry.effect("refund"), reference="id")
    reach = lambda url: believing.reach(url, SETTLED)  # noqa: E731
    seen = await checked(postgres_url, Refunding(), with_effect(domain, named), reach)
    assert seen.of(NOT_HELD) == {"undo"}, seen.found
    assert seen.found["undo"].seen == "undone twice: RE-1, RE-2"


@pytest.mark.parametrize("shows", [True, False])
async def test_an_undo_that_is_looked_for_is_not_sent_a_second_time(postgres_url: str, shows: bool):
    domain = believing.domain(SETTLED)
    charge = domain.registry.effect("charge")
    assert charge.undo is not None
    looked_for = replace(charge, undo=replace(charge.undo, settled_by=frozenset()))

    async def found(args: Any, *, ctx: Any) -> Any:
        shown = await ctx.services.get("/refunds", reference=ctx.key)
        return shown["matches"] if shows else []

    refund = replace(domain.registry.effect("refund"), probe=found, reference="id")
    domain = with_effect(with_effect(domain, refund), looked_for)
    reach = lambda url: believing.reach(url, SETTLED)  # noqa: E731
    service = Refunding()
    seen = await checked(postgres_url, service, domain, reach)
    undo = seen.found["undo"]
    refunds = [one for one in service.effects if one["effect"] == "refund"]
    assert len({one["of"] for one in refunds}) == len(refunds), "undone twice"
    if shows:
        assert (undo.verdict, "no second one is sent" in undo.seen) == (HELD, True)
    else:
        assert (undo.verdict, "`probe` of refund" in undo.mend) == (NOT_HELD, True)


async def test_what_is_done_later_is_no_late_duplicate_and_its_undo_is_waited_for(postgres_url):
    service = Accepted()
    seen = await checked(postgres_url, service, accepted.DOMAIN, accepted.reach, other=OTHER)
    assert seen.of(NOT_HELD) == set(), seen.found
    assert seen.found["answer"].seen == "unknown: accepted has it in hand (202)"
    assert seen.found["reference"].seen == "the row names CH-1"
    assert service.happened().count("charge") == 4
    assert standing(service) == seen.standing == []


async def test_what_is_interrupted_is_undone(postgres_url: str):
    """It is cut off in the moment in which the first charge is made, before its answer came."""
    service, patient = Hiding(), replace(SETTLED, settle=timedelta(minutes=5))
    domain = believing.domain(patient)
    reach = lambda url: believing.reach(url, patient)  # noqa: E731
    async with opened(postgres_url, service, domain, reach) as agent:
        session = Session("default", "probe-check", "mia", "mia", "customer", "w-1")
        effect = domain.registry.effect("charge")
        rehearsing = Rehearsing(Work(domain, agent.resources, session), effect, MONEY)
        checking = asyncio.create_task(rehearsing.run())
        assert await asyncio.to_thread(service.wait_for, "charge", "mia", 30)
        checking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await checking
    assert standing(service) == rehearsing.standing == []
