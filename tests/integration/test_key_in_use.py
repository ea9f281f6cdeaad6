"""A request that is repeated while the first one still runs: its refusal is no word on the first.

The service is as Stripe's API v1 is. The first request takes longer than an attempt may, the next
is refused (409, the key is in use), and the refund exists.
"""

import asyncio
from datetime import timedelta

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.graph.build import build
from daybook.nodes.running.work import Resources
from daybook.state.context import EffectContext
from daybook.state.effects.guarantees import Patience
from daybook.state.effects.outcome import Outcome
from daybook.state.flow import FlowTable
from daybook.state.ledger.recovery import Event
from daybook.testing.model import ScriptedModel, last_result
from daybook.tools.domain import Domain, Prompt
from daybook.tools.kinds import write
from daybook.tools.registry import Registry
from daybook.tools.services.contract import STRIPE_V1
from daybook.tools.services.http import HttpService
from tests.conversation import Conversation, answer_of
from tests.unit.http_server import says, serving


@write(
    guarantees=STRIPE_V1.guarantees,
    operation=lambda args: f"charge/{args['charge']}/refund",
    approval="never",
)
async def refund(charge: str, *, ctx: EffectContext[HttpService]) -> Outcome:
    """Pay a charge back."""
    return await ctx.services.post(
        "/v1/refunds", {"charge": charge}, key=ctx.key, deadline=ctx.deadline
    )


REFUNDS = Domain(
    name="refunds",
    registry=Registry([refund]),
    flow=FlowTable(start="open", moves={}, offered={"open": frozenset({"refund"})}),
    prompt=Prompt(system="You refund charges."),
)


class Stripe:
    """Refund once under a key, and store what came of it; this one key is all that comes.

    Attributes:
        refunds: what really happened.
        refused: how often the key was in use.
    """

    def __init__(self, status: int, body: dict[str, object]) -> None:
        self.refunds: list[str] = []
        self.refused = 0
        self._answer = says(status, body)
        self._refunds = status == 200
        self._is_at_work = self._is_done = False
        self._go_on = asyncio.Event()

    async def __call__(self, writer: asyncio.StreamWriter) -> None:
        """Answer the next request."""
        if self._is_at_work and not self._is_done:
            self.refused += 1
            in_use = {"code": "idempotency_key_in_use", "message": "The key is in use."}
            await says(409, {"error": in_use})(writer)
            self._go_on.set()
            return
        if not self._is_done:
            self._is_at_work = True
            await self._go_on.wait()
            self._is_done = True
            self.refunds += ["re_1"] * self._refunds
        await self._answer(writer)


@pytest.mark.parametrize(
    ("status", "body", "ends", "says_so"),
    [
        (200, {"id": "re_1", "status": "succeeded"}, Event.ACKNOWLEDGED, "refund confirmed"),
        (402, {"error": {"code": "no_funds", "message": "No funds."}}, Event.DECLINED, "No funds."),
    ],
)
async def test_it_is_sent_again_under_its_key_until_the_first_result_comes_back(
    postgres: Postgres, status: int, body: dict[str, object], ends: Event, says_so: str
):
    stripe = Stripe(status, body)
    model = ScriptedModel(script=[[("refund", {"charge": "ch_1"})], last_result])
    async with serving(*[stripe] * 20) as served:
        service = HttpService(
            served.url, STRIPE_V1, {"Authorization": "Bearer sk_test_1", "Stripe-Version": "1"}
        )
        patience = Patience(
            budget=timedelta(seconds=0.5),
            backoff=timedelta(milliseconds=20),
            unknown_settle=timedelta(seconds=0.1),
        )
        resources = Resources(postgres=postgres, model=model, services=service, patience=patience)
        talk = Conversation(build(REFUNDS, lambda: resources, postgres.saver), "mia")
        done = await talk.say("refund ch_1")
        await service.close()
    assert stripe.refunds == (["re_1"] if status == 200 else [])
    assert stripe.refused >= 1
    assert "charge=ch_1" in served.requests[0]
    assert len({request.partition("\r\n\r\n")[2] for request in served.requests}) == 1
    said = answer_of(done)
    assert ("Nothing was changed" in said) == (ends is Event.DECLINED)
    assert says_so in said
    entries = await postgres.ledger.entries(talk.thread_id)
    events = [entry.event for entry in entries if entry.op == "charge/ch_1/refund"]
    assert ends in events
    assert events.count(Event.UNANSWERED) == 1 + stripe.refused
    stored = str(await postgres.ledger.stored(talk.thread_id))
    assert "sk_test_1" not in stored
