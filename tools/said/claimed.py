"""Judge what a sentence claims of effects, of what was done and of orders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from daybook.tools.said.effects import Claim, claims_in
from daybook.tools.said.grammar import KIN, KINDS, SHIPPED, STILL_OPEN, Kind
from daybook.tools.said.known import Effect, Known
from daybook.tools.said.mentions import held_in
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.spoken_of import shown_of
from daybook.tools.said.text import Sentence, plain

_CODE = re.compile(
    r"(?<![\w/.@-])#?[^\W\d_]{1,8}-?(?:[^\W_]+-)*\d{3,}(?:-[^\W_]+)*(?![\w@]|\.\w|-\w)|(?<!\w)#\w*\d{4,}\b",
    re.UNICODE,
)

_SO_MANY_ORDERS = re.compile(
    r"\byou(?:'ve| have)?(?: got| placed| made)? (\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten) "
    r"(?:open |active |placed |pending )?orders?\b",
    re.IGNORECASE | re.ASCII,
)

_NO_ORDER = re.compile(
    r"\b(?:no orders?|(?:n't|not|never) (?:yet )?(?:placed|ordered|made) (?:any|an order|anything)|"
    r"nothing (?:was|has been) ordered|never ordered)\b",
    re.IGNORECASE,
)
"""Says that there never was an order."""

_STANDS = frozenset({"placed", "shipped", "delivered", "pending", "processed", "open", "returned"})
"""Statuses of what was ordered, and not cancelled."""


def of_effects(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, for each claim of an effect that contradicts it."""
    if any(plain(sentence.text).rstrip(".") in line for line in known.lines):
        return
    kinds = known.kinds
    if any(kind.name == "order" for kind in kinds):
        kinds = (*kinds, SHIPPED, *(one for one in KINDS if one.name == "exchange"))
    now = [one for one in known.effects if one.is_now]
    if (
        STILL_OPEN.search(sentence.text)
        and now
        and not any(one.outcome in ("open", "in doubt") for one in now)
    ):
        yield _told(now[-1], now[-1].kind)
    # What is said in no words of a kind is judged last.
    for claim in sorted(claims_in(sentence, kinds), key=lambda one: one.is_vague):
        so = _judged_in_general(claim, known)
        if claim.kind is not None:
            so = _judged(claim, claim.kind, sentence.text, known)
        if so is not None:
            yield so


def _judged_in_general(claim: Claim, known: Known) -> str | None:
    """Say what is so where all that was asked for is said to be done, and was not."""
    now = [one for one in known.effects if one.is_now]
    if claim.is_earlier:
        return None
    if claim.is_vague and not now:
        return _of_no_deal(known) if claim.is_past else None
    if not claim.is_done:
        done = [one for one in now if one.succeeded]
        whole = done and all(one.outcome == "done" for one in now)
        return _told(done[0], done[0].kind) if whole else None
    if now and not any(one.succeeded for one in now):
        return _told(now[0], now[0].kind)
    return None


def _of_no_deal(known: Known) -> str | None:
    """Say that nothing was ordered, where no order is known at all."""
    order = next((kind for kind in known.kinds if kind.name == "order"), None)
    if order is None or any(one.outcome != "open" for one in known.effects):
        return None
    is_told = any(record.statuses for record in known.records) or _is_told_elsewhere(order, known)
    return None if is_told else f"Nothing was {order.undone}."


def _judged(claim: Claim, kind: Kind, text: str, known: Known) -> str | None:
    """Say what is so where a claim of an effect contradicts it."""
    of_kind = KIN.get(kind.name, frozenset({kind.name})) if claim.is_done else {kind.name}
    same = [one for one in known.effects if one.kind.name in of_kind]
    named = _named_ids(text, known)
    if (so := _of_status(claim, kind, text, named, known)) is not None:
        return so or None
    of_it = [one for one in same if named & one.ids]
    now = [one for one in same if one.is_now and one.outcome != "open"] or [
        one for one in same if one.is_now
    ]
    if claim.is_done:
        if any(one.outcome == "done" for one in (of_it or same)) and not _failed_now(now, claim):
            return None
        if of_it:
            return _told(of_it[-1], kind)
        if now and not claim.is_earlier:
            return None if any(one.outcome == "done" for one in now) else _told(now[-1], kind)
        if not claim.is_earlier and same and not _is_told_elsewhere(kind, known):
            return _told(same[-1], kind)
        is_told = _is_told_elsewhere(kind, known)
        if kind.name == "refund" and not now:
            # What was cancelled before is refunded.
            is_told |= any("cancelled" in record.statuses for record in known.records)
        return None if is_told else f"Nothing was {kind.undone}."
    judged = of_it or now
    if not judged and kind.name == "order" and _NO_ORDER.search(text) and not codes_in(text):
        placed = [one for one in known.records if "placed" in one.statuses]
        return shown_of(placed) or None
    if judged and any(one.outcome in ("done", "in doubt") for one in judged):
        bad = next(one for one in judged if one.outcome in ("done", "in doubt"))
        if bad.outcome == "in doubt" or all(one.outcome == "done" for one in judged):
            return _told(bad, kind)
    return None


def _of_status(
    claim: Claim, kind: Kind, text: str, named: frozenset[str], known: Known
) -> str | None:
    """Judge a claim by the status of what it names, where no effect here was of that.

    Returns what is so, "" where the claim agrees, and None where that does not tell.
    """
    codes = [code.lower().lstrip("#") for code in _CODE.findall(text)]
    others = [code for code in codes if code not in named]
    records = [one for code in others for one in known.by_name.get(plain(code), ())]
    records = [one for one in records if one.statuses]
    if named or not records:
        return "" if others and not claim.is_done else None
    says = any(set(kind.done) & record.statuses for record in records)
    if kind.name not in ("order", "cancel", "return") or says == claim.is_done:
        return ""
    if kind.name == "order" and any(_STANDS & record.statuses for record in records):
        return ""
    return shown_of(records) or f"{codes[0]}: {', '.join(sorted(records[0].statuses))}."


def _failed_now(now: Sequence[Effect], claim: Claim) -> bool:
    """Tell whether what is claimed was tried in this turn, and not done."""
    return bool(now) and not claim.is_earlier and all(one.outcome != "done" for one in now)


def _told(effect: Effect, kind: Kind) -> str:
    why = f": {effect.line}" if effect.line else "."
    match effect.outcome:
        case "done":
            return effect.line or f"It was {kind.undone}."
        case "in doubt":
            return f"It is in doubt whether anything was {kind.undone}{why}"
        case "undone":
            return f"What was {kind.undone} was undone{why}"
        case _:
            return f"Nothing was {kind.undone}{why}"


def _is_told_elsewhere(kind: Kind, known: Known) -> bool:
    """Tell whether something that was read says that such a thing was done."""
    forms = re.compile(rf"\b(?:{'|'.join(map(re.escape, kind.told))})\b", re.IGNORECASE)
    return any(forms.search(text) for text in known.texts)


def codes_in(text: str) -> list[str]:
    """Return the identifiers that a text names by their form."""
    return _CODE.findall(text)


def _named_ids(text: str, known: Known) -> frozenset[str]:
    words = held_in(text).words
    return frozenset(one for effect in known.effects for one in effect.ids if one in words)


def of_orders(text: str, known: Known) -> Iterator[str]:
    """Find another number of orders than was read."""
    found = _SO_MANY_ORDERS.search(text)
    orders = [record for record in known.records if record.statuses]
    if found is None or not orders:
        return
    said = SMALL.get(found.group(1).lower()) or int(found.group(1))
    counts = {len(orders), *(sum(one in r.statuses for r in orders) for one in _STANDS)}
    if said not in counts:
        yield (
            "; ".join(record.shown for record in orders if record.shown) or f"{len(orders)} orders."
        )
