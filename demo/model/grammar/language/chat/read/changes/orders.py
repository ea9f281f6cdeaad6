"""Read which order shall be cancelled, with goods or a place by which it is named. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.read.person.wishes import LEAD, said_by
from daybook.demo.model.grammar.language.intents.orders import CancelOrder
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import NOUNS, fold

_BEHIND: Final = (
    r"(?:[ ,]+(?:and |then )?(?:refund(?: (?:me|it|us|my money))?|give me my money back|please|now"
    r"|at once|immediately|asap|right away|straight away|thanks"
    r"|(?:i am )?(?:so |very )*sorry|i (?:regret|apologi[sz]e|am afraid)|(?:my )?apologies"
    r"|(?:but )?keep the (?:other|others|rest)(?: ones?)?|leave the (?:other|others|rest)(?:"
    r" ones?)?))*"
)
_CANCELS: Final = re.compile(
    rf"{LEAD}(?:i (?:have )?changed my mind[ ,]*(?:so |and |please )*)?(?:(?:can|could|would) you"
    rf" |(?:i|we) (?:want|need|have|wish|(?:have )?got|would like|will have|am going|are going) to"
    r" |(?:i am afraid |sadly |unfortunately )*(?:i|we) (?:must|had better) |just )?"
    rf"(?:please )?cancel (?:the|my|our|that|this|said|above)"
    rf" (?P<named>(?:\w+ ){{0,3}}?)(?:order|purchase){_BEHIND}(?: ?,? (?:the|with the)"
    rf" (?P<goods>[\w ]+))?$"
)
_PLACES: Final = frozenset({"first", "second", "third", "other", "earlier", "previous", "older"})


def cancelled(sentence: Sequence[Token]) -> tuple[CancelOrder, ...] | None:
    """Return the order that is to be cancelled; None where that is not what is said."""
    found = _CANCELS.match(said_by(sentence))
    if found is None or sentence[-1].text == "?":
        return None
    named = [*found["named"].split(), *(found["goods"] or "").split()]
    goods = tuple(word for word in named if word not in _PLACES | {"one", "last", "latest"})
    if any(fold(word) in NOUNS for word in goods):
        return (CancelOrder(goods=goods),)
    if goods:
        return None
    return (CancelOrder(some=bool(_PLACES & {*named})),)
