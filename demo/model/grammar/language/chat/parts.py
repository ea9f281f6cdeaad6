"""Cut a text into parts that mean something whole, fill in what the grammar left, join it again.

Pure. What the grammar takes stands as it is; what it does not take is read by sayings and loosely,
and where neither tells anything it stays unread.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from daybook.demo.model.grammar.language.chat.loose import Clause, ItemsReader, loosely
from daybook.demo.model.grammar.language.chat.sayings import said
from daybook.demo.model.grammar.language.chat.vocabulary import is_a_name, says_goods
from daybook.demo.model.grammar.language.intents import (
    Add,
    AskPolicy,
    AskPrice,
    AskProperty,
    CancelOrder,
    Checkout,
    ClearCart,
    Details,
    Extreme,
    Intent,
    It,
    Keep,
    Mail,
    Mention,
    Named,
    Nth,
    Other,
    Reference,
    Remove,
    Reviews,
    Search,
    SetQuantity,
    Sku,
    Swap,
    Talk,
    Times,
)
from daybook.demo.model.grammar.language.intents_past import Remember
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import HEDGES, NOUNS, fold

_ENDS: Final = frozenset({".", "!", "?", ";", "\n"})
_EFFECTS: Final = (*(Add, Remove, SetQuantity, ClearCart, Keep, Swap, Checkout, CancelOrder, Mail),)
_TAKES_BACK: Final = frozenset(
    {"no", "nope", "nah", "wait", "sorry", "actually", "stop", "correction", "hang", "hold", "on"}
)
_STARTS_AGAIN: Final = frozenset(
    {"thanks", "thank", "problem", "limit", "idea", "preference", "more"}
)


@dataclass(frozen=True)
class Unread:
    """Tokens of a clause that no rule took."""

    tokens: tuple[Token, ...]


@dataclass(frozen=True)
class Part:
    """Tokens to be read by the rules, or what a saying makes of them."""

    tokens: tuple[Token, ...]
    intents: tuple[Intent, ...] | None = None
    corrects: bool = False
    rather: bool = False


def parts(tokens: Sequence[Token]) -> list[Part]:
    """Cut tokens into sentences that a saying knows, and what stands between those."""
    found: list[Part] = []
    rest: list[Token] = []
    for sentence in _sentences(tokens):
        intents = _said(sentence)
        if intents is None:
            rest += sentence
            continue
        if rest:
            found.append(_part(rest))
            rest = []
        found.append(Part(tuple(sentence), intents))
    if rest or not found:
        found.append(_part(rest))
    return found


ACTING: Final = frozenset(
    """
    add put throw stick chuck pop place toss drop remove delete ditch discard erase scrap take kick
    lose clear empty cancel swap replace exchange switch change buy order checkout pay forget keep
    """.split()  # noqa: SIM905
)
"""Verbs that no search without a verb has among its words."""

_LOOSE_FIRST: Final = re.compile(
    r"\b(?:everything|all|all of (?:it|them))\b.*\b(?:but|except|apart from|other than|besides)\b"
    r"|\b(?:keep only|only keep|just keep|keep just|swap|replace|exchange|switch|instead of)\b"
    r"|^(?:the )?same (?:but|in|for|with|one)\b|\btoo (?:expensive|pricey|dear)\b"
    r"|^not (?:that|this|the \w+)(?: one)?\b.*\b(?:other|one)\b"
)
"""Where the rules would take the half of it."""


def rather(part: Part, found: Sequence["Intent | Unread"]) -> list["Intent | Unread"]:
    """Read a correction that names a product as a wish to have it in the other's place."""
    texts = [token.text for token in part.tokens]
    is_instead = bool({"instead", "rather"} & set(texts[-3:])) and "would" not in texts
    if len(found) != 1 or not (part.corrects or is_instead):
        return list(found)
    match found[0]:
        case Mention(Nth(n, ()) as item, None) if _is_count(item, texts) and part.corrects:
            return [SetQuantity(It(), n)]
        case Mention(item, None) if "just" in texts and isinstance(item, Nth | Sku):
            return [Keep(item)]
        case Mention(item, None) if isinstance(item, Nth | Other | Extreme | Sku):
            return [Swap(item)]
        case Mention(Named(definite=True) as named, None) | Add(
            Named(definite=True) as named, 1, False
        ):
            return [Swap(named)] if is_instead else list(found)
        case Add(item, 1, False) if is_instead and isinstance(item, Nth | Other | Extreme | Sku):
            return [Swap(item)]
        case _:
            return list(found)


def _is_count(item: Nth, texts: Sequence[str]) -> bool:
    """Tell whether a number is said as a count: "2", and neither "the second" nor "number 2"."""
    named = {"number", "no", "nr", "option", "item", "choice"} & set(texts)
    return not item.counted and item.n > 0 and not named and not any("#" in t for t in texts)


def loose_first(part: Part, items: ItemsReader) -> list[Intent] | None:
    """Read what the rules would take only half of."""
    text = _text(part.tokens)
    return _loosely(part.tokens, part, items) if _LOOSE_FIRST.search(text) else None


def _said(sentence: Sequence[Token]) -> tuple[Intent, ...] | None:
    text = _text(sentence)
    found = said(text) if text else None
    first = found[0] if found else None
    is_talk = isinstance(first, Talk) and first.about in _IDLE
    if is_talk and ACTING & {token.text for token in sentence}:
        return None
    has_goods = any(t.kind is Kind.SKU or fold(t.text) in NOUNS for t in sentence)
    if found and has_goods and found[0] in (Talk("off topic"), Talk("human")):
        return None
    return found


_IDLE: Final = frozenset({"off topic", "looking", "human", "language", "greeting", "trouble"})


def _part(tokens: Sequence[Token]) -> Part:
    """Leave out the words with which something is taken back; that it was, is noted."""
    kept = list(tokens)
    at = 0
    while at < len(kept) and (kept[at].text in _TAKES_BACK or (at and kept[at].text in ",.!")):
        at += 1
    texts = [token.text for token in kept[:3]]
    if texts[:2] == ["on", "second"] and texts[2] in ("thought", "thoughts") and len(kept) > 3:
        return Part(tuple(kept[3:]), corrects=True)
    words = {token.text for token in kept[:at]}
    if at == 0 or at == len(kept) or kept[at].text in _STARTS_AGAIN:
        return Part(tuple(kept))
    # "Stop the checkout" is no correction, and neither is "no size 42".
    is_apart = kept[at - 1].text in (",", ".", "!", "sorry", "wait", "actually") or "wait" in words
    if not is_apart or words <= {"on", ","}:
        return Part(tuple(kept))
    return Part(tuple(kept[at:]), corrects=True)


def filled(
    read: Sequence["Intent | Unread"], part: Part, items: ItemsReader
) -> list["Intent | Unread"]:
    """Read what the rules left unread.

    A text of which nothing was taken is tried whole first: "boots, size 41, for a woman" is one
    wish. Beside something that acts, a clause of doubt stays unread: it may reverse it.
    """
    if not any(isinstance(one, Unread) for one in read):
        return list(read)
    looks = [one for one in read if not isinstance(one, Unread)]
    if not any(isinstance(one, (*_EFFECTS, Remember)) for one in looks):
        whole = _loosely(part.tokens, part, items)
        if whole is not None:
            return list(whole)
    found: list[Intent | Unread] = []
    for one in read:
        if not isinstance(one, Unread):
            found.append(one)
            continue
        text = _text(one.tokens)
        meant = said(text) or _loosely(one.tokens, part, items)
        found += [one] if meant is None else meant
    return _with_doubts(read, found)


def _with_doubts(
    read: Sequence["Intent | Unread"], found: Sequence["Intent | Unread"]
) -> list["Intent | Unread"]:
    """Leave clauses of doubt unread beside what acts; drop those that say nothing beside looks."""
    unread = [one for one in read if isinstance(one, Unread)]
    acts = [one for one in found if isinstance(one, _EFFECTS)]
    doubts = [one for one in unread if HEDGES & {token.text for token in one.tokens}]
    took = [one for one in read if not isinstance(one, Unread)]
    if acts and doubts and any(isinstance(one, _EFFECTS) for one in took):
        return list(read)
    if any(isinstance(one, Checkout | CancelOrder | Mail) for one in took):
        # Beside what acts on the world nothing is guessed.
        return list(read)
    known = [one for one in found if not isinstance(one, Unread)]
    says = [
        one for one in known if not (isinstance(one, Talk) and one.about in ("leave", "thanks"))
    ]
    if known and not acts:
        # What is only told beside a question or a search needs no answer of its own.
        return list(says or known)
    kept = [one for one in found if not (isinstance(one, Unread) and _tells_why(one.tokens))]
    return kept or list(found)


def _tells_why(tokens: Sequence[Token]) -> bool:
    texts = [token.text for token in tokens]
    starts = texts[:1] in (["because"], ["since"], ["as"]) or texts[:2] in (
        ["it", "is"],
        ["they", "are"],
        ["that", "is"],
        ["i", "am"],
        ["we", "are"],
    )
    return starts and not HEDGES & set(texts)


def _loosely(tokens: Sequence[Token], part: Part, items: ItemsReader) -> list[Intent] | None:
    return loosely(Clause(tuple(tokens), items, part.corrects))


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
        named = _named_by(before)
        if (
            named is not None
            and isinstance(one, AskProperty | AskPrice | Reviews | Details | Add | Remove)
            and isinstance(one.item, It)
        ):
            joined[-1] = replace(one, item=named)
        elif isinstance(before, Add) and isinstance(one, Add) and _says_which(before, one):
            joined[-1] = replace(before, item=_both(before.item, one.item))
        elif isinstance(before, Search) and isinstance(one, Mention) and _narrows(one):
            assert isinstance(one.item, Named), "what narrows is named"
            joined[-1] = replace(before, query=" ".join((*one.item.words, before.query)))
        elif isinstance(before, Add) and (more := _had_too(one)) is not None:
            joined.append(more)
        elif isinstance(before, Mention) and isinstance(one, Add) and isinstance(before.item, It):
            joined[-1:] = [Add(before.item), one]
        else:
            joined.append(one)
    return tuple(joined)


def wished(found: Sequence[Intent], text: str) -> Sequence[Intent]:
    """Read several products that are named, and a please, as a wish to have them."""
    names = [
        tuple(one.query.split())
        for one in found
        if isinstance(one, Search) and one.bare and any(map(is_a_name, one.query.split()))
    ]
    if len(names) < _SEVERAL or len(names) < len(found) or not _PLEASE.search(text.lower()):
        return found
    return [Add(Named(words)) for words in names]


_SEVERAL: Final = 2
_PLEASE: Final = re.compile(r"\b(?:please|pls|plz|need|want|would like|take)\b")


def with_currency(found: tuple[Intent, ...], text: str) -> tuple[Intent, ...]:
    """Add what the shop says of currencies where a price is asked for in another one."""
    priced = any(isinstance(one, AskPrice | Times) for one in found)
    return (*found, AskPolicy("currency")) if priced and _FOREIGN.search(text.lower()) else found


_FOREIGN: Final = re.compile(r"\b(?:euros?|eur|pounds|gbp|yen|chf|francs|cad|aud)\b|[€£]")


def _named_by(intent: Intent | None) -> Reference | None:
    """Return what an intent names and nothing else."""
    match intent:
        case Mention(item, None) if isinstance(item, Named | Sku | Nth):
            return item
        case Search(query, bare=True, min_price=None, max_price=None) if query:
            return Named(tuple(query.split()), definite=True)
        case _:
            return None


_COMPARED: Final = {"lighter": "light", "warmer": "warm", "thinner": "thin", "thicker": "thick"}
_SIZED: Final = frozenset({"size", "in", "for", "with", "but", "only", "and", "also", "or"})
_NO_WORDS: Final = frozenset({"bigger", "larger", "smaller", "longer", "shorter", "others", "next"})


def _narrowing(intent: Intent) -> Intent:
    """Read a search that names no thing, but how it shall be, as one that narrows the one before."""
    if not isinstance(intent, Search) or not intent.query or intent.narrows or intent.category:
        return intent
    words = intent.query.split()
    if set(words) <= _NO_WORDS:
        return replace(intent, query="", bare=False, more=True)
    if any(fold(word) in NOUNS for word in words):
        return intent
    if not all(w in _COMPARED or w in _SIZED or says_goods(w) or w.isdigit() for w in words):
        return intent
    query = " ".join(_COMPARED.get(word, word) for word in words if word not in _SIZED - {"size"})
    return replace(intent, query=query or intent.query, bare=False, narrows=True)


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
        case Search(query, bare=True, min_price=None) if query:
            return Add(Named(tuple(query.split()), max_price=intent.max_price))
        case _:
            return None


def _says_which(before: Add, after: Add) -> bool:
    """Tell whether the second names what the first left open: "a stove, the Moss Bridge one"."""
    first, second = before.item, after.item
    if not (isinstance(first, Named) and isinstance(second, Named)):
        return False
    has_kind = any(fold(word) in NOUNS for word in second.words)
    return second.definite and not first.definite and not has_kind and after.quantity == 1


def _both(first: Reference, second: Reference) -> Reference:
    assert isinstance(first, Named), "only what is named is joined"
    assert isinstance(second, Named), "only what is named is joined"
    return Named((*second.words, *first.words), definite=False, max_price=first.max_price)


def _sentences(tokens: Sequence[Token]) -> list[list[Token]]:
    sentences: list[list[Token]] = [[]]
    for token in tokens:
        sentences[-1].append(token)
        if token.text in _ENDS:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens).strip(" ?!.,;:-\n")
