"""Read what takes one product in the place of another: "X instead of Y". Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.read.changes.counts import MEASURE, NUMBER, amount_of
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.goods.pointing import definite, one_item
from daybook.demo.model.grammar.language.intents.cart import SetQuantity, Swap
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import (
    Extreme,
    It,
    Named,
    Nth,
    Other,
    Sku,
)
from daybook.demo.model.grammar.language.intents.talk import Talk

_LITTLE: Final = r"(?: |please|instead|then|now|of (?:them|it|those)|only)*"


def swapped(clause: Clause) -> list[Intent] | None:
    """Read what comes and what goes; where only one is named, the other is what was spoken of."""
    text = clause.text
    found = re.search(
        r"\b(?:swap|exchange|replace|switch|change|trade) (.+?) (?:for|with|to|against|by) (.+)$",
        text,
    )
    if found is not None:
        gone, come = (one_item(clause, part) for part in found.groups())
        # "change it to 3" and "swap sizes for..." name no product.
        count = re.match(rf"(?:only |just )?{NUMBER}\b{MEASURE}(?P<rest>.*)", found[2])
        if gone is not None and count is not None:
            is_count = re.fullmatch(_LITTLE, count["rest"])
            quantity = amount_of(count[1])
            # So many of another product: in whose place, and how many, is not guessed.
            return [SetQuantity(definite(gone), quantity)] if is_count else [Talk("unsure")]
        if gone is not None and come is not None and not isinstance(come, It):
            return [Swap(come, None if isinstance(gone, It) else gone)]
        return None
    if (meant := _not_but(clause)) is not None:
        return meant
    if found := re.search(
        r"^(?:(?:actually|no|wait|sorry|hm|ok|and|,|please) ?)*(?:make (?:it|that)|switch (?:it "
        r")?to|change (?:it )?to"
        r"|i (?:meant|mean)|i would rather (?:have|take|get)|i (?:actually |would )?prefer|rather) "
        r"(.+)$",
        text,
    ):
        come = one_item(clause, found[1])
        if isinstance(come, Nth | Other | Sku | Extreme) or (
            isinstance(come, Named) and come.definite
        ):
            return [Swap(come, wish=True)]
    if re.search(r"^not (?:that|this)(?: one)?\b.*\bthe other\b", text):
        return [Swap(Other())]
    if found := re.search(
        r"^not (?:that|this|the \w+)(?: one)?,? (?:but |rather |i meant )*(.+)$", text
    ):
        come = one_item(clause, found[1])
        return [Swap(come)] if come is not None else None
    found = re.search(r"^(.+?) instead of (.+)$", text)
    if found is not None:
        come_text = re.sub(
            r"^(?:(?:actually|then|so|now|please|just|ok|add|put|take|get|give me|put|i want"
            r"|i will take|i would like|no|wait"
            r"|rather|and"
            r"|have|the other one|,)\s+)+",
            "",
            found[1],
        ).strip(" ,")
        come, gone = one_item(clause, come_text), one_item(clause, found[2])
        if come is not None and gone is not None:
            return [Swap(come, None if isinstance(gone, It) else gone)]
    found = re.search(
        r"^(?:(?:actually|no|wait|sorry|hm|rather|i meant|i mean|ok|add|take|i will take|i want"
        r"|give me"
        r"|and|i would rather have|,)\s+)*(.+?)(?: instead| rather)$",
        text,
    )
    if found is not None and (come := one_item(clause, found[1])) is not None:
        return [Swap(come)]
    found = re.search(
        r"^(?:actually|no|wait|rather|sorry|i meant|i mean)\b.*\b(the other one)\b", text
    )
    return [Swap(Other())] if found is not None else None


_MEANT: Final = r"(?:(?:actually|no|nope|wait|sorry|hm|oh|ok|and|,|please) ?)*"
_NOT_BUT: Final = (
    re.compile(
        rf"{_MEANT}(?:i (?:meant|mean|said|wanted|asked for) )(?P<come>.+?) ?,? (?:and )?not"
        r" (?P<gone>.+)"
    ),
    re.compile(
        rf"{_MEANT}(?:i (?:meant|mean|said|wanted|asked for) )?not (?P<gone>.+?) ?,? "
        r"(?:but|i (?:meant|mean|said|wanted)) (?P<come>.+)"
    ),
)


def _not_but(clause: Clause) -> list[Intent] | None:
    """Read which of two products was meant: "i meant POLE-007, not 001"."""
    found = next((f for one in _NOT_BUT if (f := one.fullmatch(clause.text))), None)
    come, gone = (one_item(clause, found[name]) for name in ("come", "gone")) if found else (0, 0)
    if found is None or not isinstance(come, Sku):
        return None
    return [Swap(come, gone)] if isinstance(gone, Sku) else None
