"""Read trouble, thanks, and questions about who answers here. Pure."""

import re
from collections.abc import Sequence
from typing import Final, Literal

from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.talk import Talk

_TROUBLE: Final = re.compile(
    r"\b(?:useless|stupid|dumb|idiot|terrible|awful|annoying|annoyed|frustrat\w+|waste of time"
    r"|hopeless"
    r"|rubbish|crap|sucks?|wtf|ffs|damn|hate (?:this|you)|ridiculous|horrible|worst|nonsense"
    r"|garbage"
    r"|shit|fuck\w*|angry|fed up|sick of|pathetic|joke|bad (?:bot|service|shop)|broken|kidding"
    r"|do(?:es)? not (?:work|help|understand|listen|get it|make sense)|not (?:work|help)ing|not "
    r"what i"
    r"|(?:are|is|was) wrong|that is wrong|wrong|never (?:understand|listen)|listen to me|read "
    r"what i"
    r"|i (?:already )?(?:said|told you|asked)|again and again|too (?:slow|hard|complicated"
    r"|difficult)"
    r"|give up|come on|seriously|not (?:helpful|good|happy)|disappointed|confus\w+)\b"
)


Small = Literal["trouble", "thanks", "identity", "help"]

_SMALL: Final[Sequence[tuple[re.Pattern[str], Small]]] = (
    (_TROUBLE, "trouble"),
    (re.compile(r"\b(?:thanks|thank you|cheers)\b"), "thanks"),
    (
        re.compile(
            r"\b(?:who|what) (?:made|built|wrote|created|trained|programmed) you\b"
            r"|\bwho are you\b|\byour name\b"
        ),
        "identity",
    ),
    (
        re.compile(
            r"\bwhat (?:else )?can you (?:do|help)\b|\bhelp me\b|\bhow (?:do i use|does) th"
        ),
        "help",
    ),
)


_OF_OTHERS: Final = re.compile(
    r"(?!.*\b(?:you|your|bot|shop|site|page|chat)\b).*?\b(?:my|our|his|her|he|she) "
)


def small_talk(clause: Clause) -> list[Intent] | None:
    """Read what wants an answer and nothing of the shop."""
    about = next((about for pattern, about in _SMALL if pattern.search(clause.text)), None)
    if about == "trouble" and _OF_OTHERS.match(clause.text):
        # "My husband is useless with these things".
        return None
    return [Talk(about)] if about is not None else None
