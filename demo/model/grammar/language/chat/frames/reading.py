"""Read a text clause by clause as frames: done exactly, asked about, or looked at. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACT_WORDS
from daybook.demo.model.grammar.language.chat.frames.acts import Act, act_of
from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.frames.polite import (
    IDLE,
    JOINTS,
    without_polite_words,
)
from daybook.demo.model.grammar.language.chat.frames.rest import CHANGES, may_alter
from daybook.demo.model.grammar.language.chat.frames.things import Count, things_in
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Doubtful,
    Keep,
    Remove,
    SetQuantity,
    Swap,
)
from daybook.demo.model.grammar.language.intents.goods import Details, Mention, Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import CancelOrder, Checkout, Mail
from daybook.demo.model.grammar.language.intents.references import (
    Every,
    It,
    Named,
    Nth,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.language.tokens import Token

Look = Callable[[Sequence[Token]], Sequence[Intent] | None]
"""Reads a clause that changes nothing: a question, a search, a word of talk."""

_ENDS: Final = frozenset({".", "!", "?", ";", "\n", ":"})
_QUESTION: Final = re.compile(
    r"(?:(?:and|so|but|ok|well|then|also|now|please|oh|ah) )*(?:how|what|which|who|where|when|why"
    r"|is|are|am|was|does|do|did|has|have(?! [@#])|any|should|shall"
    r"|will (?:it|they|that|this|the|@)"
    r"|would (?:it|they|that|this|the|@|you (?:buy|take|get|recommend|say|suggest))"
    r"|(?:can|could) (?:it|they|that|this|the|@)|tell (?:me|us)|show (?:me|us)?|list|find|search"
    r"|look (?:for|up)|remind me|compare|explain|describe|read|open)\b"
)
_ANSWERS: Final = frozenset(
    "no nah nope wait sorry actually hold on oh ah , stop".split()  # noqa: SIM905
)
_CORRECTS: Final = frozenset({"actually", "sorry", "rather", "wait", "make", "just", "only"})
_REMOVES: Final = frozenset(
    "remove delete ditch bin scrap dump erase discard lose kick cancel empty rm drop".split()  # noqa: SIM905
)
_OTHER_ACTS: Final = frozenset(
    {"mail", "email", "send", "return", "pay", "order", "checkout", "forget"}
)
_REVERSES: Final = frozenset(
    "not no never but keep leave except without unless if neither nor only instead".split()  # noqa: SIM905
)
_LISTED: Final = frozenset(
    [",", "and", "&", "plus", "also", "\n", "together", "with", "then", "as", "well", "too"]
)
_REFUSES: Final = re.compile(
    r"(?:(?:actually|no|wait|but|and|ok|sorry|oh|well|,) )*not (?:the )?[@#](?: (?:though|please))?"
)
_PAIR: Final = 2
_MOST_OF_IT: Final = 99
_FEWEST_DOLLARS: Final = 10
_TO_HAVE: Final = frozenset({"add", "want", "buy"})


@dataclass(frozen=True)
class Frame:
    """A clause: its tokens, its things and lonely counts, its act, and what is left of it.

    `contested` says that another act can be read in it as well.
    """

    tokens: tuple[Token, ...]
    things: tuple[Thing, ...]
    counts: tuple[Count, ...]
    act: Act | None
    shape: str
    left: tuple[Token, ...]
    contested: bool = False


def framed(tokens: Sequence[Token], look: Look, corrects: bool = False) -> list[Intent] | None:
    """Return what a text means by its frames; None where none of them changes anything.

    `corrects` says that it takes back what was said before: its first count is the right one.
    """
    found: list[Intent] = []
    unread: list[Token] = []
    changes = guessed = told = False
    for clause in _clauses(tokens):
        frame = frame_of(clause)
        if not (frame.things or frame.counts or frame.left or frame.act):
            continue
        meant = _corrected(frame) if corrects and not found else None
        meant = meant or _meant(frame)
        if meant is None:
            looked = None if _takes_back(frame) else look(clause)
            changes = changes or any(isinstance(one, CHANGES) for one in looked or ())
            guessed = guessed or any(
                isinstance(one, Search | Mention | Details) for one in looked or ()
            )
            told = told or any(isinstance(one, Details) for one in looked or ())
            unread += [] if looked else clause if changes else _said_after(clause)
            found += looked or ()
        else:
            changes = True
            found += meant
    if not changes:
        return None
    acts = any(isinstance(one, Checkout | CancelOrder | Mail) for one in found)
    of_it = any(isinstance(getattr(one, "item", None), It) for one in found if isinstance(one, Add))
    if may_alter(unread) or (acts and (unread or guessed)) or (told and of_it):
        return [doubtful(one) for one in found if isinstance(one, CHANGES | Doubtful)]
    return found


def _corrected(frame: Frame) -> list[Intent] | None:
    is_count = not frame.things and len(frame.counts) == 1 and frame.act is None
    return _set((), frame.counts) if is_count and not may_alter(frame.left) else None


def _takes_back(frame: Frame) -> bool:
    """Tell whether a clause that asks nothing may take back a part: "but not the socks"."""
    texts = {token.text for token in _said_after(frame.tokens)}
    return not _asks(frame) and bool(texts & _REVERSES) and bool(frame.things or frame.counts)


def _said_after(clause: Sequence[Token]) -> Sequence[Token]:
    """Return a clause without the "no" with which it answers what was said before it."""
    at = 0
    while at < len(clause) and clause[at].text in _ANSWERS:
        at += 1
    return clause[at:]


def frame_of(tokens: Sequence[Token]) -> Frame:
    """Hear a clause as a frame."""
    tokens = without_polite_words(tokens)
    things, counts = things_in(tokens)
    marks = {thing.start: ("@", thing.end) for thing in things}
    marks |= {count.start: ("#", count.end) for count in counts}
    shape: list[str] = []
    owners: list[Token | None] = []
    at = 0
    while at < len(tokens):
        if at in marks:
            sign, end = marks[at]
            shape.append(sign)
            owners.append(None)
            at = end
        else:
            shape.append(tokens[at].text)
            owners.append(tokens[at])
            at += 1
    text = " ".join(shape)
    acted = act_of(text)
    act, rest = acted if acted is not None else (None, text)
    if act not in (None, "swap", "keep") and len(things) > 1:
        things = _without_echo(things)
    left = _left(rest.split(), shape, owners)
    other = act_of(rest) if act is not None else None
    contested = other is not None and not {act, other[0]} <= _TO_HAVE
    # "Add X instead of Y" is one wish.
    contested = contested and not (act == "swap" and other is not None and other[0] in _TO_HAVE)
    return Frame(tuple(tokens), tuple(things), tuple(counts), act, text, left, contested)


def _without_echo(things: Sequence[Thing]) -> list[Thing]:
    """Drop a pronoun for what is pointed at beside it: "that is too dear, I do not want it"."""
    pronouns = [one for one in things if isinstance(one.item, It)]
    others = [one for one in things if not isinstance(one.item, It)]
    plain = [one for one in pronouns if one.quantity is None]
    if len(plain) < len(pronouns):
        return list(things)
    return [*others, *([] if others else pronouns[-1:])]


def _left(
    rest: Sequence[str], shape: Sequence[str], owners: Sequence[Token | None]
) -> tuple[Token, ...]:
    """Return the tokens of the words that no part of the frame took."""
    wanted = [word for word in rest if word not in "@#" and word not in IDLE]
    left: list[Token] = []
    for word, owner in zip(shape, owners, strict=True):
        if owner is not None and word in wanted:
            wanted.remove(word)
            left.append(owner)
    return tuple(left)


def _clauses(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """Cut a text where a new act or question begins; what only lists goods on stays together."""
    clauses: list[list[Token]] = []
    for piece, ends in _pieces(tokens):
        frame = frame_of(piece)
        is_list = frame.act is None and (frame.things or frame.counts) and not frame.left
        is_more = is_list and not _asks(frame)
        if clauses and not ends and (is_more or (_goes_on(frame) and _only_lists(clauses[-1]))):
            clauses[-1] += piece
        else:
            clauses.append(list(piece))
    return [tuple(clause) for clause in clauses]


def _goes_on(frame: Frame) -> bool:
    """Tell whether the act of a clause stands behind its thing: "A and B in the cart"."""
    first = next((word for word in frame.shape.split() if word not in JOINTS), "")
    return frame.act in ("add", "remove") and first == "@" and not _asks(frame)


def _only_lists(clause: Sequence[Token]) -> bool:
    """Tell whether a clause names goods, points at none of them by "it", and says nothing else."""
    frame = frame_of(clause)
    named = frame.things and not any(isinstance(one.item, It) for one in frame.things)
    return bool(named) and frame.act is None and not frame.left and not _asks(frame)


def _pieces(tokens: Sequence[Token]) -> list[tuple[list[Token], bool]]:
    """Cut at every joint; with each piece, whether a sentence ended before it."""
    pieces: list[tuple[list[Token], bool]] = [([], True)]
    for token in tokens:
        if token.text in _ENDS:
            pieces.append(([], token.text != "\n"))
        elif token.text in JOINTS and pieces[-1][0]:
            pieces.append(([token], False))
        else:
            pieces[-1][0].append(token)
    return [(piece, ends) for piece, ends in pieces if any(t.text not in JOINTS for t in piece)]


def _asks(frame: Frame) -> bool:
    return _QUESTION.match(frame.shape) is not None


def _meant(frame: Frame) -> list[Intent] | None:
    """Return the change that a frame asks for, in doubt where something may alter it."""
    if _asks(frame) and frame.act not in ("swap", "keep"):
        return None
    found = _change(frame)
    if found is None:
        return None
    in_doubt = frame.contested or may_alter(frame.left)
    return [doubtful(one) for one in found] if in_doubt else found


def _change(frame: Frame) -> list[Intent] | None:
    things, counts = frame.things, frame.counts
    match frame.act:
        case "swap":
            return _swap(frame)
        case "keep":
            kept = [one for one in things if not _is_all(one)]
            if len(kept) != 1 or counts or (len(things) == 1 and not _keeps(frame)):
                return [Doubtful("keep", tuple(one.item for one in kept))] if kept else None
            return [Keep(_known(kept[0].item), kept[0].quantity)]
        case "clear":
            return [ClearCart()] if not counts and all(_is_all(one) for one in things) else None
        case "buy" if things and all(_is_all(one) or isinstance(one.item, It) for one in things):
            return [Checkout()]
        case "set":
            return None if _is_limit(frame) else _set(things, counts)
        case "remove":
            return _removed(_counted(things, counts), frame)
        case "want" if not all(one.sure for one in things) or not things:
            return None
        case "add" | "want" | "buy":
            return _added(_counted(things, counts), frame)
        case _:
            return _named(frame)


def _keeps(frame: Frame) -> bool:
    """Tell whether it is said to keep the thing: "only the first" may as well be a wish for it."""
    before = frame.shape.split(" @")[0].split()[-1:]
    says = {"keep", "leave"} & {token.text for token in frame.tokens}
    return bool(says) or before not in (["only"], ["just"])


def _is_all(thing: Thing) -> bool:
    return isinstance(thing.item, Every) and thing.item.most is None and thing.quantity is None


def _counted(things: Sequence[Thing], counts: Sequence[Count]) -> list[Thing]:
    """Give a thing the count that stands apart from it; a count alone is of what was spoken of."""
    if not counts:
        return list(things)
    is_of_each = counts[0].each and all(one.quantity is None for one in things)
    if (
        len(counts) > 1
        or (len(things) > 1 and not is_of_each)
        or (things and things[0].quantity is not None)
    ):
        return []
    count = counts[0]
    if count.each:
        return [replace(one, quantity=count.value) for one in things]
    if not things:
        return [Thing(It(), count.start, count.end, count.value, count.more)]
    return [replace(things[0], quantity=count.value, more=count.more)]


def _added(things: Sequence[Thing], frame: Frame) -> list[Intent] | None:
    """Read things as wanted; where they are no plain list, one may say what another is."""
    found = [Add(one.item, 1 if one.quantity is None else one.quantity, one.more) for one in things]
    if _is_list(things, frame.tokens) and all(one.sure for one in things):
        return [*found] or None
    return [doubtful(one) for one in found] or None


def _removed(things: Sequence[Thing], frame: Frame) -> list[Intent] | None:
    found = [Remove(_known(one.item), one.quantity) for one in things]
    mixed = len(things) > 1 and any(isinstance(one.item, Every) for one in things)
    if _is_list(things, frame.tokens) and not mixed:
        return [*found] or None
    return [doubtful(one) for one in found]


def _is_list(things: Sequence[Thing], tokens: Sequence[Token]) -> bool:
    for one, two in pairwise(things):
        between = {token.text for token in tokens[one.end : two.start]}
        # "2x A 1x B": each with its count.
        are_counted = one.quantity is not None and two.quantity is not None
        is_apart = between or isinstance(one.item, Sku) or are_counted
        if not is_apart or between - _LISTED:
            return False
    return True


def _is_limit(frame: Frame) -> bool:
    """Tell whether "up to 35" alone says what goods may cost, and no count of them."""
    is_alone = frame.shape == "up to #" and not frame.things
    return is_alone and frame.counts[0].value >= _FEWEST_DOLLARS


def _set(things: Sequence[Thing], counts: Sequence[Count]) -> list[Intent] | None:
    if len(counts) != 1 or len(things) > 1 or (not things and counts[0].value > _MOST_OF_IT):
        # "I could go up to 250" is said of money.
        return None
    item = _known(things[0].item) if things else It()
    value = counts[0].value
    return [SetQuantity(item, value) if value else Remove(item)]


def _swap(frame: Frame) -> list[Intent] | None:
    if len(frame.things) != _PAIR or frame.counts:
        return None
    first, second = frame.things
    turned = " instead of " in frame.shape or " rather than " in frame.shape
    turned = turned or " in place of " in frame.shape or " not " in frame.shape
    come, gone = (first, second) if turned else (second, first)
    if come.quantity not in (None, 1) or gone.quantity is not None or isinstance(come.item, It):
        return [Doubtful("swap", (come.item, gone.item))]
    return [Swap(come.item, None if isinstance(gone.item, It) else _known(gone.item))]


def _named(frame: Frame) -> list[Intent] | None:
    """Read goods that are named with how many of each, and no verb, as a wish to have them."""
    things = list(frame.things)
    first = frame.tokens[0].text
    if not things and len(frame.counts) == 1:
        count = frame.counts[0]
        if first in _CORRECTS and not frame.left:
            return _set((), frame.counts)
        more = Thing(It(), count.start, count.end, count.value, more=True)
        return _added([more], frame) if count.more and _is_for_whom(frame) else None
    if len(frame.counts) == 1 and frame.counts[0].each:
        things = _counted(things, frame.counts)
    elif frame.counts:
        return None
    if not things or any(isinstance(one.item, It) for one in things):
        return None
    several = len(things) > 1 and all(isinstance(one.item, Sku) for one in things)
    counted = any(one.quantity is not None for one in things)
    please = "please" in {token.text for token in frame.tokens}
    if not (several or counted or please) or not any(one.sure for one in things):
        return None
    found = _added(things, frame)
    if found and not _is_for_whom(frame):
        return [doubtful(one) for one in found]
    return found


def _is_for_whom(frame: Frame) -> bool:
    """Tell whether all that is left says for whom or what it is: "a dozen lamps for my class"."""
    if not frame.left:
        return True
    texts = [token.text for token in frame.tokens]
    last = max([*(one.end for one in frame.things), *(one.end for one in frame.counts)])
    return "for" in texts[last : last + 1] and frame.left[0].start >= frame.tokens[last].start


def _known(item: Reference) -> Reference:
    """Return what is named as something that is there already."""
    return replace(item, definite=True) if isinstance(item, Named) else item


def heard(tokens: Sequence[Token]) -> list[Intent] | None:
    """Return what may be meant by a clause that nothing else reads: a question about its things."""
    found: list[Intent] = []
    for clause in _clauses(tokens):
        frame = frame_of(clause)
        items = tuple(one.item for one in frame.things if one.sure)
        named = tuple(item for item in items if not isinstance(item, It | Every))
        refused = _REFUSES.fullmatch(frame.shape)
        texts = {token.text for token in clause}
        acts = bool(ACT_WORDS & texts) and not _asks(frame) and not _OTHER_ACTS & texts
        change = _change(frame) if frame.act is not None else None
        if len(frame.counts) == 1 and not (frame.things or frame.left or frame.act):
            found.append(Mention(It(), frame.counts[0].value))
        elif change:
            found += [doubtful(one) for one in change]
        elif refused and (items or frame.counts):
            found.append(Doubtful("remove", items[:1] or (Nth(frame.counts[0].value),)))
        elif named:
            found.append(Doubtful("add" if acts else "look", named))
        elif acts:
            removes = bool(_REMOVES & {token.text for token in clause})
            found.append(Doubtful("remove" if removes else "add", items[:1] or (It(),)))
    return found[:1] or None
