"""What a few words mean by what was spoken of last: "two", "grip?", "first please". Pure.

They are read only where every one of them is accounted for.
"""

import re
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.answers.deciding.lately import is_gone, left_alone
from daybook.demo.model.grammar.answers.looking.converted import in_units
from daybook.demo.model.grammar.language.chat.frames.polite import IDLE, JOINTS
from daybook.demo.model.grammar.language.chat.read.changes.sums import summed
from daybook.demo.model.grammar.language.chat.read.goods.attributes import attributed
from daybook.demo.model.grammar.language.chat.read.news import happened
from daybook.demo.model.grammar.language.chat.talking import behind_talk
from daybook.demo.model.grammar.language.chat.told import wants_nothing
from daybook.demo.model.grammar.language.chat.vocabulary import (
    COLOURS,
    MATERIALS,
    PROPERTIES,
    says_goods,
)
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    Doubtful,
    Remove,
    SetQuantity,
    ShowCart,
)
from daybook.demo.model.grammar.language.intents.goods import AskPrice, AskProperty, Search, Times
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import CancelOrder, ShowOrders
from daybook.demo.model.grammar.language.intents.references import Sku
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.scene import Scene, cart_before, scene_of

_MEASURES: Final = frozenset(
    "pair pairs prs piece pieces pcs pc nos unit units item items x ones each".split()  # noqa: SIM905
)
BESIDE_A_COUNT: Final = (
    IDLE
    | JOINTS
    | _MEASURES
    | frozenset(
        """
    them em those these they it that only just make enough total altogether say said meant mean
    wanted i we our us he she full price do does will would be plenty suffice fine not no wait
    nonono noo nope sorry actually rather instead after all get give take have add put in cart into
    my same like shall sure yes so still let
    """.split()  # noqa: SIM905
    )
)
CORRECTS: Final = frozenset(
    """
    only just enough total altogether said meant mean wanted no nope wait nonono noo sorry
    actually rather instead plenty suffice make
    """.split()  # noqa: SIM905
)
_WORDED: Final = {"twice": 2, "trio": 3, "single": 1, "couple": 2, "dozen": 12}
MORE: Final = frozenset({"more", "another", "extra", "plus", "additional"})
_TOTAL: Final = re.compile(
    r"\W*(?:(?:and|so|ok|now|then|what|whats|what's|is|the|my|that|it|how|much|in|for|of|all|a|so"
    r"|far|please|am|i|do|we|does|make|come|to|be|are|up|rn|right|again|both|together|them"
    r"|everything)\W+)*"
    r"(?:total|totals|sum|subtotal|overall|altogether|all together|in all|in total|together"
    r"|damage|bill|spending|owe|grand total|sum total|line totals|total amount|amount due)"
    r"(?:\W+(?:now|so|far|please|then|again|cost|costs|amount|damage|is|it|that|how|much|of|all"
    r"|price|rn|right|will|be|alone|them|for|both|everything|the|my|cart|do|i|you|have|to|pay))*\W*"
)
_HOW_MUCH: Final = re.compile(
    r"\W*(?:(?:and|so|ok|now|then|finally|right|but)\W+)*(?:how much|what)(?: (?:is|am|are|do|does"
    r"|will|would))?"
    r"(?: (?:it|that|this|i|all|everything|they|the lot))?(?: (?:now|so far|then|all|cost|come to"
    r"|spend(?:ing)?|pay(?:ing)?|owe|rn|right now|be|make|in total|together|altogether))+\W*"
)
_AND_NOW: Final = re.compile(r"(?:(?:and|so|ok|what is it|how is it) )*now(?: then)?(?: \?)?")
_MONEY_SIGN: Final = re.compile(r"[\W_]*[$€£][\W_]*")
_LONGEST: Final = 14


def briefly(text: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Read a text that only counts, totals or asks a property of what was spoken of last."""
    tokens = list(behind_talk(tokens_of(text)))
    plain = " ".join(token.text for token in tokens)
    if (not plain and not _MONEY_SIGN.fullmatch(text)) or len(tokens) > _LONGEST:
        return None
    is_of_attribute = bool(tokens) and attributed(tokens) is not None
    if tokens and not is_of_attribute and (asked := happened(tokens) or summed(tokens)) is not None:
        return asked
    scene = scene_of(prompt)
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    only_now = _AND_NOW.fullmatch(plain) and text == prompt.turn.text
    summed_anew = _HOW_MUCH.fullmatch(plain) or only_now
    if cart and (_TOTAL.fullmatch(plain) or (summed_anew and _changed(prompt))):
        return (ShowCart(),)
    if _PAYS.fullmatch(plain):
        return (ShowCart(),)
    if (order := _of_order(plain, prompt)) is not None:
        return order
    if (converted := in_units(plain, scene, prompt)) is not None:
        return converted
    people = _FOR_PEOPLE.fullmatch(plain)
    if people is not None and scene.kind == "tents" and (scene.choosing or scene.focus is None):
        return (Search(f"{_PEOPLE[people[1]]} person", narrows=True),)
    if scene.focus is None:
        return None
    line = scene.in_cart(scene.focus)
    is_alone = len(tokens) <= _FEW and not {"plus", "and", "also", "if"} & {t.text for t in tokens}
    if line is not None and is_alone and (said := _SAID.search(plain)) is not None:
        count = next(t.value for t in tokens if t.text == said[1] and t.kind is Kind.NUMBER)
        return (SetQuantity(Sku(scene.focus), count),) if count else None
    if line is not None and text.strip() == "+1":
        return (Add(Sku(scene.focus), 1, more=True),)
    if _STOCK.search(plain):
        return (AskProperty(Sku(scene.focus), ("stock",)),)
    if _MONEY_SIGN.fullmatch(text):
        return (AskPrice(Sku(scene.focus)),)
    so_many = _asked_so_many(tokens, text, prompt)
    if so_many is not None:
        return so_many
    counted = _counted(tokens, scene, prompt)
    return counted or _property(tokens, text, scene, prompt)


_PEOPLE: Final = {
    "1": "one", "2": "two", "3": "three", "4": "four", "one": "one", "two": "two",
    "three": "three", "four": "four",
}  # fmt: skip
_FOR_PEOPLE: Final = re.compile(
    r"(?:(?:and|ok|so|hm|,) )*(?:something |one |any |that (?:is|fits) |show me )*for (?:the )?"
    rf"({'|'.join(_PEOPLE)})(?: of us| people| persons?| adults)?(?: please)?(?: \?)?"
)
"""How many shall fit in, said of tents on view."""
_SAID: Final = re.compile(
    r"\bi (?:said|meant|wanted|asked for|ordered) (\d{1,2}|one|two|three|four|five|six|seven|eight"
    r"|nine|ten)\b(?! (?:person|people|litre|season))"
)
_PAYS: Final = re.compile(
    r"\W*(?:(?:and|so|ok|now|then|but)\W+)*(?:how much|what)"
    r" (?:do|will|would|must|should|shall) (?:i|we) (?:have to |need to |got to )?"
    r"(?:pay|owe)\b(?:[ ,]+(?:in the end|at the end"
    r"|for (?:it all|everything|all of it)|now|then|all in|in total|altogether|with tax(?:es)?"
    r"|including tax(?:es)?|and all|please))*\W*"
    r"|\W*(?:(?:and|so|ok|now|then|but)\W+)*(?:everything|all of it|it all|the lot|altogether|all"
    r"|both|the whole (?:thing|cart|lot))(?: together| in total)?(?: (?:is|comes to|costs?|makes"
    r"|would be|will be))? (?:how much|what)\b\W*"
)
_STOCK: Final = re.compile(
    r"^(?:\W|and|so|but|ok|wait)*is (?:it|that|this) (?:really |actually |truly )?(?:the |your )"
    r"(?:very )?last(?: one| pair| piece)?(?: left| in stock)?\W*$|"
    r"^(?:\W|and|so|but|ok|hi)*(?:do you (?:even |still )?have|have you(?: still)? got|are there"
    r"|(?:do you have|have you got) (?:at least|more than))"
    r" (?:\d{1,2}|two|three|four|five|six|ten|a dozen)(?: pairs?| pieces?)?"
    r"(?: of (?:them|those|these|it|that|this))?(?: left| in stock| there| available| for me)*\W*$|"
    r"^(?:\W|and|so|but|ok|hm+|wait)*(?:(?:do|would) you (?:even |still |really )?have|have you"
    r"(?: even| still)? got|are there|is there) (?:(?:that|so|this|as) many|enough)"
    r"(?: (?:of (?:them|those|these|it)|left|in stock|there"
    r"|for (?:us|that|all of us|\d{1,2}|(?:all |the )?\w+ of us|two|three|four|five|six)))*\W*$|"
    r"^(?:\W|and|so|but|ok)*how many (?:of (?:them|those|it) )?(?:do you have|have you(?: got)?"
    r"|are (?:there|left|available|in stock)|left|in stock|available)(?: available| left| in stock"
    r"| of (?:them|those|it))*\W*$"
)
_ORDER_TOOLS: Final = frozenset({"checkout", "cancel_order", "get_order", "list_orders"})
_ASKS_NEWS: Final = re.compile(
    r"(?:(?:and|so|but|ok|now|well|then|,) )*"
    r"(?:(?:is|was|where|which)\b.*\b(?:it|that|number|on)\b(?!.*\border)"
    r"|(?:what is )?(?:the|its|my|that) (?:order )?(?:number|reference|id)\b)"
)
_CANCELS: Final = re.compile(
    r"(?!(?:(?!cancel|undo|refund)[\w']+[ ,.!?]+)*?(?:did|was|were|has|have|is|are|how|when|why"
    r"|what|if|not|may|should|could i|can i|am i|(?:do|must|need|shall) (?:i|we)"
    r"|he|she|they|says?|said|tells?|told|thinks?"
    r"|wants|wanted|asks?|asked|never|[a-z]+n[o']?t(?<!want)"
    r"|always|almost|nearly|dare|before|after|without|rather|maybe|might|would)\b"
    r"(?! (?:you|like to)\b))(?:\w+[ ,.!?]+){0,4}?(?:cancel|undo|refund)(?: (?:it|that|this"
    r"|that one|the order|that order"
    r"|the whole thing|my order))?(?: (?:now|please|then|again|immediately))*"
    r"(?:[ ,.;!]+(?!.*\b(?:but|keep|only|instead|except|unless|if|when|wo[n']+t|will not|never mind"
    r"|no wait)\b)(?:because|since|as|i"
    r"|we|it is|it was|they|my|there|changed|found|wrong|got|had|he|she|sorry|thanks)\b.*)?"
)


_WAS: Final = re.compile(
    r"(?:(?:and|so|ok|but|whew|phew|great|good|nice|thanks|[.,!]) )*(?:what|how much)"
    r" did (?:i|we) (?:pay|spend)"
    r"(?: (?:in the end|for (?:it|that|everything)|altogether|in total|then|now|all in))*"
    r"|(?:(?:and|so|ok|but|whew|phew|great|good|nice|thanks|[.,!]) )*(?:what|how much)"
    r" (?:was|were|did) (?:it|that|they|all of it"
    r"|the order|the"
    r" (?:total|sum|bill|price|damage)(?: (?:of|for) (?:it|that|the order|my order))?)"
    r"(?: (?:come to|cost|in total|altogether|in the end|again|then))*"
)


def _of_order(plain: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Read what is asked of "it", or cancelled, right after an order was spoken of."""
    tools = [call.tool for call in prompt.past[-1].calls] if prompt.past else []
    text = plain.strip(" ?.!")
    cancels = any(call.tool == "cancel_order" for call in prompt.turn.calls)
    placed = cancels or any(order.status == "placed" for order in prompt.now.orders)
    is_empty = not cart_before(prompt.now.cart, prompt.turn.calls)
    asks = bool(prompt.past) and ASK_ADD.fullmatch(question_of(prompt.past[-1])) is not None
    if placed and is_empty and not asks and _CANCELS.fullmatch(text):
        return (CancelOrder(),)
    if placed and is_empty and _WAS.fullmatch(text):
        return (ShowOrders(),)
    told = bool(prompt.past) and "DB-" in prompt.past[-1].answer
    is_of_order = told or bool(_ORDER_TOOLS & {*tools[-1:]})
    if not is_of_order or not prompt.now.orders:
        return None
    if _CANCELS.fullmatch(text):
        return (CancelOrder(),)
    of_goods = any(word in PROPERTIES or says_goods(word) for word in text.split())
    is_short = len(text.split()) <= _FEW and not of_goods
    return (ShowOrders(),) if is_short and _ASKS_NEWS.match(text) else None


_FEW: Final = 7


def _changed(prompt: Prompt) -> bool:
    """Tell whether the last turn changed the cart, or showed it."""
    last = prompt.past[-1] if prompt.past else None
    tools = {"add_to_cart", "set_quantity", "remove_from_cart"}
    return last is not None and (
        any(call.tool in tools for call in last.calls) or "Total:" in last.answer
    )


_OF_PEOPLE: Final = re.compile(r"\bof (?:us|you)\b|\ball (?:\d|two|three|four|five|six)\b")
"""A count of who is there, or of what was told of: "there are 3 of us", "all three"."""


def _counted(tokens: list[Token], scene: Scene, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Read a count alone as how many of that there shall be."""
    texts = {token.text for token in tokens}
    if _OF_PEOPLE.search(" ".join(token.text for token in tokens)) or wants_nothing(tokens):
        return None
    counts = [
        token.value or _WORDED.get(token.text, 0)
        for token in tokens
        if token.kind in (Kind.NUMBER, Kind.TIMES) or token.text in _WORDED
    ]
    rest = [
        token
        for token in tokens
        if token.kind not in (Kind.NUMBER, Kind.TIMES) and token.text not in _WORDED
    ]
    known = BESIDE_A_COUNT | MORE
    if len(counts) != 1 or not all(one.text in known for one in rest) or "for" in texts:
        return None
    (count,) = counts
    question = question_of(prompt.past[-1]) if prompt.past else ""
    offered = ASK_ADD.fullmatch(question)
    is_asked = offered is not None and offered[2] == str(count)
    is_other = _is_price(count, scene) or (count in _SIZES and not texts & _MEASURES)
    if is_other and not is_asked:
        return None
    sku = offered[1] if offered else scene.focus
    if offered is None and is_gone(sku, prompt):
        # What went is no more what a count is of: it is of what stayed, or asked about.
        kept = left_alone(prompt)
        return (SetQuantity(Sku(kept), count),) if kept and count and not texts & MORE else None
    if (
        not sku
        or scene.together
        or (offered is None and _found_none(prompt) and (count == 1 or texts & _POINTS))
        or question.startswith("Which one")
        or "not" in texts
    ):
        return None
    if "each" in texts and max(len(scene.cart), len(scene.group)) > 1:
        return None
    line = next((one for one in scene.cart if one.sku == sku), None)
    if line is None and "make" in texts:
        return None
    if line is None and texts & MORE:
        # "Another one" may as well be a wish to see another.
        return (Doubtful("add", (Sku(sku),), count),)
    if line is None:
        is_one = any(token.text == "one" for token in tokens) and len(tokens) > 1
        return (Add(Sku(sku), count),) if offered or count > 1 or is_one else None
    if texts & MORE:
        return (Add(Sku(sku), count, more=True),)
    if texts & CORRECTS or _was_changed(sku, prompt):
        return (SetQuantity(Sku(sku), count),) if count else (Remove(Sku(sku)),)
    return None


_POINTS: Final = frozenset({"them", "em", "those", "these", "that", "it"})


def _found_none(prompt: Prompt) -> bool:
    """Tell whether the last turn looked for something in vain: "that one" is nothing it found."""
    return bool(prompt.past) and prompt.past[-1].answer.startswith(
        ("I found no", "I found nothing")
    )


def _is_price(count: int, scene: Scene) -> bool:
    """Tell whether a number is what a product that was told of costs: "ok, 24 it is"."""
    prices = {row.cents // 100 for row in scene.known.values()}
    return count > _MOST or (count > _FEW and count in prices)


_MOST: Final = 99
_SIZES: Final = range(35, 49)
"""One of these that counts nothing in plain words may be a size: "a 43"."""


def _asked_so_many(tokens: list[Token], text: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Read a count with a question mark, after what some would cost, as one more such question."""
    counts = [token for token in tokens if token.kind in (Kind.NUMBER, Kind.TIMES)]
    beside = [token for token in tokens if token not in counts]
    before = understand(prompt.past[-1].text) if prompt.past else ()
    item = next((one.item for one in before if isinstance(one, Times)), None)
    asks = text.rstrip().endswith("?") or tokens[0].text in ("and", "or", "for")
    if len(counts) != 1 or item is None or not asks or "please" in text.lower():
        return None
    is_all = all(one.text in BESIDE_A_COUNT | _ASKS_SUM for one in beside)
    return (Times(counts[0].value, item),) if is_all else None


_ASKS_SUM: Final = frozenset({"or", "for", "about", "what", "how", "if", "took", "take", "?"})


def _was_changed(sku: str, prompt: Prompt) -> bool:
    calls = prompt.past[-1].calls if prompt.past else ()
    changed = [call for call in calls if call.tool in ("add_to_cart", "set_quantity")]
    return len(changed) == 1 and str(changed[0].args.get("sku")).upper() == sku


_OF_WHAT: Final = MATERIALS | COLOURS | {"or", "fibreglass", "fiberglass", "glass", "real"}


def _property(
    tokens: list[Token], text: str, scene: Scene, prompt: Prompt
) -> tuple[Intent, ...] | None:
    """Read properties alone as a question for them: "grip?", "and the packed length"."""
    beside = IDLE | {"its", "their", "rating", "in", "g", "what", "how", "which", "does"}
    words = [token.text for token in tokens if token.text not in beside and token.text != "?"]
    asked = [word for word in words if word in PROPERTIES]
    if "my" in {token.text for token in tokens}:
        return None
    is_question = "?" in text or any(t.text in ("what", "how", "which") for t in tokens)
    if "or" in words and "?" in text and all(one in asked or one in _OF_WHAT for one in words):
        # "Alu poles or fibreglass?": what it is of, and not what else there is.
        words = asked
    if not asked or len(asked) < len(words) or not (is_question or len(words) == 1):
        return None
    assert scene.focus is not None, "what is asked of was spoken of"
    return (AskProperty(Sku(scene.focus), tuple(words)),)
