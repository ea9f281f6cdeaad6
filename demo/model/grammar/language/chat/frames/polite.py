"""Words of a clause that say nothing of what is wanted: joints, "could you please". Pure."""

from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.tokens import Token

JOINTS: Final = frozenset({",", "and", "but", "then", "also", "plus", "&", "so", "-"})
IDLE: Final = frozenset(
    """
    please then too also as well anyway now ok okay so and thanks thank you right just for me us my
    the a an of to in on it is i will would like want need have take that this one great good fine
    perfect cool nice yes yeah yep sure alright well oh ah hm hmm hi hello hey , . ! ? ; : - & here
    there be really actually pair pairs lovely sold deal
    """.split()  # noqa: SIM905
)


def without_polite_words(tokens: Sequence[Token]) -> Sequence[Token]:
    """Leave out "could you please" where a verb follows with which something is asked for."""
    at = 0
    while at < len(tokens) and tokens[at].text in IDLE | JOINTS and tokens[at].text != "i":
        if tokens[at].text in _POLITE and [t.text for t in tokens[at + 1 : at + 2]] == ["you"]:
            break
        at += 1
    begin = at
    texts = [token.text for token in tokens[at:]]
    if texts[:1] == ["if"] and texts[1:3] in (["you", "could"], ["i", "could"], ["you", "can"]):
        at, texts = at + 1, [texts[2], texts[1], *texts[3:]]
    if texts[:1] == ["you"] and len(texts) > 1 and texts[1] in _ASKED_FOR:
        # "Please you put the poles": said by who writes English as a second language.
        return [*tokens[:begin], *tokens[at + 1 :]]
    if len(texts) < 2 or texts[0] not in _POLITE or texts[1] not in ("you", "i", "we"):
        return tokens
    end = 2
    while end < len(texts) and texts[end] in _KINDLY:
        end += 1
    verb = texts[end] if end < len(texts) else ""
    asks = verb in _ASKED_FOR or (texts[1] != "you" and verb in _HAD)
    return [*tokens[:begin], *tokens[at + end :]] if asks else tokens


_POLITE: Final = frozenset({"can", "could", "would", "will", "may", "might"})
_KINDLY: Final = frozenset({"please", "just", "kindly", "also", "then", "maybe", "possibly"})
_ASKED_FOR: Final = frozenset(
    """
    put add include throw chuck pop toss stick bung whack sling shove plonk place slip drop give
    get fetch grab bring remove delete take make change set swap replace exchange switch
    """.split()  # noqa: SIM905
)
_HAD: Final = frozenset({"have", "take", "get", "buy", "order"})
