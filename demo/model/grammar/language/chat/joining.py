"""Join what was read of the parts of a text, where it belongs together. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.things import SUPERLATIVES
from daybook.demo.model.grammar.language.chat.names import MODEL_WORDS, has_model
from daybook.demo.model.grammar.language.chat.read.changes.counts import WORDS_FOR
from daybook.demo.model.grammar.language.chat.vocabulary import (
    COLOURS,
    SILENT,
    is_a_name,
    says_goods,
)
from daybook.demo.model.grammar.language.intents import (
    Add,
    Agree,
    AskKinds,
    AskPolicy,
    AskPrice,
    AskProperty,
    Checkout,
    Choice,
    Details,
    Doubtful,
    Every,
    Extreme,
    Intent,
    It,
    Mention,
    Named,
    NotUnderstood,
    Nth,
    Pick,
    Reference,
    Refuse,
    Remove,
    Reviews,
    Search,
    Sku,
    Swap,
    Times,
)
from daybook.demo.model.grammar.language.intents_past import NoMatter, Remember
from daybook.demo.model.grammar.language.words import (
    CARD_WORDS,
    NOUNS,
    fold,
    in_shop_words,
    kind_of,
)


def combined(found: Sequence[Intent]) -> tuple[Intent, ...]:
    """Join what belongs together.

    "The Pine Ledge tent, is it heavy?" asks about the tent, and "add a stove, the Moss Bridge one"
    adds one stove.
    """
    joined: list[Intent] = []
    if any(isinstance(one, Search) and one.query for one in found):
        # What was told before a search is no product: "my feet get cold easily, thick socks?"
        found = [one for one in found if not (isinstance(one, Mention) and _is_chatter(one))]
    for one in map(_narrowing, found):
        before = joined[-1] if joined else None
        one = _of_that_kind(before, one)
        named = _named_by(before)
        if (
            named is not None
            and isinstance(one, AskProperty | AskPrice | Reviews | Details | Add | Remove)
            and isinstance(one.item, It)
        ):
            joined[-1] = replace(one, item=named)
        elif isinstance(before, Add | Mention) and _says_of_it(one):
            continue
        elif isinstance(before, Add) and _says_how_many(before, one):
            assert isinstance(one, Add), "it is of that form"
            joined[-1] = replace(before, quantity=one.quantity)
        elif (
            isinstance(before, Add) and isinstance(one, Add | Mention) and _says_which(before, one)
        ):
            joined[-1] = replace(before, item=_both(before.item, one.item))
        elif isinstance(before, Search) and isinstance(one, Mention) and _narrows(one):
            assert isinstance(one.item, Named), "what narrows is named"
            joined[-1] = replace(before, query=" ".join((*one.item.words, before.query)))
        elif (most := _most_of(before, one)) is not None:
            joined[-1] = most
        elif isinstance(before, Search) and (said := _of_goods(one)):
            joined[-1] = replace(before, query=f"{before.query} {said}")
        elif isinstance(before, Search) and isinstance(one, Search) and _is_one_wish(before, one):
            joined[-1] = _as_one(before, one)
        elif isinstance(before, Add) and (more := _had_too(one)) is not None:
            joined.append(more)
        elif _is_said_twice(before, one) or _is_of_all_asked(before, one):
            continue
        elif isinstance(before, Mention) and isinstance(one, Add) and isinstance(before.item, It):
            joined[-1:] = [Add(before.item), one]
        else:
            joined.append(one)
    for at in reversed(range(len(joined) - 1)):
        # "The X and the Y stove": the kind that stands last is of both.
        joined[at] = _of_that_kind(joined[at + 1], joined[at])
    return tuple(joined)


def _of_that_kind(before: Intent | None, one: Intent) -> Intent:
    """Give a model that is told of beside another the other's kind: "the X stove and the Y one"."""
    match before, one:
        case (
            Details(Named(words)) | AskPrice(Named(words)),
            Details(Named((_, _) as model)) | AskPrice(Named((_, _) as model)),
        ) if has_model(words) and has_model(model):
            called = tuple(word for word in words[2:] if says_goods(word))
            return replace(one, item=Named((*model, *called), definite=True)) if called else one
        case _:
            return one


def _of_goods(intent: Intent) -> str:
    """Return what was read as a card to pay with, where it is said of goods: "with the hood"."""
    match intent:
        case Checkout(Choice(words), None) if words and all(map(says_goods, words)):
            return " ".join(words)
        case _:
            return ""


def _most_of(before: Intent | None, one: Intent) -> Intent | None:
    """Read "socks, the cheapest" as the cheapest socks, and "six of them" as a wish for them."""
    match before, one:
        case Search(query, max_price=None, min_price=None, without=()), (
            Mention(Extreme(by, ()), None) | Pick(Extreme(by, ()))
        ) if query:
            return Pick(Extreme(by, tuple(query.split())))
        case Pick(Extreme() as item), Mention(It(), int() as count):
            return Add(item, count)
        case _:
            return None


def _is_one_wish(before: Search, one: Search) -> bool:
    """Tell whether a search says only more of the one before it: "boots, waterproof"."""
    return bool(before.query) and one.narrows and not before.narrows and not one.cheap


def _as_one(before: Search, one: Search) -> Search:
    words = dict.fromkeys((*one.query.split(), *before.query.split()))
    return replace(
        before,
        query=" ".join(words),
        max_price=before.max_price or one.max_price,
        min_price=before.min_price or one.min_price,
    )


def _is_said_twice(before: Intent | None, one: Intent) -> bool:
    """Tell whether one wish stands there in two sentences: "I do need it, add it"."""
    match before, one:
        case Add(It(), 1, False), Add(It(), 1, False):
            return True
        case _:
            return False


def _is_of_all_asked(before: Intent | None, one: Intent) -> bool:
    """Tell whether "all of them" only says of how many it was asked: "its reviews. All of them"."""
    asked = isinstance(before, Reviews | AskPrice | AskProperty | Details)
    return asked and isinstance(one, Mention) and isinstance(one.item, Every | It)


def as_needed(found: Sequence[Intent]) -> Sequence[Intent]:
    """Read what somebody needs as what is looked for: "my son needs boots" names no "son boots"."""
    return [_as_needed(one) for one in found]


def _as_needed(intent: Intent) -> Intent:
    match intent:
        case Mention(Named(words), None) if (at := _needs_at(words)) and kind_of(words[at:]):
            query, category = in_shop_words(list(words[at:]))
            return Search(" ".join(query), category)
        case _:
            return intent


def _needs_at(words: Sequence[str]) -> int:
    """Return where the goods begin behind whoever needs them; 0 where nobody does."""
    return next((at + 1 for at, word in enumerate(words[:4]) if at and word in _NEEDS), 0)


_NEEDS: Final = frozenset({"need", "needs", "wants", "require", "requires"})


def heeded(found: Sequence[Intent], text: str) -> Sequence[Intent]:
    """Drop searches for words that name no goods and are not asked for: "just wondered, add it"."""
    adds = any(isinstance(one, Add | Doubtful) for one in found)
    names = any(isinstance(one, Search) and kind_of(one.query.split()) is not None for one in found)
    others = [one for one in found if not (_is_idle(one, text) or _is_beside(one, adds, names))]
    says = [one for one in others if not isinstance(one, NotUnderstood | NoMatter | Agree | Refuse)]
    return others if says else found


def _is_beside(intent: Intent, adds: bool, names: bool) -> bool:
    """Tell whether an intent is of what is only told beside goods that are added, or looked for."""
    match intent:
        case Mention():
            # "The weird one. Add it": what is added is that.
            return not adds and names_nothing(intent)
        case Search(narrows=True):
            return names
        case Swap(Named() as item):
            # "Not that it matters with the car".
            return names_nothing(Mention(item))
        case Add(Named(words)):
            # "Two pairs, for me and my brother".
            return all(word in SILENT for word in words)
        case _:
            return False


def names_nothing(intent: Search | Mention) -> bool:
    """Tell whether the words of a search name no goods, and nothing that goods may have."""
    match intent:
        case Mention(Named(said), None) if not CARD_WORDS & {*said}:
            words, plain = list(said), True
        case Search(query):
            words = query.split()
            plain = intent.category is None and not (intent.cheap or intent.more or intent.my_size)
        case _:
            return False
    return (
        bool(words)
        and plain
        and not any(
            says_goods(word) or word in MODEL_WORDS or _SKU.fullmatch(word) for word in words
        )
    )


_SKU: Final = re.compile(r"[a-z]{2,8}-\d{2,6}")


def asks_for(text: str) -> bool:
    """Tell whether a text says that something is wanted or looked for."""
    return re.search(_ASKED_FOR, text.lower()) is not None


def _is_idle(intent: Intent, text: str) -> bool:
    match intent:
        case Search(query=query, category=None, cheap=False, more=False) if query:
            words = query.split()
            names = any(says_goods(word) or word in MODEL_WORDS for word in words)
            asks = re.search(rf"{_ASKED_FOR}\b[^.,?!]*\b{re.escape(words[0])}", text.lower())
            return not names and asks is None and not ACTS & {*words}
        case _:
            return False


_ASKED_FOR: Final = (
    r"\b(?:sell|have|stock|carry|got|need|want|like|looking for|after|find|show|see|search|any"
    r"|is there"
    r"|are there|what about|how about|some|buy|get)"
)


def wished(found: Sequence[Intent], text: str) -> Sequence[Intent]:
    """Read several products that are named, and a please, as a wish to have them."""
    pointed = [one.item for one in found if isinstance(one, Mention) and one.quantity is None]
    skus = [item for item in pointed if isinstance(item, Sku)]
    if skus and len(skus) == len(found):
        if _PLEASE.search(text.lower()):
            return [Add(item) for item in skus]
        return [Doubtful("add", tuple(skus))] if len(skus) >= _SEVERAL else found
    names = [
        tuple(one.query.split())
        for one in found
        if isinstance(one, Search) and one.bare and any(map(is_a_name, one.query.split()))
    ]
    if len(names) < _SEVERAL or len(names) < len(found):
        return found
    if not _PLEASE.search(text.lower()):
        named = all(has_model(words) and kind_of(words) is not None for words in names)
        asks = "?" in text or not named
        return found if asks else [Doubtful("add", tuple(Named(words) for words in names))]
    return [Add(Named(words)) for words in names]


_SEVERAL: Final = 2
_PLEASE: Final = re.compile(r"\b(?:please|pls|plz|need|want|would like|take)\b")


def of_a_kind(found: Sequence[Intent], text: str) -> Sequence[Intent]:
    """Look for goods of a kind that are had so: "do you have the socks that are waterproof?"."""
    if len(found) == 1 and isinstance(found[0], Remember) and _FOR_GIFTS.search(text.lower()):
        # Money that is for presents is told by somebody who looks for some.
        return [*found, AskKinds()]
    return [_of_a_kind(one, text.lower()) for one in found]


_FOR_GIFTS: Final = re.compile(
    r"\b(?:to spend|budget|spare)\b.*\b(?:presents?|gifts?|birthdays?|christmas|xmas)\b"
)


def _of_a_kind(intent: Intent, text: str) -> Intent:
    match intent:
        case AskProperty(Named(words, definite), asked) if (
            kind_of(words) is not None and not has_model(words) and _HAS_SUCH.match(text)
        ):
            if definite and not _THAT_ARE.search(text):
                return intent
            said = [word for word in asked if says_goods(word)]
            query, category = in_shop_words([*words, *said])
            return Search(" ".join(query), category) if said else intent
        case Pick(Extreme(by, words)) if "for" in words[1:]:
            # "The best stove for the patrol kitchen": whom it is for is none of its name.
            at = words.index("for")
            is_said = any(says_goods(word) or word.isdigit() for word in words[at:])
            cut = kind_of(words[:at]) is not None and not is_said
            return Pick(Extreme(by, words[:at])) if cut else intent
        case _:
            return intent


_HAS_SUCH: Final = re.compile(
    r"\W*(?:(?:hi|hello|hey|oi|ok|so|and|yo|please|excuse me)\W+)*"
    r"(?:(?:do|did) (?:you|u|ya) (?:have|hav|sell|stock|do|carry)|have (?:you|u) got|(?:you|u) got"
    r"|got any|any|is there|are there)\b"
)
_THAT_ARE: Final = re.compile(
    r"\b(?:that|which|who|what)(?:['\u2019]?s| is| are| has| have| can| do)?\b"
)


def kept_dry(found: tuple[Intent, ...], text: str) -> tuple[Intent, ...]:
    """Look for what is waterproof where it is told that something gets wet."""
    if _WET.search(text.lower()) is None:
        return found
    return tuple(
        replace(one, query=f"waterproof {one.query}")
        if isinstance(one, Search) and _may_be_wet(one)
        else one
        for one in found
    )


def _may_be_wet(search: Search) -> bool:
    words = search.query.split()
    is_said = {"waterproof", *search.without} & {*words, *search.without}
    return not is_said and kind_of(words) in ("hiking-boots", "jackets")


_WET: Final = re.compile(
    r"\b(?:gets?|getting|always) (?:so |always |very )?(?:wet|soaked|soaking)\b"
    r"|\bwet (?:feet|toes)\b|\bkeeps? (?:me|my \w+|the \w+|us) dry\b|\bstay dry\b"
    r"|\brain sideways\b"
)


def with_currency(found: tuple[Intent, ...], text: str) -> tuple[Intent, ...]:
    """Add what the shop says of currencies where a price is asked for in another one."""
    priced = any(isinstance(one, AskPrice | Times) for one in found)
    return (*found, AskPolicy("currency")) if priced and _FOREIGN.search(text.lower()) else found


_FOREIGN: Final = re.compile(r"\b(?:euros?|eur|pounds|gbp|yen|chf|francs|cad|aud)\b|[€£]")


def _named_by(intent: Intent | None) -> Reference | None:
    """Return what an intent names and nothing else."""
    match intent:
        case Mention(Named(words) as item, None) if any(map(_says_which_goods, words)):
            return item
        case Mention(item, None) | Pick(item) if isinstance(item, Sku | Nth | Extreme):
            return item
        case Search(query, bare=True, min_price=None, max_price=None) if query:
            return Named(tuple(query.split()), definite=True)
        case _:
            return None


def _says_which_goods(word: str) -> bool:
    return says_goods(word) or word in MODEL_WORDS


_PROPERTIES: Final = frozenset(
    "weight height length colour color material capacity volume battery".split()  # noqa: SIM905
)
_COMPARED: Final = {"lighter": "light", "warmer": "warm", "thinner": "thin", "thicker": "thick"}
_SIZED: Final = frozenset({"size", "in", "for", "with", "but", "only", "and", "also", "or"})
_LITRES: Final = frozenset({"liter", "liters", "litres", "l"})
_MEASURED: Final = frozenset({"litre", "person", "persons", "season", "seasons"})
_NO_WORDS: Final = frozenset({"bigger", "larger", "smaller", "longer", "shorter", "others", "next"})


def _narrowing(intent: Intent) -> Intent:
    """Read a search that names how a thing shall be, and no thing, as one that narrows.

    A property alone is asked of what was spoken of: "and the weight?".
    """
    match intent:
        case Search(query, bare=True, max_price=None) if query in WORDS_FOR:
            return Mention(It(), WORDS_FOR[query])
        case Search(query, bare=True, max_price=None) if query in SUPERLATIVES:
            return Mention(Extreme(SUPERLATIVES[query]))
        case Add(Named(words) as item, again=False) if (cut := _bare(words)) != words:
            return replace(intent, item=replace(item, words=cut))
        case Add(Named(words), count, again=False) if set(words) <= _MEASURES:
            return Add(It(), count, intent.more)
        case AskProperty(item, words) if set(words) & _SURELY and _are_amounts(words):
            # "Is it really 448": no property is asked for.
            return AskPrice(item)
        case Mention(Named(asked, definite=True), None) if set(asked) <= _PROPERTIES:
            return AskProperty(It(), asked)
    if not isinstance(intent, Search) or not intent.query or intent.narrows or intent.category:
        return intent
    said = ["litre" if word in _LITRES else word for word in intent.query.split()]
    if set(said) <= _NO_WORDS:
        return replace(intent, query="", bare=False, more=True)
    if any(fold(word) in NOUNS for word in said):
        return intent
    known = _COMPARED.keys() | _SIZED | _MEASURED
    if not all(w in known or says_goods(w) or w.isdigit() for w in said):
        return intent
    query = " ".join(_COMPARED.get(word, word) for word in said if word not in _SIZED - {"size"})
    return replace(intent, query=query or intent.query, bare=False, narrows=True)


def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out whom goods are for, and praise: "headlamp for my brother", "it looks fine"."""
    at = words.index("for") if "for" in words[1:] else len(words)
    if not set(words[at:]) & _WHOM:
        at = len(words)
    while at > 1 and words[at - 1] in _PRAISE:
        at -= 1
    return words[:at]


_PRAISE: Final = frozenset(
    "looks look seems sounds fine good nice great lovely perfect cool ok".split()  # noqa: SIM905
)


_WHOM: Final = frozenset(
    """
    son daughter wife husband friend friends brother sister dad mum mom father mother girlfriend
    boyfriend grandson granddaughter grandpa grandma nephew niece uncle aunt boss colleague partner
    mate roommate roomie twins grandchildren neighbour
    """.split()  # noqa: SIM905
)
_MEASURES: Final = frozenset({"piece", "pieces", "pair", "pairs", "unit", "units", "pcs"})
_SURELY: Final = frozenset({"really", "still", "only", "just", "actually", "truly"})


def _are_amounts(words: Sequence[str]) -> bool:
    amounts = set(words) - _SURELY
    return bool(amounts) and all(word.isdigit() for word in amounts)


def _is_chatter(mention: Mention) -> bool:
    item = mention.item
    if not isinstance(item, Named) or mention.quantity is not None:
        return False
    return len(item.words) >= _MANY_WORDS and not any(fold(word) in NOUNS for word in item.words)


_MANY_WORDS: Final = 3


def _narrows(mention: Mention) -> bool:
    """Tell whether a mention only says more of what was named before: "the light ones"."""
    item = mention.item
    return (
        isinstance(item, Named)
        and item.definite
        and mention.quantity is None
        and not any(fold(word) in NOUNS for word in item.words)
    )


def _had_too(intent: Intent) -> Add | None:
    """Read what is named behind something that is added as a wish to have it too."""
    match intent:
        case Mention(item, quantity) if isinstance(item, Nth | Sku | Named | Extreme):
            return Add(item, quantity or 1)
        case Search(query, bare=bare, min_price=None) if query and (bare or _is_named(query)):
            return Add(Named(tuple(query.split()), max_price=intent.max_price))
        case _:
            return None


def _is_named(query: str) -> bool:
    words = query.split()
    return has_model(words) and kind_of(words) is not None


def _says_of_it(after: Intent) -> bool:
    """Tell whether the second says how the first shall be: "the X boots, size 38", "X, blue"."""
    match after:
        case Add(Named(words)) | Mention(Named(words)):
            pass
        case Search(query, bare=True, max_price=None, min_price=None):
            words = tuple(query.split())
        case _:
            return False
    return words[:1] == ("size",) or (bool(words) and all(word in COLOURS for word in words))


def _says_how_many(before: Add, after: Intent) -> bool:
    """Tell whether the second counts what the first names: "add the second one, 2 pairs"."""
    match after:
        case Add(It(), count, more=False, again=False):
            return before.quantity == 1 < count
        case _:
            return False


def _says_which(before: Add, after: Add | Mention) -> bool:
    """Tell whether the second names what the first left open: "a stove, the Moss Bridge one"."""
    first, second = before.item, after.item
    if not (isinstance(first, Named) and isinstance(second, Named)):
        return False
    has_kind = any(fold(word) in NOUNS for word in second.words)
    return second.definite and not first.definite and not has_kind and after.quantity in (None, 1)


def _both(first: Reference, second: Reference) -> Reference:
    assert isinstance(first, Named), "only what is named is joined"
    assert isinstance(second, Named), "only what is named is joined"
    return Named((*second.words, *first.words), definite=False, max_price=first.max_price)
