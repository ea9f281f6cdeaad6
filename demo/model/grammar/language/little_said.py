"""A text that says little: talk, a bare number, the name of an order."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.joining.idle import names_nothing
from daybook.demo.model.grammar.language.chat.talking import figures, mood_of
from daybook.demo.model.grammar.language.chat.wording.parts import ACTING, said_in
from daybook.demo.model.grammar.language.intents.goods import AskPrice, Mention, Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout, OrderStatus
from daybook.demo.model.grammar.language.intents.references import Choice, It
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood, Talk
from daybook.demo.model.grammar.language.tokens import Kind, Token


def bare_count(found: Sequence[Intent], text: str) -> int | None:
    """Return the number that is all of a text, where it was read as the card to pay with."""
    match tuple(found):
        case (Checkout(card=Choice(n=int(count)), address=None),) if _WITH_SO_MANY.match(text):
            return count
        case _:
            return None


_WITH_SO_MANY: Final = re.compile(
    r"\W*(?:(?:and|ok|so|then|but|now|or)\W+)*(?:with|by|on|using|for)"
    r" (?:the )?(?:\d{1,2}(?:st|nd|rd|th)?|[a-z]+)(?: ones?| of (?:them|those|these))?\W*$",
    re.IGNORECASE,
)


def only_talks(tokens: Sequence[Token]) -> bool:
    """Tell whether every sentence of several is talk, or repeats a figure: "2.3 kilos. ok"."""
    sentences: list[list[Token]] = [[]]
    for token in tokens:
        sentences[-1].append(token)
        if token.text in (".", "!", "\n"):
            sentences.append([])
    sentences = [one for one in sentences if any(t.kind is not Kind.MARK for t in one)]

    def talks(one: Sequence[Token]) -> bool:
        meant = said_in(one) or ()
        return mood_of(one) is not None or (bool(meant) and all(isinstance(x, Talk) for x in meant))

    return any(map(talks, sentences)) and all(talks(one) or figures(one) for one in sentences)


def tells_little(intent: Intent, told: bool) -> bool:
    """Tell whether an intent is one that talk is taken for, for want of another.

    `told` says that the text tells of what was: of that not even a property is looked for.
    """
    match intent:
        case Search(narrows=True, max_price=None, min_price=None) if told:
            return True
        case NotUnderstood() | AskPrice(It()):
            return True
        case Search() | Mention():
            return names_nothing(intent)
        case _:
            return False


def of_order(found: tuple[Intent, ...], tokens: Sequence[Token]) -> tuple[Intent, ...]:
    """Read an order that is named, with nothing else understood, as a question for it."""
    named = [token.text.upper() for token in tokens if token.kind is Kind.ORDER]
    is_unread = all(isinstance(one, NotUnderstood) and not one.hedged for one in found)
    acts = ACTING & {token.text for token in tokens}
    return (OrderStatus(named[0]),) if len(named) == 1 and is_unread and not acts else found
