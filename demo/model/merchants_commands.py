"""The commands that the stand-in understands where it buys from merchants."""

from typing import Final

from daybook.demo.model.commands import TALK, Command

_FOUND: Final = ("find a boot",)
_FILLED: Final = (*_FOUND, "add the first")
_ORDERED: Final = (*_FILLED, "check out")

TABLE: Final = (
    Command("cart", ("show|open [me] my|the cart|carts", "what is in my|the cart|carts", "my cart"),
            "show my cart", "says what is in the carts", after=_FILLED, is_question=True),
    Command("orders", ("what did I order [today]", "show|list [me] my orders"),
            "what did I order?", "lists the orders of this conversation", after=_ORDERED,
            is_question=True),
    Command("checkout", ("check out [at HOST] [with CHOICE]", "checkout [at HOST]"),
            "check out", "opens a checkout, and orders when the merchant is ready",
            ("open_checkout", "place_order"), after=_FILLED, is_effect=True),
    Command("cancel", ("cancel my|the checkout [at HOST]",),
            "cancel the checkout", "gives an open checkout back; the cart stays", is_effect=True),
    Command("done", ("done [at HOST]",),
            "done", "asks how the checkout stands after you were on the merchant's page",
            is_alone=True),
    Command("add", ("add ITEMS at HOST", "add ITEMS"),
            "add the first", "puts things into a cart; `add 2` is the second of the list",
            ("add_to_cart",), after=_FOUND),
    Command("remove", ("remove ITEM at HOST", "remove ITEM"),
            "remove the boot", "takes something out of a cart", ("remove_from_cart",),
            after=_FILLED),
    Command("quantity", ("N of ITEM [at HOST]", "set ITEM to N", "make it N"),
            "make it 3", "brings something of a cart to a number", ("set_quantity",),
            after=_FILLED),
    Command("find", ("find|show [me] WHAT [MOST] [at HOST]", "search for WHAT [MOST] [at HOST]",
                     "I need WHAT [MOST] [at HOST]", "I am looking for WHAT [MOST] [at HOST]"),
            "find a boot under 200", "searches at all merchants, or at one", ("search_catalog",)),
    *TALK,
)  # fmt: skip
"""What is understood where it buys from merchants."""
