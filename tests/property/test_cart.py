"""Any sequence of cart events."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from daybook.state.errors import ToolRefused
from daybook.state.shop.cart import Cart, CartLine, add, remove, set_quantity

SKUS = st.sampled_from(["A", "B", "C", "D"])


@dataclass(frozen=True)
class Add:
    sku: str
    quantity: int
    unit_price: int

    def on(self, cart: Cart) -> Cart:
        line = CartLine(
            sku=self.sku, name=self.sku, quantity=self.quantity, unit_price=self.unit_price
        )
        return add(cart, line)


@dataclass(frozen=True)
class Remove:
    sku: str
    turn_id: str

    def on(self, cart: Cart) -> Cart:
        return remove(cart, self.sku, self.turn_id)


@dataclass(frozen=True)
class SetQuantity:
    sku: str
    quantity: int

    def on(self, cart: Cart) -> Cart:
        return set_quantity(cart, self.sku, self.quantity)


EVENTS = st.lists(
    st.one_of(
        st.builds(Add, SKUS, st.integers(1, 99), st.integers(0, 100_000)),
        st.builds(Remove, SKUS, st.sampled_from(["t1", "t2"])),
        st.builds(SetQuantity, SKUS, st.integers(-1, 101)),
    ),
    max_size=30,
)


def steps(events) -> list[tuple[Cart, object, Cart]]:
    """Apply events; a refused one changes nothing. Returns cart before, event, cart after."""
    cart, seen = Cart(cart_id="usd-1", currency="USD"), []
    for event in events:
        try:
            after = event.on(cart)
        except ToolRefused:
            after = cart
        seen.append((cart, event, after))
        cart = after
    return seen


@given(EVENTS)
def test_after_any_events_a_cart_holds_together_and_is_read_back_as_it_was(events):
    for _, _, cart in steps(events):
        assert cart.total.amount == sum(row.quantity * row.unit_price for row in cart.lines)
        assert cart.total.currency == cart.currency
        assert all(1 <= row.quantity <= 99 for row in cart.lines)
        there, gone = [row.sku for row in cart.lines], [row.sku for row in cart.removed]
        assert len({*there, *gone}) == len(there) + len(gone)
        assert Cart.model_validate(cart.model_dump(mode="json")) == cart


@given(EVENTS)
def test_every_change_is_of_one_product_and_makes_exactly_one_new_revision(events):
    for before, event, after in steps(events):
        assert after.revision == before.revision + (after is not before)
        others = [row for row in before.lines if row.sku != event.sku]
        assert [row for row in after.lines if row.sku != event.sku] == others


@given(EVENTS)
def test_what_is_taken_out_is_remembered_until_it_is_added_again(events):
    out: dict[str, str] = {}
    for before, event, after in steps(events):
        if after is not before and isinstance(event, Remove):
            out[event.sku] = event.turn_id
        if after is not before and isinstance(event, Add):
            out.pop(event.sku, None)
        assert {gone.sku: gone.turn_id for gone in after.removed} == out
