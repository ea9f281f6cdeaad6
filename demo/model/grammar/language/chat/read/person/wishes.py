"""Tell what stands around that which a person says of themselves: a lead, a wish. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.tokens import Token

LEAD: Final = (
    r"(?:(?:no|nope|nah|yes|ok|well|so|and|but|also|actually|please|kindly|sorry|wait|now|then"
    r"|right|anyway|by the way|just|hey|hi|hello|hang on|hold on|one more thing|before we start"
    r"|before i forget|correction|oh|ah|to be honest|you know|first of all|first|,|-|:) )*"
)
"""Words with which a remark begins and that say nothing of it."""
WANTED: Final = (
    r"(?:(?:(?:can|could|would|will) you |i want you to |you should )?(?:please )?(?:remember(?:"
    r" me)?"
    r"|note|keep in mind|make a note|do not forget|you should know|be aware|just so you know"
    r"|for the record|fyi|for your information|write|save|store|put me down|put down)"
    r"(?: down)?(?: please| that| of| this| these| for (?:me|later|the future|next time)| ?,| ?:"
    r"| ?-)* )"
)
"""Words by which a person has something kept in mind."""
END: Final = (
    r"(?=$| ?,| - | (?:so|and|but|because|since|as|fyi|by the way|just so you know|please|now"
    r"|if that|for the record|thanks|i|it|can|could|show|what|do)\b)"
)
"""Where what is told of a person ends: what stands behind it says something else."""
_WISH: Final = re.compile(
    r"\b(?:show|find|look|looking|search|add|put|buy|order|need|want|would like|list|what|which|how"
    r"|do you|can (?:i|you|we)|could (?:i|you|we)|remove|any|make|compare|check|give|recommend"
    r"|suggest|is there|are there|got|thinking of)\b"
)
_TELLS: Final = re.compile(
    r"^(?:that )?(?:i|we) (?:also )?(?:live|am|have|like|love|prefer|hate|wear|take|can not"
    r"|never)\b"
    r"|^(?:my|our) (?:\w+ ){1,3}(?:is|are)\b"
)
_JOINT: Final = re.compile(r"^(?: |,|-|and |so |but |then |therefore |hence |also )+")


def said_by(sentence: Sequence[Token]) -> str:
    """Return a sentence as it is compared: its tokens, without the last marks."""
    return " ".join(token.text for token in sentence).strip(_MARKS)


def wish_behind(rest: str, sentence: Sequence[Token], *, tells: bool = False) -> Sequence[Token]:
    """Return the tokens of what is wanted in the rest of a sentence; none for a mere reason.

    `tells` says that what is told of oneself there counts too.
    """
    wish = _JOINT.sub("", rest).strip()
    goes_on = _WISH.search(wish) or (tells and _TELLS.search(wish))
    if not goes_on or _REASON.match(rest.strip()):
        return ()
    last = len(sentence)
    while last and sentence[last - 1].text in _MARKS:
        last -= 1
    return sentence[last - len(wish.split()) :]


_MARKS: Final = " ?!.;:-\n"
_REASON: Final = re.compile(r"(?:because|since|as)\b")
