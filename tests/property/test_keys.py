"""Names of operations: one business operation, one key."""

from hypothesis import given
from hypothesis import strategies as st

from daybook.state.effects.keys import plan_id, step_id, turn_op, undo_key
from daybook.state.shop.cart import cart_id, checkout_id

# Ids of clients are any text; slashes and digits are where names could run into each other.
IDS = st.text("a/1.-", min_size=1, max_size=6) | st.text(st.characters(codec="utf-8"), min_size=1)
OPERATIONS = st.text("a/1", min_size=1, max_size=6)
NUMBERS = st.integers(1, 30)
CURRENCIES = st.sampled_from(["USD", "EUR", "GBP"])

STEPS = st.tuples(OPERATIONS, NUMBERS)
CALLS = st.tuples(IDS, IDS, st.integers(0, 12), st.integers(0, 12), st.sampled_from(["a", "a/1"]))
CARTS = st.tuples(IDS, IDS, CURRENCIES)


@given(STEPS, STEPS)
def test_two_steps_never_share_a_key_nor_does_the_undo_of_one(one, other):
    assert (step_id(*one) == step_id(*other)) == (one == other)
    assert undo_key(step_id(*one)) != step_id(*other)


@given(CALLS, CALLS)
def test_two_calls_of_turns_never_share_an_operation(one, other):
    assert (turn_op(*one) == turn_op(*other)) == (one == other)


@given(CARTS, NUMBERS, CARTS, NUMBERS)
def test_carts_and_checkouts_share_no_name_and_have_their_currency_in_front(one, n, other, m):
    a, b = cart_id(*one), cart_id(*other)
    assert (a == b) == (one == other)
    assert (checkout_id(a, n) == checkout_id(b, m)) == ((a, n) == (b, m))
    assert checkout_id(a, n).split("-")[0] == a.split("-")[0] == one[2].lower()


def test_a_message_of_one_thread_is_never_taken_for_one_of_another():
    """A slash in an id must not move the border between thread and turn."""
    assert turn_op("a", "b/c", 0, 0, "send_email") != turn_op("a/b", "c", 0, 0, "send_email")
    assert cart_id("a", "b/c", "USD") != cart_id("a/b", "c", "USD")
    assert plan_id("a", "b/c", 0, [], 1, "") != plan_id("a/b", "c", 0, [], 1, "")
