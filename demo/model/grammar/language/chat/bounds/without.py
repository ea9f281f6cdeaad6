"""Find what goods are not wanted to be: "not leather", "no sky coloured ones", "not a quilt"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.names import MODELS
from daybook.demo.model.grammar.language.chat.vocabulary import COLOURS, says_goods
from daybook.demo.model.grammar.language.intents.cart import Swap
from daybook.demo.model.grammar.language.intents.goods import (
    AskProperty,
    Details,
    Mention,
    Pick,
    Reviews,
    Search,
    Suggest,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Extreme, Named
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import fold, in_shop_words, kind_of

_NEGATES: Final = frozenset("not no without never hate avoid except nothing neither non".split())  # noqa: SIM905
_LEADS: Final = (
    ("sick", "of"),
    ("other", "than"),
    ("tired", "of"),
    ("apart", "from"),
    ("but", "no"),
    ("anything", "but"),
    ("everything", "but"),
    ("all", "but"),
    ("rather", "than"),
    ("instead", "of"),
)
_LITTLE: Final = frozenset(
    """
    a an the any of in with made from by for too real want like need some please those these one
    that is are
    """.split()  # noqa: SIM905
)
_OF_MEASURE: Final = frozenset("more over above heavier bigger cheap expensive dear".split())  # noqa: SIM905
_GROWN_UP: Final = re.compile(r"\bfor (?:a |an |us )?(?:grown-? ?ups?|adults?)\b")
_SAID_WITHOUT: Final = re.compile(r"non-?(\w+)|(\w+)-free")
_FEATHERS: Final = frozenset({"feather", "feathers", "plumes"})
_SKY: Final = frozenset({"sky"})


def excluding(found: Sequence[Intent], tokens: Sequence[Token]) -> tuple[Intent, ...]:
    """Take what a text does not want out of its searches, and note it there."""
    unwanted = unwanted_in(tokens)
    text = " ".join(token.text for token in tokens)
    models = _models_unwanted(text) if _ELSE.search(text) else ()
    if models and all(isinstance(one, _ONLY_LOOKS) for one in found):
        return (Search(narrows=True, without=models),)
    looks = [one for one in found if isinstance(one, Search) and kind_of(one.query.split())]
    models = () if looks else _models_unwanted(text)
    if models and all(isinstance(one, _ONLY_LOOKS) for one in found):
        # "Low trail shoes, not the Birch Hollow, had those".
        kind = _kind_before(text, models[0])
        if kind is not None:
            return (replace(kind, without=models),)
    if unwanted == ("kids",) and _NOT_FOR_KIDS.search(text):
        # What is for kids is left out of the most of something when that is told.
        found = [_of_grown_ups(one) for one in found]
    elif unwanted:
        found = [_narrowed(one) for one in found]
    if not unwanted or not any(isinstance(one, Search) for one in found):
        return tuple(found)
    left = [_without(one, unwanted) for one in found]
    named = [one for one in left if not (isinstance(one, Search) and not one.query)]
    return tuple(named if any(isinstance(one, Search) for one in named) else left)


def _kind_before(text: str, model: str) -> Search | None:
    """Return a search for the goods that a text begins with, before the model that it bars."""
    bars = rf"\b(?:not|no|except|but|besides|than|from) (?:the |that |this )?{model}"
    before = re.split(bars, text)[0]
    words = [word for word in re.findall(r"[\w-]+", before) if says_goods(word)]
    if kind_of(words) is None or _STARTS.match(before) is None:
        return None
    query, category = in_shop_words(words)
    return Search(" ".join(query), category)


_STARTS: Final = re.compile(
    r"\W*(?:(?:hi|hello|hey|ok|so|and|any|some|show me|i (?:need|want|am after|am looking for)"
    r"|looking for|need|after|a|an|pair of|pairs of)\b\W*)*(?!the\b|that\b|this\b)[a-z]"
)
_NOT_FOR_KIDS: Final = re.compile(
    r"\b(?:adults?|grown[- ]?ups?|not (?:for )?(?:the |a )?(?:kids?|child\w*))\b"
)


def _of_grown_ups(intent: Intent) -> Intent:
    match intent:
        case Pick(Extreme(by, words)) | Mention(Extreme(by, words)) if kind_of(words):
            at = words.index("for") if "for" in words else len(words)
            kept = tuple(word for word in words[:at] if fold(word) != fold("kids"))
            return Pick(Extreme(by, kept))
        case AskProperty(Named(("cheapest", *words)), ("kids",)) if kind_of(words):
            return Pick(Extreme("cheapest", tuple(words)))
        case _:
            return intent


def _models_unwanted(text: str) -> tuple[str, ...]:
    """Return the models that are not wanted: "not the Clover Bank, what else"."""
    return tuple(
        model
        for model in MODELS
        if re.search(
            rf"\b(?:not|no|except|but|besides|than|from) (?:the |that |this )?{model}", text
        )
    )


_ONLY_LOOKS: Final = Search | Reviews | Swap | Suggest | NotUnderstood | Mention | Pick | Details
_ELSE: Final = re.compile(
    r"\b(?:what else|who else|others|another|(?:anything|something|someone) else|different"
    r"|more (?:of|like)|the rest|any other)\b(?! for)"
)


def _narrowed(intent: Intent) -> Intent:
    """Read the cheapest of some goods, but not all of them, as a search: it can leave some out."""
    match intent:
        case (
            Pick(Extreme("cheapest", words))
            | AskProperty(Named(("cheapest", *words)))
            | Mention(Named(("cheapest", *words)))
        ):
            return Search(" ".join(words), narrows=kind_of(words) is None, first="cheapest")
        case _:
            return intent


def unwanted_in(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the words of goods that stand behind a negation."""
    tokens = [replace(t, text="down") if t.text in _FEATHERS else t for t in tokens]
    found = ["kids"] if _GROWN_UP.search(" ".join(t.text for t in tokens)) else []
    for at, token in enumerate(tokens):
        pair = (token.text, tokens[at + 1].text if at + 1 < len(tokens) else "")
        if (bare := _SAID_WITHOUT.fullmatch(token.text)) is not None:
            found += [word for word in bare.groups() if word and says_goods(word)]
        if token.text == "but" and {"any", "every"} & {t.text for t in tokens[max(0, at - 2) : at]}:
            start = at + 1
        else:
            start = at + 2 if pair in _LEADS else at + 1 if token.text in _NEGATES else 0
        if not start:
            continue
        while start < len(tokens) and tokens[start].text in _LITTLE:
            start += 1
        while start < len(tokens) and _is_goods(tokens[start]):
            found.append(tokens[start].text)
            start += 1
    return tuple(dict.fromkeys(found))


def _is_goods(token: Token) -> bool:
    word = token.text
    is_word = token.kind is Kind.WORD and word not in _OF_MEASURE
    return is_word and (says_goods(word) or word in COLOURS or word in _SKY)


def _without(intent: Intent, unwanted: Sequence[str]) -> Intent:
    if not isinstance(intent, Search):
        return intent
    gone = {fold(word) for word in unwanted} | (_FEATHERS if "down" in unwanted else set())
    little = {"color", "colour", "colored", "coloured", "not", "no", "without", "with"}
    kept = [
        word
        for word in intent.query.split()
        if fold(word) not in gone
        and word not in gone
        and word not in little
        and word != ","
        and not _SAID_WITHOUT.fullmatch(word)
    ]
    return replace(intent, query=" ".join(kept), without=tuple(unwanted), bare=False)
