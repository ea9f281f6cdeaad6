"""The last look at a change of the cart: it is made where every word that bears meaning was read.

Pure. What was passed over, by whatever reading, makes a question of the change: a property, a
superlative, a limit, a negation, a time, "instead", "both", or that it was only asked.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.chat.frames.polite import IDLE, JOINTS
from daybook.demo.model.grammar.language.chat.frames.rest import may_alter
from daybook.demo.model.grammar.language.chat.frames.things import UNITS
from daybook.demo.model.grammar.language.chat.names import MODEL_WORDS
from daybook.demo.model.grammar.language.chat.told import wants_nothing
from daybook.demo.model.grammar.language.chat.vocabulary import (
    COLOURS,
    MATERIALS,
    SILENT,
    says_goods,
)
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Doubtful,
    Keep,
    Remove,
    SetQuantity,
    Swap,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.references import Every, It, Named, Nth, Reference
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import CHEAP, HEDGES, stems
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.referents import Found, on_view
from daybook.demo.model.grammar.seen.scene import Scene, scene_of

CART: Final = Add | Remove | SetQuantity | Keep | Swap | ClearCart
"""What changes the cart."""
_TOOLS: Final = frozenset({"add_to_cart", "set_quantity", "remove_from_cart"})
_FEATURES: Final = frozenset(
    {
        "waterproof", "windproof", "insulated", "rechargeable", "foldable", "collapsible",
        "freestanding", "ultralight", "breathable",
    }
)  # fmt: skip
_PROPERTIES: Final = (COLOURS | MATERIALS | _FEATURES) - frozenset(
    {"down", "stone", "rust", "lake", "gas"}
)
_SENDS_BACK: Final = re.compile(
    r"\b(?:send|return|bring|give) (?:(?:you|the) )*other(?: one)?(?: back)?(?!\w)"
)
"""What becomes of one of two later: "i take both, and send the other one back"."""
SUPERLATIVE: Final = re.compile(
    r"\b(?:cheapest|dearest|priciest|lightest|heaviest|brightest|warmest|biggest|largest|roomiest"
    r"|smallest|tallest|highest|strongest|(?<!at )(?:best|finest|nicest)"
    r"|(?:most|least) (?:expensive|popular|costly|light|heavy|warm)"
    r"|(?:best|top|highest|lowest) (?:rated|reviewed|priced))\b"
)
_NEGATES: Final = frozenset({"not", "never", "neither", "nor", "without", "hardly"})
_LATER: Final = re.compile(
    r"\b(?:tomorrow|later|some ?day|eventually|one day|next (?:week|month|year|time|spring|summer"
    r"|autumn|fall|winter))\b"
    r"|\bin (?:an?|\w+) (?:minutes?|hours?|days?|weeks?|months?)\b"
)
_HAS_SO_MANY: Final = re.compile(
    r"\b(?:do you(?: even| still)? (?:have|stock)|have you(?: even| still)? got|are there"
    r"|is there) (?:that|so|this|as) (?:many|much)\b|\bif you (?:have|got|have got) (?:that|so"
    r"|as|enough)\b"
)
"""Whether there are so many is to be answered before there shall be."""
_BUT: Final = re.compile(
    r"\b(?:all|everything|each|every \w+|any) (?:but|except|apart from|save)\b"
)
_WISHES: Final = re.compile(
    r"\b(?:can|could|would|will|may|might|shall|should) (?:you|i|we|u)\b|\byes|yeah|sure|please\b"
)
_ASKS_TO_BUY: Final = re.compile(
    r"\W*(?:(?:and|so|ok|then|now|just)\W+)*(?:buy|get|order|take|pay for|check ?out|pay"
    r"|place (?:the |my |an |this )?order)"
    r"(?: (?:it|them|that|this|all|now))*\s*\?\W*"
)
_ASKS_STOCK: Final = re.compile(
    r"\b(?:do you|have you|are there|is there) (?:\w+ )?(?:(?:have|got|stock) )?(?:\w+ )?"
    r"(?:(?:that|so) many|as many|enough|in stock|left)\b"
)
_HAS_ONE: Final = re.compile(
    r"\b(?:i|we) (?:had|have|own|owned|bought|got) (?:it|that|this|one|them|those)(?: one)? "
    r"(?:already|before|once|last year)\b"
)
_FEW: Final = 3
_PAIR: Final = 2


def accounted(intents: Sequence[Intent], text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Return what was read, its changes of the cart as questions where a word is unaccounted for.

    What this turn has changed already was looked at then.
    """
    is_done = any(call.tool in _TOOLS for call in prompt.turn.calls)
    if is_done or not any(isinstance(one, CART | Checkout) for one in intents):
        return tuple(intents)
    if _ASKS_TO_BUY.fullmatch(text.lower()):
        return tuple(map(doubtful, intents))
    if not any(_passed_over(intents, text, scene_of(prompt))):
        return tuple(intents)
    return tuple(doubtful(one) if isinstance(one, CART) else one for one in intents)


def asked_together(intents: Sequence[Intent]) -> tuple[Intent, ...]:
    """Ask once about several that may be wanted, one of each: a yes is then to all of them."""
    asked = [one for one in intents if isinstance(one, Doubtful) and one.act == "add"]
    if len(asked) < _PAIR or any(one.quantity not in (None, 1) for one in asked):
        return tuple(intents)
    items = tuple(item for one in asked for item in one.items)
    rest = [one for one in intents if one not in asked]
    return (*rest, Doubtful("add", items))


def _passed_over(intents: Sequence[Intent], text: str, scene: Scene) -> Iterator[bool]:
    """Yield for each way to mean more than was read whether the text does."""
    tokens = tokens_of(text)
    plain = " ".join(token.text for token in tokens)
    texts = {token.text for token in tokens}
    said = repr(tuple(intents))
    changes = [one for one in intents if isinstance(one, CART)]
    unread = [one for one in intents if isinstance(one, NotUnderstood) and not one.hedged]
    yield any(may_alter(tokens_of(one.text)) for one in unread)
    yield _only_asks(plain, texts)
    yield _ASKS_STOCK.search(plain) is not None or _HAS_ONE.search(plain) is not None
    yield wants_nothing(tokens)
    yield any(isinstance(one, SetQuantity) and _is_no_count(one.quantity) for one in changes)
    yield any(isinstance(one, Swap) and isinstance(one.item, It) for one in changes)
    yield any(map(_is_place_or_count, changes)) and _TAKES_SO_MANY.search(plain) is not None
    yield any(map(_names_no_goods, changes)) and ClearCart() not in changes
    yield any(counts_a_stranger(*pair) for pair in pairwise(tokens))
    yield any(_counts_no_goods(*pair, changes) for pair in pairwise(tokens))
    yield any(lacks(token, intents, scene) for token in tokens)
    yield SUPERLATIVE.search(plain) is not None and not re.search(r"Extreme|Pick|cheap=True", said)
    yield price_bounds(plain)[1] is not None and not re.search(r"(?:max|min)_price=\d", said)
    only_adds = all(isinstance(one, Add) for one in changes) and len(changes) == len(intents)
    yield only_adds and bool(_NEGATES & texts)
    yield only_adds and "instead" in texts and bool(scene.cart)
    others = _SENDS_BACK.sub("", plain)
    yield "other" in others.split() and "Other(" not in said and "another" not in plain
    takes = any(isinstance(one, Remove | ClearCart | Keep) for one in changes)
    yield takes and "the list" in plain
    yield _HAS_SO_MANY.search(plain) is not None
    yield _LATER.search(plain) is not None
    yield only_adds and bool({"less", "fewer"} & texts) and price_bounds(plain) == (None, None)
    yield _BUT.search(plain) is not None and not any(isinstance(one, Keep) for one in changes)
    yield only_adds and "both" in texts and not _are_two(changes)


def _is_no_count(number: int) -> bool:
    """Tell whether a number may as well be a price or a size: "129 is fine", "make it 43"."""
    return number in _SIZES or number > _MOST_OF_ONE


def _is_place_or_count(intent: Intent) -> bool:
    """Tell whether what is added is a place of a list that was said as a number: "I'll take 5"."""
    match intent:
        case Add(Nth(n, counted=False)):
            return n > 1
        case _:
            return False


_TAKES_SO_MANY: Final = re.compile(r"\b(?:take|have|need|want|like)(?: just| only)? \d{1,2}\W*$")
_SIZES: Final = range(35, 49)
_MOST_OF_ONE: Final = 99


def counts_a_stranger(one: Token, after: Token) -> bool:
    """Tell whether a number stands before a word that is none of the shop's: "12 Elm street"."""
    is_count = one.kind is Kind.NUMBER and one.text.isdigit()
    return is_count and after.kind is Kind.WORD and _is_strange(after.text)


def _counts_no_goods(one: Token, after: Token, changes: Sequence[Intent]) -> bool:
    """Tell whether so many of "it" were read of what is none of it: "two reasons to take them"."""
    is_many = after.text.endswith("s") and not after.text.endswith("ss") and len(after.text) > _FEW
    return (
        one.kind is Kind.NUMBER
        and is_many
        and _is_strange(after.text)
        and after.text not in _PEOPLE
        and any(isinstance(it, Add) and it == Add(It(), one.value, it.more) for it in changes)
    )


_PEOPLE: Final = frozenset(
    "friends mates guys kids boys girls sons daughters brothers sisters guests twins".split()  # noqa: SIM905
)


def _is_strange(word: str) -> bool:
    return word.isalpha() and word not in _PLAIN and not says_goods(word)


_PLAIN: Final = (
    (SILENT | IDLE | JOINTS | UNITS | ACTS | HEDGES | MODEL_WORDS)
    | frozenset("each pcs pc nos unit units x st\u00fcck cart ours mine yours theirs".split())  # noqa: SIM905
)


def _only_asks(plain: str, texts: set[str]) -> bool:
    """Tell whether a text asks, with no verb of a change and no wish in it: "and 6?"."""
    if not plain.endswith("?") or _WISHES.search(plain) is not None:
        return False
    return not ACTS & texts or len(texts) <= _FEW


def _names_no_goods(intent: Intent) -> bool:
    """Tell whether a change is of what no goods are called: "give me the price", "swap my card"."""
    items = [getattr(intent, name, None) for name in ("item", "gone")]
    named = [item.words for item in items if isinstance(item, Named)]
    if isinstance(intent, Add):
        return any(_NO_GOODS & {*words} for words in named)
    return not all(any(map(_is_of_goods, words)) for words in named)


_NO_GOODS: Final = frozenset(
    """
    price prices details total minutes minute hours days shipping tax order number discount percent
    dollars money card address information info
    """.split()  # noqa: SIM905
)
_POINTING: Final = frozenset("ours mine yours more another same last thing things".split())  # noqa: SIM905


def _is_of_goods(word: str) -> bool:
    return says_goods(word) or word in MODEL_WORDS | CHEAP | _POINTING


def lacks(token: Token, intents: Sequence[Intent], scene: Scene) -> bool:
    """Tell whether a property was said that neither the reading nor what it means has."""
    if token.kind is not Kind.WORD or token.text not in _PROPERTIES:
        return False
    wanted = stems([token.text])
    if wanted & stems(re.findall(r"[\w-]+", repr(tuple(intents)).lower())):
        return False
    items = [getattr(one, "item", None) for one in intents if isinstance(one, CART)]
    meant = [sku for item in items if item is not None for sku in _meant(item, scene)]
    return bool(meant) and not any(wanted & _said_of(sku, scene) for sku in meant)


def _meant(item: Reference, scene: Scene) -> tuple[str, ...]:
    found = on_view(item, scene)
    return found.skus if isinstance(found, Found) else ()


def _said_of(sku: str, scene: Scene) -> frozenset[str]:
    """Return the words of a product's name and page."""
    page = scene.pages.get(sku)
    values = [] if page is None else [*page.attributes, *page.attributes.values()]
    return stems(re.findall(r"[\w-]+", " ".join([scene.name_of(sku), *values]).lower()))


def _are_two(changes: Sequence[Intent]) -> bool:
    several = any(
        isinstance(one, Add)
        and (isinstance(one.item, Every) or one.quantity == _PAIR or one.item == It(many=True))
        for one in changes
    )
    return several or len(changes) > 1
