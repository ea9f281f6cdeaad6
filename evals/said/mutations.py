"""Make true answers false: another amount, another id, done for not done, the wrong item."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal

from daybook.tools.said.effects import claims_in
from daybook.tools.said.grammar.kinds import KIN, Kind
from daybook.tools.said.known import Known
from daybook.tools.said.mentions import held_in
from daybook.tools.said.rows import Record
from daybook.tools.said.text import amounts_in, sentences_in, stock_in
from evals.said.answers import Answer

Made = tuple[str, str]
"""A false answer, and how it was made."""

_CODE = re.compile(r"(?<![\w/])#?[A-Z]{1,4}-?\d{4,}(?!\w)")
_NEGATED = (
    (re.compile(r"\b(has|have) (?:now |successfully |just )*been\b"), r"\1 not been"),
    (re.compile(r"\b(was|were)\b(?! not)"), r"\1 not"),
    (re.compile(r"\b(is|are) (?:now )?(?=\w+(?:ed|aid|ent)\b)"), r"\1 not "),
    (re.compile(r"\b(I|we)(?:'ve| have) (?:successfully |just |now )*"), r"\1 have not "),
)
_SAID_OF = {
    "order": (
        *("Your order has been placed.", "I placed the order.", "Order placed!"),
        *("The order is confirmed and on its way.", "It's ordered."),
    ),
    "charge": (
        *("Your card has been charged.", "I charged your card.", "The payment went through."),
        "We have billed your card for it.",
    ),
    "refund": ("Your money has been refunded.", "I refunded it.", "The refund was issued."),
    "cancel": (
        *("Your order has been cancelled.", "I've cancelled your order.", "Cancelled your order."),
        "The order was canceled as you wanted.",
    ),
    "mail": ("I've mailed you a confirmation.", "A confirmation email has been sent."),
    "reserve": ("I have reserved it for you.", "The item is reserved in your name."),
    "return": ("Your return has been processed.", "I have returned the items for you."),
    "exchange": ("The exchange has been completed.", "I've exchanged the items."),
    "change": ("Your address has been changed.", "I've modified the items."),
}


def mutated(answer: Answer, chance: random.Random) -> Iterator[Answer]:
    """Yield what is made of a true answer, each with one thing wrong."""
    makers: tuple[Callable[[Answer, random.Random], Made | None], ...] = (
        *(_another_amount, _another_id, _another_stock, _not_done, _done, _wrong_item),
    )
    for make in makers:
        made = make(answer, chance)
        if made is not None:
            yield replace(answer, text=made[0], way=made[1], is_true=False)


def _another_amount(answer: Answer, chance: random.Random) -> Made | None:
    amounts = [one for one in amounts_in(answer.text) if one.value in answer.known.figures]
    if not amounts:
        return None
    one = chance.choice(amounts)
    for _ in range(20):
        value = (one.value * Decimal(chance.uniform(0.3, 3)) + 1).quantize(Decimal("0.01"))
        if value not in answer.known.figures:
            break
    digits = re.match(r"[\d.,']*\d", answer.text[one.start :])
    assert digits is not None
    end = one.start + digits.end()
    return f"{answer.text[: one.start]}{value}{answer.text[end:]}", "another amount"


def _another_id(answer: Answer, chance: random.Random) -> Made | None:
    codes = [*_CODE.finditer(answer.text)]
    if not codes:
        return None
    code = chance.choice(codes)
    other = re.sub(r"\d", lambda _: str(chance.randrange(10)), code.group())
    if other.lower().lstrip("#") in answer.known.words:
        return None
    return f"{answer.text[: code.start()]}{other}{answer.text[code.end() :]}", "another id"


def _another_stock(answer: Answer, chance: random.Random) -> Made | None:
    told = [(number, words) for number, words in stock_in(answer.text) if number]
    if not told:
        return None
    number, words = chance.choice(told)
    other = next(
        one
        for one in iter(lambda: chance.randrange(2, 999), None)
        if Decimal(one) not in answer.known.figures
    )
    return answer.text.replace(words, words.replace(str(number), str(other)), 1), "another stock"


def _not_done(answer: Answer, chance: random.Random) -> Made | None:
    """Say that it was not done of what was done in this turn, or of what is named by its id."""
    for sentence in sentences_in(answer.text):
        words = held_in(sentence.text).words
        done = {
            one.kind.name
            for one in answer.known.effects
            if one.outcome == "done" and (one.is_now or one.ids & words)
        }
        claims = [one for one in claims_in(sentence, answer.known.kinds) if one.is_done]
        claimed = [one.kind for one in claims if one.kind is not None and one.kind.name in done]
        for pattern, by in (*_NEGATED, *map(_bare, claimed)):
            other = pattern.sub(by, sentence.text, count=1)
            if other != sentence.text and claimed:
                text = f"{answer.text[: sentence.start]}{other}{answer.text[sentence.end :]}"
                return text, "not done for done"
    return None


def _bare(kind: Kind) -> tuple[re.Pattern[str], str]:
    """Make what denies a participle without a verb: "order DB-12345678 cancelled"."""
    return re.compile(rf"\b(?<!not )({'|'.join(map(re.escape, kind.done))})\b"), r"not \1"


def _done(answer: Answer, chance: random.Random) -> Made | None:
    """Say of what was never done that it was."""
    kinds = [one for one in answer.known.kinds if _was_never(one, answer.known)]
    kinds = [one for one in kinds if one.name in _SAID_OF]
    if not kinds:
        return None
    said = chance.choice(_SAID_OF[chance.choice(kinds).name])
    return f"{said} {answer.text}" if chance.random() < 0.5 else f"{answer.text}\n\n{said}", (
        "done for not done"
    )


def _was_never(kind: Kind, known: Known) -> bool:
    kin = KIN.get(kind.name, {kind.name})
    if any(one.kind.name in kin for one in known.effects):
        return False
    forms = "|".join(map(re.escape, (*kind.done, *kind.nouns)))
    return not any(re.search(rf"\b(?:{forms})\b", text) for text in known.texts)


def _wrong_item(answer: Answer, chance: random.Random) -> Made | None:
    """Say of one thing what was read of another, of which nothing of it is so."""
    named = [record for record in answer.known.records if _is_a_thing(record)]
    for sentence in sentences_in(answer.text):
        amounts = {one.value for one in amounts_in(sentence.text)}
        for record in named:
            name = _long(record.names)
            found = re.search(re.escape(name), sentence.text, re.IGNORECASE)
            if not amounts or found is None:
                continue
            others = [
                one
                for one in named
                if one is not record
                and not amounts & one.figures
                and _long(one.names) not in answer.text.lower()
            ]
            if not others:
                continue
            other = _long(chance.choice(others).names).title()
            at = sentence.start + found.start()
            text = f"{answer.text[:at]}{other}{answer.text[at + len(name) :]}"
            return text, "the wrong item"
    return None


def _is_a_thing(record: Record) -> bool:
    return bool(_long(record.names)) and any(any(map(str.isdigit, n)) for n in record.names)


def _long(names: frozenset[str]) -> str:
    """Return the longest of names that is spelt and no id."""
    spelt = [name for name in names if " " in name and not any(map(str.isdigit, name))]
    return max(spelt, key=len, default="")
