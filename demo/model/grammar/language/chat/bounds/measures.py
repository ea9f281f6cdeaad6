"""Find how much of something goods shall have: "at least 400 lumens", "under 2 kg". Pure.

A price is none of these: `limits` finds it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.cart import Doubtful, Remove
from daybook.demo.model.grammar.language.intents.goods import (
    AskProperty,
    Details,
    Measure,
    Mention,
    Pick,
    Reviews,
    Search,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Extreme, It, Named
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import fold, in_shop_words, kind_of


@dataclass(frozen=True)
class _Unit:
    """A unit as people write it: the attribute that it measures, and how much one of it is."""

    pattern: str
    name: str
    of_one: float = 1.0
    beside: str = ""


_UNITS: Final = (
    _Unit(r"lu?mens?|lumin|lm", "lumen"),
    _Unit(r"lit(?:er|re)s?|ltrs?|l", "filter_litre", beside=r"\bfilters?\b"),
    _Unit(r"lit(?:er|re)s?|ltrs?|l", "capacity_litre"),
    _Unit(r"ml|millilit(?:er|re)s?", "capacity_litre", 0.001),
    _Unit(r"kgs?|kilos?|kilogram(?:me)?s?", "weight_g", 1000.0),
    _Unit(r"g|gr|gram(?:me)?s?", "weight_g"),
    _Unit(r"lbs?", "weight_g", 453.592),
    _Unit(r"pounds?", "weight_g", 453.592, r"\b(?:weigh\w*|weight|heav\w+|lighter|light)\b"),
    _Unit(r"oz|ounces?", "weight_g", 28.3495),
    _Unit(r"min(?:ute)?s?", "boil_minutes", beside=r"\b(?:boil\w*|stoves?|cook\w*|litre)\b"),
    _Unit(r"cm|centimet(?:er|re)s?", "folded_cm", beside=r"\b(?:fold\w*|poles?|packed|packs)\b"),
    _Unit(r"cm|centimet(?:er|re)s?", "height_cm", beside=r"\b(?:tents?|high|tall|height|stand)\b"),
    _Unit(
        r"m|met(?:er|re)s?", "reach_metre", beside=r"\b(?:reach\w*|beam|lamps?|headlamps?|far)\b"
    ),
    _Unit(r"persons?|people|adults|of us|sleepers", "persons"),
    _Unit(r"", "persons", beside=r"\bsleeps?\b|\broom for\b|\bfits?\b"),
    _Unit(r"stars?", "rating"),
)
_NUMBER: Final = r"(\d+(?:\.\d+)?)"
_NEGATED: Final = r"(?:no|not|never|nothing|none|isn't|without being)(?: \w+){0,2}?"
_MORE: Final = (
    r"(?:over|above|more than|bigger than|larger than|brighter than|heavier than|longer than"
    r"|higher than|stronger than|greater than|exceeding|beyond|upwards of|better than)"
)
_LESS: Final = (
    r"(?:under|below|less than|lighter than|smaller than|shorter than|fewer than|lower than"
    r"|quicker than|faster than|beneath|dimmer than|cheaper than|sub)"
)
_LEAST: Final = (
    rf"(?:at (?:the )?(?:very )?least|min(?:imum)?(?: of)?|from|starting (?:at|from)|{_MORE}"
    rf"|{_NEGATED} {_LESS}|a good|sleeps)"
)
_MOST: Final = (
    rf"(?:at (?:the )?(?:very )?most|max(?:imum)?(?: of)?|up to|within|in under|{_LESS}"
    rf"|{_NEGATED} {_MORE})"
)
_OR_MORE: Final = (
    r"(?:(?:or|and) (?:more|bigger|larger|brighter|above|over|up|upwards|better|higher|longer"
    r"|greater|heavier)|plus|min(?:imum)?|upwards|at (?:the )?(?:very )?least)"
)
_OR_LESS: Final = (
    r"(?:(?:or|and) (?:less|fewer|smaller|lighter|under|below|shorter|lower|quicker|faster)"
    r"|max(?:imum)?|tops|at (?:the )?(?:very )?most)"
)
_SAID_OF: Final = (
    r"(?:(?:weigh(?:s|ing)?|holding|holds?|that|which|is|are|with|of|boils?|a litre|in|for|about"
    r"|carr(?:y|ies|ying)|taking|takes|fold(?:s|ing)?(?: down)?|to|down|sleep(?:s|ing)?|fits?"
    r"|rated|runs?|boil time|a|weight|capacity) )*"
)
_COLD: Final = re.compile(
    r"\b(?:(?:good|comfy|comfortable|warm|rated|fine|ok|okay|works?|usable|suitable|enough|made|keeps?"
    r"|me|are|is|down|goes|go|until|at least|to|for|at|in|of|about|around|up|temperatures?|nights?"
    r"|below|as cold as|with|a|comfort|rating|limit|under|or) )*"
    r"(?:(?P<frost>minus|-|below zero) ?(?P<below>\d{1,2})(?: ?(?:deg\w*(?: c(?:elsius)?)?|c"
    r"|celsius))?\b"
    r"|(?P<deg>\d{1,2}|zero) ?(?:degrees?(?: c(?:elsius)?)?|c|celsius)\b(?! or (?:more|above))"
    r"|(?<=comfort )(?:(?:rating|limit|temp|temperature|of|to|at|down|is|:|=) )*(?P<bare>\d{1,2}"
    r"|zero)\b"
    r"(?! or (?:more|above)| ?(?:\$|dollars|usd|bucks))"
    r"|freezing(?: point)?\b)(?: or (?:colder|lower|below|less))?"
)
_FOR_COLD: Final = re.compile(
    r"\b(?:(?:for|to|at|of|until|in|around|about|good|handles?|survives?|withstands?|takes?|stand"
    r"|stands|endures?|copes?|cope with|copes with|down|even|like|nights?|temperatures?|temps?"
    r"|outside|below|reach|hit|hits|ok|fine|comfortable|warm) (?:even |about |around |say )?)minus"
    r" \d"
    r"|\bminus \d{1,2} (?:deg\w*|c\b|celsius|outside|nights?|at night|or (?:colder|lower|below))"
    r"|\bfor 0 degrees\b|\b(?:goes?|going|good|rated|down|warm) (?:down )?to \d{1,2} degrees\b"
)
_OF_WARMTH: Final = frozenset({"sleeping-bags", "hiking-boots"})


def measured(found: Sequence[Intent], tokens: Sequence[Token]) -> tuple[Intent, ...]:
    """Give the searches of a text the measures that it names, and take these out of their words.

    Where nothing else is said, what is on view is narrowed by them.
    """
    text = _written(tokens)
    said = list(_said_in(text))
    kind = next((kind for one in found if (kind := _kind_of(one)) is not None), None)
    is_of_cold = _FOR_COLD.search(text) is not None
    if is_of_cold:
        # "Winter boots for minus twenty" takes none of them out.
        found = [_looked_for(one) for one in found]
    says_comfort = re.match(r"(?:and |but |ok |with )*comfort\b", text) is not None
    may_be_cold = kind in _OF_WARMTH or (kind is None and (is_of_cold or says_comfort))
    cold = _COLD.search(text) if may_be_cold else None
    if cold is not None:
        said.append((_coldest(cold), cold.group()))
    if not said:
        return tuple(found)
    measures = tuple(dict.fromkeys(measure for measure, _ in said))
    gone = {word for _, span in said for word in span.split()}
    if any(_may_have(one) for one in found):
        return tuple(_with(one, measures, gone) if _may_have(one) else one for one in found)
    alone = all(_says_no_more(one) for one in found) and not _POINTS.search(text)
    return (Search(narrows=True, measures=measures),) if alone else tuple(found)


_POINTS: Final = re.compile(
    r"\b(?:it|that one|this|is that|the \w+ one|(?:first|second|third|last)|how|why|what|when)\b"
)


def _looked_for(intent: Intent) -> Intent:
    match intent:
        case Remove(Named(words)) | Doubtful("remove", (Named(words),)) if kind_of(words):
            return Search(" ".join(words))
        case Remove(Extreme(_, words) as most) if kind_of(words):
            # "The cheapest sleeping bag for minus 5".
            return Pick(most)
        case _:
            return intent


def _written(tokens: Sequence[Token]) -> str:
    """Write tokens with their numbers in digits, and "a litre" as one litre."""
    words = [
        str(token.value) if token.kind is Kind.NUMBER else token.text.strip("°") for token in tokens
    ]
    text = re.sub(r"(?<!\w)-(?= ?\d)", "minus ", " ".join(words))
    text = re.sub(r"(?<=\d)(?=(?:kg|kgs|g|l|lm|cm|ml|oz|lbs?|m|c|min|mins)\b)", " ", text)
    text = re.sub(r"\b(\d{1,2}|a) (hundred|thousand)\b", _in_digits, text)
    return re.sub(r"\b(?:half a|a) (?=(?:lit(?:er|re)|kilo|kg)\b)", _one, text)


def _in_digits(found: re.Match[str]) -> str:
    count = 1 if found[1] == "a" else int(found[1])
    return str(count * (100 if found[2] == "hundred" else 1000))


def _one(found: re.Match[str]) -> str:
    return "0.5 " if found.group().startswith("half") else "1 "


def _said_in(text: str) -> Iterator[tuple[Measure, str]]:
    """Yield the measures that a text bounds, each with the words that say it."""
    named: set[str] = set()
    for unit in _UNITS:
        is_other = unit.beside and not re.search(unit.beside, text)
        if is_other or unit.name in named or (unit.name.endswith("litre") and named & _LITRES):
            continue
        for pattern, of in _bounded(unit.pattern):
            if found := re.search(rf"\b{_SAID_OF}{pattern}", text):
                least, most = of(*(float(group) * unit.of_one for group in found.groups() if group))
                named.add(unit.name)
                is_strict = re.search(rf"\b(?:{_MORE}|{_LESS})\b", found.group()) is not None
                is_strict = is_strict and not re.search(_NEGATED, found.group())
                yield Measure(unit.name, least, most, is_strict), found.group()
                break


_ONE_OF: Final = (
    r"(?:1|ones?|any|some|something|anything) (?:that |which )?(?:with|of|has|have|holds?|takes?"
    r"|weighs?)"
)
"""Where such as has just so much is asked for: "is there one with 8 litres?"."""
_LITRES: Final = frozenset({"capacity_litre", "filter_litre"})


def _bounded(unit: str) -> Iterator[tuple[str, "_Bounds"]]:
    """Yield the ways to bound a number of a unit, and what its numbers are then."""
    a_unit = rf" ?(?:{unit})\b" if unit else r"\b(?! ?[a-z])"
    to = rf"{_NUMBER}(?:{a_unit})? ?(?:and|to|-|until|or) {_NUMBER}{a_unit}"
    yield rf"(?:between|from) {to}", _both
    yield to, _both
    yield rf"{_NEGATED} {_LESS} {_NUMBER}{a_unit}", _lowest
    yield rf"{_NEGATED} {_MORE} {_NUMBER}{a_unit}", _highest
    yield rf"{_MOST} {_NUMBER}{a_unit}", _highest
    yield rf"{_LEAST} {_NUMBER}{a_unit}", _lowest
    yield rf"{_NUMBER}{a_unit},? {_OR_LESS}\b", _highest
    yield rf"{_NUMBER}{a_unit},? {_OR_MORE}\b", _lowest
    yield rf"{_NUMBER},? {_OR_LESS}{a_unit}", _highest
    yield rf"{_NUMBER},? (?:{_OR_MORE}){a_unit}", _lowest
    if unit:
        yield rf"{_ONE_OF} (?:exactly |just |about |around )?{_NUMBER}{a_unit}", _both


class _Bounds:
    """What the numbers of a bound are: the least, the most, or both."""

    def __init__(self, *, is_least: bool, is_most: bool) -> None:
        self._is_least, self._is_most = is_least, is_most

    def __call__(self, *amounts: float) -> tuple[float | None, float | None]:
        low, high = min(amounts), max(amounts)
        return (low if self._is_least else None), (high if self._is_most else None)


_both: Final = _Bounds(is_least=True, is_most=True)
_lowest: Final = _Bounds(is_least=True, is_most=False)
_highest: Final = _Bounds(is_least=False, is_most=True)


def _coldest(found: re.Match[str]) -> Measure:
    below, above = found["below"], found["deg"] or found["bare"]
    degrees = -float(below) if below else float(above) if above and above != "zero" else 0.0
    return Measure("comfort", most=degrees)


def _kind_of(intent: Intent) -> str | None:
    match intent:
        case Search(query, category):
            return category or kind_of(query.split())
        case Pick(Extreme(_, words)) | Mention(Extreme(_, words)) | Mention(Named(words)):
            return kind_of(words)
        case AskProperty(Named(words)) | Details(Named(words)) | Reviews(Named(words)):
            return kind_of(words)
        case _:
            return None


def _may_have(intent: Intent) -> bool:
    """Tell whether an intent looks for goods, and for no product by its name."""
    match intent:
        case Search(query):
            return not has_model(query.split())
        case Pick(Extreme(_, words)) | Mention(Extreme(_, words)) | Mention(Named(words)):
            return kind_of(words) is not None and not has_model(words)
        case AskProperty(Named(words)) | Details(Named(words)) | Reviews(Named(words)):
            return kind_of(words) is not None and not has_model(words)
        case _:
            return False


def _says_no_more(intent: Intent) -> bool:
    return isinstance(intent, NotUnderstood) or (
        isinstance(intent, Mention | AskProperty) and isinstance(intent.item, It)
    )


def _with(intent: Intent, measures: tuple[Measure, ...], gone: set[str]) -> Intent:
    match intent:
        case Search(query):
            words = [word for word in query.split() if not _is_gone(word, gone)]
            is_bare = not words and intent.category is None
            return replace(
                intent,
                query=" ".join(words),
                measures=measures,
                narrows=intent.narrows or is_bare,
                bare=False,
            )
        case (
            Pick(Extreme(_, words))
            | Mention(Extreme(_, words))
            | Mention(Named(words))
            | AskProperty(Named(words))
            | Details(Named(words))
            | Reviews(Named(words))
        ):
            kept, category = in_shop_words([word for word in words if not _is_gone(word, gone)])
            cheap = isinstance(intent, Pick) and intent.item.by == "cheapest"
            return Search(" ".join(kept), category, cheap=cheap, measures=measures)
        case _:
            return intent


def _is_gone(word: str, gone: set[str]) -> bool:
    """Tell whether a word of a search says the measure alone: no kind of goods, and no feature."""
    is_said = (
        word in gone
        or fold(word) in {fold(one) for one in gone}
        or (word == "zero" and "0" in gone)
    )
    return (is_said and kind_of([word]) is None) or word in _COMPARED


_COMPARED: Final = frozenset({"lighter", "bigger", "larger", "brighter", "smaller", "minimum"})
