"""The kinds of effect, and the words that each is spoken of in: data.

A kind of effect is what a person would call it ("order", "charge"). Which tools have it is told by
the words of their names; a tool of no known kind has the kind of its name's first word, such as
`book` of `book_room`, with participles as English forms them.
"""

from __future__ import annotations

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
            *("ordered", "placed", "purchased", "bought", "reordered", "checked out", "submitted"),
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
    *("did not work out", "didn't work out", "has not worked out", "hasn't worked out"),
    *("never happened", "did not happen", "didn't happen", "turned down"),
)
"""What is said of one that was not done; of a card too."""
_BOUGHT_BY = frozenset({"session", "checkout", "purchase", "sale", "basket", "cart"})
"""What is completed by buying what is in it."""

_SENDS = frozenset({"send", "dispatch", "post"})
"""Verbs that say by themselves that something is brought to somebody."""

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
    if verb == "complete" and words[-1] in _BOUGHT_BY:
        return tuple(kind for kind in KINDS if kind.name in ("order", "charge"))
    if verb in _SENDS and len(words) == 1:
        sent = (participle(verb), "posted", "went out", *SHIPPED.done)
        to_send = (verb, *SHIPPED.base)
        return (Kind("ship", (verb,), sent, to_send, SHIPPED.nouns, participle(verb)),)
    noun = (words[-1],) if len(words) > 1 else ()
    done = participle(verb)
    return (Kind(verb, (verb,), (done,), (verb,), noun, done),)
