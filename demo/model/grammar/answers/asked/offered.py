"""What a few words mean right after an offer, a list or a note: "add", "the cheaper one please"."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.language.chat.frames.polite import IDLE, JOINTS
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import PROPERTIES, is_content
from daybook.demo.model.grammar.language.chat.wording.foreign import in_english
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    Doubtful,
    Remove,
    SetQuantity,
    ShowCart,
)
from daybook.demo.model.grammar.language.intents.goods import AskProperty, Mention, Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import CancelOrder
from daybook.demo.model.grammar.language.intents.past import Forget, Remember
from daybook.demo.model.grammar.language.intents.references import Extreme, It, Named, Nth, Sku
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood, Refuse
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.tokens import Kind
from daybook.demo.model.grammar.language.words import calls_it_otherwise, kind_of, kind_of_item
from daybook.demo.model.grammar.seen.facts import about, facts_before
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.referents import Found, in_cart, on_view
from daybook.demo.model.grammar.seen.results import Row
from daybook.demo.model.grammar.seen.scene import cart_before, matches, scene_of


def asked_of_it(intent: Intent, prompt: Prompt) -> Intent:
    """Read a question that nothing else reads as one about the product that was spoken of."""
    text = prompt.turn.text
    match intent:
        case NotUnderstood(said, hedged=False) | Search(said, bare=True) if _ASKS.search(text):
            pass
        case _:
            return intent
    focus = scene_of(prompt).focus
    words = tuple(t.text for t in tokens_of(said) if t.kind is Kind.WORD and is_content(t.text))
    is_known = isinstance(intent, NotUnderstood) or set(words) <= PROPERTIES
    if focus is None or not words or not is_known or _NOT_OF_GOODS.search(text.lower()):
        return intent
    return AskProperty(Sku(focus), words)


_ASKS: Final = re.compile(
    r"\?|^\W*(?:(?:and|so|but|ok|then|also)\W+)*(?:how|what|which|is|are|does|do|can|could|will|has"
    r"|have|would|any)\b",
    re.IGNORECASE,
)
_NOT_OF_GOODS: Final = re.compile(
    r"\b(?:you|your|order|orders|cart|pay|me|my|deliver\w*|ship\w*|return\w*|buy|add|remove|bot"
    r"|human|else|other|cheaper)\b"
)

LISTS: Final = re.compile(r"^\d{1,3}\. \*\*", re.MULTILINE)


def wanted_as_offered(intent: Intent, question: str, prompt: Prompt) -> Intent:
    """Read "add", or "make it three", right after an offer as a wish for what was offered."""
    offered = ASK_ADD.fullmatch(question)
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    text = prompt.turn.text.lower()
    is_short = len(text.split()) <= _FEW_WORDS
    if offered is None and cart == () and isinstance(intent, ShowCart) and prompt.past:
        focus = scene_of(prompt).focus
        goes_in = focus is not None and _INTO_CART.fullmatch(_plain(prompt.turn.text))
        return Doubtful("add", (Sku(str(focus)),)) if goes_in else intent
    if offered is None or not is_short or any(line.sku == offered[1] for line in cart):
        return intent
    lists = LISTS.search(prompt.past[-1].answer) is not None
    match intent:
        case Mention(Nth(n, (), counted=False)) if not lists and n > 0:
            # The list is gone by: a number alone is how many, and no place in it.
            return Doubtful("add", (Sku(offered[1]),), n)
        case Add(Nth(n, (), counted=False), 1) if not lists and n > 0 and _TAKES.search(text):
            return Add(Sku(offered[1]), n)
        case ShowCart() if _INTO_CART.fullmatch(_plain(prompt.turn.text)):
            return Add(Sku(offered[1]), int(offered[2] or 1))
        case Doubtful("add", (It(),), quantity) if _only_wishes(prompt.turn.text):
            return Add(Sku(offered[1]), quantity or int(offered[2] or 1))
        case SetQuantity(It(), int() as n) if n > 0 and _AGREES.match(prompt.turn.text.lower()):
            return Add(Sku(offered[1]), n)
        case _:
            return intent


def _plain(text: str) -> str:
    return " ".join(token.text for token in tokens_of(in_english(text)))


def _only_wishes(text: str) -> bool:
    """Tell whether a text names nothing: "add pls", and not "replace the filter"."""
    named = [token for token in tokens_of(text) if token.kind is Kind.WORD]
    return all(token.text in IDLE | JOINTS | _WISHES for token in named)


_WISHES: Final = frozenset("add put give get buy cart them those these".split())  # noqa: SIM905
_TAKES: Final = re.compile(r"\b(?:take|have|want|need|get|buy|give me)(?: just| only)? \w+\W*$")
_INTO_CART: Final = re.compile(
    r"\W*(?:(?:(?:ok|yes|sure|sold|and|then|so)\W+)*(?:in|into|to)(?: (?:my|the))? "
    r"|(?:ok|yes|sold)\W+)(?:cart|basket|bag)"
    r"(?: please| then)*[\W]*(?<!\?)"
)
_FEW_WORDS: Final = 4
_AGREES: Final = re.compile(
    r"\W*(?:ok(?:ay)?|yes|yeah|yep|sure|fine|great|perfect|good|all ?right)\b"
)


def pointing(intent: Intent, prompt: Prompt) -> Intent:
    """Read a kind alone, right after a list of several kinds, as the one row of that kind."""
    rows = scene_of(prompt).lists[-1] if scene_of(prompt).lists else ()
    lists = bool(prompt.past) and LISTS.search(prompt.past[-1].answer) is not None
    asks = bool(prompt.past) and question_of(prompt.past[-1]).startswith("Which one")
    match intent:
        case Search(query, bare=bare, max_price=None, min_price=None, without=(), measures=()) if (
            lists and (bare or asks)
        ):
            words = tuple(query.split())
            kinds = {kind_of_item(row.name, row.sku) for row in rows}
            fitting = [
                row
                for row in rows
                if matches(words, row.name, row.sku) and not calls_it_otherwise(words, row.name)
            ]
            is_kind = len(words) == 1 and kind_of(words) is not None
            return Mention(Sku(fitting[0].sku)) if _is_one(fitting, kinds) and is_kind else intent
        case _:
            return intent


def _is_one(fitting: Sequence[Row], kinds: Collection[str | None]) -> bool:
    return len(fitting) == 1 and len(kinds) > 1


def recounted(intents: tuple[Intent, ...], text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Ask whether "so 2 bags" says how many there shall be of what is in the cart."""
    found = _SO_MANY.search(text.lower())
    if found is None or not all(isinstance(one, Search | Mention | Add) for one in intents):
        return intents
    words = (found[2],)
    count = next((t.value for t in tokens_of(found[1]) if t.kind is Kind.NUMBER), 0)
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    lines = [line for line in cart if matches(words, line.name, line.sku)]
    is_kind = kind_of(words) is not None and len(lines) == 1
    changes = is_kind and 0 < count != lines[0].quantity
    return (Doubtful("set", (Sku(lines[0].sku),), count),) if changes else intents


_SO_MANY: Final = re.compile(
    r"\b(?:so|then|only|just|means|actually) (?:just |only )?(\d{1,2}|one|two|three|four|five|six)"
    r" (\w+)(?: then| please| for us| now)?\W*$"
)


def only_that(intent: Intent, prompt: Prompt) -> Intent:
    """Ask whether a thing of the cart alone shall stay: "I only want the tent now"."""
    scene = scene_of(prompt)
    match intent:
        case Add(Named() | Sku() as item, 1, False) if _ONLY.search(prompt.turn.text.lower()):
            inside = in_cart(item, scene, prompt.now.currency)
            is_part = isinstance(inside, Found) and len(scene.cart) > 1
            return Doubtful("keep", (item,)) if is_part else intent
        case _:
            return intent


def fewer_of_one(intent: Intent, prompt: Prompt) -> Intent:
    """Ask whether "take 2 out" is of so many, where one thing alone is in the cart."""
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    match intent:
        case Remove(Nth(n, (), counted=False), None) if (
            len(cart) == 1 and 1 < n <= cart[0].quantity
        ):
            return Doubtful("remove", (Sku(cart[0].sku),), n)
        case _:
            return intent


_ONLY: Final = re.compile(r"\b(?:only|just) (?:want|need|take|have)\b")


def wanted_politely(intent: Intent, prompt: Prompt) -> Intent:
    """Read "the cheaper one please", of what the last answer told of, as a wish to have it."""
    lists = bool(prompt.past) and LISTS.search(prompt.past[-1].answer) is not None
    text = prompt.turn.text
    if not (isinstance(intent, Mention) and intent.quantity is None) or _ASKS.search(text):
        return intent
    match intent.item:
        case Extreme(words=()) if lists and (_POLITE.search(text) or _THEN.search(text)):
            return Add(intent.item)
        case Nth() | Sku() if lists and _POLITE.search(text):
            return Add(intent.item)
        case Named(words) if has_model(words) and _POLITE.search(text):
            return Add(intent.item) if _is_told(intent.item, prompt) else intent
        case _:
            return intent


def _is_told(item: Named, prompt: Prompt) -> bool:
    """Tell whether a name means one product that was told of."""
    return isinstance(on_view(item, scene_of(prompt)), Found)


_POLITE: Final = re.compile(
    r"^[^?]*\b(?:please|pls|plz|it is|it shall be)\b(?: please| then| thanks| thank you| xx?)*\W*$",
    re.IGNORECASE,
)
_THEN: Final = re.compile(r"\bthen\W*$", re.IGNORECASE)


def forgetting(intent: Intent, prompt: Prompt) -> Intent:
    """Read "forget that" of what was noted or told of the person, and of what is named of it."""
    text = prompt.turn.text.lower()
    match intent:
        case Forget("her" | "his" | "him"):
            facts = list(facts_before(prompt).values())
            others = [
                one.subject for one in facts if _OF_OTHERS.search(f"{one.subject} {one.value}")
            ]
            return Forget(others[-1]) if others else intent
        case Remove() | Refuse() | CancelOrder(vague=True) | Remember() | Doubtful("remove"):
            pass
        case _:
            return intent
    named = _FORGETS_OF.search(text)
    known = about((named[1],), facts_before(prompt)) if named is not None else []
    if known:
        return Forget(known[0].subject)
    return Forget(noted[-1]) if _FORGETS.match(text) and (noted := _noted(prompt)) else intent


def _noted(prompt: Prompt) -> list[str]:
    """Return the subjects that the turn before noted, or told of where it told of one."""
    before = [(call, "remember") for call in (prompt.past[-1].calls if prompt.past else ())]
    # What was forgotten by now is gone from the turn before.
    calls = [*before, *((call, "forget") for call in prompt.turn.calls)]
    noted = [str(call.args.get("subject")) for call, tool in calls if call.tool == tool]
    told = bool(prompt.past) and prompt.past[-1].answer.startswith(_TOLD_OF)
    known = list(facts_before(prompt))
    return noted or (known if told and len(known) == 1 else [])


_OF_OTHERS: Final = re.compile(
    r"\b(?:son|daughter|wife|husband|dad|father|mum|mom|mother|brother|sister|friend|girlfriend"
    r"|boyfriend|partner|nephew|niece|grandson|granddaughter|boy|girl)\b"
)
_TOLD_OF: Final = ("You told me:", "This is what I know about you:")
_FORGETS_OF: Final = re.compile(
    r"\bforget\b(?: (?:that|it|this|what i (?:said|told you)|the thing))?(?: about)?"
    r"(?: (?:the|my|that|our|all|any))*(?: (?:number|amount|count) of)? ([\w-]+)"
)
_FORGETS: Final = re.compile(
    r"\W*(?:(?:ok|no|oh|please|actually|sorry|wait|on second thoughts?|you can|can you"
    r"|eh|hm+|and|not any ?more|no longer|kindly|now)\W+)*"
    r"(?:forget|delete|erase|unlearn|scratch|remove|cancel"
    r"|do ?n[o']t (?:remember|save|keep|note))\b"
    r"\W*(?:about )?(?:that|it|this)\b"
)
