"""Cut a text into parts that mean something whole, and fill in what the grammar left.

Pure. What the grammar takes stands as it is; what it does not take is read by sayings and loosely,
and where neither tells anything it stays unread.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.questions import inquired
from daybook.demo.model.grammar.language.chat.frames.reading import Look, frame_of, framed
from daybook.demo.model.grammar.language.chat.frames.rest import CHANGES
from daybook.demo.model.grammar.language.chat.frames.things import things_in
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.read.changes.orders import cancelled
from daybook.demo.model.grammar.language.chat.read.changes.sums import summed
from daybook.demo.model.grammar.language.chat.read.changes.supposing import supposed
from daybook.demo.model.grammar.language.chat.read.clause import Clause, ItemsReader
from daybook.demo.model.grammar.language.chat.read.goods.attributes import attributed
from daybook.demo.model.grammar.language.chat.read.goods.differing import differing
from daybook.demo.model.grammar.language.chat.read.goods.promises import promised
from daybook.demo.model.grammar.language.chat.read.loosely import loosely
from daybook.demo.model.grammar.language.chat.read.mails import mailed_to
from daybook.demo.model.grammar.language.chat.read.news import happened
from daybook.demo.model.grammar.language.chat.read.person.budgets import (
    budgeted,
    each_limited,
    listed_within,
)
from daybook.demo.model.grammar.language.chat.read.person.notes import told_of_oneself
from daybook.demo.model.grammar.language.chat.sayings.reading import said
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents.cart import Add, Keep, SetQuantity, ShowCart, Swap
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    Mention,
    Pick,
    Reviews,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import (
    AskPolicy,
    CancelOrder,
    Checkout,
    Mail,
)
from daybook.demo.model.grammar.language.intents.past import Remember
from daybook.demo.model.grammar.language.intents.references import (
    Extreme,
    It,
    Named,
    Nth,
    Other,
    Sku,
)
from daybook.demo.model.grammar.language.intents.talk import Talk
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import HEDGES, NOUNS, fold

_ENDS: Final = frozenset({".", "!", "?", ";", "\n"})
EFFECTS: Final = CHANGES
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
    if (bounded := each_limited(tokens)) is not None and all(map(_has_goods, _sentences(tokens))):
        return [Part(tuple(tokens), bounded)]
    for sentence in [piece for whole in _sentences(tokens) for piece in _apart(whole)]:
        spent = each_limited(sentence) or listed_within(sentence) or budgeted(sentence)
        if spent is not None:
            if rest:
                found.append(_part(rest))
                rest = []
            found.append(Part(tuple(sentence), spent))
            continue
        told = told_of_oneself(sentence)
        if told == ((), ()) and not found and not rest:
            # "Keep that in mind" on its own is of what was said before.
            told = None
        if told is not None:
            if rest:
                found.append(_part(rest))
                rest = []
            found.append(Part(tuple(sentence), told[0]))
            sentence = list(told[1])
            if not sentence:
                continue
        intents = said_in(sentence)
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


def _apart(sentence: list[Token]) -> list[list[Token]]:
    """Cut what is wanted from a question for a promise of the shop beside it: "add it, and ..."."""
    for at, token in enumerate(sentence):
        head, tail = sentence[:at], sentence[at:]
        while tail and tail[0].text in (*_JOINTS, "also", "then"):
            tail = tail[1:]
        if token.text not in _JOINTS or not head or len(tail) < _FEWEST:
            continue
        if _asks_both(head, tail):
            return [head, *_apart(tail)]
        if _promises(tail) and _WANTS.search(_text(head)) and not _promises(head):
            return [head, tail]
    return [sentence]


def _asks_both(head: Sequence[Token], tail: Sequence[Token]) -> bool:
    """Tell whether two questions stand beside each other, one of them of goods that are named."""
    of_goods = [_is_of_named(half) for half in (head, tail)]
    asks = [
        one or _QUESTION.match(_PLEASE_TELL.sub("", _text(half))) is not None
        for one, half in zip(of_goods, (head, tail), strict=True)
    ]
    return any(of_goods) and all(asks) and not (_WANTS.search(_text(head)))


def _is_of_named(tokens: Sequence[Token]) -> bool:
    asked = attributed(tokens) or ()
    return any(not isinstance(getattr(one, "item", It()), It) for one in asked)


def _promises(tokens: Sequence[Token]) -> bool:
    text = _PLEASE_TELL.sub("", _text(tokens))
    if not _QUESTION.match(text):
        return False
    found = said(text) or promised(Clause(tuple(tokens), lambda _: []))
    return bool(found) and all(isinstance(one, AskPolicy) for one in found or ())


_JOINTS: Final = (",", "and", "&", "plus", "but")
_FEWEST: Final = 2
_WANTS: Final = re.compile(
    r"^(?:(?:please|ok|yes|so|now|and|also|then|hi|hello|can you|could you|i want to|let us|,) )*"
    r"(?:(?:i will|i would like to|i want|i need|i would like) )?"
    r"(?:add|put|throw|stick|chuck|pop|place|bung|remove|delete|take|drop|get|give|buy|order|show"
    r"|find"
    r"|search|look|list|check out|make|swap|clear|empty|need|want|have)\b"
)
_QUESTION: Final = re.compile(
    r"(?:what|how|do|does|is|are|can|could|will|would|when|where|which|who|your|the)\b"
)
_PLEASE_TELL: Final = re.compile(
    r"^(?:please |also |can you |could you |then )*(?:tell (?:me|us)|let (?:me|us) know|say|explain"
    r"|check|remind me|i (?:want|need|would like) to know) "
)


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
    r"|\bi would rather (?:have|take|get)\b"
)
"""Where the rules would take the half of it."""


def rather(part: Part, found: Sequence["Intent | Unread"]) -> list["Intent | Unread"]:
    """Read a correction that names a product as a wish to have it in the other's place."""
    texts = [token.text for token in part.tokens]
    is_instead = bool({"instead", "rather"} & set(texts[-3:])) and "would" not in texts
    if is_instead and found and isinstance(found[-1], Add) and found[-1] == Add(It()):
        return [*found[:-1], Swap(It(), wish=True)]
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


def said_in(sentence: Sequence[Token]) -> tuple[Intent, ...] | None:
    """Return what a sentence means by a saying, None where none fits it."""
    text = _text(sentence)
    readers = (mailed_to, cancelled, attributed, happened, supposed, summed, differing)
    asked = next((one for read in readers if (one := read(sentence))), None) if text else None
    found = asked or (said(text) if text else None)
    if found is None and (greeted := _GREETS.match(text)) is not None:
        found = said(text[greeted.end() :])
    first = found[0] if found else None
    is_talk = isinstance(first, Talk) and first.about in _IDLE
    if is_talk and (
        ACTING & {token.text for token in sentence} or frame_of(sentence).act == "remove"
    ):
        return None
    if first == Talk("advice") and _names_two(sentence):
        return None
    if is_talk_of_leaving(first) and _ASKS_TOO.search(text):
        return None
    if found and _acts_too(sentence):
        return None
    has_goods = any(t.kind is Kind.SKU or fold(t.text) in NOUNS for t in sentence)
    if found and has_goods and found[0] in (Talk("off topic"), Talk("human")):
        return None
    return found


_GREETS: Final = re.compile(
    r"(?:hi|hello|hey|good (?:day|morning|evening|afternoon))(?: there)? , "
)


def _acts_too(sentence: Sequence[Token]) -> bool:
    """Tell whether goods are put in, or exchanged, beside what a saying knows: "add X and ..."."""
    frame = frame_of(sentence)
    if frame.act == "swap" and len(frame.things) == _PAIR:
        return any(
            isinstance(one.item, Named) and has_model(one.item.words) for one in frame.things
        )
    for at, token in enumerate(sentence):
        if token.text in _JOINS and 0 < at < len(sentence) - 1:
            before, after = frame_of(sentence[:at]), _text(sentence[at + 1 :])
            acts = before.act in ("add", "remove", "swap") and bool(before.things)
            if acts and not before.left and all(one.sure for one in before.things):
                return said(after) is not None
    return False


_JOINS: Final = frozenset({"and", "&", "then", ","})
_PAIR: Final = 2


def _names_two(sentence: Sequence[Token]) -> bool:
    """Tell whether advice is asked between two products: what is known of both tells more."""
    things, _ = things_in(sentence)
    return sum(one.sure and isinstance(one.item, Named | Sku) for one in things) > 1


def is_talk_of_leaving(intent: Intent | None) -> bool:
    """Tell whether an intent only says that nothing shall be done."""
    return isinstance(intent, Talk) and intent.about == "leave"


_ASKS_TOO: Final = re.compile(
    r"[,:;.-] (?:so |and |but |which is why i ask : )?(?:how|what|do you)\b"
)
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
    read: Sequence["Intent | Unread"], part: Part, items: ItemsReader, look: Look
) -> list["Intent | Unread"]:
    """Read what the rules left unread.

    A text of which nothing was taken is tried whole first: "boots, size 41, for a woman" is one
    wish. Beside something that acts, a clause of doubt stays unread: it may reverse it.
    """
    if not any(isinstance(one, Unread) for one in read):
        return list(read)
    by_frames = framed(part.tokens, look, part.corrects) if _wishes_last(part) else None
    by_frames = by_frames or inquired(part.tokens) or framed(part.tokens, look, part.corrects)
    if by_frames is not None:
        return list(by_frames)
    looks = [one for one in read if not isinstance(one, Unread)]
    unread = [one for one in read if isinstance(one, Unread)]
    if all(len(one.tokens) <= _CHATTER and not _has_goods(one.tokens) for one in unread) and any(
        isinstance(one, Pick | AskPrice | AskProperty | Reviews | ShowCart) for one in looks
    ):
        return list(looks)
    if not any(isinstance(one, EFFECTS | Remember) for one in looks):
        is_one = not any(token.text in _ENDS for token in part.tokens[:-1])
        whole = _loosely(part.tokens, part, items) if is_one else None
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


def _wishes_last(part: Part) -> bool:
    """Tell whether a product is named with a please behind what is asked of another one."""
    sentences = _sentences(part.tokens)
    last = [token.text for token in sentences[-1]]
    return len(sentences) > 1 and "?" not in last and has_model(last) and "please" in last


_CHATTER: Final = 3


def _has_goods(tokens: Sequence[Token]) -> bool:
    is_named = has_model([token.text for token in tokens])
    return is_named or any(t.kind is not Kind.WORD or says_goods(t.text) for t in tokens)


def _with_doubts(
    read: Sequence["Intent | Unread"], found: Sequence["Intent | Unread"]
) -> list["Intent | Unread"]:
    """Leave clauses of doubt unread beside what acts; drop those that say nothing beside looks."""
    unread = [one for one in read if isinstance(one, Unread)]
    acts = [one for one in found if isinstance(one, EFFECTS)]
    doubts = [one for one in unread if HEDGES & {token.text for token in one.tokens}]
    took = [one for one in read if not isinstance(one, Unread)]
    if acts and doubts and any(isinstance(one, EFFECTS) for one in took):
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


def _sentences(tokens: Sequence[Token]) -> list[list[Token]]:
    sentences: list[list[Token]] = [[]]
    for token in tokens:
        sentences[-1].append(token)
        if token.text in _ENDS:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens).strip(" ?!.,;:-\n")
