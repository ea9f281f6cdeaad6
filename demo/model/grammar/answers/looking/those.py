"""Read which of the goods on view are meant by what they are like: "which ones have a hood?". Pure.

It is asked of a list of several alone, and of no one product: what the words say is looked for on
the pages of those that were shown, and not in the whole shop.
"""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import is_of_cart
from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.bounds.measures import measured
from daybook.demo.model.grammar.language.chat.bounds.without import unwanted_in
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.things import SUPERLATIVES
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import (
    GOODS,
    MATERIALS,
    PROPERTIES,
    SILENT,
    is_content,
)
from daybook.demo.model.grammar.language.intents.goods import Search, Those
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import fold, kind_of
from daybook.demo.model.grammar.page import ASKED_FOR
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.scene import scene_of

_LEAD: Final = (
    r"(?:(?:and|so|but|ok|oh|well|right|hm+|now|then|also|please|yes|no|actually|thanks|,|\.|!) )*"
)
_OF: Final = r"(?: (?:out )?of (?:them|these|those|the (?:list|lot|ones|five|four|three|two)))"
_VERB: Final = (
    r"(?:is|are|has|have|comes?|runs?|takes?|fits?|got|uses?|holds?|weighs?|packs?|folds?|burns?"
    r"|works?|goes|go|does|do|can)"
)
_SHAPES: Final = (
    # "Are any of them for women", "do any have a hip belt"
    rf"{_LEAD}(?:are|is|do|does|have|has|did|can|will) (?:any|some|one|all|either|each|none|most)"
    rf"(?: ones?)?(?:{_OF}| (?:for|with|{_VERB})\b)",
    # "Which ones have a hood", "which of those is unisex"
    rf"{_LEAD}(?:show me |tell me )?(?:which(?: ones?)?{_OF}?|what(?: ones?|{_OF})"
    rf"|any{_OF}) {_VERB}\b",
    rf"{_LEAD}(?:which|what) ones\b",
    rf"{_LEAD}any{_OF}",
    # "Only those with a rain cover", "just the ones in stock"
    rf"{_LEAD}(?:(?:can you |could you )?(?:show|give) me )?(?:only|just) (?:the |those |these )?"
    r"(?:ones? )?(?:with|in|that|which|under|over|below|above|from)\b",
    # "The black ones", "show me the ones over 4 stars", "not the yellow ones"
    rf"{_LEAD}(?:(?:show|give|tell) me |only |just |not |anything but |all but |without )*"
    r"(?:only |just )?(?:the|those|these)(?: [\w-]+){0,4} ones\b",
    rf"{_LEAD}(?:any|the ones|those|ones|something|anything)(?: (?:of them|here))?"
    r" (?:that|which) (?:is|are|has|have|does|do) not\b",
)
_OF_THOSE: Final = re.compile("|".join(_SHAPES))
_TURNS: Final = re.compile(
    r"\b(?:cart|basket|order(?:s|ed)?|bought|buy|cost|costs|price|prices|much|than|if|when|why|how"
    r"|better|best|most|least|difference|compare|compared|you|your|would|should|i|my|said|told"
    r"|recommend|suggest|reviews?|reviewed|popular|other|others|else|same|instead|similar|like"
    r"|first|last|second|third|more|less|add|take|cheap|them both|out|away"
    r"|(?:can|could|should|may|must) go)\b"
)
_REST_OF_IT: Final = re.compile(r"\b(?:over|above|under|below|more|less) .*\d|\d .*\bstars?\b")
_MOST: Final = 6
_LONGEST: Final = 16
_IS_VERB: Final = re.compile(rf"{_VERB}|made|minus|degrees?")
_BESIDE: Final = frozenset({"not", "no", "without", "color", "colour", "colored", "ones", "fits"})


def of_those(text: str, prompt: Prompt) -> Those | None:
    """Return what those on view are asked for; None where nothing is asked of them so."""
    tokens = tokens_of(text)
    plain = " ".join(token.text for token in tokens).strip(" ?!.,")
    shape = _OF_THOSE.match(plain) if len(tokens) <= _LONGEST else None
    scene = scene_of(prompt)
    question = question_of(prompt.past[-1]) if prompt.past else ""
    is_open = is_of_cart(question) and len(tokens) <= _FEW
    is_open = is_open or question.startswith("Which one shall I add")
    is_open = is_open or (question.startswith("Which one") and _ASKS.match(plain) is None)
    if shape is None or not 1 < len(scene.latest) <= _MOST or is_open:
        return None
    texts = [token.text for token in tokens]
    is_cart = {row.sku for row in scene.latest} == {line.sku for line in scene.cart}
    if not _ASKS.match(plain) and (is_cart or _changed_the_cart(prompt)):
        # "Only the merino ones" takes back what was just done.
        return None
    if ACTS & {*texts} or SUPERLATIVES.keys() & {*texts} or has_model(texts):
        return None
    if _TURNS.search(_REST_OF_IT.sub("", plain)):
        return None
    kind = kind_of(texts)
    if kind is not None and kind != scene.kind:
        return None
    wanted = _wanted(tokens, plain, scene.kind)
    return Those(wanted, plain) if wanted is not None else None


_FEW: Final = 4
_ASKS: Final = re.compile(rf"{_LEAD}(?:which|what|any|are|is|do|does|have|has|can|will)\b")
_TOOLS: Final = frozenset({"add_to_cart", "set_quantity", "remove_from_cart"})


def _changed_the_cart(prompt: Prompt) -> bool:
    calls = prompt.past[-1].calls if prompt.past else ()
    return any(call.tool in _TOOLS for call in calls)


def _wanted(tokens: Sequence[Token], plain: str, kind: str | None) -> Search | None:
    """Read what goods shall be like; None where a word is left that may say more of them."""
    lowest, highest = price_bounds(plain)
    without = unwanted_in(tokens)
    (narrowed, *_) = measured((Search(category=kind, narrows=True),), tokens)
    measures = narrowed.measures if isinstance(narrowed, Search) else ()
    gone = {fold(word) for word in without} | _BESIDE
    said: list[str] = []
    for at, token in enumerate(tokens):
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        word = token.text
        if fold(word) in gone or kind_of([word]) is not None or _IS_VERB.fullmatch(word):
            continue
        if token.kind in (Kind.NUMBER, Kind.MONEY, Kind.ODD):
            if (lowest, highest) != (None, None) or measures:
                continue
            said.append(str(token.value) if token.kind is Kind.NUMBER else word)
        elif token.kind is Kind.WORD and (_says_how(word) or word in _SIZES):
            if not (measures and word in _UNITS):
                said.append(word)
        elif token.kind is Kind.WORD and is_content(word) and word not in SILENT:
            return None
        elif after == "stock":
            continue
    in_stock = "stock" in plain.split() or "available" in plain.split()
    words = [word for word in said if word not in ("stock", "available", "stars")]
    if not (words or without or measures or in_stock or lowest or highest):
        return None
    return Search(
        " ".join(words),
        max_price=highest,
        min_price=lowest,
        without=without,
        measures=measures,
        in_stock=in_stock,
        narrows=True,
    )


_SIZES: Final = frozenset({"xs", "s", "m", "l", "xl", "xxl", "xxxl"})
_UNITS: Final = frozenset(
    "litre litres liter liters lumen lumens kg kilo kilos gram grams g cm stars star lm".split()  # noqa: SIM905
)


def _says_how(word: str) -> bool:
    """Tell whether a word says how goods are, or names what a page tells."""
    return any(word in known for known in (GOODS, MATERIALS, PROPERTIES, ASKED_FOR, _PARTS))


_PARTS: Final = frozenset(
    "hip cover adjustable back piezo pegs pocket pockets strap straps porch door doors".split()  # noqa: SIM905
)
