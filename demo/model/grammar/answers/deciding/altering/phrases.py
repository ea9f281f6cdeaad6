"""Find what is to be done to the cart in a row of units, wherever it stands. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final, Literal

from daybook.demo.model.grammar.answers.deciding.altering.units import (
    Unit,
    places,
    shape_of,
    struck,
)
from daybook.demo.model.grammar.language.intents.references import It

Act = Literal["swap", "halve", "double", "set", "less", "more", "remove", "keep"]


@dataclass(frozen=True)
class Phrase:
    """What is to be done; `of` is what it is done to, `come` what comes in its place.

    `bare` says that there is a number alone: only what was before tells whether it is wanted. `at`
    is the token that it begins with.
    """

    act: Act
    of: Unit | None = None
    count: int | None = None
    come: Unit | None = None
    more: bool = False
    bare: bool = False
    at: int = 0


_OUT: Final = (
    r"(?:back )?(?:out|off|away|(?:from|out of|off) (?:my |the |our )?(?:cart|list|order))"
    r"(?: of (?:my |the |our )?(?:cart|list|order|there|it))?"
)
_Q: Final = r"(?:(?:the |my )?(?:quantity|qty|number|amount|count)(?: (?:of|for|on))?)"
_STRONG: Final = (
    r"(?:remove|rm|delete|del|ditch|bin|scrap|dump|lose|axe|nix|flick|cxl|uncart|discard|erase"
    r"|get rid(?: of)?|get shot(?: of)?|yank|away with|out with|scratch|strike|trash|drop|sack"
    r"|dispose(?: of)?|(?:take|leave|chuck|throw|kick|pull|cut|toss|cross|strike|fish"
    r"|weed) (?:out|off|away)"
    r"|chop|skip|eliminate|subtract|withdraw|retire|kill|cancel)"
)
_WEAK: Final = (
    r"(?:take|throw|chuck|toss|kick|pull|get|put|leave|cross|strike|move|boot|pop|flick|cut|drop"
    r"|fish|whip|bring|sling|have|remove|knock)"
)
_BARE: Final = r"(?:remove|rm|delete|del|ditch|bin|scrap|take out|cxl|uncart)"
_END: Final = (
    r"(?= [.,;:!\n]| please\b| again\b| then\b| now\b| too\b| after all\b| thanks?\b| ~|$)"
)
_SETS: Final = r"(?:make|mk|set|change|turn|adjust|correct|update|edit|amend)"
_SETS_TO: Final = (
    rf"(?:{_SETS[3:-1]}|put|take|get|bring|cut|drop|up|bump|reduce|lower|raise|increase|knock|go"
    r"|push|keep|leave|move|have|decrease|trim|scale|limit|back|down)"
)
_TO: Final = r"(?:to|at|be|down to|up to|back to|from # to|into|=)"
_ONLY: Final = r"(?:(?:just|only|be|a total of|the|exactly) )*"
_T: Final = r"(?P<t>@)"
_N: Final = r"(?P<n>#)(?! (?:too|less|fewer)\b)"
_NOT: Final = r"(?:instead of|rather than|not|no longer|in place of) (?:just |only )?#(?: @)?"

_PATTERNS: Final[Sequence[tuple[Act, str]]] = (
    ("swap", r"(?:swap|replace|exchange|switch|trade|change|sub|sub out|swop) (?:out )?"
             r"(?:(?P<n>#|one) (?:of )?)?(?P<t>@) (?:out )?(?:for|with|to|by|against|into)"
             r" (?:just )?(?P<k>[#+] )?(?P<c>@)"),
    ("swap", r"(?:(?:(?:i|we)(?: would| will)?|he|she|they)(?: rather| now)? (?:want|wants|take"
             r"|have|like|need"
             r"|prefer|prefers|needs|get) |(?:add|put|take|get) )?(?P<k>[#+] )?(?P<c>@)"
             r" (?:, )?(?:instead(?: of)?|in place(?: of)?|rather than|and not|not) (?P<t>@)"),
    ("swap", r"(?:instead of|in place of|rather than) (?P<t>@)(?: ,)?"
             r" (?:(?:i|we|he|she|they)(?: would| will)?(?: rather)? (?:wants?|like|takes?|have"
             r"|needs?|prefers?)|give me|put(?: in)?|add|take) (?P<c>@)"),
    ("swap", r"(?:i |we )?do not (?:want|need|like) (?P<t>@)(?: [.,;!])?(?: but)?(?: i| we)?"
             r"(?: actually)?(?: (?:would|will))?(?: rather)? (?:want|need|like|take|have|meant"
             r"|mean|get) (?P<c>@)(?:(?: [.,;!])* (?:(?:so|please|just) )*(?:swap|switch|change"
             r"|exchange"
             r"|replace) @)?"),
    ("swap", r"(?:take|have|get|want|use|make it|go with|go for|put in|put|give me|prefer|like)"
             r" (?P<c>@) (?:instead|rather)\b"),
    ("halve", rf"(?:cut|split|reduce|chop|bring|take|lower|drop|make|go)(?: {_T})?(?: {_Q})?"
              rf"(?: down)? (?:in|by|to|into) half(?: of (?:that|it|@))?"),
    ("halve", rf"halve(?: {_Q})?(?: {_T})?|half (?:of )?{_T}(?= [.,;!]| please\b| then\b|$)"
              rf"|half (?:as many|the (?:number|amount"
              r"|quantity))|(?:make|just) (?:(?P<t>@) )?half(?: (?:that|of (?:it|that)))?"),
    ("double", rf"double (?:{_Q}|{_T}|up)(?: (?:of )?(?P<t>@))?|make {_T} double"
               r"|twice (?:as many|that)"),
    ("less", rf"(?:{_STRONG}|minus|subtract) (?P<n>#|one)(?: (?:of )?{_T})?(?: {_OUT})?"
             rf"(?! (?:less|fewer))"),
    ("less", rf"{_WEAK} (?P<n>#|one)(?: (?:of )?{_T})? {_OUT}"),
    ("less", rf"{_WEAK} (?:out|off|away) (?P<n>#|one)(?: (?:of )?{_T})?"),
    ("less", rf"(?P<n>#|one) (?:of )?{_T} (?:can|must|has to|have to|should) (?:go|come out)"),
    ("less", rf"(?P<n>#) (?:of )?{_T} (?:less|fewer){_END}"),
    ("more", rf"(?P<n>#) (?:of )?{_T} (?:more|extra){_END}"),
    ("less", rf"(?:@ is )?(?:make (?:@ )?|take )?(?P<n>#) (?:less|fewer|too many)(?: (?:of )?{_T})?"
             rf"|(?:minus|less) {_N}"),
    ("set", rf"(?:scrap|scratch|forget|strike|cancel) (?:@|it) (?:[.,;!:] )*(?:make @ )?{_N}"
            r"(?= [.,;!:]| (?:is|please|will|instead)\b|$)"),
    ("set", rf"(?:{_SETS} {_T} (?:to )?)?{_N}(?: (?P<t>@))? (?:, )?{_NOT}"),
    ("set", rf"not #(?: (?:,|but|:|rather))* {_N}(?: (?:of )?{_T})?"),
    ("set", rf"(?:{_SETS_TO} (?:{_Q} )?)?{_T}(?: (?:go|goes|going|stay|stays|remain|remains|can"
            rf"|back|down|up|should|must"
            rf"|will|keep|needs?|leave))* {_TO} {_ONLY}{_N}"),
    ("set", rf"{_SETS_TO}(?: {_Q})?(?: {_T})?(?: {_Q})?(?: from #)?(?: (?:back|down|up|over))*"
            rf" {_TO} {_ONLY}{_N}(?: (?:of )?(?P<t>@))?"),
    ("set", rf"{_SETS}(?: {_Q})?(?: {_T})?(?: {_Q})? {_ONLY}{_N}(?: (?:of )?(?P<t>@))?"),
    ("set", rf"{_T} (?:are|is|should be|must be|:|=|-) {_ONLY}{_N}"),
    ("set", rf"(?:from )?# (?:to|becomes?) {_N}"),
    ("set", rf"{_Q} (?:(?:to|should be|is|:|=|of|-) )?{_N}(?: (?:of )?{_T})?"),
    ("more", rf"(?:(?:add|put|give me|give us|get|make (?:it|that|@)|take|need|want|have|plus|and"
             rf"|with|i will|i|we) )*(?P<n>\+)(?: (?:of )?{_T})?(?: (?:in|on top|please|too))*"),
    ("remove", rf"{_STRONG}(?: (?:out|off|away))? {_T}(?: {_OUT})?"
               r"(?! (?:to|at|in|into|down|by|for|back|up)\b)"),
    ("remove", rf"{_WEAK} {_T} {_OUT}"),
    ("remove", rf"(?:never mind|nvm|forget|scrap|scratch) (?:about |on |the idea of )?{_T}{_END}"
               rf"|^(?:(?:but|and|oh|wait|no|nah|actually|oops|sorry|hm+|[.,!]) )*not {_T}{_END}"),
    ("remove", rf"(?:(?<=[.,;!~:] )|(?<=no )|(?<=nah )|(?<=nope )|(?<=please )|(?<=just )|(?<=and )"
               rf"|(?<=then )|(?<=ok )|(?<=so )|(?<=wait )|(?<=actually )|(?<=sorry )|^)"
               rf"{_BARE}{_END}"),
    ("remove", rf"{_T} (?:can|must|has to|have to|should|needs to|may) (?:go|come out|leave)"
               rf"(?! (?:down|up|to|in|into|with|well|on|for|under)\b)|(?P<t>@) (?:out|off){_END}"),
    ("keep", rf"(?:keep|leave|only|just)(?: (?:keep|leave|want|need|take|just|only))* {_T}{_END}"),
)  # fmt: skip


def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern whose groups are named by a letter, however often each of them stands."""
    number = count(1)
    named = re.sub(r"\(\?P<(\w)>", lambda one: f"(?P<{one[1]}{next(number)}>", pattern)
    return re.compile(rf"(?<!\S)(?:{named})(?!\S)")


_ACTS: Final = tuple((act, _compiled(pattern)) for act, pattern in _PATTERNS)
_ALONE: Final = re.compile(r"(?<!\S)(?:#(?: (?:of )?@)?|@ #)(?!\S)")
_NO_LEAD: Final = re.compile(
    r"\b(?:he|she|they|it|who|you|people|everyone|everybody|not|never|had|has|did|was|were|would"
    r"|could|should|might|may|does|to|i|we|cannot|nobody|always|usually|often|being|been|is|are)"
    r"(?: (?:just|really|also|even|only|all|already|then|will))* $"
)
_LEAD: Final = re.compile(
    r"\b(?:(?:can|could|would|will) (?:you|we|i)|you can|(?:i|we) (?:want|need|would like"
    r"|would love"
    r"|will|shall|am going|have|had better|had rather|would rather|think i will|better|wanted)"
    r"(?: like)?(?: (?:to|you to|it to))?|(?:i|we) (?:said|meant|mean)|like you to|let us|best to"
    r"|better to|like to|is to|do|please to|kindly to)"
    r"(?: (?:please|just|then|also|kindly|only|to|now))* $"
)


def phrases_of(units: Sequence[Unit]) -> tuple[list[Phrase], list[Unit]]:
    """Return what is to be done, and the units with what says it struck out."""
    found: list[Phrase] = []
    left = list(units)
    for act, pattern in _ACTS:
        begin = 0
        while (come := pattern.search(shape_of(left), begin)) is not None:
            shape, begin = shape_of(left), come.start() + 1
            before = shape[: come.start()]
            lead = _LEAD.search(before)
            at = places(left)
            first = at[come.start()]
            last = first + len(come.group().split())
            if lead is None and _NO_LEAD.search(before):
                continue
            if lead is None and come.group()[0] in "@#+" and _is_told(before):
                continue
            if _is_denied(before) or (act in ("set", "less", "more") and not _ends(left, last)):
                continue
            found.append(_phrase(act, come, left, at))
            left = struck(left, at.get(lead.start(), first) if lead else first, last)
            begin = 0
    return found, left


def _phrase(act: Act, come: re.Match[str], units: Sequence[Unit], at: dict[int, int]) -> Phrase:
    def unit(letter: str) -> Unit | None:
        """Return the last unit of a group: the goods in "make it three of the socks"."""
        said = [name for name, text in come.groupdict().items() if text and name[0] == letter]
        return units[at[come.start(said[-1])]] if said else None

    number, more = unit("n"), unit("k")
    counted = None if number is None else 1 if number.text == "one" else number.count
    is_more = more is not None and more.text == "+"
    return Phrase(act, unit("t"), counted, unit("c"), is_more, at=units[at[come.start()]].at)


_DENIES: Final = re.compile(r"\b(?:not|never|no need|without)\b")
_NEEDS_NOT: Final = re.compile(
    r"\b(?:do|does|did|will|would|can) not (?:really |even |actually )*(?:need|want|like) @"
    r"|\b(?:can|could) not (?:count|add|type|read|spell)\b"
)


_TOLD: Final = re.compile(
    r"\b(?:took|takes|has|had|have|got|gets|bought|buys|used|uses|chose|picked|dropped|drops"
    r"|removed"
    r"|put|puts|made|makes|ordered|does|did|was|were|is|are|threw|left|lost|been|than|with|find"
    r"|found|see|saw|thrown|need|needs|for|about|at|why|when|how|what|which|if|whether|where"
    r"|does|do|can|could|would|should|will|my)\b"
)


def _is_told(before: str) -> bool:
    """Tell whether what has no verb of its own is part of a tale: "my wife took @ out"."""
    return _TOLD.search(re.split(r"[.,;:!?\n~]", before)[-1]) is not None


def _is_denied(before: str) -> bool:
    """Tell whether a negation stands before it in its clause, which is of nothing else."""
    clause = re.split(r"[.,;:!?\n~]", before)[-1]
    return _DENIES.search(_NEEDS_NOT.sub("", clause)) is not None


def _ends(units: Sequence[Unit], at: int) -> bool:
    """Tell whether a number counts nothing that stands behind it: "change it to 12 elm street"."""
    after = units[at].text if at < len(units) else "."
    behind = " ".join(one.text for one in units[at : at + 3])
    return after in _AFTER | _GOES_ON or _ENOUGH.match(behind) is not None


_GOES_ON: Final = frozenset(
    "my his her our their we i they he she there one this too again but would the @ # ? ok great".split()  # noqa: E501, SIM905
)


_BEFORE: Final = frozenset(
    """
    . , ; : ! ~ no nope nah wait sorry actually oops meant mean said wanted just only ok so then
    need want take have the it rather better reflection all say do get be us i we will that
    correction total right yes yeah please after with leave keep give me lets instead mate
    """.split()  # noqa: SIM905
)
_AFTER: Final = frozenset(
    """
    . , ; : ! ~ please instead then only total in altogether enough for thanks actually sorry though
    thank max tops now after because since so as suffice plenty each not rather and mate haha lol
    cheers
    """.split()  # noqa: SIM905
)


def alone(units: Sequence[Unit]) -> tuple[list[Phrase], list[Unit]]:
    """Return the numbers that stand alone, or beside goods, and the units without them."""
    found: list[Phrase] = []
    left = list(units)
    begin = 0
    while (come := _ALONE.search(shape_of(left), begin)) is not None:
        at = places(left)
        first = at[come.start()]
        last = first + len(come.group().split())
        begin = come.start() + 1
        before = left[first - 1].text if first else "."
        after = left[last].text if last < len(left) else "."
        if after in _SUBJECTS and _PUTS_RIGHT.fullmatch(shape_of(left)[: come.start()].strip()):
            # "No 3 he is coming": why it is so is told without a comma.
            after = "."
        if before == "and" and first > 1 and left[first - 2].text == "~":
            before = "~"
        behind = " ".join(one.text for one in left[last : last + 3])
        is_over = after in _AFTER or _ENOUGH.match(behind) is not None
        is_it = any(isinstance(one.item, It) for one in left[first:last])
        # "Fifteen it is."
        is_it = is_it and not (left[first].text == "#" and behind.startswith("is"))
        said = shape_of(left)[: come.start()]
        is_no = before not in _BEFORE or not is_over or is_it or _is_share(left, last)
        if is_no or _is_denied(said) or not _leads(said):
            continue
        goods = next((one for one in left[first:last] if one.text == "@"), None)
        number = next(one.count for one in left[first:last] if one.text == "#")
        found.append(Phrase("set", goods, number, bare=True, at=left[first].at))
        left = struck(left, first, last)
    return found, left


_SUBJECTS: Final = frozenset("he she they i we it there my our his her".split())  # noqa: SIM905
_PUTS_RIGHT: Final = re.compile(r"(?:(?:no|oh|wait|actually|sorry|oops|make|it|that) ?)+")
_LEADS: Final = _BEFORE | frozenset(
    """
    think had would should a was must on second thoughts thought excuse me my bad ah oh well hey hi
    could can you now today going ending up wrote typed wrong counted forgot it in fact for us due
    thinking let us do typo to reflection consideration best let's go
    """.split()  # noqa: SIM905
)


def _leads(before: str) -> bool:
    """Tell whether nothing but words of a correction leads to a number in its clause."""
    clause = re.split(r"[.,;:!?\n~]| and | so | because ", f" {before}")[-1]
    return all(word in _LEADS for word in clause.split())


_ENOUGH: Final = re.compile(
    r"(?:is|are|will|would|should) (?:be )?(?:enough|plenty|fine|better|good|ok|all|right|what"
    r"|it|do"
    r"|suffice|just|more)\b"
)


def _is_share(units: Sequence[Unit], at: int) -> bool:
    """Tell whether a number is one person's part: "one for me and one for my brother"."""
    behind = [one.text for one in units[at : at + 6]]
    return behind[:1] == ["each"] or (behind[:1] == ["for"] and behind[1:2] != ["now"])
