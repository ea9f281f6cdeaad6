"""Judge what a sentence claims of effects: that one was made, or that none was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.codes import codes_in
from daybook.tools.said.effects import Claim, claims_in
from daybook.tools.said.grammar.idioms import WILL
from daybook.tools.said.grammar.kinds import KIN, KINDS, SHIPPED, Kind
from daybook.tools.said.grammar.saying import STILL_OPEN
from daybook.tools.said.judges.done.money import of_a_part, of_fees, of_means, of_sums, of_twice
from daybook.tools.said.judges.done.ordered_goods import of_other_goods
from daybook.tools.said.judges.done.orders import STANDS
from daybook.tools.said.judges.done.told import (
    is_told_elsewhere,
    is_told_of_what_is_named,
    named_ids,
    told_of,
)
from daybook.tools.said.judges.done.unclaimed import (
    is_how_it_goes,
    is_in_doubt_as_a_whole,
    is_of_a_part,
    is_of_a_standing_order,
    is_of_another_kind,
    is_of_another_order,
    is_of_how_many,
    is_of_what_still_comes,
    is_of_what_was_done,
    is_of_what_was_not_agreed_to,
    is_set_apart,
    is_to_be_looked_up,
    is_told_in_order,
    was_begun,
    was_let_go,
    was_only_tried,
)
from daybook.tools.said.known import Effect, Known
from daybook.tools.said.spoken_of import shown_of
from daybook.tools.said.text import Sentence, plain

_NO_ORDER = re.compile(
    r"(?:\bno orders?|(?:n't|\bnot|\bnever) (?:yet )?(?:placed|ordered|made) (?:any|an order|anything)|"
    r"\bnothing (?:was|has been) ordered|\bnever ordered)\b",
    re.IGNORECASE,
)
"""Says that there never was an order."""
_JUST = re.compile(
    r"\b(?:i|we)(?:'ve| have)? just (?:now )?(?:\w+ed|sent|put|paid|bought|made)\b|\b(?:just|right) now\b|\bthis (?:very )?(?:minute|moment|second|instant)\b|\b(?:a|one) (?:minute|moment|second) ago\b|\bby me\b"
)
"""Says that it was done in this turn."""
_AGAIN = re.compile(r"\b(?:again|another|other|new|next time|more|later order|too|else)\b")
_THE_REST = re.compile(r"\b(?:others?|rest)\b")
_THE_OTHER = re.compile(r"\b(?:other (?:one|half|pair|two)|one of (?:the|your|them))\b")
_UNDONE = re.compile(r"\b(?:undone|rolled back)\b")
_HELD = re.compile(r"\b(?:held|set aside|reserved|put aside|kept)\b")
_NOT_FOR_YOU = re.compile(
    r"\bwork(?:ed)?(?: out)?\b.{0,20}\b(?:with|for)\b(?! (?:now|today|the (?:refund|cancel\w+|order)))|"
    r"\b(?:sorry|shame|pity|sad|bummer|regret|too bad)\b.{0,30}\b(?:it|this|that|things|they|the \w+) (?:didn't|did not) (?:quite |really )?(?:work|fit|suit|turn out|pan out)"
)
"""Says of a thing that it was not right for somebody, where its order was called off."""
_OF_AN_ORDER = re.compile(r"\b(?:orders?|ordered|bought|purchase\w*|size|delivered)\b|\d{4}")
_IN_A_CART = re.compile(r" x\d+ @ ")
_OF_SOMEBODY = re.compile(r"\b(?:you|your|yours|i|we|my|our|she|he|her|his)\b|\d{4}")
_LEAST_OF_A_RULE = 40
_LEAST_WORDS = 3
_IN_GENERAL = re.compile(
    r"\b(?:while|as long as|so long as|whenever|when|if|until|unless|once|whether)\b[^,;.]*",
    re.IGNORECASE,
)
"""Tells when something holds, and not that it does."""
_SAYS_ONE = re.compile(
    r"^\W*(?:\w+ ){0,4}?(?:[A-Z][a-z]+|(?:one|another|a) (?:reviewer|buyer|customer|person)|(?:some|most|several|two|three|\w+) (?:reviewers|buyers|customers)|reviews?)"
    r"(?: \w+ly| also)? (?:says?|said|writes?|wrote|reports?|reported|mentions?|mentioned|notes?|noted|complains?|complained|adds?|added|states?|stated|praises?|praised)\b"
)
_REVIEW = re.compile(r"^\d of 5 \| ", re.MULTILINE)


def _is_a_rule(said: str, known: Known) -> bool:
    """Tell whether a sentence stands in what was read, and speaks of nobody: how things go."""
    if len(said) < _LEAST_OF_A_RULE or _OF_SOMEBODY.search(said):
        return False
    return any(said in text for text in known.plain_texts)


def _stands_in_a_description(clause: str, known: Known) -> bool:
    """Tell whether a clause stands in so many words in what was read of a thing: pegs "in the bag"."""
    said = clause.strip(" .,!")
    return len(said.split()) >= _LEAST_WORDS and any(
        re.search(rf"\b{re.escape(said)}\b", text)
        for text, shown in zip(known.plain_texts, known.texts, strict=False)
        if "attributes: " in shown
    )


def of_effects(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, for each claim of an effect that contradicts it."""
    said = plain(sentence.text).rstrip(".")
    if any(said in line for line in known.lines) or _is_a_rule(said, known):
        return
    if _SAYS_ONE.match(sentence.text) and any(_REVIEW.search(one) for one in known.texts):
        # What somebody says who bought one is of their own.
        return
    kinds = known.kinds
    if any(kind.name == "order" for kind in kinds):
        kinds = (
            *kinds,
            SHIPPED,
            *(one for one in KINDS if one.name == "exchange"),
        )
    now = [one for one in known.effects if one.is_now]
    if (
        STILL_OPEN.search(_IN_GENERAL.sub(" ", sentence.text))
        and now
        and not any(one.outcome in ("open", "in doubt") for one in now)
    ):
        yield told_of(now[-1], now[-1].kind)
    yield from _of_now(sentence, known)
    yield from of_twice(sentence, known)
    yield from of_means(sentence, known)
    yield from of_sums(sentence, known)
    yield from of_fees(sentence, known)
    yield from of_other_goods(sentence, known)
    yield from of_a_part(sentence, known)
    claims = [*claims_in(sentence, kinds)]
    both = _of_both(claims)
    # What is said in no words of a kind is judged last.
    for claim in sorted(claims, key=lambda one: one.is_vague):
        if (
            is_how_it_goes(claim, known)
            or is_of_a_part(claim, [one for one in known.effects if one.is_now])
            or is_in_doubt_as_a_whole(claim, known)
            or is_set_apart(claim, claims, known)
            or is_of_how_many(claim, known)
        ):
            continue
        if claim.kind is None and _stands_in_a_description(claim.clause, known):
            continue
        if claim.kind is not None and is_told_in_order(claim, sentence, known):
            continue
        if claim.kind == SHIPPED and is_of_what_still_comes(claim, known):
            continue
        if claim.kind is not None and claim.kind.name in both:
            # What is both affirmed and denied is judged where either is not so.
            said_ = [one for one in claims if one.kind == claim.kind]
            if not all(_judged(one, claim.kind, sentence.text, known) for one in said_):
                continue
        so = _judged_in_general(claim, known)
        if claim.kind is not None:
            so = _judged(claim, claim.kind, sentence.text, known)
        if so is not None:
            yield so


def _of_both(claims: Sequence[Claim]) -> frozenset[str]:
    """Return the kinds of which a sentence says both that one was made and that none was."""
    done, undone = (
        {one.kind.name for one in claims if one.kind is not None and one.is_done is is_done}
        for is_done in (True, False)
    )
    other = {
        one.kind.name for one in claims if one.kind is not None and _THE_OTHER.search(one.clause)
    }
    return frozenset((done & undone) - other)


def _of_now(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, where something is said to be still to do, and was done in this turn."""
    text = plain(Clauses(sentence).text)
    if text.endswith("?") or _AGAIN.search(text):
        return
    for effect in known.effects:
        will = WILL.get(effect.kind.name)
        if will is None or not effect.is_now or effect.outcome != "done":
            continue
        if re.search(rf"\b(?:i|we)(?:'ll| will) (?:then |now |next |also )*(?:{will})", text):
            yield told_of(effect, effect.kind)


def _judged_in_general(claim: Claim, known: Known) -> str | None:
    """Say what is so where all that was asked for is said to be done, and was not."""
    now = [one for one in known.effects if one.is_now]
    if claim.is_earlier:
        return None
    held = [one for one in now if one.kind.name == "reserve"]
    if claim.is_vague and _HELD.search(claim.clause) and was_let_go(claim, held, claim.text):
        return None
    if claim.is_vague and is_of_a_standing_order(claim, now):
        return None
    if is_of_what_still_comes(claim, known) or is_of_another_kind(claim, known):
        return None
    if was_begun(claim) or is_to_be_looked_up(claim, now) or was_only_tried(claim, now):
        return None
    if claim.is_done and (
        is_of_another_order(claim, now, known) or is_of_what_was_done(claim, now)
    ):
        return None
    if claim.is_vague and not now:
        return _of_no_deal(known) if claim.is_past and claim.is_done else None
    if not claim.is_done:
        done = [one for one in now if one.succeeded]
        whole = done and all(one.outcome == "done" for one in now)
        if any(one.kind.name == "cancel" for one in done) and _NOT_FOR_YOU.search(claim.clause):
            return None
        return told_of(done[0], done[0].kind) if whole else None
    if now and not any(one.succeeded for one in now):
        return told_of(now[0], now[0].kind)
    return None


def _of_no_deal(known: Known) -> str | None:
    """Say that nothing was ordered, where no order is known at all."""
    order = next((kind for kind in known.kinds if kind.name == "order"), None)
    if order is None or any(one.outcome != "open" for one in known.effects):
        return None
    is_told = any(record.statuses for record in known.records) or is_told_elsewhere(order, known)
    return None if is_told else f"Nothing was {order.undone}."


def _judged(claim: Claim, kind: Kind, text: str, known: Known) -> str | None:
    """Say what is so where a claim of an effect contradicts it."""
    if kind.name == "release" and any(one.outcome != "done" for one in known.effects):
        # It undoes what was held.
        return None
    of_kind = KIN.get(kind.name, frozenset({kind.name})) if claim.is_done else {kind.name}
    if kind.name == "cancel" and is_of_what_was_not_agreed_to(claim, known):
        return None
    same = [one for one in known.effects if one.kind.name in of_kind]
    if kind.name == "exchange" and not same and _may_be_of_a_cart(claim.clause, known):
        return None
    named = named_ids(text, known)
    is_ours = kind.name in {one.name for one in known.kinds}
    is_of_now = claim.is_done and _JUST.search(claim.clause) is not None
    is_by_me = is_ours and not claim.is_earlier and _is_by_me(claim, kind)
    if is_by_me and not any(one.outcome in ("done", "undone") for one in same):
        return told_of(same[-1], kind) if same else f"Nothing was {kind.undone}."
    if is_of_now and is_ours and not any(one.is_now for one in same):
        return f"Nothing was {kind.undone} in this turn."
    if (
        kind.name == "cancel"
        and _UNDONE.search(claim.clause)
        and any(one.outcome == "undone" for one in known.effects)
    ):
        return None
    if was_only_tried(claim, same) or was_let_go(claim, same, text):
        return None
    if (so := _of_status(claim, kind, text, named, known)) is not None:
        return so or None
    of_it = [one for one in same if named & one.ids]
    now = [one for one in same if one.is_now and one.outcome != "open"] or [
        one for one in same if one.is_now
    ]
    if is_to_be_looked_up(claim, now):
        return None
    if claim.is_done:
        if any(one.outcome == "done" for one in (of_it or same)) and not _failed_now(now, claim):
            return None
        if of_it:
            return told_of(of_it[-1], kind)
        if now and not claim.is_earlier:
            return None if any(one.outcome == "done" for one in now) else told_of(now[-1], kind)
        if not claim.is_earlier and same and not is_told_elsewhere(kind, known):
            return told_of(same[-1], kind)
        if any(one.succeeded and one.kind not in KINDS for one in known.effects):
            # What a tool does whose verb is its own, nobody can tell by its name: a tip is paid.
            return None
        is_told = is_told_elsewhere(kind, known) or (
            not now and is_told_of_what_is_named(kind, text, known)
        )
        if kind.name == "refund" and not now:
            # What was cancelled before is refunded.
            is_told |= any("cancelled" in record.statuses for record in known.records)
        if kind.name == "charge" and not now:
            # What was ordered before is paid.
            is_told |= any(record.statuses for record in known.records)
        return None if is_told else f"Nothing was {kind.undone}."
    judged = of_it or now
    if not judged and kind.name == "order" and _NO_ORDER.search(text) and not codes_in(text):
        placed = [one for one in known.records if "placed" in one.statuses]
        return shown_of(placed) or None
    if judged and any(one.outcome in ("done", "in doubt") for one in judged):
        bad = next(one for one in judged if one.outcome in ("done", "in doubt"))
        if bad.outcome == "in doubt" or all(one.outcome == "done" for one in judged):
            return told_of(bad, kind)
    return None


def _may_be_of_a_cart(clause: str, known: Known) -> bool:
    """Tell whether what is said to be exchanged may be in a cart, of which the domain judges itself."""
    if _OF_AN_ORDER.search(clause):
        return False
    return any(_IN_A_CART.search(one.shown) for one in known.records)


def _is_by_me(claim: Claim, kind: Kind) -> bool:
    """Tell whether the agent says of itself that it did something, and no other did."""
    done = "|".join(map(re.escape, kind.done))
    said = rf"\bi(?:'ve| have)? (?:just |also |now |then |gone ahead and )*(?:{done})\b"
    return claim.is_done and re.search(said, claim.clause) is not None


def _of_status(
    claim: Claim, kind: Kind, text: str, named: frozenset[str], known: Known
) -> str | None:
    """Judge a claim by the status of what it names, where no effect here was of that.

    Returns what is so, "" where the claim agrees, and None where that does not tell.
    """
    codes = [code.lower().lstrip("#") for code in codes_in(text)]
    others = [code for code in codes if code not in named]
    records = [one for code in others for one in known.by_name.get(plain(code), ())]
    records = [one for one in records if one.statuses]
    if _THE_REST.search(claim.clause) and not codes_in(claim.clause):
        return ""
    if named or not records:
        return "" if others and not claim.is_done else None
    says = any(set(kind.done) & record.statuses for record in records)
    if kind.name == "ship" and claim.is_done and not says and not claim.is_vague:
        return shown_of(records) or None
    if kind.name not in ("order", "cancel", "return") or says == claim.is_done:
        return ""
    if kind.name == "order" and any(STANDS & record.statuses for record in records):
        return ""
    return shown_of(records) or f"{codes[0]}: {', '.join(sorted(records[0].statuses))}."


def _failed_now(now: Sequence[Effect], claim: Claim) -> bool:
    """Tell whether what is claimed was tried in this turn, and not done."""
    return bool(now) and not claim.is_earlier and all(one.outcome != "done" for one in now)
