"""The domain `merchants`."""

from __future__ import annotations

from daybook.state.flow import FlowTable
from daybook.state.merchants.state import MerchantsState, named_after, new_cart
from daybook.state.session import Session
from daybook.tools.builtin import forget, query_history, recall, remember
from daybook.tools.domain import Domain, Prompt, State, Update
from daybook.tools.merchants import cart, catalog, checkout, effects, prompt
from daybook.tools.merchants.panels import panels, warnings
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.settlement import settled
from daybook.tools.registry import Registry

_READS = (catalog.search_catalog, catalog.get_item, catalog.get_wallet, catalog.get_order)
_PAST = (recall, query_history)
_OFFERED = (
    *_READS,
    cart.add_to_cart,
    cart.remove_from_cart,
    cart.set_quantity,
    cart.refresh_checkout,
    *_PAST,
    remember,
    forget,
    checkout.open_checkout,
    checkout.place_order,
    checkout.cancel_checkout,
)
_LOOK = frozenset(one.name for one in (*_READS, *_PAST))
CHOOSING = "choosing"
_PLANS = {"open_checkout": "opening", "place_order": "ordering", "cancel_checkout": "cancelling"}
"""Plan to where a thread stands while it is in progress."""

FLOW = FlowTable(
    start=CHOOSING,
    moves={
        **{(at, "cart.changed"): at for at in (CHOOSING, *_PLANS.values())},
        **{(CHOOSING, f"{plan}.opened"): at for plan, at in _PLANS.items()},
        **{(at, f"{plan}.succeeded"): CHOOSING for plan, at in _PLANS.items()},
        **{(at, f"{plan}.failed"): CHOOSING for plan, at in _PLANS.items()},
    },
    # While a plan is in progress nothing may change what was approved.
    offered={
        CHOOSING: frozenset(one.name for one in _OFFERED),
        **dict.fromkeys(_PLANS.values(), _LOOK),
    },
)


def _initial(session: Session, turn_id: str, services: MerchantServices) -> Update:
    return {"origin": named_after(session.thread_id, turn_id), "carts": (), "orders": ()}


def _carried(state: State, session: Session, turn_id: str) -> Update:
    """Take over what is in the carts; each gets a name of its own, and no checkout is open."""
    origin, taken = named_after(session.thread_id, turn_id), []
    for old in state["carts"]:
        kept = {name: getattr(old, name) for name in ("currency", "lines", "removed")}
        taken.append(new_cart(old.merchant, origin).model_copy(update=kept))
    return {"origin": origin, "carts": tuple(taken), "orders": ()}


EXAMPLE = "Find me a backpack"

MERCHANTS = Domain(
    name="merchants",
    state=MerchantsState,
    version=1,
    registry=Registry(
        offered=_OFFERED,
        steps=(
            effects.open_session,
            effects.update_session,
            effects.cancel_session,
            effects.complete_session,
        ),
    ),
    flow=FLOW,
    bumps=cart.BUMPS,
    prompt=Prompt(system=prompt.SYSTEM, read=prompt.render, gist=prompt.gist, tail=prompt.tail),
    initial=_initial,
    apply=cart.apply,
    settled=settled,
    outcome=prompt.outcome,
    hidden=cart.hidden,
    # An order may be placed next, for which a reviewer is asked.
    pauses=lambda state: any(one.checkout is not None for one in state["carts"]),
    progress=prompt.progress,
    carried=_carried,
    stand_in="daybook.demo.model",
    warns=warnings,
    shows=panels,
    greeting=f"Tell me what you are looking for, for example: {EXAMPLE}.",
    example=EXAMPLE,
    user="ada",
)
