"""Cut a text into clauses, and tell what each of them is to a decision. Pure.

A decision is made where every clause is one of four: it names goods, it counts, it says that
something is decided, or it only tells why.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from daybook.demo.model.grammar.answers.briefly import BESIDE_A_COUNT, MORE
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.frames.things import Count, things_in
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.references import Every, It, Named, Nth, Sku
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import NOUNS, fold

Role = Literal[
    "names", "points", "both", "counts", "halves", "clears", "decides", "tells", "refuses", "loose"
]


@dataclass(frozen=True)
class Clause:
    """A clause and its role; `shape` has its things written as `@` and its counts as `#`.

    `vague` says that any one of a name was named: "a swift river".
    """

    role: Role
    shape: str
    thing: Thing | None = None
    count: int = 0
    more: bool = False
    total: bool = False
    vague: bool = False


_ENDS: Final = frozenset({".", ",", "!", ";", ":", "\n", "and", "&", "because", "cause"})
_TELLERS: Final = frozenset({"it", "they", "he", "she", "we", "i", "that", "everybody"})

_IDLE: Final = (
    r"(?:and|oh|ah|well|hm+|haha+|so|now|eh|um+|uh|sorry|wait|actually|damn|whatever|please|also"
    r"|hey|oops|still|just|only|no|nah|nope|thanks|thank you|ugh|ouch|gracias|merci|danke|aw+"
    r"|cheers|ta|bummer|shame|too bad|pity)"
)
_DECIDES: Final = (
    r"(?:ok(?:ay)?|right|all ?right|fine|sold|deal|done|yes|yeah|yep|yup|sure|good|great|perfect"
    r"|lovely|nice|cool|super|brilliant|excellent|then|in that case|go on|whatever|you know what"
    r"|(?:i|we) (?:am|are|will be) (?:having|taking|getting|going(?: with| for)?)"
    r"|(?:i|we) (?:have )?decided(?: on)?|decided|(?:i|we) (?:have )?made (?:up )?my mind(?: up)?"
    r"|(?:my |that is my |and that is )?final(?: answer)?|it (?:is|will be|shall be|has to be)"
    r"|(?:i|we) (?:will|would|shall|am going to|are going to) (?:just )?(?:try|go for|go with|take"
    r"|have|grab|get|settle (?:for|on)|pick|choose|buy)|let us (?:try|go for|go with|have|take|get)"
    r"|(?:my|our) (?:choice|pick) is|(?:i|we) (?:choose|pick|take)|go (?:for|with)"
    r"|(?:that|this) settles it|it is settled|(?:easy|no) (?:choice|contest)|you know what"
    r"|(?:in(?:to)? |to )?(?:my |the )?cart|before i change my mind)"
)
_TURNS: Final = (
    r"(?:(?:(?:let us )?go(?:ing)? |revert |return )?back to|better|rather|instead"
    r"|not that(?: one)?|on second thoughts?|(?:swap|switch|change|exchange|trade) (?:for|to|with))"
)
_FOR: Final = (
    r"(?: for (?:me|us|now|both|him|her|them|today|myself|(?:my|our|the|a|his|her|their|your)"
    r"(?: \w+){1,3}))?"
)
_SIZE: Final = (
    r"(?: (?:in|size|in size|in a|a size) (?:\d\d(?:\.5)?|xxs|xs|s|m|l|xl|xxl|xxxl|small|medium"
    r"|large))?"
)
_BEHIND: Final = (
    r"(?: (?:then|please|gracias|merci|danke|grazie|obrigad[oa]|tack"
    r"|it is|it will be|it shall be|has to be it|wins|win|is the one|will do"
    r"|thanks|thank you|now|too|as well|also|anyway|after all|instead|though|sold|deal|final"
    r"|final answer|for sure|definitely|ok|okay|yes|rather|(?:in(?:to)? |to )?(?:(?:my|the) )?cart"
    r"|today))*"
)
_NAMES: Final = re.compile(
    rf"(?:(?:{_IDLE}|{_DECIDES}|{_TURNS}) )*@{_SIZE}{_FOR}{_SIZE}{_BEHIND}{_FOR}"
)
_ONLY_DECIDES: Final = re.compile(
    rf"(?:(?:{_IDLE}|{_DECIDES}|{_TURNS})(?: |$))+|(?:do the needful"
    r"|(?:in )?size (?:\d\d(?:\.5)?|xs|s|m|l|xl|xxl)|in (?:\d\d|xs|s|m|l|xl|xxl))"
)
_DECIDED: Final = re.compile(
    rf"\b(?:{_DECIDES}|wins?|is the one|will do|definitely|for sure|please)\b|\bit is\b"
)
_TURNED: Final = re.compile(rf"\b{_TURNS}\b")
_REFUSES: Final = re.compile(r"(?:and |but )?not (?:the |that )?(?:\w+|@)(?: one)?")
_HALVES: Final = re.compile(
    rf"(?:(?:{_IDLE}|{_DECIDES}) )*(?:half (?:of )?(?:@|that|them|those|the (?:number|amount"
    rf"|quantity))|halve (?:@|that|it|them)|make (?:it |that )?half){_BEHIND}"
)
_TOTAL: Final = re.compile(r"\b(?:total|altogether|in all|overall)\b")
_PEOPLE: Final = (
    r"(?:kids?|children|people|friends?|mates?|guests?|guys|boys|girls|twins|brothers?|sisters?"
    r"|sons?|daughters?|wife|husband|colleagues?|persons?|others|of (?:us|them)|members?|students?"
    r"|neighbou?rs?|couples?|famil(?:y|ies)|team|mum|dad|mom|boyfriend|girlfriend|rest)"
)
_OF_PEOPLE: Final = re.compile(
    rf"(?:(?:so|as|since|the|my|our|both|#|another|these|{_IDLE}) )*{_PEOPLE}\b[^#@]*"
)
_SHARES: Final = re.compile(
    r"(?:(?:so|that is|that makes) )?(?:one|1)(?: pair| piece)? (?:(?:for )?(?:each|every)|apiece)"
    r"(?: (?:of (?:us|them)|\w+))?|(?:so )?(?:we|there) (?:are|will be) (?:now )?(?:\w+ )?(?:more"
    r"|fewer|less)(?: people| of us| now| than i thought)*"
)
_MAY_ALTER: Final = ACTS | frozenset(
    """
    not no never nor neither without unless if whether or but except maybe perhaps possibly might
    could would should shall may later tomorrow wait stop hold instead rather which what how why
    where when first before after until once total each both all another more other price want
    wants need needs like likes take takes think thinks thought wonder guess unsure half twice
    double less fewer same check purchase ship mail send show tell find search explain
    """.split()  # noqa: SIM905
)  # fmt: skip
_NEGATES: Final = frozenset({"not", "no", "never"})
_LIKES: Final = frozenset({"like", "likes", "all", "both", "other", "same"})


def clauses_of(tokens: Sequence[Token]) -> list[Clause] | None:
    """Return the clauses of a text; None where one of them has no part in a decision."""
    found: list[Clause] = []
    for piece in _pieces(tokens):
        clause = _clause(piece)
        if clause is None:
            return None
        found.append(clause)
    return found


def is_decided(clause: Clause) -> bool:
    """Tell whether a clause has a word of deciding."""
    return _DECIDED.search(clause.shape) is not None


def turns_back(clause: Clause) -> bool:
    """Tell whether a clause takes one in the place of another: "back to @", "@ instead"."""
    return _TURNED.search(clause.shape) is not None


def _pieces(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    piece: list[Token] = []
    for at, token in enumerate(tokens):
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        begins = token.text == "plus" or (token.text == "so" and after in _TELLERS)
        if token.text in _ENDS or (begins and piece):
            if piece:
                yield piece
            piece = [] if token.text in _ENDS else [token]
        else:
            piece.append(token)
    if piece:
        yield piece


def _clause(tokens: Sequence[Token]) -> Clause | None:
    things, counts = things_in(tokens)
    things = [thing for thing in things if not _stands_for_nothing(thing, tokens)]
    shape = _shape(tokens, things, [(count.start, count.end) for count in counts])
    if _HALVES.fullmatch(shape) and all(isinstance(one.item, It) for one in things):
        return Clause("halves", shape)
    if _CLEARS.fullmatch(" ".join(token.text for token in tokens)):
        return Clause("clears", shape)
    if _ONLY_DECIDES.fullmatch(shape):
        return Clause("decides", shape)
    if len(things) == 1 and not counts and _NAMES.fullmatch(shape):
        (thing,) = things
        if isinstance(thing.item, It):
            return Clause("points", shape, thing, thing.quantity or 0, thing.more)
        is_named = isinstance(thing.item, Named) and has_model(thing.item.words)
        if is_named or isinstance(thing.item, Sku | Nth):
            is_vague = tokens[thing.start].text in ("a", "an", "any", "some", "another")
            return Clause("names", shape, thing, vague=is_vague)
        item = thing.item
        is_some = isinstance(item, Every) and item.most is not None and not item.words
        if is_some and thing.quantity is None:
            return Clause("both", shape, thing)
    if (count := _count(tokens, shape)) is not None:
        return count
    if _REFUSES.fullmatch(shape):
        return Clause("refuses", shape)
    if _only_tells(tokens, things, shape):
        return Clause("tells", shape)
    return Clause("loose", shape) if _is_loose(tokens) else None


_IS_SO: Final = frozenset("is are was were has have looks look fits suits will goes".split())  # noqa: SIM905


def _is_loose(tokens: Sequence[Token]) -> bool:
    """Tell whether a clause tells anything beside "clear the cart" that asks for nothing more."""
    texts = {token.text for token in tokens}
    begins = next((token.text for token in tokens if token.text not in _IDLE_WORDS), "not")
    names = any(fold(text) in NOUNS for text in texts) or has_model([*texts])
    if texts <= {"all", "of", "it", "everything", "the", "lot", "them"}:
        return True
    return begins in _TELLS_OF and not names and not texts & (_KEEPS | ACTS)


_IDLE_WORDS: Final = frozenset("ok no oh ah well yes and so then actually sorry because".split())  # noqa: SIM905
_TELLS_OF: Final = frozenset(
    "i we they it he she my our the that this never not too changed".split()  # noqa: SIM905
)


def _stands_for_nothing(thing: Thing, tokens: Sequence[Token]) -> bool:
    """Tell whether "it" is no goods: "it is the first", "that settles it"."""
    if not isinstance(thing.item, It) or thing.quantity is not None:
        return False
    before = tokens[thing.start - 1].text if thing.start else ""
    after = tokens[thing.end].text if thing.end < len(tokens) else ""
    return after in _IS or before in ("settles", "decide", "decides", "it")


_IS: Final = frozenset({"is", "will", "shall", "has", "settles", "was", "'s"})
_PAIR: Final = 2
_CLEARS: Final = re.compile(
    rf"(?:(?:{_IDLE}|{_DECIDES}) )*(?:empty|clear|wipe|reset|bin|scrap|dump|trash|delete|ditch)"
    r"(?: out)? (?:(?:the|my|this|whole|entire|full|complete) )*(?:cart|lot)(?: (?:out|please|then"
    r"|again|for now|completely|now|of everything|thanks))*"
    rf"|(?:(?:{_IDLE}|{_DECIDES}) )*(?:empty|clear|wipe) (?:it|it all|all of it|everything)(?: out"
    r"| please| then| again| now)*"
)
_KEEPS: Final = frozenset(
    """
    but except apart besides keep only unless if without until till instead other others another
    add put take not never rather swap replace when after before while should would could might
    ? half which what how
    """.split()  # noqa: SIM905
) - {"not"}
"""Words with which more, or less, than the whole cart may be meant."""


def _shape(
    tokens: Sequence[Token], things: Sequence[Thing], counts: Sequence[tuple[int, int]]
) -> str:
    marks = {thing.start: ("@", thing.end) for thing in things}
    marks |= {start: ("#", end) for start, end in counts}
    shape: list[str] = []
    at = 0
    while at < len(tokens):
        sign, end = marks.get(at, (tokens[at].text, at + 1))
        shape.append(sign)
        at = end
    return " ".join(shape)


def _count(tokens: Sequence[Token], shape: str) -> Clause | None:
    texts = [token.text for token in tokens]
    whom = re.search(rf"^(.*?){_FOR}$", " ".join(texts))
    kept = len(whom[1].split()) if whom is not None else len(texts)
    part = tokens[:kept]
    things, counts = things_in(part)
    is_alone = all(isinstance(one.item, It) for one in things)
    rest = [token for token in part if token.kind not in (Kind.NUMBER, Kind.TIMES)]
    numbers = [token for token in part if token.kind in (Kind.NUMBER, Kind.TIMES)]
    named: list[Count | Thing] = [*counts, *things]
    said = [one for one in named if _quantity(one)]
    if len(said) != 1 or len(numbers) > 1 or not is_alone or "each" in texts:
        return None
    if not all(token.text in _BESIDE for token in rest):
        return None
    value = _quantity(said[0])
    is_more = said[0].more or bool(MORE & {*texts})
    return Clause("counts", shape, None, value, is_more, _TOTAL.search(shape) is not None)


def _quantity(one: Count | Thing) -> int:
    return one.value if isinstance(one, Count) else one.quantity or 0


_BESIDE: Final = (
    BESIDE_A_COUNT
    | MORE
    | frozenset(
        """
        bummer haha lol hm hmm damn ugh still now today top on whatever
        deal sold done right fine great nos the needful cart order all a couple dozen half
        """.split()  # noqa: SIM905
    )
)


def _only_tells(tokens: Sequence[Token], things: Sequence[Thing], shape: str) -> bool:
    """Tell whether a clause says why, or of somebody, and nothing that could change a wish."""
    if _OF_PEOPLE.fullmatch(shape) or _SHARES.fullmatch(" ".join(one.text for one in tokens)):
        return True
    texts = {token.text for token in tokens}
    if any(not isinstance(one.item, It) for one in things) or "?" in texts:
        return False
    if any(token.kind not in (Kind.WORD, Kind.MARK) for token in tokens):
        return False
    begins = next((token.text for token in tokens if token.text not in _IDLE_WORDS), "")
    if begins not in _TELLS_OF | {"same", "too", "for", "still"} and not texts & _IS_SO:
        return False
    says_why = tokens[0].text == "so" and len(tokens) > 1 and tokens[1].text in _TELLERS
    allowed = (_NEGATES if says_why else frozenset()) | _LIKES
    if texts & (_MAY_ALTER - allowed):
        return False
    return not any(fold(text) in NOUNS for text in texts) and not has_model([*texts])
