"""Understand a text: one parse, and an intent for each clause. Pure: text in, intents out.

The text is put into plain words (`plain`), and each part of it is read (`reading_part`).
"""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from daybook.demo.model.grammar.language.chat.beside import settled
from daybook.demo.model.grammar.language.chat.bounds.limits import limited
from daybook.demo.model.grammar.language.chat.bounds.measures import measured
from daybook.demo.model.grammar.language.chat.bounds.most import with_the_most
from daybook.demo.model.grammar.language.chat.bounds.shared import shared_out
from daybook.demo.model.grammar.language.chat.bounds.without import excluding
from daybook.demo.model.grammar.language.chat.doubt import sure
from daybook.demo.model.grammar.language.chat.frames.questions import in_that_respect
from daybook.demo.model.grammar.language.chat.joining.combined import combined
from daybook.demo.model.grammar.language.chat.joining.idle import heeded
from daybook.demo.model.grammar.language.chat.joining.wished import (
    as_needed,
    kept_dry,
    of_a_kind,
    wished,
    with_currency,
)
from daybook.demo.model.grammar.language.chat.read.mails import addressee
from daybook.demo.model.grammar.language.chat.read.person.memory import with_size
from daybook.demo.model.grammar.language.chat.talking import is_story, mood_of
from daybook.demo.model.grammar.language.chat.wording.parts import parts
from daybook.demo.model.grammar.language.intents.cart import Doubtful
from daybook.demo.model.grammar.language.intents.goods import Times
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Mail
from daybook.demo.model.grammar.language.intents.references import It
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood, Talk
from daybook.demo.model.grammar.language.little_said import (
    bare_count,
    of_order,
    only_talks,
    tells_little,
)
from daybook.demo.model.grammar.language.plain import in_plain_words
from daybook.demo.model.grammar.language.reading_part import by_rules_or_loosely, by_saying
from daybook.demo.model.grammar.language.tokens import MOST_TOKENS, tokenise
from daybook.demo.model.grammar.language.written.ruled import read_by_rules, shortened, with_unread


@lru_cache(maxsize=128)
def understand(text: str) -> tuple[Intent, ...]:
    """Return what `text` means, clause by clause; empty when it says nothing at all.

    Clauses outside the grammar are `NotUnderstood`; nothing is guessed for them. Every model call
    of a turn reads the same text, so results are kept.
    """
    text = in_plain_words(text)
    tokens = tokenise(text)
    if len(tokens) > MOST_TOKENS:
        return (NotUnderstood(shortened(text), hedged=True),)
    found = sure(of_order(_understood(text), tokens), tokens, _understood)
    if (count := bare_count(found, text)) is not None:
        asks = "?" in text and not _IN_A_LIST.search(text)
        return (Times(count, It()),) if asks else (NotUnderstood(shortened(text)),)
    told = is_story(tokens)
    if found and all(tells_little(one, told) for one in found) and (mood := mood_of(tokens)):
        return (Talk(mood),)
    if found and all(isinstance(one, NotUnderstood | Talk) for one in found) and only_talks(tokens):
        return tuple(one for one in found if isinstance(one, Talk)) or (Talk("told"),)
    return tuple(with_size(_with_words(one, text)) for one in found)


_IN_A_LIST: Final = re.compile(r"\bthe\b|\d(?:st|nd|rd|th)\b", re.IGNORECASE)


def _with_words(intent: Intent, text: str) -> Intent:
    """Give a purchase that is asked about the words that may mean it, and a mail whom it is for."""
    match intent:
        case Doubtful("buy", said=""):
            return replace(intent, said=text)
        case Mail(to=""):
            return replace(intent, to=addressee(text))
        case _:
            return intent


def _understood(text: str) -> tuple[Intent, ...]:
    """Read a text as if it took nothing back."""
    tokens = tokenise(text)
    found: list[Intent] = []
    for part in parts(tokens):
        found += by_rules_or_loosely(part, text) if part.intents is None else by_saying(part, text)
    found = list(in_that_respect(found, tokens))
    found_in_all = limited(
        of_a_kind(wished(heeded(as_needed(combined(found)), text), text), text), tokens
    )
    looked_for = kept_dry(excluding(measured(found_in_all, tokens), tokens), text)
    looked_for = shared_out(with_the_most(looked_for, tokens), tokens)
    return settled(with_currency(looked_for, text), tokens)


@lru_cache(maxsize=128)
def strictly(text: str) -> tuple[Intent, ...]:
    """Return what `text` means by the rules alone: an answer to a question is not to be guessed."""
    text = in_plain_words(text)
    tokens = tokenise(text)
    if len(tokens) > MOST_TOKENS:
        return (NotUnderstood(shortened(text), hedged=True),)
    return tuple(with_unread(read_by_rules(tokens, text), text))
