"""Whole plans at a yard of strangers: holds, a charge, a parcel made of both, an order, a label.

What the yard really did is the judge.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

import pytest

from daybook.app.ledger.reconcile import Reconciler
from daybook.graph.serve import Opened
from daybook.state.clock import SYSTEM
from daybook.state.effects.bind import take, take_all, take_into
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Outcome
from daybook.state.flow import FlowTable
from daybook.testing.http import Answer, Request, as_json
from daybook.tools.domain import Domain, Prompt
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import Undo, hybrid, plan, write
from daybook.tools.registry import Registry
from daybook.tools.services.contract import Contract
from daybook.tools.services.http import HttpService
from tests.beside import served
from tests.conversation import Conversation, answer_of
from tests.faults.test_faults_doubt import says
from tests.strangers.agent import StrangersAgent, strangers_agent

KEYED = Guarantees(honours_key=True, retention=timedelta(hours=24))
PROBED = Guarantees(settle=timedelta(seconds=0.4), late_sender="accepted")
UNSURE = Guarantees(late_sender="accepted")

SAID = Contract(name="the yard", declined={"no", "gone"})

Row = dict[str, Any]
Answers = Callable[[Request, str], Answer | Literal["hang up"] | None]


def no(code: str = "no") -> Answer:
    return as_json(422, {"error": {"code": code, "message": f"It said {code}."}})


@dataclass
class Yard:
    """Do whatever it is asked for.

    Attributes:
        done: what really happened, in order: kind, and what it was asked.
        instead: answers a request in its place.
        loses: kinds whose next answer is lost; it is done then.
        keys: what was done under which key.
    """

    done: list[tuple[str, Row]] = field(default_factory=list)
    instead: Answers = lambda request, kind: None
    loses: list[str] = field(default_factory=list)
    keys: dict[str, Row] = field(default_factory=dict)
    honours_keys: bool = True
    _rows: list[tuple[str, Row]] = field(default_factory=list)

    def handle(self, request: Request) -> Answer | None:
        """Answer a request."""
        kind = request.path.strip("/")
        if (other := self.instead(request, kind)) is not None:
            return None if other == "hang up" else other
        if request.method == "GET":
            wanted = request.query["reference"]
            rows = [row for of, row in self._rows if (of, row["reference"]) == (kind, wanted)]
            return as_json(200, {"data": rows})
        if self.honours_keys and request.key in self.keys:
            return as_json(201, self.keys[request.key])
        asked = request.json()
        row = {"id": f"{kind}-{1 + sum(of == kind for of, _ in self._rows)}", **asked}
        self._rows.append((kind, row))
        self.keys[request.key] = row
        self.done.append((kind, {n: v for n, v in asked.items() if n != "reference"}))
        if kind in self.loses:
            self.loses.remove(kind)
            return None
        return as_json(201, row)

    def did(self, kind: str) -> list[Row]:
        """Return what was asked of all that was done of a kind."""
        return [asked for of, asked in self.done if of == kind]

    def refuses(self, refused: str) -> None:
        """Decline all of a kind."""

        def instead(request: Request, kind: str) -> Answer | None:
            return no() if (request.method, kind) == ("POST", refused) else None

        self.instead = instead


Steps = Callable[[str], Sequence[StepDraft]]


def yard(
    steps: Steps,
    forward: Guarantees = KEYED,
    back: Guarantees | None = None,
    *,
    looks_up: bool = True,
    looks_back: bool = True,
    reference: str = "id",
    settled_by: frozenset[str] = frozenset({"gone"}),
) -> Domain:
    """Declare all that can be done.

    Args:
        forward, back: what is declared of what is done, and of what undoes it.
        looks_up, looks_back: whether they can be looked up.
        reference: the field that names what is done.
    """

    def found(kind: str, *, looks: bool) -> dict[str, Any]:
        async def probe(args: Any, *, ctx: Any) -> Any:
            return (await ctx.services.get(f"/{kind}", reference=ctx.key))["data"]

        return {"probe": probe} if looks else {}

    def known(kind: str, undo: Undo | None = None) -> dict[str, Any]:
        undone = {"undo": undo} if undo else {}
        looked = found(kind, looks=looks_up)
        return {"guarantees": forward, "reference": reference, **looked, **undone}

    def giving_back(kind: str) -> dict[str, Any]:
        looked = found(kind, looks=looks_back)
        return {"guarantees": back or forward, "reference": "id", **looked}

    async def post(kind: str, ctx: Any, **body: Any) -> Outcome:
        body |= {"reference": ctx.key}
        sent: Outcome = await ctx.services.post(
            f"/{kind}", body, key=ctx.key, deadline=ctx.deadline
        )
        return sent

    @hybrid(**known("hold", Undo("release", lambda a, r: {"hold": r[reference]}, settled_by)))
    async def hold(sku: str, *, ctx: Any) -> Outcome:
        """Hold a thing."""
        return await post("hold", ctx, sku=sku)

    @write(**giving_back("release"))
    async def release(hold: str, *, ctx: Any) -> Outcome:
        """Let go of what is held."""
        return await post("release", ctx, hold=hold)

    half = Undo(
        "refund", lambda a, r: {"charge": r[reference], "amount": a["amount"] // 2}, settled_by
    )

    @hybrid(**known("charge", half))
    async def charge(amount: int, *, ctx: Any) -> Outcome:
        """Charge the customer."""
        return await post("charge", ctx, amount=amount)

    @write(**giving_back("refund"))
    async def refund(charge: str, amount: int, *, ctx: Any) -> Outcome:
        """Give a part of a charge back, as often as one is asked."""
        return await post("refund", ctx, charge=charge, amount=amount)

    unpacked = Undo("unpack", lambda a, r: {"holds": a["holds"], "charge": a["charge"]}, settled_by)

    @hybrid(**known("pack", unpacked))
    async def pack(charge: str, holds: list[str], *, ctx: Any) -> Outcome:
        """Pack what is held and paid."""
        return await post("pack", ctx, charge=charge, holds=holds)

    @write(**giving_back("unpack"))
    async def unpack(charge: str, holds: list[str], *, ctx: Any) -> Outcome:
        """Unpack it; the yard wants to know what was in it."""
        return await post("unpack", ctx, charge=charge, holds=holds)

    async def of_its_charge(args: Any, *, ctx: Any) -> Any:
        asked = {"reference": ctx.key, "charge": args["charge"]}
        return (await ctx.services.get("/order", **asked))["data"]

    @write(**{**known("order"), **({"probe": of_its_charge} if looks_up else {})})
    async def order(charge: str, *, ctx: Any) -> Outcome:
        """Order what was paid."""
        return await post("order", ctx, charge=charge)

    @write(**known("label"))
    async def label(text: str, *, ctx: Any) -> Outcome:
        """Print a label."""
        return await post("label", ctx, text=text)

    @plan
    async def buy(item: str, amount: int, *, ctx: Any) -> ActionDraft:
        """Buy an item. Asks for approval."""
        drafted = tuple(steps(f"buy/{ctx.turn_id}"))
        return ActionDraft("buy", {"item": item, "amount": amount}, f"Buy {item}", drafted)

    return Domain(
        name="yard",
        registry=Registry(
            offered=(buy,), steps=(hold, release, charge, refund, pack, unpack, order, label)
        ),
        flow=FlowTable("ready", {}, {"ready": frozenset({"buy"})}),
        prompt=Prompt(system="You buy what people ask for."),
    )


@asynccontextmanager
async def opened(
    postgres_url: str, service: Yard, domain: Domain, unproved: float = 5.0
) -> AsyncIterator[StrangersAgent]:
    """Open the agent of a yard."""
    with served({"yard": service}) as url:
        http = HttpService(f"{url}/yard", contract=SAID)
        async with strangers_agent(
            postgres_url, domain, http, budget=1.0, unproved=unproved
        ) as agent:
            yield agent


def charged_and_ordered(op: str) -> list[StepDraft]:
    return [
        StepDraft("charge", "charge", f"{op}/charge", {"amount": 100}),
        StepDraft(
            "order", "order", f"{op}/order", {}, {"charge": take("charge", "id")}, pivot=True
        ),
        StepDraft("label", "label", f"{op}/label", {}, {"text": take_into("Of {}", "order", "id")}),
    ]


def packed_and_ordered(op: str) -> list[StepDraft]:
    packed = {"charge": take("charge", "id"), "holds": take_all(["boots", "socks"], "id")}
    return [
        StepDraft("boots", "hold", f"{op}/boots", {"sku": "boots"}),
        StepDraft("socks", "hold", f"{op}/socks", {"sku": "socks"}),
        StepDraft("charge", "charge", f"{op}/charge", {"amount": 100}),
        StepDraft("pack", "pack", f"{op}/pack", {}, packed),
        *charged_and_ordered(op)[1:],
    ]


@pytest.mark.parametrize("guarantees", [KEYED, PROBED], ids=["keyed", "looked up"])
async def test_an_undo_is_made_of_what_earlier_results_gave_its_step(postgres_url, guarantees):
    service = Yard(honours_keys=guarantees.honours_key)
    service.refuses("order")
    async with opened(postgres_url, service, yard(packed_and_ordered, guarantees)) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert service.done[4:] == [
            ("unpack", {"charge": "charge-1", "holds": ["hold-1", "hold-2"]}),
            ("refund", {"charge": "charge-1", "amount": 50}),
            ("release", {"hold": "hold-2"}),
            ("release", {"hold": "hold-1"}),
        ]
        assert answer_of(done) == ("buy failed: It said no. Undone: boots, socks, charge, pack.")


async def test_what_follows_the_pivot_in_vain_is_told(postgres_url: str):
    service = Yard()
    service.refuses("label")
    async with opened(postgres_url, service, yard(charged_and_ordered)) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert [kind for kind, _ in service.done] == ["charge", "order"]
        assert answer_of(done) == "buy confirmed: done, but not label (It said no)"


async def test_what_follows_the_pivot_and_is_in_doubt_is_told_as_that(postgres_url: str):
    service = Yard(honours_keys=False, loses=["label"])
    domain = yard(charged_and_ordered, UNSURE, KEYED, looks_up=False)
    async with opened(postgres_url, service, domain) as agent:
        asked = await (await agent.asked_to_buy()).approve()
        assert (
            answer_of(asked) == "buy confirmed: done, and it is not settled whether label was done"
        )
        (question,) = asked.interrupts
        assert question.value["in_doubt"].endswith("/label/1")


@pytest.mark.parametrize("word", ["undo", "it happened"])
async def test_a_word_without_a_reference_gives_no_empty_one(postgres_url: str, word: str):
    def steps(op: str) -> list[StepDraft]:
        charge, order, _ = charged_and_ordered(op)
        taken = {"charge": take("charge", "reference")}
        return [charge, StepDraft("order", "order", order.op, {}, taken, pivot=True)]

    service = Yard(honours_keys=False, loses=["charge"])

    def instead(request: Request, kind: str) -> Answer | None:
        return no("gone") if kind == "refund" and not request.json()["charge"] else None

    service.instead = instead
    domain = yard(steps, UNSURE, KEYED, looks_up=False, reference="reference")
    async with opened(postgres_url, service, domain) as agent:
        talk = await agent.asked_to_buy()
        await talk.approve()
        asked = await talk.answer(says(word))
        assert [kind for kind, _ in service.done] == ["charge"], "something was built on nothing"
        assert "Undone" not in answer_of(asked)
        assert (
            "the undo of charge" in asked.interrupts[0].value["action_requests"][0]["description"]
        )


async def test_what_a_wish_to_undo_leaves_standing_is_said_before_it_is_wished(postgres_url: str):
    service = Yard(honours_keys=False, loses=["order"])
    domain = yard(charged_and_ordered, UNSURE, KEYED, looks_up=False)
    async with opened(postgres_url, service, domain) as agent:
        asked = await (await agent.asked_to_buy()).approve()
        words = asked.interrupts[0].value["action_requests"][0]["description"]
        assert "all of it is undone but order, which nothing here undoes" in words


@pytest.mark.parametrize("word", ["it happened", "it did not happen"])
async def test_an_undo_is_not_sent_again_when_its_key_may_be_forgotten(postgres_url, word):
    kept = 3.0
    service = Yard(loses=["refund"])
    began: list[float] = []

    def instead(request: Request, kind: str) -> Answer | Literal["hang up"] | None:
        if kind == "order":
            return no()
        if kind != "refund":
            return None
        began.append(SYSTEM.monotonic())
        if len(began) == 1:
            return None
        if began[-1] - began[0] < kept:
            return "hang up"
        service.keys.clear()
        return None

    service.instead = instead
    forgetting = Guarantees(honours_key=True, retention=timedelta(seconds=kept))
    domain = yard(charged_and_ordered, back=forgetting, looks_back=False, settled_by=frozenset())
    async with opened(postgres_url, service, domain, unproved=60.0) as agent:
        talk = await agent.asked_to_buy()
        asked = await talk.approve()
        assert len(service.did("refund")) == 1, "given back twice"
        question = asked.interrupts[0].value
        assert "forgotten its key" in question["action_requests"][0]["description"]
        service.instead = lambda request, kind: None
        service.keys.clear()
        done = await talk.answer(says(word))
        assert answer_of(done) == "buy failed: It said no. Undone: charge."
        assert len(service.did("refund")) == (1 if word == "it happened" else 2)


async def test_an_undo_that_can_be_looked_up_is_not_sent_again_blindly(postgres_url: str):
    service = Yard(honours_keys=False, loses=["refund"])
    unseen = iter(range(1))

    def instead(request: Request, kind: str) -> Answer | None:
        if (request.method, kind) == ("POST", "order"):
            return no()
        if (request.method, kind) == ("GET", "refund") and next(unseen, None) is not None:
            return as_json(200, {"data": []})
        return None

    service.instead = instead
    async with opened(postgres_url, service, yard(charged_and_ordered, PROBED)) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert len(service.did("refund")) == 1, "given back twice"
        assert answer_of(done) == "buy failed: It said no. Undone: charge."


async def test_a_template_with_more_places_than_values_is_refused_before_it_is_written(
    postgres_url: str,
):
    def steps(op: str) -> list[StepDraft]:
        charge, order, label = charged_and_ordered(op)
        text = {"text": take_into("For {} of {}", "order", "id")}
        return [charge, order, StepDraft("label", "label", label.op, {}, text)]

    service = Yard()
    async with opened(postgres_url, service, yard(steps)) as agent:
        talk = Conversation(agent.graph, "mia")
        agent.model.then([("buy", {"item": "boots", "amount": 1})], "I cannot.", "Hello.")
        assert answer_of(await talk.say("buy the boots")) == "I cannot."
        assert answer_of(await talk.say("hello")) == "Hello."
        assert service.done == []


async def test_what_was_never_sent_and_cannot_be_looked_up_yet_is_no_disagreement(postgres_url):
    service = Yard()
    service.refuses("charge")
    domain = yard(charged_and_ordered)
    async with opened(postgres_url, service, domain) as agent:
        failed = await agent.asked_to_buy()
        await failed.approve()
        waiting = await agent.asked_to_buy()
        reconciler = Reconciler(Opened(agent.graph, domain, agent.resources), applies=False)
        for talk in (failed, waiting):
            assert [one async for one in reconciler.of_thread(talk.thread_id)] == []
