"""What holds of everything: sentences and clauses that tell how things are or go, and nothing of what was read."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from daybook.tools.said.grammar.general import (
    BEGINS_IN_GENERAL,
    DEFINES,
    GENERAL,
    HEADS_A_GUIDE,
    OF_A_CASE,
    OF_A_KIND,
    OF_ADVICE,
    OF_REASONS,
    OF_THE_SHOP,
    OF_THIS,
    ON_ITS_OWN,
    ONE_OF_A_KIND,
    THAN_OTHERS,
)
from daybook.tools.said.known import Known
from daybook.tools.said.spoken_of import mentioned
from daybook.tools.said.text import Sentence, is_row, plain

_CLAUSE: Final = re.compile(
    r"[;:!?…()]|\.(?!\d)|,(?!\d)|\s[—–-]\s|[—–]|\b(?:but|so|because|since|while|whereas|though|although)\b",
    re.IGNORECASE,
)


def is_general(sentence: Sentence) -> bool:
    """Tell whether a sentence tells how things go, and nothing of a thing that is there or was done."""
    text = plain(sentence.text)
    if OF_REASONS.search(text) or OF_REASONS.search(plain(sentence.heading)):
        return True
    if is_row(sentence.text) or "|" in sentence.text or OF_A_CASE.search(text):
        return False
    return any(one.match(text) for one in (BEGINS_IN_GENERAL, OF_ADVICE, OF_A_KIND))


def without_general(sentence: Sentence, known: Known, *, but_of_the_shop: bool = False) -> Sentence:
    """Return a sentence with blanks in the place of its clauses that hold in general.

    Args:
        but_of_the_shop: how a shop does things stays, whatever it is said to do usually.

    Example:
        >>> said = "As a rule of thumb a pack weighs 2 kg, but this one weighs 1.8 kg."
        >>> without_general(Sentence(said, 0, 0, True), Known()).text.strip()
        'but this one weighs 1.8 kg.'
    """
    if _is_of_a_guide(sentence, known) and not but_of_the_shop:
        return replace(sentence, text=" " * len(sentence.text))
    text, start, goes_on = "", 0, False
    for end in [*(one.start() for one in _CLAUSE.finditer(sentence.text)), len(sentence.text)]:
        clause = sentence.text[start:end]
        # What stands behind a colon or a comma says more of what stands before it.
        goes_on = _holds_in_general(clause, known) or (
            goes_on and clause[:1] in (":", ",") and not _is_of_these(clause, known)
        )
        stays = but_of_the_shop and OF_THE_SHOP.search(clause) is not None
        text += " " * len(clause) if goes_on and not stays else clause
        start = end
    text = THAN_OTHERS.sub(lambda found: " " * len(found.group()), text)
    return replace(sentence, text=text) if text != sentence.text else sentence


def _is_of_a_guide(sentence: Sentence, known: Known) -> bool:
    """Tell whether it is a row under a line that tells how things are in general, and names nothing that was read."""
    heading = sentence.heading
    return (
        is_row(sentence.text)
        and HEADS_A_GUIDE.search(plain(heading)) is not None
        and not _is_of_these(f"{heading} {sentence.text}", known)
    )


def _holds_in_general(clause: str, known: Known) -> bool:
    """Tell whether a clause tells how things are in general, and of nothing that was read."""
    said = plain(clause)
    if ON_ITS_OWN.match(said) or DEFINES.match(said):
        return True
    if ONE_OF_A_KIND.match(said) and not _is_of_these(clause, known):
        return True
    return GENERAL.search(said) is not None and not _is_of_these(clause, known)


def _is_of_these(clause: str, known: Known) -> bool:
    """Tell whether a clause may speak of what was read."""
    return OF_THIS.search(plain(clause)) is not None or bool(mentioned(clause, known))
