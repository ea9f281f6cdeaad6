"""The sentences of the stand-in: what it says of itself, of products, carts and orders.

Names, descriptions and reviews come from strangers. They are put into a line of this file's making
and cut to one line, so that they can neither look like a question of the model nor like its list.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.words import KINDS, plain_noun
from daybook.demo.model.grammar.seen.prompt import Now
from daybook.demo.model.grammar.seen.results import Ending, Option, Product, Row

IDENTITY: Final = (
    "I am the stand-in for a model in Daybook's demo: a program that understands shopping English "
    "by a fixed, written grammar. I am not a human, and not a large language model either. I run "
    "here because no model provider is set."
)

UNDERSTOOD: Final = """\
I understand plain sentences such as:
- I need waterproof hiking boots under 150
- tell me more about the first one; what do people say about it; is it waterproof
- add the second one and two pairs of SOCK-002
- make it three; remove the socks; what's in my cart
- anything else you would suggest
- check out; pay with the visa and ship it to work
- show my orders; where is my order; cancel my last order
- mail me a summary
- my shoe size is 43; show me boots in my size; what do you know about me; forget my shoe size
- which of these has the best reviews; open r7 again; what did I order last month
- help me choose"""

NOT_SOLD: Final = "I found no “{what}”: this shop does not sell it, as far as I can see."

HELP: Final = (
    "I search, keep your cart, check out, and look after your orders. I remember what you tell me "
    f"about yourself, answer about earlier orders, and advise you.\n\n{UNDERSTOOD}"
)

GREETING: Final = (
    "Hello. I am the stand-in for a model: I search the shop, keep your cart and check out for "
    "you. Tell me what you are looking for, or say “help”."
)

NOTHING_SAID: Final = "I am listening. Tell me what you are looking for, or say “help”."

TOO_MUCH: Final = (
    "This took more steps than I take in one turn, so I stop here. Ask again for what is missing."
)


KINDS_SOLD: Final = (
    f"There are {', '.join(plain_noun(kind) for kind in KINDS)}. Which of these are you after?"
)


EMPTY_CART: Final = "Your cart is empty"

NOT_CHECKED_OUT: Final = (
    "So I have not checked out. Say “check out” if you want the cart as it is now."
)

TOO_MANY: Final = "That was more than I follow in one message. Say the rest again."


def not_understood(texts: Sequence[str]) -> str:
    """Say which clauses were outside the grammar."""
    return f"I did not understand {' and '.join(f'“{echo(text)}”' for text in texts)}."


def echo(text: str, most: int = 160) -> str:
    """Bring a person's words to one line; what may be a card's number is not said again."""
    return one_line(_LONG_NUMBER.sub("…", text), most)


_LONG_NUMBER: Final = re.compile(r"\d(?:[ -]?\d){7,}")


def held_back(texts: Sequence[str], what: str) -> str:
    """Say that nothing was done because of a clause that was not understood."""
    return (
        f"{not_understood(texts)} It may change what you mean, so I have not {what}. "
        "Say that part again in a message of its own if you want it."
    )


def not_offered(tool: str, now: Now) -> str:
    """Say that a tool is not offered at this position of the flow."""
    position = f", where the flow stands at “{now.flow}”" if now.flow else ""
    waiting = f" Waiting: {now.pending}." if now.pending else ""
    return f"I cannot {_DOING.get(tool, tool.replace('_', ' '))} at this point{position}.{waiting}"


_DOING: Final = {
    "search_products": "search the shop",
    "get_product": "look up a product",
    "get_reviews": "read reviews",
    "fetch_user_profile": "look up your cards and addresses",
    "get_policy": "look up what the shop promises",
    "get_order": "look up an order",
    "list_orders": "list your orders",
    "add_to_cart": "add to the cart",
    "remove_from_cart": "take anything out of the cart",
    "set_quantity": "change the cart",
    "checkout": "check out",
    "cancel_order": "cancel an order",
    "send_email": "send a mail",
    "remember": "note that",
    "forget": "forget that",
    "recall": "open that again",
    "query_history": "look at your past",
    "compare_reviews": "compare reviews",
    "start_interview": "ask you what you need",
    "note_brief": "note that",
    "hand_over": "go on with that",
}


def passed_on(tool: str, sentence: str) -> str:
    """Pass on the sentence with which a tool refused."""
    return f"I could not {_DOING.get(tool, tool.replace('_', ' '))}: {one_line(sentence)}"


# ---- products --------------------------------------------------------------------------------


def row(found: Row) -> str:
    """Write one product: name, sku, price, rating, stock."""
    rating, count = found.rating, ""
    if found.rating.endswith(")") and " (" in found.rating:
        rating, _, count = found.rating.rpartition(" (")
        count = f" ({count[:-1]} reviews)"
    parts = [found.price, f"rated {rating}{count}" if rating else "", found.stock]
    about = ", ".join(part for part in parts if part)
    return f"**{one_line(found.name)}** ({found.sku}), {about}"


def rows(found: Iterable[Row]) -> str:
    """Write products as a list with the numbers of their rows."""
    return "\n".join(f"{one.number}. {row(one)}" for one in found)


def asked(search: Search, currency: str) -> str:
    """Write what was looked for, with its bounds."""
    parts = [f"“{search.query or search.category}”"]
    if search.min_price is not None:
        parts.append(f"from {money(search.min_price, currency)}")
    if search.max_price is not None:
        parts.append(f"up to {money(search.max_price, currency)}")
    return " ".join(parts)


def hits(search: Search, found: Sequence[Row], currency: str) -> str:
    """Write the hits of a search."""
    head = f"{_count(len(found), 'product')} for {asked(search, currency)}:"
    text = f"{head}\n\n{rows(found)}"
    if search.cheap and len(found) > 1:
        cheapest = min(found, key=lambda one: one.cents)
        text += f"\n\nOf these, number {cheapest.number} is the cheapest, at {cheapest.price}."
    if search.foreign:
        text += f"\n\nPrices here are in {currency}; I took your limit as {currency}."
    return text


def page(found: Product) -> str:
    """Write a product page."""
    facts = [f"- {attribute(name, value)}" for name, value in found.attributes.items()]
    parts = [row(found.row), f"> {one_line(found.description, 400)}" if found.description else ""]
    return "\n\n".join(part for part in [*parts, "\n".join(facts)] if part)


def attribute(key: str, value: str) -> str:
    """Write an attribute, with the unit that its name ends in: "weight_g=46" is "weight: 46 g"."""
    *name, last = key.split("_")
    unit = _UNITS.get(last, "") if name else ""
    words = " ".join(name if unit else [*name, last])
    return one_line(f"{words}: {value}{f' {unit}' if unit else ''}")


_UNITS: Final = {
    "g": "g", "kg": "kg", "mm": "mm", "cm": "cm", "metre": "m", "litre": "l", "minutes": "min",
    "kw": "kW",
}  # fmt: skip


def opinions(name: str, found: Sequence[tuple[str, str, str]], rating: str = "") -> str:
    """Write reviews as quotations, the first five of them."""
    if not found:
        return f"There are no reviews of {one_line(name)} yet."
    quoted = [f"> {rating}: {one_line(f'{title}. {text}', 240)}" for rating, title, text in found]
    more = f"\n\nNot shown: {len(found) - 5} more." if len(found) > 5 else ""
    rated = f" (rated {rating})" if rating else ""
    return f"What customers say about {one_line(name)}{rated}:\n\n" + "\n".join(quoted[:5]) + more


# ---- cart and orders -------------------------------------------------------------------------


def cart(now: Now) -> str:
    """Write the cart with its total, as the tail of the prompt has it."""
    if not now.cart:
        return f"{EMPTY_CART}."
    lines = [
        f"- {one_line(line.name)} ({line.sku}) x{line.quantity}: {line.price} {now.currency}"
        for line in now.cart
    ]
    return "\n".join(["Your cart:", *lines, "", f"Total: {now.total}"])


def orders(found: Iterable[Sequence[str]]) -> str:
    """Write orders of the form (id, status, total, lines)."""
    return "\n".join(
        f"- {one[0]}: {one[1]}, {one[2]}{f' ({one_line(one[3])})' if len(one) > 3 else ''}"
        for one in found
    )


def choices(cards: Sequence[Option], addresses: Sequence[Option]) -> str:
    """Write what can be chosen, numbered through: cards first, then addresses."""
    both = cards and addresses
    lines = ["Cards:"] if both else []
    lines += [f"{n}. {one_line(o.label)} ({o.id})" for n, o in enumerate(cards, 1)]
    lines += ["", "Addresses:"] if both else []
    start = len(cards) + 1
    lines += [f"{n}. {one_line(o.label)} ({o.id})" for n, o in enumerate(addresses, start)]
    return "\n".join(lines)


def ended(tool: str, found: Ending) -> str:
    """Say in plain words how an action ended."""
    action = {"checkout": "The checkout", "cancel_order": "The cancellation"}.get(tool, "The mail")
    sentence = _sentence(found.sentence)
    match found.status:
        case "confirmed" if tool == "send_email":
            return f"Done: {sentence}"
        case "confirmed" if tool == "checkout":
            return f"Your order is placed: {sentence}"
        case "confirmed":
            return f"Done: {sentence}"
        case "failed":
            return f"{action} did not go through. {_capital(sentence)}"
        case "in doubt":
            return f"{action} is in doubt. {_capital(sentence)}"
        case "refused":
            return passed_on(tool, sentence)
        case status:
            by = f" by {found.by}" if found.by else ""
            return f"{action} was {status}{by}: {sentence}"


def summary(now: Now, topic: str, listed: Sequence[Row], told: str = "") -> tuple[str, str]:
    """Write subject and body of a mail from what stands in the prompt."""
    order_lines = orders((one.order_id, one.status, one.total) for one in now.orders)
    parts = {
        "cart": cart(now),
        "orders": f"Your orders:\n{order_lines}" if order_lines else "You have no orders yet.",
        "said": told,
        "results": f"The products on view:\n{rows(listed)}" if listed else "",
    }
    wanted = ("cart", "orders") if topic == "summary" else (topic,)
    body = "\n\n".join(parts[name].replace("**", "") for name in wanted if parts[name])
    return f"Your Daybook {'products' if topic == 'said' else topic}", body


# ---- pieces ----------------------------------------------------------------------------------


def money(amount: int, currency: str) -> str:
    """Write integer cents with their currency."""
    return f"{amount // 100}.{amount % 100:02} {currency}"


def one_line(text: str, most: int = 160) -> str:
    """Bring text to one line of bounded length."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def _count(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def _sentence(text: str) -> str:
    flat = one_line(text, 600)
    return flat if flat.endswith((".", "!", "?")) else f"{flat}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
