"""Opening, placing and cancelling checkouts: deterministic plans that the model only triggers.

A checkout is opened first, since its totals are the merchant's to say. What its user approves is
then exactly what it shows, and placing the order is the point of no return.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import Field

from daybook.state.context import PlanContext
from daybook.state.effects.bind import take
from daybook.state.effects.keys import digest
from daybook.state.errors import ToolRefused
from daybook.state.merchants.state import MerchantCart, OpenCheckout, cart_of, open_at
from daybook.state.money import in_units
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import plan
from daybook.tools.merchants.catalog import MerchantName
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.panels import stuck
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.ucp import requests
from daybook.tools.merchants.ucp.answers import Message
from daybook.tools.merchants.ucp.checkout import IN_HAND, OPEN, Checkout
from daybook.tools.merchants.ucp.delivery import is_elsewhere
from daybook.tools.merchants.ucp.operations import as_json
from daybook.tools.merchants.wallet import Address, Instrument
from daybook.tools.shop.carts import named_together

Context: TypeAlias = PlanContext[MerchantServices]

_Named: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")
]

ROUNDS = ("settle", "settle again")
"""Steps that bring a fresh checkout to what is wanted: the address first, then how it is sent."""


def checkout_name(cart_id: str, n: int) -> str:
    """Name the n-th checkout of a cart, from 1."""
    return f"merchant/{cart_id}/{n}"


def order_of_checkout(op: str) -> str:
    """Name the operation that places the order of the checkout that another operation is about."""
    return "/".join([*op.split("/")[:3], "complete"])


def number_of(op: str) -> int:
    """Return which checkout of its cart an operation is about."""
    return int(op.split("/")[2])


@plan
async def open_checkout(
    merchant: MerchantName,
    address_id: Annotated[
        str | None, Field(description="an id of get_wallet; else the only one there is")
    ] = None,
    discount_codes: Annotated[
        list[_Named] | None, Field(max_length=10, description="all of them; [] takes them out")
    ] = None,
    delivery_options: Annotated[
        list[_Named] | None,
        Field(max_length=10, description="titles of offered ways of delivery; else the cheapest"),
    ] = None,
    *,
    ctx: Context,
) -> ActionDraft:
    """Open a checkout at a merchant for what is in its cart, or update the open one."""
    cart = _filled(ctx, merchant)
    there = ctx.services.merchant(merchant)
    can = (await there.profile()).can
    if not can("checkout"):
        raise ToolRefused(f"{merchant} offers no checkout, so buying is not possible there.")
    if not can("fulfillment") and (address_id or delivery_options):
        raise ToolRefused(f"{merchant} offers no delivery options.")
    if not can("discount") and discount_codes:
        raise ToolRefused(
            f"{merchant} accepts no discount codes from agents. Nothing was changed; open the "
            "checkout without them."
        )
    address = await _address(ctx, cart, address_id) if can("fulfillment") else None
    chosen = _choices(cart.checkout, discount_codes, delivery_options)
    wanted: dict[str, Any] = {
        "merchant": merchant,
        "lines": [{"item_id": one.sku, "quantity": one.quantity} for one in cart.lines],
        "address_id": address.id if address else None,
        **chosen,
    }
    now = await _still_open(there, cart.checkout)
    if now is not None and cart.checkout is not None:
        _refuse_what_stands(cart, cart.checkout, now, wanted)
        steps = await _updates(ctx, cart, cart.checkout.n, wanted, now.checkout_id)
        title = f"Update the checkout at {merchant}"
    else:
        n = await _next(ctx, cart)
        opened = StepDraft("open", "open_session", f"{checkout_name(cart.cart_id, n)}/open", wanted)
        steps = (opened, *await _updates(ctx, cart, n, wanted, None))
        title = f"Open a checkout at {merchant}"
    return ActionDraft(
        tool="open_checkout",
        args={"merchant": merchant, **({"address_id": address.id} if address else {}), **chosen},
        title=title,
        summary=(
            *(f"{one.quantity} x {one.name}" for one in cart.lines),
            *(f"discount code {one}" for one in chosen.get("discount_codes", ())),
            *await _delivered_to(ctx, wanted["address_id"]),
        ),
        about=f"checkout of {named_together([one.name for one in cart.lines])} at {merchant}",
        steps=steps,
    )


_CHOICES = ("discount_codes", "delivery_options")


def _choices(
    before: OpenCheckout | None, codes: list[str] | None, delivery: list[str] | None
) -> dict[str, list[str]]:
    """Settle what is chosen beside the lines: what was said, else what was chosen before."""
    found = {
        name: list(dict.fromkeys(getattr(before, name, ()) if said is None else said))
        for name, said in zip(_CHOICES, (codes, delivery), strict=True)
    }
    return {name: given for name, given in found.items() if given}


async def _updates(
    ctx: Context, cart: MerchantCart, n: int, wanted: dict[str, Any], checkout_id: str | None
) -> tuple[StepDraft, ...]:
    """Bring a checkout to what is wanted, in two rounds; the last one is the pivot."""
    name = f"{checkout_name(cart.cart_id, n)}/r{cart.revision}/{wanted['address_id'] or 'nowhere'}"
    if chosen := {one: wanted[one] for one in _CHOICES if one in wanted}:
        name = f"{name}/{digest(chosen)[:16]}"
    again = await _first_free(ctx, lambda k: f"{name}/{k}/{_slug(ROUNDS[-1])}")
    return tuple(
        StepDraft(
            name=step,
            tool="update_session",
            op=f"{name}/{again}/{_slug(step)}",
            args=wanted if checkout_id is None else {**wanted, "checkout_id": checkout_id},
            binds={"checkout_id": take("open", "checkout_id")} if checkout_id is None else {},
            pivot=step == ROUNDS[-1],
        )
        for step in ROUNDS
    )


@plan
async def place_order(
    merchant: MerchantName,
    instrument_id: Annotated[
        str | None, Field(description="an id of get_wallet; else the only one that can be used")
    ] = None,
    *,
    ctx: Context,
) -> ActionDraft:
    """Place the order of the open checkout at a merchant. Asks for approval."""
    cart = _filled(ctx, merchant)
    there, known = ctx.services.merchant(merchant), cart.checkout
    if known is None or known.revision != cart.revision:
        raise ToolRefused(
            f"The checkout at {merchant} does not match the cart: call open_checkout first."
        )
    now = await there.checkout(known.checkout_id)
    _refuse_what_cannot_be_placed(there, now)
    delivered = await _delivered_to(ctx, known.address_id, now)
    instrument, usable = await _instrument(ctx, there, now, instrument_id)
    endpoint = (await there.profile()).endpoint
    body = requests.completed(instrument.model_dump())
    complete = StepDraft(
        name="complete",
        tool="complete_session",
        op=f"{checkout_name(cart.cart_id, known.n)}/complete",
        args={
            "merchant": merchant,
            "checkout_id": now.checkout_id,
            "instrument_id": instrument.id,
            "address_id": known.address_id,
            "total": now.total.amount,
            "currency": now.currency,
            "terms": now.terms,
            "body": as_json(body).decode(),
            "bought": now.bought,
            "endpoint": endpoint,
        },
        pivot=True,
    )
    return ActionDraft(
        tool="place_order",
        args={"merchant": merchant, "instrument_id": instrument.id},
        title=f"Order at {merchant} for {now.total}",
        summary=(
            *_shown(merchant, now),
            *(f"discount code {one}: not applied" for one in now.unused(known.discount_codes)),
            f"pay {now.total} with {instrument.label} ({instrument.id})",
            *delivered,
            *(f"delivery: {one}" for one in now.delivery),
        ),
        total=now.total,
        about=f"{named_together([one.title for one in now.lines])} at {merchant}",
        steps=(complete,),
        choices={"instrument_id": {one.id: one.label for one in usable}},
    )


@plan
async def cancel_checkout(merchant: MerchantName, *, ctx: Context) -> ActionDraft:
    """Cancel the open checkout at a merchant; the cart stays as it is."""
    cart, checkout = open_at(ctx.state["carts"], merchant)
    return ActionDraft(
        tool="cancel_checkout",
        args={"merchant": merchant},
        title=f"Cancel the checkout at {merchant}",
        about=f"{named_together([one.name for one in cart.lines])} at {merchant}, to be cancelled",
        steps=(
            StepDraft(
                name="cancel",
                tool="cancel_session",
                op=f"{checkout_name(cart.cart_id, checkout.n)}/cancel",
                args={"merchant": merchant, "checkout_id": checkout.checkout_id},
                pivot=True,
            ),
        ),
    )


async def _delivered_to(
    ctx: Context, address_id: str | None, now: Checkout | None = None
) -> list[str]:
    """Write where it is delivered to, by the label in the wallet.

    Raises:
        ToolRefused: its merchant would send it to another place.
    """
    user, wallet = ctx.session.user_id, ctx.services.wallet
    known = await wallet.addresses(user)
    if now is not None and address_id is not None:
        address = await wallet.address(user, address_id)
        if is_elsewhere(now.methods, address):
            raise ToolRefused(
                f"The merchant would deliver to another address than {address_id}. Nothing was "
                "ordered; call cancel_checkout, then open a new checkout."
            )
    return [f"deliver to {one.label} ({one.id})" for one in known if one.id == address_id]


def _filled(ctx: Context, merchant: str) -> MerchantCart:
    ctx.services.merchant(merchant)
    cart = cart_of(ctx.state["carts"], merchant)
    if cart is None or not cart.lines:
        raise ToolRefused(f"The cart at {merchant} is empty.", code="cart_empty")
    return cart


async def _next(ctx: Context, cart: MerchantCart) -> int:
    """Number the checkout: n grows only when the one before was given back, or came to nothing."""
    return await _first_free(ctx, lambda n: f"{checkout_name(cart.cart_id, n)}/open")


async def _first_free(ctx: Context, op: Callable[[int], str]) -> int:
    """Number what may be done again: whoever comes back to what was chosen before changes it."""
    for n in count(1):
        known = await ctx.ledger.operation(op(n))
        if known is None or not known.plan.over:
            # What is not over goes on: its operations meet their record.
            break
    return n


def _slug(step: str) -> str:
    return step.replace(" ", "-")


async def _still_open(merchant: Merchant, known: OpenCheckout | None) -> Checkout | None:
    """Return the checkout that is open at the merchant; None if there is none any more."""
    if known is None:
        return None
    try:
        now = await merchant.checkout(known.checkout_id)
    except ToolRefused:
        return None
    _refuse_what_is_ordered(merchant, now)
    return now if now.status in OPEN else None


def _refuse_what_is_ordered(merchant: Merchant, now: Checkout) -> None:
    if now.status in ("completed", IN_HAND):
        raise ToolRefused(
            f"{merchant.name} reports the checkout as {now.status}: call refresh_checkout to read "
            "its outcome. It is not ordered again."
        )


def _refuse_what_stands(
    cart: MerchantCart, known: OpenCheckout, now: Checkout, wanted: Mapping[str, Any]
) -> None:
    """Refuse to bring a checkout up to date that is: the same operations would change nothing."""
    stands = {name: list(getattr(known, name)) for name in _CHOICES}
    is_same = stands == {name: wanted.get(name, []) for name in _CHOICES}
    if is_same and known.revision == cart.revision and known.address_id == wanted["address_id"]:
        if now.is_stuck:
            raise ToolRefused(stuck(cart.merchant, now.continue_url))
        raise ToolRefused(
            f"The checkout at {cart.merchant} is open for this cart already: {now.total}, "
            f"{now.status}. Call place_order, refresh_checkout or cancel_checkout."
        )


def _refuse_what_cannot_be_placed(merchant: Merchant, now: Checkout) -> None:
    _refuse_what_is_ordered(merchant, now)
    said = "; ".join(one.advice for one in now.errors) or "it does not say why"
    if now.status == "requires_escalation":
        page = now.continue_url or f"{merchant.url} (it names no page of its own for this checkout)"
        raise ToolRefused(
            f"{merchant.name} needs the customer to continue on its own page: {page} ({said}). "
            "Give them this link; when they are done, call refresh_checkout."
        )
    if now.is_stuck:
        raise ToolRefused(stuck(merchant.name, now.continue_url))
    if now.status != "ready_for_complete":
        raise ToolRefused(
            f"{merchant.name} does not accept the order yet: the checkout is {now.status} "
            f"({said}). Nothing was ordered."
        )
    if not now.adds_up:
        raise ToolRefused(
            f"The amounts of {merchant.name} do not add up to its total of {now.total}. Nothing "
            "was ordered."
        )


async def _address(ctx: Context, cart: MerchantCart, said: str | None) -> Address | None:
    """Settle the address: what was said, what was taken before, the only one."""
    known = await ctx.services.wallet.addresses(ctx.session.user_id)
    before = cart.checkout.address_id if cart.checkout is not None else None
    if said is None and any(one.id == before for one in known):
        said = before
    return _chosen(known, said, "an address_id") if said or known else None


async def _instrument(
    ctx: Context, merchant: Merchant, now: Checkout, said: str | None
) -> tuple[Instrument, list[Instrument]]:
    """Settle what is paid with: what was said, or the only one that the merchant takes."""
    handlers = now.handlers or (await merchant.profile()).handlers
    there = await ctx.services.wallet.instruments(ctx.session.user_id)
    usable = [
        one
        for one in there
        if (not handlers or one.handler_id in handlers) and now.takes(one.handler_id, one.type)
    ]
    if not usable:
        raise ToolRefused(
            f"Nothing in the wallet is accepted by {merchant.name}: it accepts "
            f"{', '.join(handlers) or 'nothing'}, and the wallet has: {_listed(there)}."
        )
    return _chosen(usable, said, "an instrument_id"), usable


Owned = TypeVar("Owned", Address, Instrument)


def _chosen(known: Sequence[Owned], said: str | None, what: str) -> Owned:
    """Return what was said of the wallet, or the only one that there is; else refuse."""
    found = [one for one in known if said in (None, one.id)]
    if len(found) == 1:
        return found[0]
    wrong = f"{said} cannot be used here" if said else f"It needs {what}"
    raise ToolRefused(f"{wrong}; available are: {_listed(known)}.", code="not_found")


def _listed(given: Sequence[Address | Instrument]) -> str:
    return ", ".join(f"{one.id} ({one.label})" for one in given) or "nothing"


def _shown(merchant: str, now: Checkout) -> list[str]:
    """Write lines and sums as the merchant has them; they are never computed again.

    What must be disclosed beside a line or a sum stands right below it; what else must be shown
    stands below all.
    """
    code = now.currency
    parts = [
        *((f"line_items[{at}]", one.describe(code)) for at, one in enumerate(now.lines)),
        *(
            (f"totals[{at}]", f"{one.label or one.kind}: {in_units(one.amount, code)} {code}")
            for at, one in enumerate(now.totals)
        ),
    ]
    shown: list[str] = []
    beside: list[Message] = []
    for place, what in parts:
        here = [one for one in now.messages if one.beside and _is_at(one.path, f"$.{place}")]
        shown += [what, *(one.line for one in here)]
        beside += here
    others = [one for one in now.messages if one.must_show and one not in beside]
    return [*shown, *(f"{merchant} says: {one.line}" for one in others)]


def _is_at(path: str, place: str) -> bool:
    """Tell whether a path is of a place, or of something in it."""
    return path == place or path.startswith((f"{place}.", f"{place}["))
