"""What an adopter would write for each service, from the words of docs/tools.md."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from daybook.state.effects.bind import take
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Outcome
from daybook.state.flow import FlowTable
from daybook.tools.domain import Domain, Prompt
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import Undo, hybrid, plan, write
from daybook.tools.registry import Registry
from daybook.tools.services.contract import STRIPE_V1, STRIPE_V2, Contract
from daybook.tools.services.http import HttpService

Looks = Callable[[str], Any]
Others = Literal["looked up", "named", "nothing"]

DECLINES = {"card_declined", "sold_out", "no_such_charge", "refunded"}

KEYED = Guarantees(
    honours_key=True,
    stores_failures=True,
    retention=timedelta(days=1),
    settle=timedelta(seconds=0.2),
)
SETTLED = Guarantees(settle=timedelta(seconds=0.2), late_sender="accepted")


@dataclass(frozen=True)
class Adopted:
    """Hold an agent's domain, and how its service is reached."""

    domain: Domain
    contract: Contract
    headers: Mapping[str, str] = field(default_factory=dict)

    def reach(self, url: str) -> HttpService:
        """Open a client of the service at an address."""
        return HttpService(url, contract=self.contract, headers=self.headers)


def named(ctx: Any) -> dict[str, Any]:
    return {"customer": ctx.session.user_id, "reference": ctx.key}


def by_reference(path: str) -> Any:
    async def probe(args: Any, *, ctx: Any) -> Any:
        return (await ctx.services.get(path, reference=ctx.key))["matches"]

    return probe


def from_pages(path: str) -> Any:
    async def probe(args: Any, *, ctx: Any) -> Any:
        rows, cursor = [], None
        while not rows or cursor:
            page = await ctx.services.get(path, customer=ctx.session.user_id, cursor=cursor)
            rows, cursor = rows + page["data"], page["next_cursor"]
        return [row for row in rows if row["reference"] == ctx.key]

    return probe


def from_all(path: str) -> Any:
    async def probe(args: Any, *, ctx: Any) -> Any:
        rows = (await ctx.services.get(path, customer=ctx.session.user_id))["data"]
        return [row for row in rows if row["reference"] == ctx.key]

    return probe


def by_search(path: str) -> Any:
    async def probe(args: Any, *, ctx: Any) -> Any:
        query = f"metadata['reference']:'{ctx.key}'"
        return (await ctx.services.get(f"{path}/search", query=query))["data"]

    return probe


def of_service(name: str, registry: Registry) -> Domain:
    return Domain(
        name=name,
        registry=registry,
        flow=FlowTable("ready", {}, {"ready": frozenset({"buy"})}),
        prompt=Prompt(system="You buy what people ask for."),
    )


def buying(
    contract: Contract,
    looks: Looks | None = by_reference,
    *,
    others: Others = "looked up",
    prefix: str = "",
    charge_field: str = "charge_id",
    settled_by: str = "refunded",
    body: Callable[[Any], dict[str, Any]] = named,
    evidence: Any = dict,
    reference: Any = "id",
) -> Domain:
    """Make the domain that charges a customer and orders what was paid.

    Args:
        looks: makes the look-up of a path; None where nothing can be looked up.
        others: what is declared of refund and order.
        body: what every request says beside its arguments.
    """

    async def post(path: str, ctx: Any, **asked: Any) -> Outcome:
        sent = asked | body(ctx)
        return await ctx.services.post(prefix + path, sent, key=ctx.key, deadline=ctx.deadline)

    def known(path: str, said: Others) -> dict[str, Any]:
        named = {"reference": "id", "owner": "customer"} if said != "nothing" else {}
        probe = {"probe": looks(prefix + path)} if looks and said == "looked up" else {}
        return {"guarantees": contract.guarantees, **named, **probe}

    back = Undo("refund", lambda args, result: {"charge_id": result["id"]}, frozenset({settled_by}))
    shown = {"reference": reference} | ({"evidence": evidence} if evidence else {})

    @hybrid(**{**known("/charges", "looked up"), **shown}, undo=back)
    async def charge(amount: int, currency: str, *, ctx: Any) -> Outcome:
        """Charge the customer."""
        paid = {"source": "tok_visa"} if contract is STRIPE_V1 else {"card": "4242"}
        return await post("/charges", ctx, amount=amount, currency=currency, **paid)

    @write(**known("/refunds", others))
    async def refund(charge_id: str, *, ctx: Any) -> Outcome:
        """Give the money back."""
        return await post("/refunds", ctx, **{charge_field: charge_id})

    @write(**known("/orders", others))
    async def order(item: str, charge_id: str, *, ctx: Any) -> Outcome:
        """Order what was paid."""
        return await post("/orders", ctx, item=item, **{charge_field: charge_id})

    @plan
    async def buy(item: str, amount: int, currency: str = "USD", *, ctx: Any) -> ActionDraft:
        """Buy an item. Asks for approval."""
        op, money = f"buy/{ctx.turn_id}", {"amount": amount, "currency": currency}
        paid = {"charge_id": take("charge", "id")}
        steps = (
            StepDraft("charge", "charge", f"{op}/charge", money),
            StepDraft("order", "order", f"{op}/order", {"item": item}, paid, pivot=True),
        )
        return ActionDraft("buy", {"item": item, **money}, f"Buy {item}", steps)

    return of_service(contract.name, Registry(offered=(buy,), steps=(charge, refund, order)))


def believing(believed: Guarantees, *, reference: Any = "id", asks: str = "reference") -> Adopted:
    """Declare what somebody believes of a service.

    Args:
        reference: what is believed to name a charge.
        asks: the filter by which it is believed that a charge can be looked up.
    """

    def looks(path: str) -> Any:
        async def found(args: Any, *, ctx: Any) -> Any:
            shown = await ctx.services.get(path, **{asks: ctx.key})
            return shown.get("matches", shown.get("data"))

        return found

    contract = Contract(name="it", guarantees=believed, declined=DECLINES)
    domain = buying(contract, looks, others="nothing", evidence=None, reference=reference)
    return Adopted(domain, contract)


def provable(name: str, settle: float, *, not_done: frozenset[str] = frozenset()) -> Contract:
    guarantees = Guarantees(settle=timedelta(seconds=settle))
    return Contract(name=name, guarantees=guarantees, declined=DECLINES, not_done=not_done)


LIMITED = frozenset({"rate_limited"})

ACCEPTED = Contract(
    name="accepted",
    guarantees=Guarantees(settle=timedelta(seconds=2)),
    declined=DECLINES,
    not_done=LIMITED,
    in_progress={202},
)
accepted = Adopted(buying(ACCEPTED), ACCEPTED)
EVENTUAL = provable("eventual", 2, not_done=LIMITED)
eventual = Adopted(buying(EVENTUAL), EVENTUAL)
PROXIED = provable("proxied", 1.5, not_done=LIMITED)
proxied = Adopted(buying(PROXIED), PROXIED)
# Nothing is said of 429.
LIMITING = provable("limiting", 1.5)
limiting = Adopted(buying(LIMITING), LIMITING)
PAGED = provable("paged", 1.5)
paged = Adopted(buying(PAGED, from_pages), PAGED)
UNFILTERED = provable("unfiltered", 1.5, not_done=LIMITED)
unfiltered = Adopted(buying(UNFILTERED, from_all), UNFILTERED)


def approved(args: Any) -> Any:
    return {name: args[name] for name in ("amount", "currency")}


WRONG = provable("wrong", 1.5)
wrong = Adopted(buying(WRONG, evidence=approved), WRONG)

DUPLICATE = Contract(
    name="duplicate",
    guarantees=Guarantees(
        honours_key=True, retention=timedelta(days=30), settle=timedelta(seconds=2)
    ),
    success={200, 201},
    declined=DECLINES,
    not_done=LIMITED,
    key_header=None,
    key_field="reference",
)


def customer(ctx: Any) -> dict[str, Any]:
    return {"customer": ctx.session.user_id}


duplicate = Adopted(buying(DUPLICATE, None, body=customer), DUPLICATE)


def with_metadata(ctx: Any) -> dict[str, Any]:
    return {**customer(ctx), "metadata": {"reference": ctx.key}}


stripe_v1 = Adopted(
    buying(
        STRIPE_V1,
        by_search,
        others="named",
        prefix="/v1",
        charge_field="charge",
        settled_by="charge_already_refunded",
        body=with_metadata,
        evidence=lambda args: {"amount": args["amount"]},
    ),
    STRIPE_V1,
    {"Authorization": "Bearer sk_test_strangers"},
)
stripe_v2 = Adopted(
    buying(STRIPE_V2, None, prefix="/v2", settled_by="charge_already_refunded", body=customer),
    STRIPE_V2,
)


# -- a slot of a service that gives its numbers again, and what goes into it -----------------------

LEASES = Contract(
    name="reusing",
    guarantees=Guarantees(settle=timedelta(seconds=1.5)),
    declined={"card_declined", "sold_out", "no_such_charge", "lease_over"},
)
LEASE_NAMES = ("slot", "lease")


def leasing() -> Domain:
    """Make the domain that leases a slot and orders what goes into it."""
    known = {"guarantees": LEASES.guarantees, "owner": "customer"}
    back = Undo(
        "release",
        lambda args, result: {name: result[name] for name in LEASE_NAMES},
        frozenset({"lease_over"}),
    )

    async def post(path: str, ctx: Any, **body: Any) -> Outcome:
        return await ctx.services.post(path, body | named(ctx), key=ctx.key, deadline=ctx.deadline)

    @hybrid(**known, reference=LEASE_NAMES, probe=by_reference("/leases"), undo=back)
    async def lease(*, ctx: Any) -> Outcome:
        """Lease a slot."""
        return await post("/leases", ctx)

    @write(guarantees=LEASES.guarantees)
    async def release(slot: str, lease: str, *, ctx: Any) -> Outcome:
        """Give the slot back."""
        return await post("/releases", ctx, slot=slot, lease=lease)

    @write(**known, reference="id", probe=by_reference("/orders"))
    async def order(item: str, slot: str, lease: str, *, ctx: Any) -> Outcome:
        """Order what goes into the slot."""
        return await post("/orders", ctx, item=item, slot=slot, lease=lease)

    @plan
    async def buy(item: str, amount: int, *, ctx: Any) -> ActionDraft:
        """Buy an item. Asks for approval."""
        op, leased = f"buy/{ctx.turn_id}", {name: take("lease", name) for name in LEASE_NAMES}
        steps = (
            StepDraft("lease", "lease", f"{op}/charge", {}),
            StepDraft("order", "order", f"{op}/order", {"item": item}, leased, pivot=True),
        )
        return ActionDraft("buy", {"item": item, "amount": amount}, f"Buy {item}", steps)

    return of_service("reusing", Registry(offered=(buy,), steps=(lease, release, order)))


reusing = Adopted(leasing(), LEASES)


# -- messages, as Slack has them: no keys, and nothing that can be looked up -----------------------

SLACK = Contract(
    name="Slack",
    ok=("ok",),
    code=(("error",),),
    declined={"is_archived", "permission_denied", "message_not_found"},
    not_done={"ratelimited"},
    key_header=None,
)


def announcing() -> Domain:
    """Make the domain that posts a message and pins it."""
    back = Undo(
        "delete_message",
        lambda args, result: {"channel": args["channel"], "ts": result["ts"]},
        frozenset({"message_not_found"}),
    )

    async def post(path: str, ctx: Any, **body: Any) -> Outcome:
        return await ctx.services.post(path, body, key=ctx.key, deadline=ctx.deadline)

    @hybrid(reference="ts", undo=back)
    async def post_message(channel: str, text: str, *, ctx: Any) -> Outcome:
        """Post a message."""
        return await post("/chat.postMessage", ctx, channel=channel, text=text)

    @write()
    async def delete_message(channel: str, ts: str, *, ctx: Any) -> Outcome:
        """Delete a message."""
        return await post("/chat.delete", ctx, channel=channel, ts=ts)

    @write()
    async def pin_message(channel: str, timestamp: str, *, ctx: Any) -> Outcome:
        """Pin a message."""
        return await post("/pins.add", ctx, channel=channel, timestamp=timestamp)

    @plan
    async def buy(item: str, amount: int, *, ctx: Any) -> ActionDraft:
        """Announce that an item is bought. Asks for approval."""
        op, channel = f"announce/{ctx.turn_id}", {"channel": ctx.session.user_id}
        posted = {"timestamp": take("post", "ts")}
        steps = (
            StepDraft("post", "post_message", f"{op}/charge", {**channel, "text": item}),
            StepDraft("pin", "pin_message", f"{op}/order", channel, posted, pivot=True),
        )
        return ActionDraft("buy", {"item": item, "amount": amount}, f"Announce {item}", steps)

    tools = Registry(offered=(buy,), steps=(post_message, delete_message, pin_message))
    return of_service("slack", tools)


slack = Adopted(announcing(), SLACK, {"Authorization": "Bearer xoxb-strangers"})
