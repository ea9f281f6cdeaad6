"""A yard that does whatever it is asked for, and all that an adopter may declare of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from daybook.state.effects.bind import take, take_all, take_into
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Outcome
from daybook.testing.http import Answer, Request, as_json
from daybook.testing.wrong_answers import Row
from daybook.tools.domain import Domain
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import Undo, hybrid, plan, write
from daybook.tools.registry import Registry
from daybook.tools.services.contract import Contract
from tests.strangers.agent import StrangersAgent, agent_on
from tests.strangers.domains import Adopted, of_service

KEYED = Guarantees(honours_key=True, retention=timedelta(hours=24))
PROBED = Guarantees(settle=timedelta(seconds=0.4), late_sender="accepted")
UNSURE = Guarantees(late_sender="accepted")

Answers = Callable[[Request, str], Answer | Literal["hang up"] | None]


def no(code: str = "no") -> Answer:
    return as_json(422, {"error": {"code": code, "message": f"It said {code}."}})


@dataclass
class Yard:
    """Do whatever it is asked for.

    Attributes:
        done: what really happened, in order: kind, and what it was asked.
        loses: kinds whose next answer is lost; it is done then.
        instead: answers a request in its place.
        made: makes the row of what was done.
        replied: answers what was done.
        shown: answers a look-up with its rows.
        keys: what was done under which key.
    """

    honours_keys: bool = True
    loses: list[str] = field(default_factory=list)
    done: list[tuple[str, Row]] = field(default_factory=list)
    instead: Answers = lambda request, kind: None
    made: Callable[[Row], Row] = dict
    replied: Callable[[str, Row], Answer] = lambda kind, row: as_json(201, row)
    shown: Callable[[str, list[Row]], Answer] = lambda kind, rows: as_json(200, {"data": rows})
    keys: dict[str, Row] = field(default_factory=dict)
    _rows: list[tuple[str, Row]] = field(default_factory=list)

    def handle(self, request: Request) -> Answer | None:
        """Answer a request."""
        kind = request.path.strip("/")
        if (other := self.instead(request, kind)) is not None:
            return None if other == "hang up" else other
        if request.method == "GET":
            wanted = request.query["reference"]
            found = [row for of, row in self._rows if (of, row["reference"]) == (kind, wanted)]
            return self.shown(kind, found)
        if self.honours_keys and request.key in self.keys:
            return self.replied(kind, self.keys[request.key])
        asked = request.json()
        number = 1 + sum(of == kind for of, _ in self._rows)
        row = self.made({"id": f"{kind}-{number}", **asked})
        self._rows.append((kind, row))
        self.keys[request.key] = row
        self.done.append((kind, {n: v for n, v in asked.items() if n != "reference"}))
        if kind in self.loses:
            self.loses.remove(kind)
            return None
        return self.replied(kind, row)

    def did(self, kind: str) -> list[Row]:
        """Return what was asked of all that was done of a kind."""
        return [asked for of, asked in self.done if of == kind]

    def refuses(self, refused: str) -> None:
        """Decline all of a kind."""
        self.instead = lambda request, kind: (
            no() if (request.method, kind) == ("POST", refused) else None
        )


Steps = Callable[[str], Sequence[StepDraft]]


def charged_and_ordered(op: str) -> list[StepDraft]:
    return [
        StepDraft("charge", "charge", f"{op}/charge", {"amount": 100}),
        StepDraft(
            "order", "order", f"{op}/order", {}, {"charge": take("charge", "id")}, pivot=True
        ),
    ]


def labelled(op: str) -> list[StepDraft]:
    text = {"text": take_into("Of {}", "order", "id")}
    return [*charged_and_ordered(op), StepDraft("label", "label", f"{op}/label", {}, text)]


def packed_and_ordered(op: str) -> list[StepDraft]:
    packed = {"charge": take("charge", "id"), "holds": take_all(["boots", "socks"], "id")}
    charge, *rest = labelled(op)
    return [
        StepDraft("boots", "hold", f"{op}/boots", {"sku": "boots"}),
        StepDraft("socks", "hold", f"{op}/socks", {"sku": "socks"}),
        charge,
        StepDraft("pack", "pack", f"{op}/pack", {}, packed),
        *rest,
    ]


def yard(
    steps: Steps,
    forward: Guarantees = KEYED,
    back: Guarantees | None = None,
    *,
    looks_up: bool = True,
    looks_back: bool | None = None,
    reference: str = "id",
    settled_by: frozenset[str] = frozenset({"gone"}),
    after: Callable[[Outcome, Any], Any] | None = None,
    **declared: Any,
) -> Domain:
    """Declare all that can be done.

    Args:
        forward, back: what is declared of what is done, and of what undoes it.
        looks_up, looks_back: whether they can be looked up.
        reference: the field that names what is done.
        after: what the charge does once it was answered.
        declared: of charge and refund besides.
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
        looked = found(kind, looks=looks_up if looks_back is None else looks_back)
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

    @hybrid(**known("charge", half), **declared)
    async def charge(amount: int, *, ctx: Any) -> Outcome:
        """Charge the customer."""
        outcome = await post("charge", ctx, amount=amount)
        told: Outcome = await after(outcome, ctx) if after else outcome
        return told

    @write(**giving_back("refund"), **declared)
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

    @write(**known("order") | ({"probe": of_its_charge} if looks_up else {}))
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

    done = (hold, release, charge, refund, pack, unpack, order, label)
    return of_service("yard", Registry(offered=(buy,), steps=done))


@asynccontextmanager
async def opened(
    postgres_url: str,
    service: Yard,
    domain: Domain,
    said: Mapping[str, Any] | None = None,
    unproved: float = 5.0,
) -> AsyncIterator[StrangersAgent]:
    """Open the agent of a yard.

    Args:
        said: of the contract besides.
    """
    contract = Contract(name="the yard", declined={"no", "gone"}, **(said or {}))
    adopted = Adopted(domain, contract)
    async with agent_on(postgres_url, service, adopted, budget=1.0, unproved=unproved) as agent:
        yield agent
