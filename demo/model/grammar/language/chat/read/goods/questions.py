"""Read a question about one product: what it asks for, and of which. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.goods.pointing import pointed_at
from daybook.demo.model.grammar.language.chat.vocabulary import SILENT, is_a_name
from daybook.demo.model.grammar.language.intents.goods import AskPrice, AskProperty
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import It, Named, Reference
from daybook.demo.model.grammar.language.tokens import Kind
from daybook.demo.model.grammar.language.words import NOUNS, fold

_PROPERTY: Final = re.compile(
    r"\b(rated (?:to|for|down)|weights?|weighs?|heavy|heaviness|colou?rs?|materials?|fabrics?"
    r"|made (?:of|from|out)|sizes?"
    r"|hood(?:ed)?|warm|warmth|waterproof|water ?proof|windproof|wind ?proof|insulated|breathable"
    r"|heights?|headroom|tall|capacity|volume|litres?|liters?|big|large|small|roomy|lumens?|bright"
    r"|brightness|batter(?:y|ies)|charge[ds]?|charging|rechargeable|usb|temperature|temp|comfort"
    r"|degrees|seasons?|winter|summer|fit|wide|narrow|women|men|unisex|gender|soles?|grip|grips"
    r"|lock"
    r"|fold|folds|foldable|collapsible|fuel|boil|boils|boiling|freestanding|pegs|stand|poles?"
    r"|hip belt"
    r"|hipbelt|belt|rain ?cover|straps?|persons|how many people|sleeps?|pockets?|light(?:weight)?"
    r"|merino|wool|cotton|leather|down|synthetic|vegan|cushion|thick|thin|dishwasher|bpa|filter"
    r"|length|long|shape|fill|filling|range|reach|red light|kids?|insulation|membrane|gore|leak"
    r"|rain|cold|snow|stream|wind|hiking|running|washable|machine|steel|plastic|carbon"
    r"|aluminium|aluminum|titanium|green|blue|red|black|white|grey|gray|yellow|orange|pink|purple"
    r"|navy|brown|lbs|pounds|ounces|oz|kg|kilos?|grams)\b"
)


_QUESTION: Final = re.compile(
    r"^(?:(?:and|so|but|ok|okay|well|then|also|hey|now|just|please|tell me|do you know|can you "
    r"tell me"
    r"|i wonder|wondering) )*(?:how|what|which|is|are|does|do|did|can|could|will|has|have|would"
    r"|any)\b"
)


_LONG_QUESTION: Final = 16


def asked_of(clause: Clause) -> list[Intent] | None:
    """Read a question about one product: what it asks for, and of which."""
    text = clause.text
    if re.search(r"\b(?:in|from|of) (?:my|the) cart\b", text):
        return None
    asked = [match.group() for match in _PROPERTY.finditer(text)]
    numbers = [
        t.text
        for t in clause.tokens
        if t.kind in (Kind.NUMBER, Kind.MONEY) and t.text.replace(".", "").isdigit()
    ]
    if not starts_question_or_property(text) and not asked:
        return None
    if re.search(r"\bin (?:british )?pounds$", text) and not re.search(r"\bweigh|heavy", text):
        return [AskPrice(pointed_at(clause, text) or It())]
    pointed = pointed_at(clause, text)
    is_short = len(clause.tokens) <= 4 and not any(fold(t.text) in NOUNS for t in clause.tokens)
    starts_question = _QUESTION.match(text) is not None
    points = pointed is not None and not (
        isinstance(pointed, Named) and not pointed.definite and not has_model(pointed.words)
    )
    if price_bounds(text) != (None, None) or len(clause.tokens) > _LONG_QUESTION:
        return None
    tags = clause.tokens[-1].text == "?" and _STATES.match(text) is not None
    if not (starts_question or (is_short and re.match(r"(?:and )?how\b", text)) or points or tags):
        return None
    if not points and not re.search(
        r"\b(?:it|its|they|them|their|that|this|those|these|the)\b", text
    ):
        if not re.match(r"(?:(?:and|so|ok|but) )*(?:how|what|whats) ", text) or not asked:
            return None
        if price_bounds(text)[1] is not None:
            return None
    if re.search(
        r"\b(?:left|stock|available|availability|how many|(?:that|so|as|this) many|enough of)\b",
        text,
    ) and not re.search(
        r"\bhow many (?:people|persons|seasons|lumens?|litres?|liters?|minutes|hours|grams|days"
        r"|pockets)\b",
        text,
    ):
        return [AskProperty(pointed or It(), ("stock",))]
    pronoun = re.search(r"\b(?:it|they|them|that one|this one|these|those)\b", text)
    if not asked and not numbers and starts_question and pronoun and not points_away(text):
        words = tuple(
            token.text
            for token in clause.tokens
            if token.kind is Kind.WORD and token.text not in SILENT and len(token.text) > 1
        )
        return [AskProperty(pointed or It(), words or ("that",))]
    if not asked and not numbers:
        if starts_question and points and not re.search(r"\b(?:you|your|i|my|me|we)\b", text):
            words = tuple(
                t.text for t in clause.tokens
                if t.kind is Kind.WORD and t.text not in SILENT and not _in(t.text, pointed)
            )  # fmt: skip
            return [AskProperty(pointed or It(), words or ("anything",))] if words else None
        return None
    if re.search(r"\b(?:show|find|looking|search|any|anything|something|under|below)\b", text):
        return None
    words = tuple(
        word
        for word in (*" ".join(asked).split(), *_extra(clause, pointed), *numbers)
        if not _in(word, pointed)
    )
    if not words and _IS_THERE.match(text):
        # "Is there a filter bottle in that": nothing is asked but whether there is one.
        return None
    return [AskProperty(pointed or It(), tuple(dict.fromkeys(words)) or ("size",))]


_IS_THERE: Final = re.compile(r"(?:(?:and|so|but|ok|then) )*(?:is|are) there (?:a|an|any|some)?\b")
_STATES: Final = re.compile(r"(?:(?:and|so|but|ok|wait|,) )*(?:the|its|it is|it has|they are) ")


def points_away(text: str) -> bool:
    """Tell whether a question about "it" is about something else than a product."""
    return bool(
        re.search(
            r"\b(?:you|order|cart|address|card|account|delivery|buy|pay|add|remove|checkout"
            r"|cancel|shop|help|work)\b",
            text,
        )
    )


def starts_question_or_property(text: str) -> bool:
    """Tell whether a text asks, or has a word for a property."""
    return _QUESTION.match(text) is not None or _PROPERTY.search(text) is not None


def _extra(clause: Clause, pointed: Reference | None) -> list[str]:
    """Return the other words of a question that may stand on the product's page."""
    return [
        token.text
        for token in clause.tokens
        if token.kind is Kind.WORD and is_a_name(token.text) and not _in(token.text, pointed)
    ]


def _in(word: str, pointed: Reference | None) -> bool:
    return isinstance(pointed, Named) and word in pointed.words
