"""Read a wish for goods by what is there: goods, counts, verbs and references, wherever. Pure.

What stands beside them is silent, unless it is of the closed class that can turn a meaning: a
question, a condition, a negation, a doubt, a comparison, the past, somebody else's doing, another
number or other goods.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from daybook.demo.model.grammar.answers.deciding.adding import PAIRED, meant
from daybook.demo.model.grammar.answers.deciding.lately import MOST, PAIR, spoken_of
from daybook.demo.model.grammar.answers.held.accounted import lacks
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.acts import act_of
from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.frames.things import Count, things_in
from daybook.demo.model.grammar.language.chat.names import has_model, is_model
from daybook.demo.model.grammar.language.chat.vocabulary import COLOURS
from daybook.demo.model.grammar.language.intents import (
    Add,
    AskPolicy,
    Every,
    Intent,
    It,
    Named,
    Nth,
    Other,
    Reference,
    ShowCart,
    Sku,
    World,
)
from daybook.demo.model.grammar.language.intents_past import Forget, Remember
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import kind_of, kind_of_item
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.referents import Found, on_view
from daybook.demo.model.grammar.seen.scene import Scene

_LONGEST: Final = 70
_MARKS: Final = frozenset({".", ",", "!", ";", ":", "\n", "?"})
_JOINS: Final = frozenset({"and", "&", "plus", "but", "because", "cause", "since"})
_SENTENCE: Final = frozenset({".", "!", "?", ";", "\n"})
_TELLERS: Final = frozenset("it they he she we i that everybody everyone".split())  # noqa: SIM905

# What can turn a meaning, in the clause that names the goods.
_TURNS: Final = (
    frozenset(
        """
        what which how why who whom whose when where whether if unless until till once suppose
        say imagine not no never without nor neither none hardly except than cheaper better
        instead versus vs compared compare similar maybe perhaps possibly think thinking thought
        wonder wondering guess unsure consider considering tempted almost probably might could
        would should was were had did bought got ordered used owned added yesterday last ago
        already before earlier has owns says said told recommends recommended tell show find look
        looking search check see explain describe price prices cost costs reviews review rating
        weight total difference know hear half other others same rather only ship deliver send
        later tomorrow after while as-is either or under below over above next month week dollars
        usd bucks euro euros pounds aside first
        """.split()  # noqa: SIM905
    )
    | ACTS
    | COLOURS
)
# And in any clause beside it.
_STOPS: Final = (
    frozenset(
        """
        what which how why who when where whether if unless until till once suppose imagine maybe
        perhaps possibly think thinking wonder wondering guess unsure consider considering tempted
        almost might should could wait stop hold no nope nah never instead rather without except
        cheaper tell show find search compare check later tomorrow price total either or only make
        help choose pick remember recommend advise
        """.split()  # noqa: SIM905
    )
    | ACTS
)
_POLITE: Final = re.compile(
    r"\b(?:if (?:you|i) (?:would|could|can|may|please|like|wish|might|do not mind)(?: be so kind)?"
    r"|if (?:that|it|@) (?:is|would be) (?:ok|okay|alright|fine|possible|no (?:trouble|bother))"
    r"(?: with you)?|if possible|when you (?:can|get (?:a|the) (?:chance|minute))"
    r"|(?:would|will|could) you (?:please )?be so (?:kind|good) (?:as )?(?:to )?"
    r"|(?:would|will|could|can) you(?= *$)"
    r"|be so (?:kind|good) (?:as to|to|and)|do me (?:a|the) favou?r and|as well|no problem"
    r"|not a problem|no worries|why not|(?:would|do) you mind)\b"
)
_ADVERBS: Final = re.compile(
    r"\b(?:please|pls|plz|kindly|just|also|too|then|now|simply|quickly|thanks|thank you|definitely"
    r"|certainly|really|actually|anyway|today|straight|gladly|happily|ok|okay|yes|yeah|yep|yup"
    r"|sure|right|alright|fine|good|great|perfect|lovely|nice|cool|brilliant|excellent|wonderful"
    r"|super|well|oh|ooh|ah|aw+|hm+|um+|uh|eh|haha+|lol|hey|hi|hello|so|and|but|sorry|mate|dear"
    r"|sold|deal|done|after all|in that case|go on|for sure)(?: |$)"
)
_WHO: Final = r"for (?!size\b)[a-z'-]+(?: [a-z'-]+){0,3}"
_WEAK: Final = (
    r"(?:please|pls|plz|then|too|as well|also|thanks|thank you|it is|it shall be|it will be"
    r"|will do|would do|will be fine|sold|deal|now|today|is the one|wins|add"
    r"|(?:in(?:to)?|to|inside)(?: (?:my|the|our))? cart"
    rf"|as (?:a|an|my|our|the)? ?[a-z]+(?: [a-z]+)?|{_WHO})"
)
_BEGINS: Final = (
    r"(?:ok|okay|yes|yeah|yep|yup|sure|right|alright|fine|good|great|perfect|lovely|nice|cool"
    r"|brilliant|excellent|wonderful|super|well|oh|ooh|ah|aw+|hm+|um+|uh|haha+|hey|hi|hello|so|and"
    r"|also|plus|then|now|please|just|but|thanks|thank you|&|sold|deal|done|go on|same for"
    r"|maybe (?=throw|add)|in that case)"
)
_NAMED: Final = re.compile(
    rf"(?:{_BEGINS} )*(?P<for>{_WHO} )?(?:one of |a |the )?@(?P<mood>(?: {_WEAK})*)"
)
_COUNTED: Final = re.compile(
    rf"(?P<idle>(?:{_BEGINS}|no|wait|nope|sorry|make (?:it|that)|i mean|i meant) )*#"
    rf"(?: (?:of )?@)?(?: (?:for )?(?:each|apiece))?(?: (?:more|spare|extra))?"
    rf"(?P<mood>(?: {_WEAK})*)"
)
_RIGHTS: Final = re.compile(r"\b(?:no|wait|nope|sorry|make|mean|meant|rather)\b")
_REFUSES: Final = re.compile(r"not #")
_PRAISED: Final = re.compile(
    r"\b(?:look|looks|looked|sounds?|seems?|is|are|like|love|likes?|loves?|fits?|suits?"
    r"|will do|do)\b"
)
_PREFERRED: Final = re.compile(
    rf"(?:{_BEGINS} )*(?:i (?:think|guess|reckon|feel) )?(?:that )?@ (?:one )?"
    r"(?:is|looks|seems|sounds|suits me|will be)"
    r"(?: (?:much|far|a bit|even|the|definitely|clearly))*"
    r"(?: (?:better|nicer|best|nicest|right))(?: one| choice)?"
)
_THEN: Final = re.compile(r"(?:\w+ )*then\b")
_ANSWERS: Final = re.compile(r"\b(?:ok|okay|yes|yeah|yep|yup|sure|right|fine|deal|sold|alright)\b")


@dataclass(frozen=True)
class _Clause:
    shape: str
    things: tuple[Thing, ...]
    counts: tuple[Count, ...]
    asks: bool
    joined: str
    texts: tuple[str, ...]


@dataclass
class _Wish:
    """One product that is wanted: `mood` says that something says so, `praised` that it is told.

    `sure` is false where any one of a name is: "a swift river".
    """

    item: Reference
    count: int | None = None
    more: bool = False
    mood: bool = False
    praised: bool = False
    shares: int = 0
    sure: bool = True


@dataclass
class _Reading:
    wishes: list[_Wish] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    parts: int = 0
    kinds: list[str] = field(default_factory=list)
    shows: bool = False
    rights: bool = False


def wanted(tokens: Sequence[Token], scene: Scene, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return what is put into the cart; None where nothing is, or where more may be meant."""
    if len(tokens) > _LONGEST:
        return None
    read = _Reading()
    tokens = list(_without_both(tokens))
    clauses = list(_clauses(tokens))
    if clauses and len(clauses) > 1 and clauses[1].joined in ("and", "&", "plus"):
        first = clauses[0]
        told = not first.things and not first.counts and first.shape.split()[0] not in _TELLERS
        if told and _MOODS.fullmatch(first.shape) is None and len(first.texts) > PAIR:
            return None
    if not all(_takes(clause, read) for clause in clauses):
        return None
    return _adds(read, tokens, scene, prompt)


def _without_both(tokens: Sequence[Token]) -> Iterator[Token]:
    """Leave out a "both" that stands before two names: "both the X and the Y"."""
    joined = any(token.text in ("and", "&") for token in tokens)
    for at, token in enumerate(tokens):
        behind = [one for one in tokens[at + 1 : at + 4] if one.text not in ("the", "a", "one")]
        texts = [one.text for one in behind[:PAIR]]
        is_name = len(texts) == PAIR and is_model(*texts)
        is_name = is_name or any(one.kind is Kind.SKU for one in behind[:1])
        if not (token.text == "both" and joined and is_name):
            yield token
        elif all(one.text in _IDLE_FIRST for one in tokens[:at]):
            # With no verb, it is one: "both the X and the Y please".
            yield replace(token, text="add")


_IDLE_FIRST: Final = frozenset("ok okay yes please so then right and , . !".split())  # noqa: SIM905


def _clauses(tokens: Sequence[Token]) -> Iterator[_Clause]:
    things, counts = things_in(tokens)
    things, counts = _put_together(tokens, things, counts)
    marks: dict[int, tuple[str, Thing | Count]] = {one.start: ("@", one) for one in things}
    marks |= {one.start: ("#", one) for one in counts}
    at, shape, found, texts = 0, list[str](), list[Thing | Count](), list[str]()
    joined = ""
    pieces: list[_Clause] = []

    def piece(*, asks: bool) -> _Clause:
        return _Clause(
            " ".join(shape),
            tuple(one for one in found if isinstance(one, Thing)),
            tuple(one for one in found if isinstance(one, Count)),
            asks,
            joined,
            tuple(texts),
        )

    while at < len(tokens):
        text = tokens[at].text
        if at in marks:
            sign, one = marks[at]
            shape.append(sign)
            found.append(one)
            at = one.end
            continue
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        joins = text in _JOINS or (text == "so" and after in _TELLERS)
        if text in _MARKS or (joins and shape):
            if shape:
                pieces.append(piece(asks=text == "?"))
            if text == "?":
                pieces = _asked(pieces)
            yield from pieces if text in _SENTENCE else ()
            pieces = [] if text in _SENTENCE else pieces
            shape, found, texts = [], [], []
            joined = text
        else:
            shape.append(text)
            texts.append(text)
        at += 1
    if shape:
        pieces.append(piece(asks=False))
    yield from pieces


def _asked(pieces: list[_Clause]) -> list[_Clause]:
    """Mark what a sentence asks: from where the question begins, or else the whole of it."""
    begins = [n for n, one in enumerate(pieces) if n and _ASKS.match(one.shape)]
    return [replace(one, asks=n >= (begins or [0])[0]) for n, one in enumerate(pieces)]


def _put_together(
    tokens: Sequence[Token], things: Sequence[Thing], counts: Sequence[Count]
) -> tuple[list[Thing], list[Count]]:
    """Put a kind and the model beside it together, and a model and the count right behind it."""
    found: list[Thing] = []
    for thing in things:
        last = found[-1] if found else None
        between = [one.text for one in tokens[last.end : thing.start]] if last else []
        if last is not None and (both := _one_of_both(last, thing, between)) is not None:
            found[-1] = both
        else:
            found.append(thing)
    found = _put_right(tokens, found)
    left: list[Count] = []
    for count in counts:
        behind = next((n for n, one in enumerate(found) if one.end == count.start), None)
        after = tokens[count.end].text if count.end < len(tokens) else "."
        ends = after in _MARKS | _JOINS | {"please", "for", "then", "thanks"}
        if behind is not None and found[behind].quantity is None and ends and not count.each:
            found[behind] = replace(found[behind], quantity=count.value, end=count.end)
        else:
            left.append(count)
    return [_one_of(tokens, one) for one in found], left


def _put_right(tokens: Sequence[Token], things: list[Thing]) -> list[Thing]:
    """Read "x2, no 3" as three."""
    found: list[Thing] = []
    for thing in things:
        is_no = isinstance(thing.item, Nth) and tokens[thing.start].text == "no" and bool(found)
        if is_no and found[-1].quantity is not None and isinstance(thing.item, Nth):
            found[-1] = replace(found[-1], quantity=thing.item.n, end=thing.end)
        else:
            found.append(thing)
    return found


def _one_of_both(kind: Thing, model: Thing, between: list[str]) -> Thing | None:
    """Return "2 kids bags, the Timber Line ones" as one thing, and "Silver Birch run pack" too."""
    one, two = kind.item, model.item
    if not (isinstance(one, Named) and isinstance(two, Named)):
        return None
    if not has_model(one.words) and has_model(two.words) and between in ([], [","], ["-"], [":"]):
        own = two.words[:PAIR] if kind_of(two.words) == kind_of(one.words) else two.words
        words = (*own, *one.words) if model.quantity is None else ()
        is_one = bool(words) and has_model(own)
        return (
            Thing(Named(words, True), kind.start, model.end, kind.quantity, kind.more)
            if (is_one)
            else None
        )
    is_split = has_model(one.words) and kind_of(one.words) is None and not has_model(two.words)
    if (
        is_split
        and len(between) == 1
        and between[0].isalpha()
        and between[0] not in _JOINS | _TURNS
    ):
        words = (*one.words, *between, *two.words)
        if model.quantity is None:
            return Thing(Named(words, True), kind.start, model.end, kind.quantity, kind.more)
    return None


def _one_of(tokens: Sequence[Token], thing: Thing) -> Thing:
    """Read "one of those kids headlamps" as one of them."""
    at = thing.start - (tokens[thing.start].text != "of")
    texts = [one.text for one in tokens[max(0, at - 1) : at + 1]]
    is_one = texts == ["one", "of"] and thing.quantity is None
    return replace(thing, start=at - 1, quantity=1) if is_one else thing


def _takes(clause: _Clause, read: _Reading) -> bool:
    """Take a clause into what was read; false where it may turn what is wanted."""
    shape = _IN_COLOUR.sub("@", _HARMLESS.sub(" ", clause.shape))
    shape = " ".join(_POLITE.sub(" ", shape).split())
    if not shape:
        return True
    if _TAKES_BACK.fullmatch(shape):
        read.rights = True
        return bool(read.wishes)
    if clause.asks and not _ASKS_FOR.search(shape):
        return _shows(clause, read)
    wished = [one for one in clause.things if not _is_it(one)]
    bare = " ".join(_ADVERBS.sub(" ", f"{shape} ").split())
    found = act_of(bare)
    if found is not None and (found[0] not in ("add", "want", "buy") or _SEES.search(shape)):
        return False
    if found is not None and found[0] == "buy" and not wished:
        return False
    if counted := _COUNTED.fullmatch(shape):
        return _counts(clause, counted, read)
    if read.rights:
        return False
    if _REFUSES.fullmatch(shape):
        return bool(read.wishes) and read.wishes[-1].count is not None
    is_told = shape.split()[0] in _TELLERS | {"so", "because", "then"}
    models = [one for one in wished if not isinstance(one.item, Every | Other)]
    if found is None and is_told and not models and not clause.counts:
        return _tells(clause, shape, read)
    if len(wished) > 1 or (wished and clause.counts):
        return False
    if found is not None:
        return _acts(clause, found[1], read)
    named = _NAMED.fullmatch(shape)
    if named is not None and clause.things:
        return _names(clause, shape, named, read)
    if wished:
        return _mentions(wished[0], clause, shape, read)
    return _tells(clause, shape, read)


_IN_COLOUR: Final = re.compile(rf"@ in (?:{'|'.join(sorted(COLOURS))})(?= |$)")
_TAKES_BACK: Final = re.compile(r"(?:(?:oh|no|nope|wait|sorry|hang on|hm+|ah|actually)(?: |$))+")
_HARMLESS: Final = re.compile(
    r"^(?:so |then )*(?:do not|never) (?:tell|ask|say|laugh|judge|worry)\b.*"
    r"|\b(?:(?:exactly|just|precisely) )?what (?:i|we) (?:am |are |was |were )?"
    r"(?:looking for|need(?:ed)?"
    r"|want(?:ed)?|after)\b|\b(?:good|nice|great|fair|decent|ok) price\b"
    r"|^(?:then )?(?:i|we|he|she|they) (?:will |can |may |just )*(?:send|return|bring) .* back$"
)
"""What has a word that could turn the meaning, and turns none."""
_ASKS: Final = re.compile(
    r"(?:so |and |then )*(?:what|how|which|who|when|where|why|is|are|do|does|did|will|would|can"
    r"|could|should|whats|hows)\b"
)
_ASKS_FOR: Final = re.compile(
    rf"^(?:{_BEGINS} )*(?:can|could|may|might|would|will) (?:i|we|you) .*[@#]"
)


def _is_it(thing: Thing) -> bool:
    return isinstance(thing.item, It)


def _shows(clause: _Clause, read: _Reading) -> bool:
    """Read a question beside a wish: the cart alone can be asked for in the same breath."""
    asked = understand(" ".join(clause.texts))
    read.shows = read.shows or bool(asked)
    return not clause.things and bool(asked) and all(isinstance(one, ShowCart) for one in asked)


def _counts(clause: _Clause, counted: re.Match[str], read: _Reading) -> bool:
    if not clause.counts:
        return False
    count = clause.counts[0]
    is_share = "for " in (counted["mood"] or "") or count.each or "each" in clause.texts
    is_share = is_share or bool({"spare", "extra"} & {*clause.texts})
    mood = bool(counted["mood"])
    last = read.wishes[-1] if read.wishes else None
    if last is None:
        read.wishes.append(_Wish(It(), count.value, count.more, mood, shares=is_share))
        return True
    if count.more and not is_share:
        return False
    if read.rights or _RIGHTS.search(clause.shape):
        read.rights = False
        last.count = count.value
    elif is_share and last.shares:
        last.count = (last.count or 0) + count.value
    elif is_share and last.count is not None:
        read.parts += count.value
        return read.parts <= last.count
    elif last.count is None:
        last.count, last.shares = count.value, int(is_share)
    else:
        return last.count == count.value
    last.mood = last.mood or mood or not last.praised
    return True


def _acts(clause: _Clause, rest: str, read: _Reading) -> bool:
    words = [word for word in rest.replace("@", " ").replace("#", " ").split() if word not in _MILD]
    is_pointed = all(map(_is_it, clause.things)) and _PLAINLY.fullmatch(" ".join(words)) is None
    if is_pointed or any(word.isdigit() for word in words):
        return False
    if {*words} & _TURNS or rest.count("#") + rest.count("@") > 1 + bool(clause.counts):
        return False
    if clause.counts and not clause.things:
        return _shared(clause, rest, read)
    if not clause.things:
        return False
    return _wishes(clause.things[0], read, mood=True)


_SEES: Final = re.compile(r"\b(?:see|look|check|think|know|do you|have you|are there|is there)\b")
_PLAINLY: Final = re.compile(
    rf"(?:(?:{_BEGINS}|{_WEAK}|in|me|us|i|we|you|one|with|back|there|goes|it|am|just|at once)"
    r"(?: |$))*"
)
_MILD: Final = frozenset({"would", "could", "can", "will", "shall"})


def _shared(clause: _Clause, rest: str, read: _Reading) -> bool:
    """Read "I will take one for my son": how many of what was spoken of there shall be."""
    if len(clause.counts) > 1:
        return False
    count = clause.counts[0]
    is_share = re.search(r"\bfor ", rest) is not None
    if read.wishes and read.wishes[-1].count is None:
        last = read.wishes[-1]
        last.count, last.mood, last.shares = count.value, True, int(is_share)
        return True
    if read.wishes:
        return False
    read.wishes.append(_Wish(It(), count.value, count.more, mood=True, shares=int(is_share)))
    return True


def _names(clause: _Clause, shape: str, named: re.Match[str], read: _Reading) -> bool:
    thing = clause.things[0]
    last = read.wishes[-1] if read.wishes else None
    is_same = last is not None and isinstance(last.item, It) and last.mood and clause.joined == ","
    if last is not None and is_same and shape == "@" and not _is_it(thing):
        last.item = thing.item
        return isinstance(thing.item, Named | Sku | Nth)
    goes_on = clause.joined in ("and", "&", "plus", ",") and any(one.mood for one in read.wishes)
    mood = bool(named["mood"] or named["for"] or thing.quantity) or goes_on
    mood = (
        mood or _ANSWERS.match(shape) is not None or re.match(r"(?:\w+ )*then\b", shape) is not None
    )
    if _is_it(thing) and not mood and not _ANSWERS.search(shape):
        return not thing.quantity
    return _wishes(thing, read, mood=mood or _is_it(thing))


def _wishes(thing: Thing, read: _Reading, *, mood: bool) -> bool:
    """Add what is wanted, or say of what was named before that it is."""
    match thing.item:
        case It(many=many):
            open_ones = [one for one in read.wishes if not one.mood]
            for one in open_ones if many else open_ones[-1:]:
                one.mood = mood
                one.count = one.count or thing.quantity
            if read.wishes and not open_ones:
                return thing.quantity is None or thing.quantity == read.wishes[-1].count
            if not read.wishes:
                read.wishes.append(_Wish(thing.item, thing.quantity, thing.more, mood))
            return True
        case Every() if read.wishes:
            is_all = thing.item.most in (None, len(read.wishes)) and not thing.item.words
            for one in read.wishes:
                one.mood = mood
            return is_all and len(read.wishes) > 1
        case Named(words) if not has_model(words):
            return False
        case Named() | Sku() | Nth() | Every(words=()) | Other():
            wish = _Wish(thing.item, thing.quantity, thing.more, mood, sure=thing.sure)
            read.wishes.append(wish)
            return True
        case _:
            return False


def _mentions(thing: Thing, clause: _Clause, shape: str, read: _Reading) -> bool:
    """Read goods that are only spoken of: what is wanted of them may follow."""
    item = thing.item
    if isinstance(item, Named) and not has_model(item.words):
        kind = kind_of(item.words)
        if kind is None or thing.quantity is not None:
            return False
        read.kinds.append(kind)
        return not {*clause.texts} & _STOPS
    words = {*clause.texts}
    if _PREFERRED.fullmatch(shape) is not None:
        words -= {"think", "guess", "better"}
    if words & (_TURNS - {"price"}) or thing.quantity is not None or clause.counts:
        return False
    praised = _PRAISED.search(shape) is not None
    read.wishes.append(_Wish(item, praised=praised))
    return praised


def _tells(clause: _Clause, shape: str, read: _Reading) -> bool:
    """Tell whether a clause only tells of something, and turns nothing."""
    words = {*shape.split()}
    if words & _STOPS:
        return _shows(clause, read)
    if "not" in words and (
        clause.texts[0] in ("i", "we", "not") or any(map(_is_it, clause.things))
    ):
        return False
    if _MOODS.fullmatch(shape):
        for one in read.wishes[-1:]:
            one.mood = True
        return True
    first = shape.split()[0]
    begins = first in _TELLERS | {"there", "so"}
    if _SEES.search(shape) or any(_is_it(one) and one.quantity for one in clause.things):
        return False
    if clause.joined in ("and", "&", "plus") and not begins and first not in _OF_WHOM:
        return False
    told = understand(" ".join(clause.texts)) if clause.texts else ()
    if any(isinstance(one, Remember | Forget | World | AskPolicy) for one in told):
        return False
    if any(one.value > 1 and not begins for one in clause.counts) or _SHARES.search(shape):
        return False
    read.numbers += [one.value for one in clause.counts if one.value > 1]
    return True


_OF_WHOM: Final = frozenset("my our his her their the then this these those do @".split())  # noqa: SIM905
_MOODS: Final = re.compile(rf"(?:(?:please|pls|plz|then|too|as well|{_WHO})(?: |$))+")
_SHARES: Final = re.compile(r"^#|# (?:for|of|each)\b")


# ---- what was read, as changes of the cart -----------------------------------------------------


def _adds(
    read: _Reading, tokens: Sequence[Token], scene: Scene, prompt: Prompt
) -> tuple[Intent, ...] | None:
    wishes = [one for one in read.wishes if one.mood or not one.praised]
    if not wishes or not all(one.mood for one in wishes):
        return None
    counts = {one.count for one in wishes}
    is_of_each = len(scene.group) > 1 and any(one.text in ("each", "apiece") for one in tokens)
    if is_of_each and any(isinstance(one.item, It) for one in wishes):
        # One of each of those that were told of together, and not one of what was told of last.
        return None
    if not {*read.numbers} <= counts:
        return None
    found: list[Intent] = []
    skus: set[str] = set()
    for one in wishes:
        items = _items(one.item, scene, prompt)
        count = 1 if one.count is None else one.count
        is_any = not one.sure and any(isinstance(item, Named) for item in items)
        if not items or is_any or not 0 < count <= MOST:
            return None
        for item in items:
            is_there = isinstance(item, Sku) and scene.in_cart(item.sku) is not None
            if repr(item) in skus or is_there != one.more:
                return None
            skus.add(repr(item))
            found.append(Add(item, count, more=one.more))
    colours = list(_colours(tokens))
    is_unread = any(isinstance(one, Add) and isinstance(one.item, Named) for one in found)
    if colours and (is_unread or any(lacks(one, found, scene) for one in colours)):
        # What colour it has stands on its page.
        return None
    kinds = {_kind(one.item, scene) for one in found if isinstance(one, Add)}
    there = {kind_of_item(line.name, line.sku) for line in scene.cart}
    if any(one.text in ("rather", "instead") for one in tokens) and kinds & there:
        # What it comes in the place of is in the cart.
        return None
    is_pair = any(one.text in ("pair", "pairs") for one in tokens)
    if not {*read.kinds} <= kinds or (is_pair and not kinds <= PAIRED):
        return None
    return (*found, ShowCart()) if read.shows else tuple(found)


def _colours(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the colours that goods shall be in: "in black", and not "in Red Gorge"."""
    texts = [*(token.text for token in tokens), ""]
    for at, token in enumerate(tokens):
        is_name = is_model(*texts[at : at + 2])
        if at and texts[at - 1] == "in" and token.text in COLOURS and not is_name:
            yield token


def _kind(item: Reference, scene: Scene) -> str | None:
    if isinstance(item, Sku):
        return kind_of_item(scene.name_of(item.sku), item.sku)
    return kind_of(item.words) if isinstance(item, Named) else None


def _items(item: Reference, scene: Scene, prompt: Prompt) -> list[Sku | Named]:
    """Return the products that are meant: the one, or the two that were told of together."""
    match item:
        case It():
            sku = spoken_of(scene, prompt)
            return [Sku(sku)] if sku is not None else []
        case Every(most=most) if most in (None, PAIR):
            pair = on_view(Every(PAIR, exact=True), scene)
            skus = pair.skus if isinstance(pair, Found) else ()
            answer = prompt.past[-1].answer if prompt.past else ""
            is_told = all(sku in answer or scene.name_of(sku) in answer for sku in skus)
            return [Sku(sku) for sku in skus] if len(skus) == PAIR and is_told else []
        case Other():
            one = on_view(item, scene)
            is_one = isinstance(one, Found) and len(one.skus) == 1
            return [Sku(one.skus[0])] if isinstance(one, Found) and is_one else []
        case _:
            found = meant(item, scene, prompt)
            return [found] if found is not None else []
