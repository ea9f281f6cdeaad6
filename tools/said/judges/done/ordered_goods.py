"""Judge which goods are said to be ordered, against what the orders hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from daybook.tools.said.effects import claims_in
from daybook.tools.said.grammar.kinds import SHIPPED
from daybook.tools.said.grammar.things import sorts_in, sorts_of
from daybook.tools.said.known import Known
from daybook.tools.said.spoken_of import mentioned, shown_of
from daybook.tools.said.text import Sentence, is_row, plain

_CONTENTS = re.compile(r" x\d")
_SET_APART = re.compile(
    r"\b(?:than|unlike|like|instead|looked|asked|want\w*|not|no|never|would|could|cart|if)\b|n't\b"
)


def of_other_goods(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield the orders, where a thing is said to be ordered that none of them holds."""
    orders = [one for one in known.records if one.statuses]
    held = [name for one in orders for name in one.names if _CONTENTS.search(name)]
    if not orders or len(held) < len(orders):
        return
    kinds = (*(one for one in known.kinds if one.name in ("order", "charge")), SHIPPED)
    sorts = sorts_of(held)
    if kinds and sorts and not _SET_APART.search(plain(sentence.text)):
        for claim in claims_in(sentence, kinds):
            told = {sort for sort, _, _ in sorts_in(claim.clause)} or _begun_with(sentence)
            if claim.kind is not None and claim.is_done and told and not told & sorts:
                yield shown_of(orders) or "Nothing else was ordered."
    if any(one.kind.name == "order" for one in known.effects):
        return
    kinds = tuple(one for one in known.kinds if one.name == "order")
    for claim in claims_in(sentence, kinds):
        if claim.kind is None or not claim.is_done:
            continue
        goods = {id(one.record): one.record for one in mentioned(claim.clause, known)}
        things = [one for one in goods.values() if one.stock and not one.statuses]
        ids = [name for one in things for name in one.names if any(map(str.isdigit, name))]
        if len(things) == len(goods) == 1 and not any(one in line for one in ids for line in held):
            yield shown_of(orders) or "Nothing else was ordered."


def _begun_with(sentence: Sentence) -> set[str]:
    """Return the sorts of a row that begins with what it tells of: "Socks: ordered, 18.00"."""
    said = plain(sentence.text)
    sorts = sorts_in(said)
    return {sort for sort, _, _ in sorts} if is_row(sentence.text) and len(sorts) == 1 else set()
