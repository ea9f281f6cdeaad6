"""Read a wish for goods: the words that say something of them, and the limits. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.frames.things import LEADING, SUPERLATIVES
from daybook.demo.model.grammar.language.chat.read.changes.counts import WORDS_FOR
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.goods.pointing import content_of
from daybook.demo.model.grammar.language.chat.vocabulary import GOODS, SILENT, is_a_name, says_goods
from daybook.demo.model.grammar.language.intents.goods import AskKinds, Pick, Search, Suggest
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Extreme
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import CHEAP, NOUNS, fold, in_shop_words, kind_of

_MOST_OF: Final = frozenset(
    word for word, by in SUPERLATIVES.items() if word.endswith("est") and by != "best"
)


def searched(clause: Clause) -> list[Intent] | None:
    """Read a wish for goods: the words that say something of them, and the limits."""
    text = clause.text
    lowest, highest = price_bounds(text)
    if _IN_STOCK.search(text) and not any(fold(t.text) in NOUNS for t in clause.tokens):
        return [Search(max_price=highest, min_price=lowest, narrows=True, in_stock=True)]
    words = content_of(_without_stories(clause.tokens))
    by = next((SUPERLATIVES[t.text] for t in clause.tokens if t.text in _MOST_OF), None)
    for one, two in pairwise(token.text for token in clause.tokens):
        by = by or (LEADING.get(one, {}).get(two) if one in ("most", "least") else None)
    said = tuple(word for word in words if word not in _MOST_OF)
    if by is not None and said and (lowest, highest) == (None, None):
        return [Pick(Extreme(by, said))]
    nouns = [word for word in words if fold(word) in NOUNS]
    if nouns:
        query, category = in_shop_words([word for word in words if word not in CHEAP])
        sized = _sized(text)
        return [
            Search(
                " ".join([*query, *sized])[:200] or " ".join(words),
                category,
                highest,
                lowest,
                cheap=any(word in CHEAP for word in words),
            )
        ]
    if re.fullmatch(r"(?:the |show |see |me )*next(?: ones?| page| five| results?| please)*", text):
        return [Search(more=True)]
    goods = [word for word in words if word in GOODS or fold(word) in GOODS]
    sized = _sized(text)
    if _TELLS_WHY.search(text) and not re.search(r"\b(?:any|something|anything|show|find)\b", text):
        return None
    if re.search(r"\b(?:cards?|address)\b", text):
        return None
    if re.search(
        r"\bcheaper|less expensive|lower price|too (?:expensive|pricey|dear|much)\b", text
    ):
        return [Search(" ".join(goods), None, highest, lowest, cheap=True, narrows=bool(goods))]
    if re.search(
        r"\b(?:more|other|others|else|similar|alternatives?|different|like (?:it|that|this))\b",
        text,
    ) and (
        re.search(
            r"\b(?:show|any|have|got|something|anything|find|see|what|options?|results?|ones?)\b",
            text,
        )
    ):
        if goods or highest is not None:
            return [Search(" ".join([*goods, *sized]), None, highest, lowest, narrows=True)]
        return [Search(more=True)]
    if not (goods and highest is not None) and re.search(
        r"\b(?:show|see|list)\b.*\ball\b|\bmore like\b|\b(?:bigger|larger|smaller|longer"
        r"|shorter)\b",
        text,
    ):
        return [Search(more=True)]
    names = [t.text for t in clause.tokens if t.kind is Kind.WORD and is_a_name(t.text)]
    if names and len(clause.tokens) <= 5 and highest is None and not sized:
        return [Search(" ".join(w for w in text.split() if w not in SILENT)[:200])]
    lighter = {"lighter": "light", "warmer": "warm", "thicker": "thick", "thinner": "thin"}
    compared = [lighter[word] for word in text.split() if word in lighter]
    if goods or sized or compared:
        added = " ".join(
            dict.fromkeys([*(w for w in goods if w not in lighter), *compared, *sized])
        )
        return [Search(added, None, highest, lowest, narrows=True)]
    if highest is not None or lowest is not None:
        return [Search("", None, highest, lowest)]
    if re.search(
        r"\b(?:what|which) (?:do|all|kinds?|stuff|things?) .*\b(?:sell|have|offer)\b", text
    ):
        return [AskKinds()]
    return None


_IN_STOCK: Final = re.compile(
    r"^(?:(?:and|but|ok|please|show|me) )*(?:only|just|hide|skip|leave out|without|not|drop)\b.*"
    r"\b(?:in stock|available|sold out|out of stock)\b"
    r"|\b(?:ones|of (?:these|those|them)|anything|what)(?: (?:that|which))?(?: (?:is|are))?"
    r"(?: actually| still)? (?:in stock|available)\b"
)
_TELLS_WHY: Final = re.compile(
    r"\b(?:its?|it is|they are|that is|which is|one is) (?:a (?:bit|lot) |much |so |way |even )?"
    r"(?:cheaper|lighter|warmer|smaller|bigger|better|nicer)\b"
)


def _without_stories(tokens: Sequence[Token]) -> Sequence[Token]:
    """Leave out what is told beside a wish: "a lamp, as my wife broke one in the tent"."""
    parts: list[list[Token]] = [[]]
    for at, token in enumerate(tokens):
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if (
            token.kind is Kind.MARK
            or token.text == "because"
            or (token.text in ("as", "since", "so") and after in _WHO)
        ):
            parts.append([])
        parts[-1].append(token)
    kept = [part for part in parts if not _is_story({token.text for token in part})]
    left = [token for part in kept for token in part]
    return left if any(fold(token.text) in NOUNS for token in left) else tokens


_WHO: Final = frozenset("i we he she they my our his her their it".split())  # noqa: SIM905
_WISHES: Final = frozenset(
    """
    need needs want wants looking look like show see find search sell stock after got get recommend
    suggest prefer should must buy
    """.split()  # noqa: SIM905
)


def _is_story(texts: set[str]) -> bool:
    """Tell whether words tell of somebody, and hold no wish."""
    return bool(texts & _WHO) and not texts & _WISHES


def _sized(text: str) -> list[str]:
    found = re.search(r"\bsize (\d{2}(?:\.5)?|x{0,3}[sml])\b", text)
    people = re.search(
        r"\b(\d|one|two|three|four|five|six) (?:people|persons?|man|men|adults)\b", text
    )
    litres = re.search(r"\b(\d{1,3}) ?(?:litres?|liters?|l)\b", text)
    sized = ["size", found[1]] if found else []
    if people:
        sized += [
            next((w for w, n in WORDS_FOR.items() if str(n) == people[1]), people[1]),
            "person",
        ]
    return [*sized, litres[1], "litre"] if litres else sized


def wished_for(clause: Clause) -> list[Intent] | None:
    """Read a search for what no word is known for: "do you have gaiters"."""
    found = re.search(
        r"\b(?:do you (?:sell|have|carry|stock|offer|do)|have you got|you got|got any|i need|i "
        r"want|looking"
        r" for|i am after|any|how about|what about|can i get|find me|show me|is there|are "
        r"there)\b (.+)$",
        clause.text,
    )
    words = [word for word in (found[1].split() if found else ()) if word not in SILENT]
    is_few = found is not None and len(found[1].split()) <= 6
    said = clause.text.split()
    if found is None and len(said) <= 3 and all(is_a_name(w) or says_goods(w) for w in said):
        return [Search(" ".join(said), bare=True)]
    return [Search(" ".join(words)[:200])] if words and is_few else None


_NEEDS_ALL: Final = re.compile(
    r"\bwhat (?:all |else |things? )?(?:(?:i|we|one) (?:will |would |might |may |should |shall "
    r"|do )?(?:all )?(?:need|require|have to|must|buy|take|bring|pack|get)\b|to (?:buy|take"
    r"|bring|pack|get)\b|is (?:needed|required|necessary)\b)"
)
"""A wish for advice on all that is needed: what there is comes first."""


def suggested(clause: Clause) -> list[Intent] | None:
    """Read a wish for advice: what goes with something, or what is recommended."""
    text = clause.text
    if re.search(
        r"\b(?:goes?|fits?|pairs?|match(?:es)?|suits?|go) (?:well |best |nicely )?(?:with"
        r"|together)\b",
        text,
    ):
        kinds = tuple(w for w in content_of(clause.tokens) if kind_of([w]))
        return [Suggest(kinds)]
    if re.search(
        r"\b(?:recommend|suggest|advise|propose|recommendations?|suggestions?|ideas?)\b", text
    ):
        words = content_of(clause.tokens)
        if any(fold(word) in NOUNS for word in words):
            query, category = in_shop_words(words)
            return [Search(" ".join(query), category, price_bounds(text)[1])]
        return [AskKinds()] if _NEEDS_ALL.search(text) else [Suggest()]
    return None
