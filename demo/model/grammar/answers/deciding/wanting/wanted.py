"""Read a wish for goods by what is there: goods, counts, verbs and references, wherever. Pure.

What stands beside them is silent, unless it is of the closed class that can turn a meaning: a
question, a condition, a negation, a doubt, a comparison, the past, somebody else's doing, another
number or other goods. A text is cut into clauses, each is taken into what is wished, and that is
read as changes of the cart.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.answers.deciding.lately import PAIR
from daybook.demo.model.grammar.answers.deciding.wanting.added import added
from daybook.demo.model.grammar.answers.deciding.wanting.clause import clauses_of
from daybook.demo.model.grammar.answers.deciding.wanting.taken import takes
from daybook.demo.model.grammar.answers.deciding.wanting.turning import MOODS, TELLERS
from daybook.demo.model.grammar.answers.deciding.wanting.wishes import Reading
from daybook.demo.model.grammar.language.chat.names import is_model
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import Scene

_LONGEST: Final = 70


def wanted(tokens: Sequence[Token], scene: Scene, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return what is put into the cart; None where nothing is, or where more may be meant."""
    if len(tokens) > _LONGEST:
        return None
    read = Reading()
    tokens = list(_without_both(tokens))
    clauses = list(clauses_of(tokens))
    if clauses and len(clauses) > 1 and clauses[1].joined in ("and", "&", "plus"):
        first = clauses[0]
        told = not first.things and not first.counts and first.shape.split()[0] not in TELLERS
        if told and MOODS.fullmatch(first.shape) is None and len(first.texts) > PAIR:
            return None
    if not all(takes(clause, read) for clause in clauses):
        return None
    return added(read, tokens, scene, prompt)


def _without_both(tokens: Sequence[Token]) -> Iterator[Token]:
    """Leave out a "both" that stands before two names: "both the X and the Y"."""
    joined = any(token.text in ("and", "&") for token in tokens)
    for at, token in enumerate(tokens):
        behind = [one for one in tokens[at + 1 : at + 4] if one.text not in ("the", "a", "one")]
        texts = [one.text for one in behind[:PAIR]]
        is_name = len(texts) == PAIR and is_model(*texts)
        is_name = is_name or any(one.kind is Kind.SKU for one in behind[:1])
        if not (token.text == "both" and joined and is_name):
            yield token
        elif all(one.text in _IDLE_FIRST for one in tokens[:at]):
            # With no verb, it is one: "both the X and the Y please".
            yield replace(token, text="add")


_IDLE_FIRST: Final = frozenset("ok okay yes please so then right and , . !".split())  # noqa: SIM905
