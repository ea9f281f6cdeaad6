"""A clause that counts: how many of what was named, or whose share it is."""

import re
from typing import Final

from daybook.demo.model.grammar.answers.deciding.wanting.clause import Clause
from daybook.demo.model.grammar.answers.deciding.wanting.wishes import Reading, Wish
from daybook.demo.model.grammar.language.intents.references import It

_RIGHTS: Final = re.compile(r"\b(?:no|wait|nope|sorry|make|mean|meant|rather)\b")


def takes_count(clause: Clause, counted: re.Match[str], read: Reading) -> bool:
    """Take a clause that counts into what was read; false where it may be of something else."""
    if not clause.counts:
        return False
    count = clause.counts[0]
    is_share = "for " in (counted["mood"] or "") or count.each or "each" in clause.texts
    is_share = is_share or bool({"spare", "extra"} & {*clause.texts})
    mood = bool(counted["mood"])
    last = read.wishes[-1] if read.wishes else None
    if last is None:
        read.wishes.append(Wish(It(), count.value, count.more, mood, shares=is_share))
        return True
    if count.more and not is_share:
        return False
    if read.rights or _RIGHTS.search(clause.shape):
        read.rights = False
        last.count = count.value
    elif is_share and last.shares:
        last.count = (last.count or 0) + count.value
    elif is_share and last.count is not None:
        read.parts += count.value
        return read.parts <= last.count
    elif last.count is None:
        last.count, last.shares = count.value, int(is_share)
    else:
        return last.count == count.value
    last.mood = last.mood or mood or not last.praised
    return True


def takes_share(clause: Clause, rest: str, read: Reading) -> bool:
    """Read "I will take one for my son": how many of what was spoken of there shall be."""
    if len(clause.counts) > 1:
        return False
    count = clause.counts[0]
    is_share = re.search(r"\bfor ", rest) is not None
    if read.wishes and read.wishes[-1].count is None:
        last = read.wishes[-1]
        last.count, last.mood, last.shares = count.value, True, int(is_share)
        return True
    if read.wishes:
        return False
    read.wishes.append(Wish(It(), count.value, count.more, mood=True, shares=int(is_share)))
    return True
