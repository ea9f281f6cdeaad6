"""Read a wish to have something by mail, and who shall have it. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Mail
from daybook.demo.model.grammar.language.tokens import Token

_MAIL: Final = re.compile(
    r"\b(?:e ?-?mail|mail) (?:me|us|it|them|this|that|these|those|my|the|him|her)\b"
    r"|\b(?:shoot|drop|ping|fire|pop) (?:me|us|it|them|that) (?:\w+ ){0,2}?(?:e ?-?mail|mail)\b"
    r"|\b(?:send|forward|get|have|give)\b.*\b(?:by|via|per|as|in|an|a|to my) (?:e ?-?mail|mail)\b"
)
_MAILED: Final[Sequence[tuple[re.Pattern[str], Mail]]] = (
    (re.compile(r"\b(?:cart|basket)\b"), Mail("cart")),
    (
        re.compile(r"\b(?:orders?|confirmation|receipt|invoice|bill|purchases?)\b"),
        Mail("orders"),
    ),
    (re.compile(r"\b(?:list|results|options|products)\b"), Mail("results")),
)


def mailed(clause: Clause) -> list[Intent] | None:
    """Read a wish to have something by mail; whether it is sent is asked before."""
    if _MAIL.search(clause.text) is None or _ASKED.match(clause.text):
        return None
    topic = next((mail for pattern, mail in _MAILED if pattern.search(clause.text)), None)
    return [topic or Mail("summary")]


_ASKED: Final = re.compile(r"(?:\w+ ){0,2}?(?:did|do|does|have|has|will|when|why|where|how|what)\b")


def mailed_to(sentence: Sequence[Token]) -> tuple[Mail, ...] | None:
    """Read a sentence with a mail address and a verb of sending as a wish for a mail."""
    text = " ".join(token.text for token in sentence)
    has_address = any("@" in token.text[1:-1] for token in sentence)
    if not has_address or not _SENDS.search(text) or _NOT.search(text) or _ASKED.match(text):
        return None
    topic = next((mail for pattern, mail in _MAILED if pattern.search(text)), None)
    return (topic or Mail("summary"),)


_SENDS: Final = re.compile(
    r"(?<!my )(?<!her )(?<!his )(?<!their )(?<!your )(?<!the )(?<!by )(?<!via )\b(?:send|forward"
    r"|share"
    r"|e ?-?mail|mail|shoot|pass|fire|ping|cc|copy|write)\b(?! (?:is|address)\b)"
    r"|\bdrop (?:\w+ ){1,3}(?:a line|a mail|a note|an email)\b"
)
_NOT: Final = re.compile(r"\b(?:do not|never|not|no)\b")


def addressee(text: str) -> str:
    """Return who shall have a mail as it is told them, "" where it is whoever asks."""
    found = None if _ME.search(text.lower()) else _WHOM.search(text.lower())
    whom = next((one for one in found.groups() if one), "") if found is not None else ""
    return _MINE.sub("your", whom)


_WHOM: Final = re.compile(
    r"\bto ((?:my|our|his|her|the) (?!(?:own |work |personal |private |other |new )*(?:e-?mail|mail"
    r"|inbox|address|work|office|account|phone|cart|order|list)\b)\w+(?: (?:buddy|mate|friend"
    r"|partner|colleague|boss|group|club|leader))?|him|her|them|someone"
    r"|somebody)\b"
    r"|\b(?:e-?mail|mail|send|forward|drop|shoot|ping) (him|her|them|(?:my|our) (?!(?:cart|basket"
    r"|orders?|list|receipt|invoice|e-?mail|mail|purchases?|bill|summary|stuff|things|shopping"
    r"|confirmation|results|last|latest)\b)\w+)\b"
    r"|\bto ([\w.+-]+@[\w.-]+\w)"
)
_ME: Final = re.compile(
    r"\b(?:e-?mail|mail|send|forward|drop|shoot) (?:it |that |this )?(?:to )?(?:me|us)\b"
)
_MINE: Final = re.compile(r"\b(?:my|our)\b")
