"""Find the things in a clause: what it points at, with how many of each. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.kinds import Thing, with_kinds
from daybook.demo.model.grammar.language.chat.names import has_model, is_model
from daybook.demo.model.grammar.language.chat.vocabulary import GOODS
from daybook.demo.model.grammar.language.intents.references import (
    By,
    Every,
    Extreme,
    It,
    Named,
    Nth,
    Other,
    Sku,
)
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import NOUNS, fold


@dataclass(frozen=True)
class Count:
    """So many, with no thing beside it; `each` of what was named before."""

    value: int
    start: int
    end: int
    more: bool = False
    each: bool = False


UNITS: Final = frozenset(
    """
    person persons people man men adult adults season seasons litre litres liter liters l ml lumen
    lumens degree degrees c burner burners layer layers ply day days week weeks month months year
    years night nights inch inches cm mm m km g gram grams kg kilo kilos lbs pounds ounces oz hours
    centimetre centimetres centimeter centimeters millimetres metre metres meter meters feet foot ft
    hour minutes star stars percent dollars usd bucks euro euros eur gbp cents size
    """.split()  # noqa: SIM905
)
"""A number before one of these, or behind "size", counts no goods."""

_MEASURES: Final = frozenset(
    "pairs pair sets set pieces piece pcs pc nos units unit packs items copies x".split()  # noqa: SIM905
)
_MORE: Final = frozenset({"more", "extra", "additional", "spare", "further"})
_DETERMINERS: Final = frozenset(
    "the that this those these my a an some your of any our".split()  # noqa: SIM905
)
_DEFINITE: Final = frozenset({"the", "that", "this", "those", "these", "my", "our", "your"})
_PRONOUNS: Final = frozenset({"it", "them", "em", "they", "that", "this", "those", "these"})
_VERBS_TOO: Final = frozenset({"stick", "pack", "bag", "boot", "shell", "light", "cushion"})
_MANY: Final = frozenset({"them", "em", "they", "those", "these"})
_ONE: Final = frozenset({"one", "ones", "pair", "pairs"})
SUPERLATIVES: Final[dict[str, By]] = {
    "cheapest": "cheapest", "cheaper": "cheapest", "dearest": "dearest", "priciest": "dearest",
    "dearer": "dearest", "pricier": "dearest", "lightest": "lightest", "lighter": "lightest",
    "heaviest": "heaviest", "heavier": "heaviest", "brightest": "brightest",
    "brighter": "brightest", "warmest": "warmest", "warmer": "warmest", "biggest": "largest",
    "bigger": "largest", "largest": "largest", "larger": "largest", "roomiest": "largest",
    "roomier": "largest", "smallest": "smallest", "smaller": "smallest", "tallest": "tallest",
    "taller": "tallest", "highest": "tallest", "strongest": "brightest", "best": "best",
    "finest": "best", "nicest": "best",
}  # fmt: skip
LEADING: Final[dict[str, dict[str, By]]] = {
                   "most": {"expensive": "dearest", "popular": "best", "costly": "dearest",
                            "light": "lightest", "heavy": "heaviest", "warm": "warmest",
                            "bright": "brightest", "stars": "best"},
                   "least": {"expensive": "cheapest", "heavy": "lightest"},
                   "more": {"expensive": "dearest", "costly": "dearest"},
                   "less": {"expensive": "cheapest", "heavy": "lightest"},
                   "best": {"rated": "best", "reviewed": "best", "rating": "best"},
                   "better": {"rated": "best", "reviewed": "best"},
                   "highest": {"rated": "best", "rating": "best", "priced": "dearest"},
                   "top": {"rated": "best"},
                   "lowest": {"priced": "cheapest"}}  # fmt: skip
_COMPARED: Final = "er"


def things_in(tokens: Sequence[Token]) -> tuple[list[Thing], list[Count]]:
    """Return the things of a clause from left to right, and the counts that stand alone."""
    things: list[Thing] = []
    counts: list[Count] = []
    at = 0
    while at < len(tokens):
        counted = _count(tokens, at)
        begin = counted.end if counted is not None else at
        if counted is not None and _is_of_each(tokens, begin):
            counts.append(replace(counted, end=begin + 1, each=True))
            at = begin + 1
            continue
        thing = _thing(tokens, begin)
        if thing is not None:
            if counted is not None:
                thing = replace(
                    thing, start=at, quantity=counted.value, more=counted.more or thing.more
                )
            thing = _with_tail(tokens, thing)
            things.append(thing)
            at = thing.end
        elif counted is not None:
            counts.append(counted)
            at = counted.end
        else:
            at += 1
    things, each = _without_each(things)
    return with_kinds(things), sorted([*counts, *each], key=lambda one: one.start)


def _without_each(things: Sequence[Thing]) -> tuple[list[Thing], list[Count]]:
    """Part "one of each" from the goods that it is said of: "the first two, one of each"."""
    each = [one for one in things if one.item == Every() and one.quantity == 1]
    others = [one for one in things if one not in each]
    several = [one for one in others if isinstance(one.item, Every)] or others[1:]
    if len(each) != 1 or not several or any(one.quantity for one in others):
        return list(things), []
    return others, [Count(1, each[0].start, each[0].end, each=True)]


def _is_of_each(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether "each" behind a count says that it is of all that was named: "one pair each"."""
    beside = (_text(tokens, at - 1), _text(tokens, at + 1))
    return (
        _text(tokens, at) in ("each", "apiece") and "of" not in beside and not _says(tokens, at + 1)
    )


def _text(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].text if 0 <= at < len(tokens) else ""


def _count(tokens: Sequence[Token], at: int) -> Count | None:
    """Read a count that starts here: "2", "x2", "another two", "a couple more of", "a pair of"."""
    one, more, start = tokens[at], False, at
    if one.text in ("just", "only") and at + 1 < len(tokens):
        return None
    if one.text in ("another", "an") and _text(tokens, at + 1) in ("other", "extra", "additional"):
        return Count(1, start, at + 2, more=True)
    if one.text == "another":
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if after is not None and after.kind is Kind.NUMBER and not _is_unit(tokens, at + 2):
            return Count(after.value, start, _past_measure(tokens, at + 2), more=True)
        return Count(1, start, _past_measure(tokens, at + 1), more=True)
    value = 0
    if one.text in ("a", "the") and _text(tokens, at + 1) in _WORDED:
        value = _WORDED[_text(tokens, at + 1)]
        at += 2
    elif one.text == "half" and _text(tokens, at + 1) == "a" and _text(tokens, at + 2) == "dozen":
        value = 6
        at += 3
    elif one.text in ("dozen", "single") or (one.text == "couple" and at == 0):
        value = _WORDED[one.text]
        at += 1
    elif one.text in ("pair", "piece") and start == 0:
        value = 1
        at += 1
    elif one.kind is Kind.TIMES or (
        one.kind is Kind.NUMBER and not _is_unit(tokens, at + 1) and _counts(tokens, at)
    ):
        value = one.value
        at += 1
    else:
        return None
    if _text(tokens, at) == "dozen":
        value *= 12
        at += 1
    if _text(tokens, at) in _MORE:
        more = True
        at += 1
    at = _past_measure(tokens, at)
    if _text(tokens, at) == "one" and value == 1 and tokens[start].text in ("a", "the", "single"):
        at += 1
    if _text(tokens, at) in _MORE:
        more = True
        at += 1
    if _text(tokens, at) == "of" and _text(tokens, at + 1):
        at += 1
    return Count(value, start, at, more)


_WORDED: Final = {"couple": 2, "dozen": 12, "pair": 1, "single": 1}


_NO_COUNT_BEHIND: Final = frozenset(
    "for size number no nr option item under below over usd in a".split()  # noqa: SIM905
)


def _counts(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a number counts, and is neither a size, a place nor half of "the one"."""
    before, after = _text(tokens, at - 1), _text(tokens, at + 1)
    if before in _NO_COUNT_BEHIND and not (before == "for" and after == "of"):
        return False
    is_pronoun = tokens[at].text == "one" and (
        (before == "the" and _text(tokens, at - 2) not in ("just", "only", "to"))
        or before in ("that", "this", "which", "other", "last", "any", "no", "every", "each")
        or after in ("of", "that", "which", "with", "from")
    )
    return not is_pronoun and tokens[at].value < 1_000


def _is_unit(tokens: Sequence[Token], at: int) -> bool:
    return _text(tokens, at) in UNITS


def _past_measure(tokens: Sequence[Token], at: int) -> int:
    return at + 1 if _text(tokens, at) in _MEASURES else at


def _thing(tokens: Sequence[Token], start: int) -> Thing | None:
    """Read one thing that starts here, its article first."""
    at = start
    while _text(tokens, at) in _DETERMINERS and at - start < 3:
        if _text(tokens, at) in _PRONOUNS and not _goes_on(tokens, at + 1):
            break
        at += 1
    if at >= len(tokens):
        return None
    definite = bool({t.text for t in tokens[start:at]} & _DEFINITE)
    one = tokens[at]
    if one.kind is Kind.SKU:
        return Thing(Sku(one.text.upper()), start, at + 1)
    if (thing := _several(tokens, start, at)) is not None:
        return thing
    if (place := _place(tokens, start, at)) is not None:
        return place
    if (extreme := _extreme(tokens, start, at)) is not None:
        return extreme
    if one.text == "other" and _text(tokens, at + 1) in _BEHIND_OTHER:
        return Thing(Other(), start, at + 1 + (_text(tokens, at + 1) in _ONE))
    is_hers = one.text in ("her", "him") and _text(tokens, start - 1) in ("of", "take", "add")
    if is_hers and at + 1 == len(tokens):
        return Thing(It(), start, at + 1)
    if one.text in _PRONOUNS:
        end = at + 1 + (_text(tokens, at + 1) in ("one", "ones", "two", "pair"))
        return Thing(It(one.text in _MANY), start, end)
    return _named(tokens, start, at, definite=definite)


_BEHIND_OTHER: Final = frozenset({"", "one", "pair", "please", "then", "for", ",", ".", "too"})


def _goes_on(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether "that" or "these" stands before a noun, and not for one."""
    if at >= len(tokens):
        return False
    one = tokens[at]
    return one.kind in (Kind.SKU, Kind.NTH) or _says(tokens, at) or one.text in SUPERLATIVES


def _several(tokens: Sequence[Token], start: int, at: int) -> Thing | None:
    """Read "both", "all three of them", "one of each", "everything"."""
    one = tokens[at]
    words = [_text(tokens, at + n) for n in range(5)]
    if words[:3] == ["one", "of", "each"]:
        return Thing(Every(), start, at + 3, 1)
    if one.text == "all" and _text(tokens, start - 1) == "after":
        return None
    if one.text in ("both", "each", "everything", "all", "every"):
        end, most = at + 1, 2 if one.text == "both" else None
        while _text(tokens, end) in ("of", "the", "them", "these", "those", "it", "my"):
            end += 1
        if end < len(tokens) and tokens[end].kind is Kind.NUMBER and not _is_unit(tokens, end + 1):
            most, end = tokens[end].value, end + 1
        words_of, past = _row(tokens, end)
        if one.text == "both" and has_model(words_of):
            # "Both the X and the Y": each is named.
            return None
        return Thing(Every(most, words_of, exact=most is not None), start, past)
    several = tokens[at + 1] if at + 1 < len(tokens) else one
    is_first = one.text == "first" and several.kind is Kind.NUMBER and several.text != "one"
    if is_first and not _is_unit(tokens, at + 2):
        end = at + 2
        end += 2 if words[2:4] in (["of", "them"], ["of", "these"], ["of", "those"]) else 0
        end += _text(tokens, end) == "ones"
        return Thing(Every(several.value), start, end)
    if one.text == "two" and _text(tokens, start) in ("the", "those", "these") and at > start:
        return Thing(Every(2, exact=True), start, at + 1)
    return None


def _place(tokens: Sequence[Token], start: int, at: int) -> Thing | None:
    one, value, counted, end = tokens[at], 0, True, at + 1
    if at == start and _is_adverb(tokens, at):
        return None
    if one.kind is Kind.NTH:
        value, counted = one.value, one.text[0] != "#"
    elif one.text in ("last", "bottom") and (
        _text(tokens, at + 1) in ("one", "pair")
        or (_text(tokens, at + 1) in ("", "please") and (at > start or at == 0))
        or (_text(tokens, at + 1) == "of" and _text(tokens, at + 2) in _THESE)
    ):
        value = -1
    elif one.text == "top" and _text(tokens, at + 1) in ("one", "pair"):
        value = 1
    elif one.text in ("number", "no", "nr", "option", "item") and at + 1 < len(tokens):
        after = tokens[at + 1]
        if after.kind is not Kind.NUMBER:
            return None
        value, counted, end = after.value, False, at + 2
    else:
        return None
    if value > 0 and _text(tokens, end) in ("to", "from") and _text(tokens, end + 1) == "last":
        value, end = -value, end + 2
    words, end = _row(tokens, end)
    end += _text(tokens, end) in _ONE
    if _text(tokens, end) == "of" and _text(tokens, end + 1) in _THESE:
        end += 2
    elif _text(tokens, end) == "on" and _text(tokens, end + 2) == "list":
        end += 3
    return Thing(Nth(value, words, counted), start, end)


_THESE: Final = ("these", "those", "them")


def _is_adverb(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether "first" says when: "i need to see it first"."""
    ends = _text(tokens, at + 1) in ("", ".", ",", "!", "?", ":", ";", "-")
    before = _text(tokens, at - 1)
    of_what = at > 1 and before.isalpha() and before not in _BEFORE_A_PLACE | ACTS
    return _text(tokens, at) == "first" and ends and (before in _PRONOUNS or of_what)


_BEFORE_A_PLACE: Final = frozenset(
    "the and or then take want give get buy have me us only just number number no so".split()  # noqa: SIM905
)


def _extreme(tokens: Sequence[Token], start: int, at: int) -> Thing | None:
    one = tokens[at].text
    by = LEADING.get(one, {}).get(_text(tokens, at + 1))
    end = at + (2 if by else 1)
    by = by or SUPERLATIVES.get(one)
    if by is None:
        return None
    is_compared = one.endswith(_COMPARED) or one in ("more", "less", "better")
    if is_compared and at == start and _text(tokens, end) not in _ONE:
        # "Something lighter" points at nothing; "the lighter one" does.
        return None
    words, end = _row(tokens, end)
    end += _text(tokens, end) in _ONE
    if _text(tokens, end) == "of" and _text(tokens, end + 1) in ("these", "those", "them", "the"):
        end += 2
        end += _text(tokens, end) in ("two", "three", "lot", "four", "five")
    return Thing(Extreme(by, words), start, end)


def _says(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a token says something of goods, or is half of a model's name."""
    if at >= len(tokens):
        return False
    one, before, after = tokens[at], _text(tokens, at - 1), _text(tokens, at + 1)
    if one.kind is Kind.NUMBER:
        return after in UNITS - {"dollars", "usd", "bucks", "euros", "euro", "pounds"}
    if one.kind is not Kind.WORD:
        return False
    starts = at == 0 or before in ("please", "just", "you", "and", "then", ",", "to")
    if starts and one.text in _VERBS_TOO and _is_acted_on(tokens, at + 1):
        return False
    is_measure = one.text in UNITS and at > 0 and tokens[at - 1].kind is Kind.NUMBER
    is_name = is_model(one.text, after) or is_model(before, one.text)
    return is_name or is_measure or one.text in GOODS or fold(one.text) in NOUNS


def _is_acted_on(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a thing starts here, so that a verb stands before it: "stick COAT-010 in"."""
    after = _text(tokens, at)
    is_thing = at < len(tokens) and tokens[at].kind in (Kind.SKU, Kind.NUMBER, Kind.NTH)
    is_named = is_model(after, _text(tokens, at + 1))
    return is_thing or is_named or after in _DETERMINERS | _PRONOUNS | {"in", "me", "us", "both"}


def _row(tokens: Sequence[Token], at: int) -> tuple[tuple[str, ...], int]:
    """Return the words in a row from here that say something of goods, and where they end."""
    end = at
    while _says(tokens, end):
        end += 1
    return tuple(token.text for token in tokens[at:end]), end


def _named(tokens: Sequence[Token], start: int, at: int, *, definite: bool) -> Thing | None:
    words, end = _row(tokens, at)
    if not words or _is_the_cart(tokens, start, words):
        return None
    named = has_model(words)
    has_noun = any(fold(word) in NOUNS for word in words)
    has_one = _text(tokens, end) in _ONE
    if not (named or has_noun or (has_one and definite)):
        return None
    end += has_one and not (_text(tokens, end) == "one" and _text(tokens, end + 1) in _MEASURES)
    # "A swift river" may be any of that name.
    is_any = named and not has_noun and _text(tokens, start) in _ANY
    sure = definite or (named and not is_any)
    return Thing(Named(words, definite or named), start, end, sure=sure)


_ANY: Final = frozenset({"a", "an", "any", "some"})


def _is_the_cart(tokens: Sequence[Token], start: int, words: Sequence[str]) -> bool:
    """Tell whether "in my bag" says where something goes."""
    while _text(tokens, start - 1) in ("my", "the", "our", "shopping"):
        start -= 1
    return tuple(words) == ("bag",) and _text(tokens, start - 1) in ("in", "into", "to", "inside")


def _with_tail(tokens: Sequence[Token], thing: Thing) -> Thing:
    """Take the count that stands behind a thing: "SOCK-006 x4", "the poles, 1 pc"."""
    at = thing.end
    at += _text(tokens, at) == "please" and _text(tokens, at + 1) == ","
    at += _text(tokens, at) in (",", "-", ":") and at + 1 < len(tokens)
    if thing.quantity is not None or at >= len(tokens):
        return thing
    at += _text(tokens, at) in ("just", "only")
    at += _text(tokens, at) == "the" and _text(tokens, at + 1) == "one"
    if at >= len(tokens):
        return thing
    one, after = tokens[at], _text(tokens, at + 1)
    tail = _count(tokens, at)
    if tail is not None and _is_of_each(tokens, tail.end):
        return thing
    if one.kind is Kind.TIMES:
        return replace(thing, quantity=one.value, end=at + 1)
    if one.text == "twice" and after in ("", ".", ",", "!", "please", "and", "then"):
        return replace(thing, quantity=2, end=at + 1)
    is_alone = after in ("", ".", ",", "!", "\n", "please", *_MEASURES)
    if one.kind is Kind.NUMBER and is_alone and _thing(tokens, at + 1) is None:
        if isinstance(thing.item, Extreme) and at == thing.end and after not in _MEASURES:
            # "The cheapest two": two of it, or the two that are cheapest.
            return replace(thing, quantity=one.value, end=at + 1, sure=False)
        return replace(thing, quantity=one.value, end=_past_measure(tokens, at + 1))
    if one.text in ("a", "one") and after in _MEASURES and _text(tokens, at + 2) in ("", "please"):
        return replace(thing, quantity=1, end=at + 2)
    return thing
