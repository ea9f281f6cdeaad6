"""What is so of an effect, and whether something that was read tells of one."""

from __future__ import annotations

import re

from daybook.tools.said.codes import codes_in
from daybook.tools.said.grammar.kinds import Kind
from daybook.tools.said.known import Effect, Known
from daybook.tools.said.mentions import held_in

_SENTENCE = re.compile(r"(?<=[a-z][.;]) ")
_OBJECT = re.compile(r"\{[^{}]*\}")
"""An object of a document that holds no other."""


def told_of(effect: Effect, kind: Kind) -> str:
    """Say what became of an effect, in one line."""
    why = f": {effect.line}" if effect.line else "."
    match effect.outcome:
        case "done":
            return effect.line or f"It was {kind.undone}."
        case "in doubt":
            return f"It is in doubt whether anything was {kind.undone}{why}"
        case "undone":
            return f"What was {kind.undone} was undone{why}"
        case _:
            return f"Nothing was {kind.undone}{why}"


def is_told_elsewhere(kind: Kind, known: Known) -> bool:
    """Tell whether something that was read says that such a thing was done."""
    forms = re.compile(rf"\b(?:{'|'.join(map(re.escape, kind.told))})\b", re.IGNORECASE)
    # A rule, such as "an order that was placed can be cancelled", tells of no such thing.
    sentences = (one for text in known.texts for one in _SENTENCE.split(text))
    return any(forms.search(one) for one in sentences if any(map(str.isdigit, one)))


def is_told_of_what_is_named(kind: Kind, text: str, known: Known) -> bool:
    """Tell whether what was read of an id that a sentence names tells, in whatever form, of such a thing."""
    forms = re.compile(
        rf"\b(?:{'|'.join(map(re.escape, (*kind.told, *kind.base)))})\b", re.IGNORECASE
    )
    return any(
        forms.search(one)
        for code in codes_in(text)
        for read in known.texts
        for one in _OBJECT.findall(read)
        if code.lower() in one.lower()
    )


def named_ids(text: str, known: Known) -> frozenset[str]:
    """Return the ids of effects that a text names."""
    words = held_in(text).words
    return frozenset(one for effect in known.effects for one in effect.ids if one in words)
