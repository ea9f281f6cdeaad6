"""What the written grammar reads in tokens, but for what it takes amiss."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.language.chat.names import is_model
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.chat.wording.parts import ACTING, Unread
from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.references import Choice
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood
from daybook.demo.model.grammar.language.tokens import Kind, Token, words_of
from daybook.demo.model.grammar.language.words import ADJECTIVES, CARD_WORDS, HEDGES, NOUNS, fold
from daybook.demo.model.grammar.language.written.commands import READERS
from daybook.demo.model.grammar.language.written.commands_past import is_handle
from daybook.demo.model.grammar.language.written.grammar import GRAMMAR
from daybook.demo.model.grammar.language.written.parser import Grammar, Node, Test
from daybook.demo.model.grammar.language.written.references import Counted, items

TESTS: Final[Mapping[str, Test]] = {
    "DIGITS": lambda token: token.kind is Kind.NUMBER and token.text.isdigit(),
    "NOUN": lambda token: token.kind is Kind.WORD and fold(token.text.split("-")[-1]) in NOUNS,
    "ADJECTIVE": lambda token: token.text in ADJECTIVES,
    "CARDWORD": lambda token: token.text in CARD_WORDS,
    "HANDLE": lambda token: is_handle(token.text),
}


def read_by_rules(tokens: Sequence[Token], text: str) -> list[Intent | Unread]:
    """Read tokens by the grammar alone."""
    tree = _grammar().parse("Text", tokens)
    assert tree is not None, "the rule Unknown takes what no other rule takes"
    read: list[Intent | Unread] = []
    for clause in tree.all("Clause"):
        command, unknown = clause.one("Command"), clause.one("Unknown")
        asks = command is not None and _asks_of_the_shop(clause, command)
        if command is not None and not asks and not _is_misread(command.inside[0]):
            read += READERS[command.inside[0].name](command.inside[0], text)
        elif command is not None:
            read.append(Unread(tuple(clause.tokens)))
        elif unknown is not None:
            read.append(Unread(tuple(unknown.tokens)))
    return [of_goods(one, read[:at]) for at, one in enumerate(read)]


def of_goods(one: Intent | Unread, before: Sequence[Intent | Unread]) -> Intent | Unread:
    """Take what was read as a card for what goods have, where such are looked for: "with hood"."""
    match one:
        case Checkout(Choice(words), None) if words and all(map(says_goods, words)):
            looks = any(isinstance(said, Search) and said.query for said in before)
            return Search(" ".join(words), narrows=True) if looks else one
        case _:
            return one


def with_unread(read: Iterable[Intent | Unread], text: str) -> list[Intent]:
    """Put in the place of what no rule took that it was not understood."""
    found: list[Intent] = []
    for one in read:
        if isinstance(one, Unread):
            _append_unknown(found, one.tokens, text)
        else:
            found.append(one)
    return found


def _is_misread(command: Node) -> bool:
    """Tell whether a search without a verb holds one after all: "chuck in the socks"."""
    texts = [token.text for token in command.tokens]
    said = " ".join(texts)
    if command.name == "SetQuantity" and (_NO_QUANTITY & {*texts} or _GOES_TO.search(said)):
        return True
    if command.name == "Checkout" and _BESIDE_ONE.match(said):
        return not _PAID_WITH & {*texts}
    named = any(is_model(one, two) for one, two in pairwise(texts))
    counted = len(texts) > 1 and (
        command.tokens[0].kind is Kind.NUMBER or bool({"dozen", "couple", "pc", "pcs"} & {*texts})
    )
    of_it = _PROPERTY_OF.match(said) is not None
    asks = named and (counted or of_it or bool(_COMPARES & {*texts}))
    return command.name == "BareSearch" and (asks or bool(ACTING & {*texts}))


def _asks_of_the_shop(clause: Node, command: Node) -> bool:
    """Tell whether "would you have ..." was taken for a wish to have it."""
    before = [token.text for token in clause.tokens[: -len(command.tokens)]]
    return command.tokens[0].text == "have" and "you" in before[-1:]


_BESIDE_ONE: Final = re.compile(r"(?:on|with|by|to) (?:my|our|his|her)\b")
_PAID_WITH: Final = CARD_WORDS | frozenset(
    """
    card cards account bank address home house flat place work office usual default first second
    third last other same saved one 1 2 3 mum mums mom moms dad dads parents sister brother friend
    friends neighbour
    """.split()  # noqa: SIM905
)
"""With what is paid, and where to it is sent: "on my break" and "with my dog" are neither."""
_NO_QUANTITY: Final = frozenset({"price", "prices", "name", "address", "budget", "limit", "card"})
_GOES_TO: Final = re.compile(
    r"\b(?:goes|going|rated|good|warm|comfortable|that (?:can |will )?go|which (?:can |will )?go)\b"
)
"""What goods bear is no count of them: "ones that go to zero"."""
_COMPARES: Final = frozenset({"versus", "vs", "or", "price", "prices", "which", "reviews", "size"})
_PROPERTY_OF: Final = re.compile(
    r"(?:(?:the|its|exact|total|full|actual|real|current) )*(?:weight|height|capacity|volume|length"
    r"|colou?r|material|brightness|battery|packed size|temperature rating|boil time) of\b"
)


def items_of(tokens: Sequence[Token]) -> list[Counted]:
    """Read tokens as a list of items; empty where they are none."""
    node = _grammar().parse("Items", tokens)
    return items(node) if node is not None else []


@cache
def _grammar() -> Grammar:
    return Grammar(GRAMMAR, TESTS)


def _append_unknown(found: list[Intent], tokens: Iterable[Token], text: str) -> None:
    """Add a clause that was not understood, as one with such a clause right before it."""
    clause = list(tokens)
    hedged = any(token.text in HEDGES for token in clause)
    words = words_of(clause, text)
    if found and isinstance(found[-1], NotUnderstood):
        before = found.pop()
        assert isinstance(before, NotUnderstood)
        words, hedged = f"{before.text}, {words}", hedged or before.hedged
    found.append(NotUnderstood(shortened(words), hedged))


def shortened(text: str) -> str:
    """Return a text on one line, and no longer than is told again."""
    text = " ".join(text.split())
    return text if len(text) <= 80 else f"{text[:79]}…"
