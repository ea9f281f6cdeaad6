"""Judge what is said to be held up of what was done, and to be brought back of what was cancelled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.judges.done.orders import STANDS
from daybook.tools.said.judges.done.told import told_of
from daybook.tools.said.known import Known
from daybook.tools.said.spoken_of import shown_of

_IS: Final = r"(?:is|was|are|were|has been|have been|'s|remains|stays|stayed|got|will be|'ll be)(?: now| still| currently| temporarily| only| just| being)*"
_UP: Final = r"(?:put on hold|placed on hold|on hold|suspended|paused|frozen|blocked|halted|held (?:back|up)|on ice|in limbo|parked|deferred|postponed)"
_ORDER: Final = r"(?:order|orders|purchase|delivery|shipment|parcel)"
_MAIL: Final = r"(?:e ?mail|mail|message|confirmation|receipt)"

_ORDER_HELD: Final = re.compile(
    rf"\b{_ORDER}\b(?: [\w#]+){{0,3}} {_IS} {_UP}\b(?! (?:for|by) you\b)|"
    rf"\b(?:i|we|shop|store)(?:'ve| have| has)? (?:\w+ )?(?:put|placed) (?:the|your|this) {_ORDER}(?: [\w#]+){{0,2}} on (?:hold|ice)\b|"
    rf"\b(?:i|we|shop|store)(?:'ve| have| has)? (?:\w+ )?(?:paused|suspended|frozen|blocked|halted) (?:the|your|this) {_ORDER}\b"
)
_MAIL_HELD: Final = re.compile(
    rf"\b{_MAIL}\b(?: [\w#]+){{0,3}} {_IS} (?:{_UP}|pending|waiting|queued|stuck|in the outbox|delayed|being held)\b(?! (?:in|at) your\b)"
)
_MAIL_TO_COME: Final = re.compile(
    rf"\b{_MAIL}\b(?: [\w#]+){{0,3}} (?:will|'ll|is going to) (?:only )?be (?:sent|mailed|dispatched) (?:once|when|as soon as|after|if) you\b"
)
_NO_ANSWER: Final = re.compile(
    r"\bmail server (?:didn't|did not|never|hasn't|has not|wouldn't|couldn't) (?:respond|responded|answer|answered|reply|replied|accept|accepted|take|taken|react)\b|\bno (?:answer|reply|response) (?:came )?(?:back )?from the mail server\b"
)
_STILL_COMES: Final = re.compile(
    r"^(?!.*\b(?:refund|money|mail|e ?mail|confirmation|usd|amount|card)\b).*\b(?:(?:is|are|'s) still (?:coming|on (?:its|their|the) way|on order|being sent)|will still (?:come|arrive|be sent|be delivered)|(?:stays|stay|remains|remain) on order)\b"
)
_UNDER_WAY: Final = re.compile(
    r"\b(?P<what>cancellation|refund|payment|charge|checkout)\b(?: [\w$.]+){0,3} (?:is|are|'s|remains|stays)(?: still| now| currently)* "
    r"(?:pending|in progress|being (?:processed|handled|carried out|made)|under way|underway|in the works|running|in motion|going through|on (?:its|the) way)\b|"
    r"^\W*(?P<which>cancellation|refund|payment|charge|checkout)(?: status)?:? (?:still )?(?:pending|in progress|processing|under way)\W*$"
)
_KINDS_OF: Final[Mapping[str, frozenset[str]]] = {
    "cancellation": frozenset({"cancel"}),
    "refund": frozenset({"refund"}),
    "payment": frozenset({"charge"}),
    "charge": frozenset({"charge"}),
    "checkout": frozenset({"order"}),
}
"""By which nouns people speak of what is said to be under way, and is over."""
_BROUGHT_BACK: Final = re.compile(
    r"\b(?:i|we)(?:'ve| have|'ll| will| can| could|'m able to| am able to|'re able to| are able to)*(?: \w+)? (?:reinstated?|restored?|reopen(?:ed)?|reactivated?|revived?|undone?|undo|revers(?:ed?)|taken back|take back|revoked?) "
    r"(?:the|your|this|that|it|a|any|db)\b(?! charge| payment)"
)
_OF_AN_ORDER: Final = re.compile(r"\b(?:orders?|cancellation|it|that|db)\b")
_IF_YOU_LIKE: Final = re.compile(
    r" (?:if|should|whenever|once) you(?:'d| would|'ve| have)? (?:like|want|wish|need|prefer|change|changed|decide|say|ask)\b.*"
)
_NOT: Final = re.compile(
    r"\b(?:not|no|never|nothing|nor|neither|unable|nobody|if|unless|whether|would)\b|n't\b|\bcannot\b"
)


def of_held_up(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what is so, where what stands is said to be held up, and what was cancelled to be brought back."""
    orders = [one for one in known.records if one.statuses]
    stand = [one for one in orders if STANDS & one.statuses and "cancelled" not in one.statuses]
    gone = [one for one in orders if "cancelled" in one.statuses]
    now = [one for one in known.effects if one.is_now]
    is_open = any(one.kind.name == "order" and one.outcome != "done" for one in now)
    mails = [one for one in now if one.kind.name == "mail"]
    over = now and all(one.outcome in ("not done", "undone") for one in now)
    for clause in clauses.ruled:
        if mails and all(one.outcome == "done" for one in mails) and _NO_ANSWER.search(clause):
            yield told_of(mails[0], mails[0].kind)
        clause = _IF_YOU_LIKE.sub("", clause)
        if _NOT.search(clause):
            continue
        if stand and not gone and not is_open and _ORDER_HELD.search(clause):
            yield shown_of(stand) or "The order stands."
        if over and (found := _UNDER_WAY.search(clause)):
            names = _KINDS_OF[found["what"] or found["which"]]
            yield from (told_of(one, one.kind) for one in now if one.kind.name in names)
        if mails and all(one.outcome == "done" for one in mails) and _MAIL_HELD.search(clause):
            yield told_of(mails[0], mails[0].kind)
        if mails and all(one.outcome == "done" for one in mails) and _MAIL_TO_COME.search(clause):
            yield told_of(mails[0], mails[0].kind)
        if gone and not stand and _STILL_COMES.search(clause):
            yield shown_of(gone) or "The order is cancelled."
        if gone and not stand and _BROUGHT_BACK.search(clause) and _OF_AN_ORDER.search(clause):
            yield shown_of(gone) or "The order is cancelled."
