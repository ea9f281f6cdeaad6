"""The domain of buying from merchants, put together."""

from __future__ import annotations

from daybook.state.merchants.carts import begun
from daybook.state.merchants.state import MerchantsState, named_after
from daybook.state.session import Session
from daybook.tools.domain import Domain, Prompt, State, Update
from daybook.tools.merchants import removals
from daybook.tools.merchants.offered import cart, effects, plans, reads
from daybook.tools.merchants.positions import FLOW
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.settlement import settled
from daybook.tools.merchants.spoken import prompt
from daybook.tools.merchants.spoken.panels import panels
from daybook.tools.merchants.spoken.warnings import warnings
from daybook.tools.own.history import query_history
from daybook.tools.own.memory import forget, remember
from daybook.tools.own.recall import recall
from daybook.tools.registry import Registry


def _initial(session: Session, turn_id: str, services: MerchantServices) -> Update:
    return {"origin": named_after(session.thread_id, turn_id), "carts": (), "orders": ()}


def _carried(state: State, session: Session, turn_id: str) -> Update:
    """Take over what is in the carts; each gets a name of its own, and no checkout is open."""
    origin = named_after(session.thread_id, turn_id)
    taken = tuple(
        begun(old.merchant, origin).model_copy(
            update={"currency": old.currency, "lines": old.lines, "removed": old.removed}
        )
        for old in state["carts"]
    )
    return {"origin": origin, "carts": taken, "orders": ()}


def _pauses(state: State) -> bool:
    """Tell whether there is an order that may be placed next, for which a person is asked."""
    return any(one.checkout is not None for one in state["carts"])


EXAMPLE = "Find me a backpack"

MERCHANTS = Domain(
    name="merchants",
    state=MerchantsState,
    version=1,
    registry=Registry(
        offered=(
            reads.search_catalog,
            reads.get_item,
            reads.get_carts,
            reads.get_wallet,
            reads.get_checkout,
            reads.get_order,
            reads.list_orders,
            cart.add_to_cart,
            cart.remove_from_cart,
            cart.set_quantity,
            cart.refresh_checkout,
            recall,
            query_history,
            remember,
            forget,
            plans.open_checkout,
            plans.place_order,
            plans.cancel_checkout,
        ),
        steps=(
            effects.open_session,
            effects.update_session,
            effects.cancel_session,
            effects.complete_session,
        ),
    ),
    flow=FLOW,
    bumps=removals.BUMPS,
    prompt=Prompt(system=prompt.SYSTEM, read=prompt.read, gist=prompt.gist, tail=prompt.tail),
    initial=_initial,
    apply=cart.apply,
    settled=settled,
    outcome=prompt.outcome,
    hidden=removals.hidden,
    pauses=_pauses,
    progress=prompt.progress,
    carried=_carried,
    stand_in="daybook.demo.model",
    warns=warnings,
    shows=panels,
    greeting=f"Tell me what you are looking for, for example: {EXAMPLE}.",
    example=EXAMPLE,
    user="ada",
)
