"""Which thing is meant by a person's words: the second one, BOOT-004, the red jacket."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Any

from daybook.tools.said.mentions import held_in, mentions_in

from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.state.effects.keys import canonical
from daybook.tools.own.recall import inner

_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    "tenth",
)
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NTH = "|".join((*_ORDINALS, r"\d{1,2}(?:st|nd|rd|th)"))
_ORDINAL = re.compile(
    rf"\b(?:the|that|this|your|a)\s+({_NTH})\b"
    r"(?!\s+(?:time|thing|place|of all|thoughts?|results?|search|list|page|order|day|aid|half|"
    r"hand|class|name|week|month|year|two|three|four|five|few|\d))|"
    r"\b(?:number|no\.|nr\.?|option|item)\s+(\d{1,2})\b(?![.,]?\d)|(?<![\w#])#(\d{1,2})\b(?!\d)|"
    rf"^\W*({_NTH})(?=\s+one\b|\W*(?:please|pls)?\W*$)|"
    rf"\b(?:number|no\.|nr\.?|option|item)\s+({'|'.join(_CARDINALS)})\b",
    re.IGNORECASE,
)
_LAST_ONE = re.compile(r"\bthe last (?:one|of (?:them|these|those))\b", re.IGNORECASE)
_FIRST_FEW = re.compile(r"\bthe first (two|three|four|five|[2-5])\b", re.IGNORECASE)
_NO_OF_A_ROW = re.compile(r"\bno\.?\s*(?=\d{1,2}\b)", re.IGNORECASE)
_EXTREME = re.compile(
    r"\b(?:(cheapest|least expensive|lowest[- ]priced)|(?:most expensive|dearest|priciest))\b",
    re.IGNORECASE,
)
_AT_A_PRICE = re.compile(
    r"\b(?:one|ones|pair)\s+(?:for|at)\s+[$\u20ac]?(\d+(?:\.\d\d)?)\b|"
    r"[$\u20ac]?\b(\d+(?:\.\d\d)?)[ -]?(?:dollars?|usd|bucks)?\s+one\b",
    re.IGNORECASE,
)
_ID_WITH_A_GAP = re.compile(r"\b([A-Za-z]{2,8})\s(\d{2,6})\b")
_ROW = re.compile(r"^\s*(?:\*\*)?(\d{1,2})[.)]\s+(.+)$", re.MULTILINE)
_LINE_OF_STATE = re.compile(
    r"^[^|\n]*?([A-Za-z]+-?\d{2,}[\w-]*)[^|\n]*\|\s*([^|\n]+)", re.MULTILINE
)
_NAMES_ONE = re.compile(r"(?:^|_)(?:ids?|skus?|codes?|numbers?|refs?|references?)$")
_WORD = re.compile(r"[^\W\d_]{3,}", re.UNICODE)

_OTHERWISE = re.compile(
    r"\b(?:but|except|not|without|others?|another|instead|rather|than|like|similar|goes|go|match|"
    r"matching|with|for|between|something|anything|else|no|never|dislike|hate|compared?|vs)\b|n't\b",
    re.IGNORECASE,
)
"""Words beside which a thing may be named that is not what is wanted."""

_NOT_THAT = re.compile(
    r"(?:(?<!why )(?<!whether or )(?<!if )\bnot(?! (?:only|just|sure))|\bexcept(?: for)?"
    r"|\banything but|\bother than|\bapart from)\s+((?:the\s+|that\s+)?"
    rf"(?:{_NTH}|number\s+\d{{1,2}}|no\.\s*\d{{1,2}})\b(?!\s+(?:time|thing|two|few))"
    r"|[a-z]{2,8}[- ]\d{2,6}\b)",
    re.IGNORECASE,
)
"""What is named as another thing than the one that is wanted."""

_SEVERAL = re.compile(r"\b(?:and|also|plus|then|as well|too|both|all|every)\b|[,;&+/]|\.\s", re.I)
_POINTS = re.compile(r"\b(?:it|its|that|this|them|these|those|they|one|ones)\b", re.IGNORECASE)
_FEW = 4
_NOTHING = frozenset({"the", "and", "one", "add", "for", "you", "put", "your", "cart", "show"})


@dataclass(frozen=True)
class Things:
    """What had been read of things, and what the person was shown last.

    Attributes:
        names: id, in small letters, to the words of its name.
        words: id to all words that were read of it.
        row: number in the list that was shown last, to the id that stands there.
        of_state: ids that stand in the state that the model was shown.
        is_last: that list stands in the last answer.
        prices: id to what was read that it costs, in whatever unit that was.
    """

    names: Mapping[str, frozenset[str]]
    words: Mapping[str, frozenset[str]]
    row: Mapping[int, str]
    of_state: frozenset[str]
    is_last: bool
    prices: Mapping[str, Decimal] = field(default_factory=dict)

    @property
    def near(self) -> frozenset[str]:
        """Return what is spoken of: what was shown last, and what stands in the state."""
        return frozenset(self.row.values()) | self.of_state


def named_in(step: Step, things: Things, words: str) -> frozenset[str]:
    """Return the ids of things that a call names: such as are built like known or said ones."""
    known = things.names.keys() | frozenset(things.row.values()) | _ids_in(words)
    forms = frozenset(map(_form, known))
    ids = (one.text for one in mentions_in(step.args) if one.sort == "identifier")
    return frozenset(one for one in ids if _form(one) in forms)


def _ids_in(text: str) -> frozenset[str]:
    # Of free text, even where it is a single word.
    return frozenset(m.text for m in mentions_in([f"{text} ."]) if m.sort == "identifier")


def _form(one: str) -> str:
    """Return how an id is built: ids of the same sort of thing are built alike."""
    return re.sub(r"\d", "9", re.sub(r"[^\W\d_]", "a", one))


def meant(words: str, one: str, things: Things) -> frozenset[str]:
    """Return the things that a person's words mean, where these cannot mean a given one; else none.

    Words that are not plain mean anything.

    Args:
        one: id of the thing of which it is asked.
    """
    if _OTHERWISE.search(_NO_OF_A_ROW.sub("", words)):
        return frozenset()
    ordinals = [*_numbers_in(words), *_counted_off(words, things)]
    ids = (held_in(words).words & things.names.keys()) | _ids_in(words) | _with_a_gap(words, things)
    if one in ids:
        return frozenset()
    is_several = _SEVERAL.search(words) is not None
    if is_several and (_is_called(words, one, things) or _goes_on(words)):
        return frozenset()
    if ordinals:
        rows = {things.row.get(number) for number in ordinals}
        if None in rows or one in rows or not _is_in_the_list(one, things):
            return frozenset()
        return ids | frozenset(row for row in rows if row)
    if ids:
        return ids
    if is_several:
        return frozenset()
    return _by_price(words, one, things) or _better_named(words, one, things)


def names_only_things(args: Mapping[str, Any]) -> bool:
    """Tell whether all that a call is given are ids of things."""
    return bool(args) and all(map(_NAMES_ONE.search, args))


def ruled_out(words: str, things: Things) -> frozenset[str]:
    """Return the things that a person's words name as what is not meant: "not the first one"."""
    ids, rows = set[str](), set[str | None]()
    for found in _NOT_THAT.finditer(words):
        left_out = found[1]
        ids |= (held_in(left_out).words & things.names.keys()) | _with_a_gap(left_out, things)
        if things.is_last:
            rows |= {things.row.get(number) for number in _numbers_in(left_out)}
    return frozenset(ids | {row for row in rows if row})


def _counted_off(words: str, things: Things) -> Iterator[int]:
    """Yield the places in the list that was shown last of "the last one", "the first two"."""
    if _LAST_ONE.search(words) and things.is_last and things.row:
        yield max(things.row)
    if few := _FIRST_FEW.search(words):
        word = few[1].lower()
        yield from range(1, 1 + (int(word) if word.isdigit() else _CARDINALS.index(word) + 1))


def _with_a_gap(words: str, things: Things) -> frozenset[str]:
    """Return the known ids that are written with a blank: "BOOT 004"."""
    written = {f"{a}-{b}".lower() for a, b in _ID_WITH_A_GAP.findall(words)}
    return frozenset(written & things.names.keys())


def _by_price(words: str, one: str, things: Things) -> frozenset[str]:
    """Return the things of the list shown last that are meant by what they cost, and not this one.

    "The cheapest boots": of those whose names fit the words best.
    """
    listed = {name: things.prices[name] for name in things.row.values() if name in things.prices}
    if one not in listed or not things.is_last:
        return frozenset()
    if at := _AT_A_PRICE.search(words):
        price = Decimal(at[1] or at[2])
        wanted = {name for name, costs in listed.items() if price in (costs, costs / 100)}
        return frozenset() if one in wanted else frozenset(wanted)
    if (extreme := _EXTREME.search(words)) is None:
        return frozenset()
    said = _stems(_EXTREME.sub(" ", words))
    fits = {name: len(said & things.names.get(name, frozenset())) for name in listed}
    of_them = {name: listed[name] for name in listed if fits[name] == max(fits.values())}
    end = (min if extreme[1] else max)(of_them.values())
    wanted = {name for name, costs in of_them.items() if costs == end}
    return frozenset() if one in wanted else frozenset(wanted)


def _goes_on(words: str) -> bool:
    """Tell whether words point at something besides a place in a list."""
    bare = re.sub(rf"\b({_NTH})\s+one\b", r"\1", words, flags=re.IGNORECASE)
    return _POINTS.search(_ORDINAL.sub(" ", bare)) is not None


def _is_in_the_list(one: str, things: Things) -> bool:
    """Tell whether a thing can have been meant by a place in the list that was shown last."""
    if one in things.of_state:
        return one in things.row.values() and things.is_last
    return True


def _is_called(words: str, one: str, things: Things) -> bool:
    return bool(_stems(words) & things.names.get(one, frozenset()))


def _better_named(words: str, one: str, things: Things) -> frozenset[str]:
    """Return the things whose names the words fit, and all that fits the given one, and more."""
    said = _stems(words)
    fits = said & things.words.get(one, frozenset())
    found = {
        other: said & things.names.get(other, frozenset()) for other in things.near if other != one
    }
    better = {other: fit for other, fit in found.items() if fits < fit}
    most = max(map(len, better.values()), default=0)
    return frozenset(other for other, fit in better.items() if len(fit) == most)


def _numbers_in(words: str) -> Iterator[int]:
    for found in _ORDINAL.findall(words):
        text = next(filter(None, found)).lower()
        named = next((names for names in (_ORDINALS, _CARDINALS) if text in names), None)
        yield named.index(text) + 1 if named else int(re.sub(r"\D", "", text))


def things_before(trajectory: Trajectory, step: Step) -> Things:
    """Gather the things that were known when a step was decided."""
    names, words = dict[str, frozenset[str]](), dict[str, frozenset[str]]()

    def take(found: Mapping[str, tuple[frozenset[str], frozenset[str]]]) -> None:
        for name, (called, told) in found.items():
            names[name] = names.get(name, frozenset()) | called
            words[name] = words.get(name, frozenset()) | told

    of_state = _of_lines(step.shown)
    take(of_state)
    prices = dict[str, Decimal]()
    for one in trajectory.before(step):
        if one.kind == "read" and one.result is not None:
            take(_read(one))
            prices |= _priced_in(canonical(inner(one.result)))
    answers = [turn.answer for turn in trajectory.turns if turn.number < step.turn]
    row: Mapping[int, str] = {}
    is_last = True
    for answer in reversed(answers):
        if row := _rows_of(answer):
            break
        is_last = False
    return Things(names, words, row, frozenset(of_state), is_last, prices)


def lists_anew(trajectory: Trajectory, step: Step) -> bool:
    """Tell whether things were listed in the turn before a step that were not read before it."""
    before = {
        name
        for one in trajectory.before(step)
        if one.kind == "read" and one.turn < step.turn and one.result is not None
        for name in _read(one)
    }
    found = (_read(one) for one in trajectory.before(step) if _is_read_of(one, step.turn))
    return any(len(things) > 1 and things.keys() - before for things in found)


def _is_read_of(one: Step, turn: int) -> bool:
    return one.kind == "read" and one.turn == turn and one.result is not None


_Found = Mapping[str, tuple[frozenset[str], frozenset[str]]]


def _read(step: Step) -> _Found:
    """Return the things in a read's result: the words of their names, and all of theirs."""
    return _found_in(canonical(inner(step.result)))


@lru_cache(maxsize=4_096)
def _found_in(written: str) -> _Found:
    return dict(_walked(json.loads(written)))


@lru_cache(maxsize=4_096)
def _priced_in(written: str) -> Mapping[str, Decimal]:
    return dict(_priced(json.loads(written)))


def _priced(value: Any) -> Iterator[tuple[str, Decimal]]:
    if isinstance(value, Mapping):
        price = value.get("price")
        if isinstance(price, int | float) and not isinstance(price, bool):
            for key, one in value.items():
                if isinstance(one, str) and _NAMES_ONE.search(str(key)):
                    yield one.lower(), Decimal(str(price))
        for one in value.values():
            yield from _priced(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _priced(one)


def _walked(value: Any) -> Iterator[tuple[str, tuple[frozenset[str], frozenset[str]]]]:
    if isinstance(value, Mapping):
        ids = [
            str(one).lower()
            for key, one in value.items()
            if isinstance(one, str) and _NAMES_ONE.search(str(key)) and any(map(str.isdigit, one))
        ]
        name = next(
            (value[key] for key in ("name", "title") if isinstance(value.get(key), str)), ""
        )
        if ids and name:
            yield ids[0], (_stems(name), _stems(f"{name} {' '.join(_texts(value))}"))
        for one in value.values():
            yield from _walked(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _walked(one)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield str(key).replace("_", " ")
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, str) and len(value.split()) <= _FEW:
        # What is told in sentences may be told of other things too.
        yield value.replace("-", " ")


@lru_cache(maxsize=4_096)
def _of_lines(shown: str) -> _Found:
    return {
        name.lower(): (_stems(called), _stems(called))
        for name, called in _LINE_OF_STATE.findall(shown)
    }


@lru_cache(maxsize=4_096)
def _rows_of(answer: str) -> Mapping[int, str]:
    """Return the numbered list of an answer; none where a row names no thing, or more than one."""
    rows: dict[int, str] = {}
    for number, text in _ROW.findall(answer):
        named = _ids_in(text)
        if len(named) != 1 or int(number) in rows:
            return {}
        rows[int(number)] = next(iter(named))
    return rows


@lru_cache(maxsize=8_192)
def _stems(text: str) -> frozenset[str]:
    """Return the words of a text that may name something, in the singular."""
    words = {word.lower() for word in _WORD.findall(text)}
    return frozenset(word.removesuffix("s") for word in words - _NOTHING)
