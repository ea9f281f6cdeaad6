"""How English says that something was done, was not done, or is only spoken of: data.

A kind of effect is what a person would call it ("order", "charge"). Which tools have it is told by
the words of their names; a tool of no known kind has the kind of its name's first word, such as
`book` of `book_room`, with participles as English forms them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of effect, and how it is spoken of.

    Attributes:
        name: as it stands in claims.
        stems: words in the names of the tools that have it.
        done: participles; of several words where they only count together.
        base: infinitives, as they stand behind "could not".
        nouns: what it is done to, or what it is called ("charge", "payment").
        undone: what is said of it: "Nothing was ordered".
        seen: further words by which a result may tell that it was done.
        is_state: "is ordered" says that it was done; "is charged" may only say how it goes.
    """

    name: str
    stems: tuple[str, ...]
    done: tuple[str, ...]
    base: tuple[str, ...]
    nouns: tuple[str, ...]
    undone: str
    is_state: bool = True
    seen: tuple[str, ...] = ()

    @property
    def told(self) -> tuple[str, ...]:
        """Return the words by which a result tells that it was done."""
        return (*self.done, *self.seen)


KINDS = (
    Kind(
        "order",
        ("order", "place", "purchase", "buy"),
        (
            *("ordered", "placed", "purchased", "bought", "checked out", "submitted"),
            *("sold to you", "yours now", "secured", "locked in", "snapped up", "grabbed"),
            *("picked up", "nabbed", "wrapped up", "packed", "packed up", "bagged", "finalized"),
        ),
        ("order", "place", "purchase", "buy", "check out", "complete", "submit"),
        ("order", "orders", "purchase", "checkout"),
        "ordered",
    ),
    Kind(
        "charge",
        ("charge", "pay", "payment", "capture"),
        (
            *("charged", "billed", "debited", "paid", "paid for", "deducted", "collected"),
            *("taken from your card", "taken off your card", "put on your card", "settled"),
        ),
        ("charge", "bill", "debit"),
        ("charge", "charges", "payment", "payments"),
        "charged",
        is_state=False,
    ),
    Kind(
        "refund",
        ("refund",),
        (
            *("refunded", "reimbursed", "credited back", "paid back", "given back"),
            *("sent back to your card", "back on your card", "back in your account", "reversed"),
            *("back on your account", "back with you"),
        ),
        ("refund", "reimburse"),
        ("refund", "refunds", "money back"),
        "refunded",
        is_state=False,
    ),
    Kind(
        "cancel",
        ("cancel",),
        (
            *("cancelled", "canceled", "called off", "voided", "annulled", "scrapped", "revoked"),
            *("withdrawn", "undone", "rolled back"),
        ),
        ("cancel", "call off"),
        ("cancellation",),
        "cancelled",
    ),
    Kind(
        "mail",
        ("email", "mail"),
        ("mailed", "emailed", "e mailed", "mailed out", "in your inbox", "dropped you a line"),
        ("mail", "email", "e-mail"),
        (
            *("confirmation mail", "confirmation email", "confirmation e-mail", "email", "e-mail"),
            *("mail", "confirmation", "receipt"),
        ),
        "mailed",
    ),
    Kind(
        "reserve",
        ("reserve", "hold"),
        (
            "reserved",
            "put on hold",
            "set aside",
            "put aside",
            "held",
            "kept aside",
            "on hold",
            "earmarked",
            "kept for you",
            "saved for you",
            "held back",
            "locked for you",
        ),
        ("reserve", "hold", "set aside"),
        ("reservation", "hold"),
        "reserved",
    ),
    Kind(
        "return",
        ("return",),
        ("returned",),
        ("return",),
        ("return", "returns"),
        "returned",
        is_state=False,
        seen=("return requested",),
    ),
    Kind(
        "exchange",
        ("exchange",),
        ("exchanged", "swapped"),
        ("exchange", "swap"),
        ("exchange",),
        "exchanged",
        seen=("exchange requested",),
    ),
    Kind(
        "change",
        ("modify", "update", "change"),
        ("modified", "updated", "changed"),
        ("modify", "update", "change"),
        ("modification", "update", "change"),
        "changed",
    ),
)

KIN = {"exchange": frozenset({"exchange", "change"}), "return": frozenset({"return", "exchange"})}
"""Kinds that people name by one another's words: an exchange is a change of an order."""

GONE_THROUGH = (
    *(
        "placed",
        "confirmed",
        "complete",
        "completed",
        "successful",
        "through",
        "done",
        "verified",
        "active",
    ),
    *("on its way", "on the way", "under way", "finalized", "finalised", "processed", "issued"),
    *("made", "sent", "sent out", "approved", "accepted", "initiated", "created", "submitted"),
)
"""What is said of an order, a payment, a refund or a mail that was done."""

LIGHT = (
    *("made", "completed", "processed", "issued", "recorded", "confirmed", "finalized", "taken"),
    *("put through", "executed", "booked", "finished", "registered", "arranged", "collected"),
    *("approved", "accepted"),
    *("closed", "finalised", "sent off", "released", "triggered", "confirm"),
)
"""What somebody has done to an order, a payment or a refund, where it was done."""

IN_GENERAL = re.compile(
    r"^\W*(?:all |well )?(?:done|bought|sorted|sent|booked|purchased)\b(?! with)|\ball (?:done|set|sorted)\b|"
    r"\b(?:it|that|this|everything|all of it|they|order|usd)(?: all)? (?:just )?(?:went|has gone|is going) "
    r"through\b|\b(?:is|are|'s) (?:now |all )?yours\b|\byours now\b|"
    r"\b(?:is|are|'s|'re) (?:now |already )?on (?:its|their|the) way\b|"
    r"\btaken care of (?:it|that|everything)\b|\btook care of (?:it|that|everything)\b|"
    r"\b(?:packed|booked in) for you\b|\bgot the last\b|\bsold to you\b|\bmail(?:'s| is) out\b|"
    r"\b(?:are|is|'re) (?:all )?confirmed\b|\bwe're good\b|\b(?:a )?done deal\b|\ball yours\b|"
    r"\b(?:coming|heading|headed) (?:your way|to you)\b|\bin the (?:books|bag)\b|\ball paid\b|"
    r"\b(?:is|are|'s|been) (?:all )?(?:sorted|settled|handled|arranged|dealt with)\b|"
    r"\bgood to go\b|\bsuccess(?:ful(?:ly)?)?\b(?!.*\bif\b)|\b(?:enjoy|have fun with) (?:your|the) new\b|"
    r"\bthank(?:s| you) for (?:your (?:order|purchase)|shopping|buying)\b",
    re.IGNORECASE,
)
"""Says of all that was asked for that it was done."""

OF_A_DEAL = re.compile(
    r"\b(?:orders?|purchases?|payments?|charges?|money|confirmation|e ?mails?|receipts?|parcel|package|"
    r"delivery|shipment|reservation|refunds?|transaction|checkout|invoice|deal|sale|booking|bank|inbox|"
    r"bought|paid|took|taken|grabbed|nabbed|shipped|packed|ordered|charged|mailed|emailed|refunded|booked|"
    r"secured|snagged|scored|sold|processed|confirmed|completed|approved|sent|purchased|checked out|"
    r"yours|dispatched|delivered|debited|reserved|held|warehouse|courier|carrier)\b",
    re.IGNORECASE,
)
"""In a clause that speaks of buying, paying, sending or holding, in whatever way."""

ASSERTED = re.compile(
    r"\b(?:was|were|has|have|had|did|got|went|took|came|hit|left|made|paid|bought|sent|gave|put|kept)\b|"
    r"'ve\b|\w+'s (?:been|gone|got)\b|\b(?:i|we|they|it|shop|bank|system|store|machine) \w+ed\b|^\W*\w+ed\b",
    re.IGNORECASE,
)
"""In a clause that tells of what was."""

STATED = re.compile(
    r"\b(?:is|are|'s|'re)\b|^\W*(?:done|got it|yay|woohoo|hooray|success)\b", re.IGNORECASE
)
"""In a clause that tells how things stand."""

GAINSAID = re.compile(
    r"\b(?:not|n't|never|nothing|none|no|nobody|declin\w+|refus\w+|reject\w+|fail\w+|expire\w*|ran out|run out|"
    r"timed? out|unfortunately|sorry|couldn't|unable|without|released|cancel\w*|undone|instead|still in|again|"
    r"stays?|problem|trouble|wrong|unclear|doubt|unknown|sold out|out of stock|too late|asked|question|answer|"
    r"waits?|waiting|want\w*|stopped|withdrawn|rolled back)\b|n't\b",
    re.IGNORECASE,
)
"""In a clause that tells of something that was not done, or of why."""

IN_GENERAL_NOT = re.compile(
    r"\b(?:it|that|this|things|something|everything) (?:all )?(?:didn't|did not|hasn't|has not) "
    r"(?:quite )?(?:work(?:ed)?|go(?:ne)? through|happen(?:ed)?|succeed(?:ed)?)\b|"
    r"\bnothing (?:has |was |is )?(?:happened|done|changed|moved|bought|paid|purchased)\b|"
    r"\b(?:could not|couldn't) (?:be )?(?:complete|completed|do it|be done|finish|go ahead)\b|"
    r"\bno (?:money|funds|sum|amount)\b.{0,20}\b(?:taken|moved|left|gone|debited|changed)\b|"
    r"\b(?:went wrong|fell through|came to nothing|was unsuccessful|has failed|failed)\b|"
    r"\b(?:was not|wasn't) (?:possible|successful)\b",
    re.IGNORECASE,
)
"""Says of all that was asked for that it was not done."""

SHIPPED = Kind(
    "ship",
    ("ship",),
    (
        *("shipped", "dispatched", "delivered", "handed to the carrier", "in transit"),
        *("out for delivery",),
    ),
    ("ship", "dispatch", "deliver"),
    ("parcel", "package", "delivery", "shipment"),
    "shipped",
)
"""What follows an order and is no effect of an agent's: only what was read can tell of it."""

WENT_THROUGH = (
    "went through",
    "has gone through",
    "is going through",
    "succeeded",
    "was a success",
)

FELL_THROUGH = (
    *("declined", "refused", "rejected", "failed", "unsuccessful", "not successful", "incomplete"),
    *("did not go through", "didn't go through", "has not gone through", "fell through"),
    *("never happened", "did not happen", "didn't happen", "turned down"),
)
"""What is said of one that was not done; of a card too."""

OF_NOTHING = re.compile(
    r"\b(?:not|n't|never|nothing|none|neither|nor|nobody|without|no longer|isn't|wasn't|weren't|"
    r"aren't|hasn't|haven't|hadn't|didn't|doesn't|couldn't|unable|failed to|zero)\b"
    r"|\bno (?:\w+ ){0,3}(?:was|were|is|has|have|been|got)\b|\bno (?:order|charge|payment|refund|"
    r"e-?mail|mail|confirmation|purchase|cancellation|money|reservation|hold)\w*\b",
    re.IGNORECASE,
)
"""In a clause that says that something was not done."""

ONLY_SPOKEN_OF = re.compile(
    r"\b(?:will|'ll|would|'d|can|cannot|can't|could|may|might|shall|should|must|won't|wouldn't|"
    r"if|once|when|whenever|until|unless|before|after|while|whether|in case|as soon as|as long as|"
    r"to be|being|ready to|want|wants|like|please|want me|need to|needs to|going to|about to|"
    r"let me|let's|try|trying|able to|how|why|what|which|where|who|usually|normally|typically|"
    r"always|only|eligible|in doubt|not clear|unclear|unsure|not sure|cannot say|not known|waiting|"
    r"waits|pending|yet to|has to|have to|must be|in order to|or)\b",
    re.IGNORECASE,
)
"""In a clause that claims nothing: of the future, of a condition, of what is usual, or in doubt."""

OF_ITSELF = re.compile(
    r"\b(?:status|balance|total|list|cart|records?|information|details|plan|request(?:ed)?)\b",
    re.IGNORECASE,
)
"""What changes by what was done: nobody did that by itself."""

CONDITION_BEFORE = re.compile(
    r"^\W*(?:if|once|when|whenever|unless|as soon as|should you|in case|after you|until)\b",
    re.IGNORECASE,
)
"""At the beginning of a sentence of which every clause hangs on a condition."""

CONDITION_BEHIND = re.compile(
    r"\b(?:if|unless|only|as soon as|as long as|in case|provided)\b", re.IGNORECASE
)
"""Behind what is said to be done: it says how things go, and not that it was done."""

STILL_OPEN = re.compile(
    r"\b(?:waiting|waits|awaiting|pending|awaits) (?:for )?(?:your |an? |the )?(?:approval|answer|yes|ok)\b",
    re.IGNORECASE,
)
"""Says that a person is still asked."""

COULD_NOT = re.compile(
    r"\b(?:could not|couldn't|was not able to|wasn't able to|were not able to|was unable to|"
    r"am unable to|i'm unable to|did not|didn't|have not|haven't|failed to)\b",
    re.IGNORECASE,
)

LED_IN = re.compile(
    r"\b(?:i can confirm(?: that)?|i(?:'m| am) (?:happy|glad|pleased|sorry) to (?:say|confirm|report|"
    r"tell you|let you know)(?: that)?|let me confirm(?: that)?|please note(?: that)?|"
    r"as you (?:asked|requested|wanted|wished)|what'?s more|in the (?:mean)?time|as requested|"
    r"like you (?:asked|wanted)|just like that|should be all set)\b",
    re.IGNORECASE,
)
"""What only leads in to a claim, whatever it seems to say."""

QUOTED = re.compile(r"[\"“][^\"”\n]*(?:[\"”]|$)|\bno longer needed\b|(?<!\w)'[^'\n]*'(?!\w)", re.I)
"""What is repeated of somebody else's words: a reason, a title."""

TAG = re.compile(
    r",?\s*(?:ok(?:ay)?|right|all ?right|alright|yes|yeah|correct|isn't it|good|cool|deal|"
    r"hasn't it|wasn't it|haven't i|didn't i|remember|no|(?:are|is|was|were|do|did|has|have)n't "
    r"(?:it|they|you|we|i)|sounds good|you see|see|got it)\s*\?+\s*$",
    re.IGNORECASE,
)
"""A question at the end of what is no question."""

EARLIER = re.compile(
    r"\b(?:earlier|previous(?:ly)?|before that|yesterday|last (?:time|week|month|order)|ago|"
    r"already|back then|first order|other order|in the past)\b",
    re.IGNORECASE,
)
"""Speaks of what was done before this turn."""

_IRREGULAR = {
    **{"send": "sent", "make": "made", "put": "put", "set": "set", "buy": "bought", "pay": "paid"},
    **{"sell": "sold", "give": "given", "take": "taken", "write": "written", "begin": "begun"},
    **{"let": "let", "hold": "held", "lend": "lent", "rent": "rented", "ship": "shipped"},
    **{"drop": "dropped", "stop": "stopped", "plan": "planned", "submit": "submitted"},
    **{"transfer": "transferred", "refer": "referred", "commit": "committed", "get": "got"},
}


def participle(verb: str) -> str:
    """Form the participle of a verb, as English mostly does."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + "ed"


def kinds_of(tool: str) -> tuple[Kind, ...]:
    """Return the kinds of effect that a tool has, by the words of its name.

    Example:
        >>> [kind.name for kind in kinds_of("charge_payment")]
        ['charge']
        >>> kinds_of("book_room")[0].done
        ('booked',)
    """
    words = tool.lower().replace("-", "_").split("_")
    first = [kind for kind in KINDS if words[0] in kind.stems]
    if first:
        return tuple(first)
    found = [kind for kind in KINDS if any(word in kind.stems for word in words)]
    if found:
        return tuple(found[:1])
    verb = words[0]
    noun = (words[-1],) if len(words) > 1 else ()
    done = participle(verb)
    return (Kind(verb, (verb,), (done,), (verb,), noun, done),)
