"""The commands that the stand-in understands in the shop, and the answers in its interview."""

from typing import Final

from daybook.demo.model.commands import TALK, Command

_FOUND: Final = ("find waterproof boots under 150",)
_FILLED: Final = ("add BOOT-013",)
_ORDERED: Final = (*_FILLED, "check out")
_INTERVIEW: Final = ("I need advice for a trip to Iceland",)

TABLE: Final = (
    Command("cart", ("show|open [me] my|the cart", "what is in my|the cart", "my cart"),
            "show my cart", "says what is in the cart", after=_FILLED, is_question=True),
    Command("orders", ("what did I order [today]", "show|list [me] my orders"),
            "what did I order?", "lists your orders", ("list_orders",), is_question=True),
    Command("cancel", ("cancel my|the|that order", "cancel [order] ORDER"),
            "cancel my order", "cancels an order; asks which if there are several",
            ("cancel_order",), after=_ORDERED, is_effect=True),
    Command("checkout", ("check out [with CARD] [to ADDRESS]", "checkout"),
            "check out", "buys what is in the cart", ("checkout",), after=_FILLED, is_effect=True),
    Command("compare", ("compare them|these", "which of these|them has the best reviews"),
            "compare them", "lets the reviewer compare the products of the list",
            ("compare_reviews",), after=_FOUND, is_question=True),
    Command("details", ("tell me [more] about ITEM", "what does ITEM cost", "how much is ITEM"),
            "what does BOOT-013 cost?", "looks up price, stock and description of a product",
            ("get_product",), is_question=True),
    Command("add", ("add ITEMS to my|the cart", "put ITEMS into|in my|the cart", "add ITEMS again",
                    "add ITEMS"),
            "add BOOT-013", "puts products into the cart; `add 2` is the second of the list",
            ("add_to_cart",)),
    Command("remove", ("remove ITEMS from my|the cart", "remove ITEMS"),
            "remove the boots", "takes products out of the cart", ("remove_from_cart",),
            after=_FILLED),
    Command("quantity", ("N of ITEM", "set ITEM to N", "make it N"),
            "3 of BOOT-013", "brings a product of the cart to a number", ("set_quantity",),
            after=_FILLED),
    Command("interview", ("help me choose", "I need advice [for|on|about GOAL]"),
            "I need advice for a trip to Iceland", "lets the interviewer ask what you need",
            ("start_interview",), is_alone=True),
    Command("find", ("find|show [me] WHAT [MOST]", "search for WHAT [MOST]", "I need WHAT [MOST]",
                     "I am looking for WHAT [MOST]"),
            "find waterproof boots under 150", "searches the shop; looks a SKU up",
            ("search_products",)),
    Command("kind", ("WHAT [MOST]",),
            "waterproof boots", "searches the shop for a kind of goods", ("search_products",)),
    Command("remember", ("my SUBJECT is VALUE",),
            "my shoe size is 43", "remembers something about you", ("remember",)),
    Command("forget", ("forget my SUBJECT",),
            "forget my shoe size", "forgets it", ("forget",), after=("my shoe size is 43",)),
    *TALK,
)  # fmt: skip
"""What is understood in the shop."""

INTERVIEW: Final = (
    Command("category", ("WHAT [MOST]",),
            "waterproof boots", "notes the kind of goods, and what they must be",
            ("note_brief",), after=_INTERVIEW),
    Command("price", ("[under|below] PRICE", "at most PRICE"),
            "under 150", "answers what it may cost", ("note_brief",), after=(*_INTERVIEW, "boots")),
    Command("size", ("[size] SIZE",),
            "43", "answers which size", ("note_brief", "hand_over", "search_products"),
            after=(*_INTERVIEW, "boots", "150")),
    Command("any", ("any|no|skip",),
            "any", "leaves the question open", after=(*_INTERVIEW, "boots")),
    Command("enough", ("just show me something", "no more questions"),
            "just show me something", "ends the interview",
            ("hand_over", "search_products"), after=_INTERVIEW),
)  # fmt: skip
"""What is understood as an answer in the interview; what the shop understands ends it."""
