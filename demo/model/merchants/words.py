"""What a person wants, read from their words: one wish a message, or none."""

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final


class Act(Enum):
    """What is wanted."""

    SEARCH = auto()
    ADD = auto()
    REMOVE = auto()
    SET = auto()
    CARTS = auto()
    BUY = auto()
    CANCEL = auto()
    STOP = auto()
    CHEAPER = auto()
    WALLET = auto()
    ORDERS = auto()
    TRACK = auto()
    REFRESH = auto()
    YES = auto()
    NO = auto()
    GREET = auto()
    THANK = auto()
    UNKNOWN = auto()


@dataclass(frozen=True)
class Wanted:
    """A wish.

    Attributes:
        thing: the words that name what it is about.
        quantity: None where nothing was said.
        at: the word behind "at" or "from", which names a merchant.
        most: a limit of price, in units; None where none was said.
    """

    act: Act
    thing: str = ""
    quantity: int | None = None
    at: str = ""
    most: float | None = None


_NUMBERS: Final = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
} | {"a": 1, "an": 1, "a pair of": 1, "a couple of": 2}
_NUMBER: Final = rf"\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}"
_PLEASE: Final = re.compile(
    r"\b(?:please|pls|thanks|thank you|now|then|just|so|ok(?:ay)?|hey|hi|hello|and|me|my)\b[,!]?"
)
_AT: Final = re.compile(r"\b(?:at|from)\s+(?:the\s+)?(\S+)\s*$")
_NOTHING: Final = re.compile(
    r"^(?:one|ones|it|them|something|anything|any|option|please|thing|the|a|\s)*$"
)
_MOST: Final = re.compile(
    r"\b(?:under|below|less than|at most|up to|max(?:imum)?|cheaper than)\s*\$?\s*(\d+(?:\.\d+)?)"
    r"(?:\s*(?:usd|dollars|eur|euros))?"
)
_NOT: Final = re.compile(r"\b(?:not|don'?t|never|no longer|unless|if)\b")

_RULES: Final = tuple(
    (act, re.compile(pattern))
    for act, pattern in (
        (Act.CANCEL, r"^(?:cancel|abort|give back|drop|close)\b.*\b(?:check ?out|session)\b"),
        (Act.REFRESH, r"^(?:i(?:'| a)?m |i have |i )?(?:done|finished|paid)\b|\brefresh\b"),
        (
            Act.WALLET,
            r"\b(?:wallet|pay with|can i pay|payment methods?|cards?\b.*\bhave|which cards?"
            r"|addresses)\b",
        ),
        (Act.TRACK, r"\b(?:where(?:'s| is| are)|status|track)\b.*\b(?:orders?|package|parcel)\b"),
        (
            Act.ORDERS,
            r"\b(?:show|list|what)\b.*\b(?:orders?|ordered|i (?:bought|buy))\b|^orders?$"
            r"|\bdid i (?:buy|order)\b",
        ),
        (
            Act.STOP,
            r"^(?:cancel|abort|stop|undo|give back|send back|return|refund)\b(?P<thing>.*)$",
        ),
        (Act.CHEAPER, r"\b(?:cheap(?:er|est)?|less expensive|lower price)\b"),
        (
            Act.SET,
            rf"^(?:make (?:it|that|them)|set|change)\b(?P<thing>.*?)\s*(?:to\s+)?(?P<n>{_NUMBER})$",
        ),
        (
            Act.BUY,
            r"^(?:check ?out|buy (?:it|them|this|that|all|everything)|order (?:it|them|now)?$"
            r"|place (?:the |an )?order|purchase|pay\b|order\b)",
        ),
        (
            Act.REMOVE,
            r"^(?:remove|delete|take out|drop|throw out)\b(?P<thing>.*?)"
            r"(?:\s+(?:from|out of)\s+(?:the\s+)?(?:cart|basket))?$",
        ),
        (
            Act.ADD,
            rf"^(?:add|put|take|i(?:'ll| will) (?:take|have)|give|get)\s+"
            rf"(?:(?P<n>{_NUMBER})\s+(?:of\s+)?(?!$))?(?P<thing>.+?)"
            r"(?:\s+(?:in|into|to)\s+(?:the\s+)?(?:cart|basket))?$",
        ),
        (
            Act.CARTS,
            r"^(?:show|see|view|what(?:'s| is)? in|list)?\s*(?:the )?(?:carts?|baskets?)\b"
            r"|\bin\b.*\bcarts?$",
        ),
        (Act.ADD, rf"^(?P<n>{_NUMBER})\s+of\s+(?P<thing>.+)$"),
        (
            Act.SEARCH,
            r"^(?:find|search(?: for)?|show|look(?:ing)? for|i(?:'m| am) looking for|i need"
            r"|i want|i(?:'d| would) like|do you have|have you got|any|what about|got)\b"
            r"(?P<thing>.*)$",
        ),
    )
)


def wanted(text: str) -> Wanted:
    """Read what is wanted."""
    said = " ".join(text.lower().replace("\u2019", "'").strip(" .!?").split())
    if re.fullmatch(r"(?:hi|hello|hey|good (?:morning|evening|day)|help)\b.{0,20}", said):
        return Wanted(Act.GREET)
    if re.fullmatch(r"(?:thanks?|thank you|thx|cheers|great|perfect|bye|goodbye)\b.{0,20}", said):
        return Wanted(Act.THANK)
    if re.fullmatch(r"(?:yes|yeah|yep|yup|sure|ok(?:ay)?|do it|go ahead)(?: please)?", said):
        return Wanted(Act.YES)
    if re.fullmatch(r"(?:no|nope|nah)(?:,? thanks?| thank you)?|never ?mind|forget it", said):
        return Wanted(Act.NO)
    if not re.match(r"i (?:don'?t|do not) want|don'?t", said) and _NOT.search(said):
        # A condition or a negation is asked about, and never acted on.
        return Wanted(Act.UNKNOWN)
    plain = " ".join(_PLEASE.sub(" ", said).split()).strip(" ,")
    most = _MOST.search(plain)
    plain = " ".join(_MOST.sub(" ", plain).split())
    at = _AT.search(plain)
    for act, rule in _RULES:
        if found := rule.search(plain):
            groups = found.groupdict()
            thing = _AT.sub("", (groups.get("thing") or "").strip()).strip(" ,")
            if act is Act.CHEAPER:
                thing = _cheaper_of(_AT.sub("", plain))
            return Wanted(
                act,
                _bare(thing),
                _number(groups.get("n")),
                at[1] if at else "",
                float(most[1]) if most else None,
            )
    return Wanted(Act.UNKNOWN, _bare(plain), most=float(most[1]) if most else None)


def _cheaper_of(said: str) -> str:
    """Return what is to be cheaper; "" where it is what was shown last."""
    words = re.sub(
        r"^(?:(?:find|show|search(?: for)?|any|something|anything|is there|are there|do you have"
        r"|have you got|i want|i need|what(?:'s| is)|give|got)\s+)+|\bthan\b.*$",
        "",
        said,
    )
    rest = re.sub(r"\b(?:cheap(?:er|est)?|less expensive|lower price)\b", " ", words)
    rest = " ".join(rest.split())
    return "" if _NOTHING.match(rest) else _bare(rest)


def _bare(thing: str) -> str:
    return re.sub(r"^(?:the|some|any|a|an|for)\s+", "", re.sub(r"^(?:for)\s+", "", thing)).strip()


def _number(said: str | None) -> int | None:
    if said is None:
        return None
    return int(said) if said.isdigit() else _NUMBERS[said]
