"""Read a wish to hear of products: prices, reviews, details, and which has the most. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.frames.polite import IDLE, JOINTS
from daybook.demo.model.grammar.language.chat.frames.questions import COMPLAINED, SAID_BY_OTHERS
from daybook.demo.model.grammar.language.chat.frames.things import LEADING, SUPERLATIVES
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.read.changes.counts import NUMBER, amount_of
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.goods.pointing import (
    content_of,
    items_in,
    pointed_at,
    tail_of,
)
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    CompareReviews,
    Details,
    Pick,
    Reviews,
    Search,
    Times,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import AskPolicy
from daybook.demo.model.grammar.language.intents.references import (
    By,
    Every,
    Extreme,
    It,
    Named,
    Nth,
    Sku,
)
from daybook.demo.model.grammar.language.tokens import Kind
from daybook.demo.model.grammar.language.words import kind_of


def priced(clause: Clause) -> list[Intent] | None:
    """Read a question for the price of one, or of so many."""
    text = clause.text
    if found := re.search(
        rf"\b(?:what|how much)\b.*\b{NUMBER}(?: pairs?| pieces?| packs?)? "
        r"(?:times|x|of (?:them|it|those|these))\b"
        r"|\b(?:and )?(?:if|when) i (?:took|take|bought|buy|got|get|ordered|order|had"
        r"|want(?:ed)?|added|add)"
        rf" {NUMBER}\b|\bfor {NUMBER}(?: of (?:them|it))?$"
        rf"|\bcosts? {NUMBER}(?: of (?:them|it))?$",
        text,
    ):
        count = next((group for group in found.groups() if group), "1")
        pointed = pointed_at(clause, text)
        is_money = re.search(r"\b(?:prices?|costs?|how much|if i|come to|comes to)\b", text)
        if is_money:
            is_known = not isinstance(pointed, Named) or says_which(pointed)
            return [Times(amount_of(count), pointed if pointed and is_known else It())]
    is_told = re.match(
        r"(?:that|it|this|they|these|those)? ?(?:is|are)? ?(?:a bit |way |much |far )?too\b", text
    )
    if is_told:
        return None
    if _PRICE.search(text) and not price_bounds(text)[1]:
        pointed = pointed_at(clause, text)
        if _AND_WEIGHT.search(text):
            item = pointed or It()
            return [AskPrice(item), AskProperty(item, ("weight",))]
        if re.search(r"\b(?:weigh|lbs|weight|heavy|litres?|rain|water)\b", text):
            return None
        of_shop = re.search(r"\b(?:shipping|delivery|postage|returns?|return label|post)\b", text)
        if pointed is None and of_shop is not None:
            is_return = of_shop.group().startswith("return")
            return [AskPolicy("returns" if is_return else "shipping")]
        return [AskPrice(pointed or It())]
    return None


_PRICE: Final = re.compile(
    r"\b(?:prices?|how much|costs?)\b|^(?!.*\b(?:not|nothing|too|less)\b).*\bexpensive\b"
)


_AND_WEIGHT: Final = re.compile(
    r"\b(?:costs?|prices?) and (?:what (?:does|do) (?:it|they) |how much (?:does|do) (?:it|they) )?"
    r"(?:the )?(?:weighs?|weight)\b|\b(?:weighs?|weight) and (?:the )?(?:costs?|prices?)\b"
)


def says_which(named: Named) -> bool:
    """Tell whether words name goods: a model, or a kind."""
    return has_model(named.words) or kind_of(named.words) is not None


def reviewed(clause: Clause) -> list[Intent] | None:
    """Read a question for what others say of products."""
    text = clause.text
    if not re.search(
        r"\b(?:reviews?|reviewers?|rated(?! (?:to|for|down)\b)|ratings?|opinions?|feedback"
        rf"|{SAID_BY_OTHERS}|customers prefer|{COMPLAINED}|any good|popular|others say|buyers"
        rf"|recommended by|stars"
        r"|cons|pros|downsides?|disadvantages?|others (?:say|think|like)|(?:customers|people"
        r"|others|they) (?:like|love"
        r"|hate|recommend)|problems? with|worst|praise)\b",
        text,
    ):
        return None
    wants_other = re.search(
        r"\b(?:with|better|good|best|higher|top)\b.*\b(?:reviews?|ratings?|rated|stars)\b", text
    )
    skus = [Sku(t.text.upper()) for t in clause.tokens if t.kind is Kind.SKU]
    if len(skus) > 1:
        return [CompareReviews(tuple(skus))]
    if re.search(r"\b(?:prefer|compare|which|at least)\b", text):
        words = tuple(w for w in content_of(clause.tokens) if kind_of([w]))
        return [Search(" ".join(words), kind_of(words))] if words else [CompareReviews((Every(),))]
    pointed = pointed_at(clause, text)
    points = pointed is not None and not (isinstance(pointed, Named) and not pointed.definite)
    if wants_other and not points:
        words = tuple(w for w in content_of(clause.tokens) if kind_of([w]))
        if words:
            return [Search(" ".join(words), kind_of(words))]
        return [CompareReviews((Every(),))]
    return [Reviews(pointed or It())]


def compared(clause: Clause) -> list[Intent] | None:
    """Read which of several products that are named is better."""
    skus = [Sku(t.text.upper()) for t in clause.tokens if t.kind is Kind.SKU]
    asks = re.search(r"\b(?:better|best|or|vs|versus|difference|compare|which)\b", clause.text)
    return [Details(sku) for sku in skus] if len(skus) > 1 and asks else None


_MORE_OF: Final[dict[str, By]] = {
    "capacity": "largest", "volume": "largest", "space": "largest", "room": "largest",
    "litres": "largest", "lumens": "brightest", "light": "brightest", "brightness": "brightest",
    "weighs": "heaviest", "weight": "heaviest", "warmth": "warmest",
}  # fmt: skip


def picked(clause: Clause) -> list[Intent] | None:
    """Read the question which one has the most of something."""
    text = clause.text
    if (most := _most_alone(clause)) is not None:
        return [Pick(Extreme(most))]
    if not re.match(r"(?:and |so |ok |but )*(?:which|what|whats)\b", text):
        return None
    if found := re.search(r"\b(?:most|more|less|least|fewer|biggest|highest|largest) (\w+)$", text):
        is_so = re.search(r"\b(?:is|are)\b(?: \w+){0,2} (?:most|more|the most)\b", text)
        by = LEADING["more"].get(found[1]) if is_so else None
        by = by or _MORE_OF.get(found[1])
        is_less = re.search(r"\b(?:less|least|fewer)\b", text) is not None
        if by is not None:
            return [Pick(Extreme("lightest" if by == "heaviest" and is_less else by))]
    if found := re.search(
        r"\b(?:folds?|packs?)\b.*\b(?:smaller|smallest|shorter|shortest)\b", text
    ):
        return [Pick(Extreme("smallest"))]
    if re.search(r"\b(?:holds?|carr(?:y|ies)|fits?|takes?|stores?) (?:the )?most\b", text):
        return [Pick(Extreme("largest"))]
    if re.search(r"\b(?:keeps? .*|is )(?:the )?warmest\b|\bkeeps? .* warmest\b", text):
        return [Pick(Extreme("warmest"))]
    if re.search(r"\bweighs? (?:the )?(?:less|least)\b(?! than)", text):
        return [Pick(Extreme("lightest"))]
    if re.search(r"\bweighs? (?:the )?(?:more|most)\b(?! than)", text):
        return [Pick(Extreme("heaviest"))]
    if re.search(
        r"\b(?:like|is|would be|do you think is|suits|fits) (?:the )?(?:best|better|nicest"
        r"|right)\b",
        text,
    ):
        return [Pick(Extreme("best"))]
    return None


def _most_alone(clause: Clause) -> By | None:
    """Return of what the most is asked, where nothing else is said: "the cheapest of them all"."""
    texts = [token.text for token in clause.tokens if token.text not in _BESIDE_MOST]
    most = [SUPERLATIVES.get(word, "") for word in texts]
    by = [word for word in most if word]
    if len(texts) == 2 and texts[0] in LEADING:
        return LEADING[texts[0]].get(texts[1])
    return (
        SUPERLATIVES[texts[0]]
        if len(by) == 1 and texts[1:] in ([], ["rated"], ["reviewed"])
        else None
    )


_BESIDE_MOST: Final = (IDLE | JOINTS | {
    "them", "those", "these", "all", "out", "which", "what", "they", "one", "ones", "two", "three",
    "both", "lot", "among", "from", "s", "winner",
}) - {"good", "great", "fine", "perfect"}  # fmt: skip


def told_of(clause: Clause) -> list[Intent] | None:
    """Read a wish to hear more about products that are named."""
    text = clause.text
    if re.fullmatch(
        r"(?:and |ok |more )?(?:details?|info|information|specs?|specifications|description"
        r"|tell me more|more info)"
        r"(?: please| about it)?|(?:what is|tell me about|what about) (?:that|this|it)(?: "
        r"one)?(?: like)?",
        text,
    ):
        return [Details(It())]
    if re.fullmatch(
        r"(?:and )?(?:what |which |the |its |and )*(?:sizes?|colou?rs?|weights?|materials?"
        r"|dimensions?|capacity|volume|height"
        r"|measurements|fit|brand|battery|stock)(?: please| then)?",
        text,
    ):
        word = re.sub(r"^.*\b(?=\w+$)", "", text.removesuffix(" please").removesuffix(" then"))
        return [AskProperty(It(), (word,))]
    if found := re.fullmatch(
        r"(?:and |what about |also |do they come |is it |ok )*in (?:a )?(?:size )?"
        r"(x{0,3}[sml]|\d{2})",
        text,
    ):
        return [AskProperty(It(), (found[1],))] if clause.tokens[-1].text == "?" else None
    places = [t for t in clause.tokens if t.kind is Kind.NTH]
    if len(places) > 1 and re.search(r"\b(?:or|than|better|versus|vs|and|compare)\b", text):
        return [Details(Nth(place.value, counted=True)) for place in places]
    skus = [Sku(t.text.upper()) for t in clause.tokens if t.kind is Kind.SKU]
    if len(skus) > 1 and re.search(
        r"\b(?:better|best|difference|compare|versus|vs|or|which)\b", text
    ):
        return [Details(sku) for sku in skus]
    if re.search(r"\b(?:compare|difference|differ|versus|vs)\b", text):
        items = items_in(
            tail_of(clause.tokens, re.sub(r"^.*?\b(?:compare|between)\b", "", text)), clause
        )
        return [Details(one.item) for one in items] or [Details(Every())]
    if re.search(
        r"\b(?:tell me|more about|about|details?|info|describe|explain|show me|open)\b", text
    ):
        pointed = pointed_at(clause, text)
        if pointed is None or isinstance(pointed, It):
            return None
        if not isinstance(pointed, Named) or has_model(pointed.words):
            return [Details(pointed)]
    return None
