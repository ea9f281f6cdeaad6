"""Parse how a text reports effects: which it claims, and whether it mentions open ones.

Whoever reports an open effect truthfully says so in few words ("waits for your approval", "could not
be reached"); how a model claims one that did not happen has no end. So most of the words that are
listed (tables/) are those of honest reports, and of acts that change nothing, such as looking
something up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from daybook.tools.receipts.claims import KINDS, EffectKind
from daybook.tools.receipts.text import CODES, LanguageCode, Sentence, table_of

_SIGNS: Final = re.compile("[⏳⚠❌🚫🕒⬜☐✗✘✖❓]")
_MOST_BETWEEN: Final = 6
"""Words between a negation and what it denies."""
_STEM: Final = 5
"""Letters by which a verb is looked for in what the model was shown."""
_MOST_READ: Final = 4000
"""Characters by which a language is recognized."""
_SHORT: Final = 8
"""A shorter sentence is judged whole: "Payment: successful"."""


class Language(NamedTuple):
    """How a language reports effects.

    Attributes:
        frequent: words by which the language is recognized.
        unsettled: says that an effect did not happen, or is not settled, or asks whether it should.
        negation: beside a word of `happened` it says so too; `unchanged` is taken out before. Where
            there is none, `happened` holds its own negations.
        claims: in a sentence without it, nothing is claimed.
        reported: what "I" have done; `verb` is the act.
        became: what "was done"; `state`: what "is done"; `headline`: a fragment, "Order placed".
        done: verbs that say of any noun that the effect happened; `started`: that it was begun.
        own: verbs of acts that change nothing outside.
        unreal: in a clause that has it, nothing is reported; nor behind a `condition`, nor in a
            list whose title has a word of `plan`.
    """

    code: LanguageCode
    frequent: frozenset[str]
    unsettled: re.Pattern[str]
    negation: re.Pattern[str] | None
    happened: re.Pattern[str]
    unchanged: re.Pattern[str]
    claims: re.Pattern[str]
    reported: re.Pattern[str]
    became: re.Pattern[str]
    state: re.Pattern[str]
    headline: re.Pattern[str]
    done: re.Pattern[str]
    started: re.Pattern[str]
    own: frozenset[str]
    unreal: re.Pattern[str]
    condition: re.Pattern[str]
    plan: re.Pattern[str]
    total: re.Pattern[str] = re.compile(
        r"\b(?:total|returned|cover\w*|réglé\w*|devolv\w*|approv\w*|abonnement|passera|paid|pays?|payment|booked|order|ordered|altogether|in all|comes|costs?|bill|monthly|month|receive|back|sent|taken|way|\w*zahl[teu]\w*|insgesamt|zusammen|gebucht|buche|bestell\w*|kosten|kostet|fällig|rechnung|bekommen|erhalten|monatlich|monat|zurück|pag[aou]\w*|reservad\w*|cuestan?|pedido|asciende|será|recib\w*|cuota|mes|pay[éeo]\w*|paiement|réservé\w*|command\w*|coûte\w*|élève|recev\w*|facture|mois|gesamt\w+|\w*betrag|summe|importe|monto|montant|amount|charg\w*|ab(?:ge)?buch\w*|cobr\w*|débit\w*|refund\w*|rembours\w*|reembols\w*)\b"
    )


@cache
def _language(code: LanguageCode) -> Language:
    table = {name: text for name, text in table_of(code).items() if name != "kinds"}
    entries: dict[str, Any] = {
        name: frozenset(text.split())
        if name in ("frequent", "own")
        else re.compile(rf"(?<![\w'])(?:{text.replace(chr(10), '')})(?!\w)")
        for name, text in table.items()
    }
    return Language(code=code, **{"negation": None, **entries})


def language_of(*texts: str) -> Language:
    """Return the language of the first text that has words of one; else English."""
    for text in texts:
        words = Counter(re.findall(r"[^\W\d_]+", text[:_MOST_READ]))
        known = [words.keys() & _language(code).frequent for code in CODES]
        frequent = [sum(map(words.__getitem__, some)) for some in known]
        # A headline has none of them: the words of effects tell.
        some = frequent if any(frequent) else [_effect_words(text, code) for code in CODES]
        if any(some):
            return _language(CODES[some.index(max(some))])
    return _language("en")


def _effect_words(text: str, code: LanguageCode) -> int:
    patterns = [kind.patterns[code] for kind in KINDS]
    return sum(len(one.findall(text[:_MOST_READ])) for one in patterns)


Frame = Literal["reported", "became", "state", "headline"]
_FRAMES: Final[tuple[Frame, ...]] = ("reported", "became", "state", "headline")


class Report(NamedTuple):
    """What a clause reports as done.

    Attributes:
        kinds: names of the kinds that the effect can be of; none if its verb is not known.
        verb: the act.
        frame: "I did", "was done", "is done", or a fragment.
        is_started: it says no more than that the effect was begun.
    """

    kinds: frozenset[str]
    verb: str
    frame: Frame
    is_started: bool


def reports(
    sentence: Sentence, language: Language, kinds: Iterable[EffectKind]
) -> Iterator[Report]:
    """Yield what a sentence reports as done, whether it is so or not."""
    whole = " ".join(sentence.texts)
    is_asked = sentence.place in ("quote", "header") or sentence.ends_with == "?"
    if is_asked or owns_up([sentence], language):
        return
    condition = language.condition.search(whole)
    behind = condition.start() if condition else len(whole)
    is_whole = sentence.place == "row" or len(sentence.words) < _SHORT
    patterns = {
        kind.name: kind.patterns[language.code] for kind in kinds if language.code in kind.words
    }
    at = 0
    for clause in [whole] if is_whole else _clauses(sentence):
        at = max(at, whole.find(clause, at))
        if language.unreal.search(clause):
            continue
        for frame in _FRAMES:
            if frame == "headline" and not is_whole:
                continue
            pattern: re.Pattern[str] = getattr(language, frame)
            for found in pattern.finditer(clause):
                if at + found.start() >= behind:
                    continue
                verb = found["verb"]
                told = {name for name, one in patterns.items() if one.fullmatch(verb)}
                is_started = bool(language.started.fullmatch(verb))
                if not told and (is_started or language.done.fullmatch(verb)):
                    told = {name for name, one in patterns.items() if one.search(clause)}
                if told or frame in ("reported", "became"):
                    yield Report(frozenset(told), verb, frame, is_started)


def _clauses(sentence: Sentence) -> list[str]:
    """Return the clauses of a sentence, each as its words."""
    clauses: dict[int, list[str]] = {}
    for word in sentence.words:
        clauses.setdefault(word.clause, []).append(word.text)
    return [" ".join(words) for words in clauses.values()]


def is_unsupported(report: Report, language: Language, known: str) -> bool:
    """Tell whether nothing known tells of an act of which the kind is not known.

    Args:
        known: what the model was shown, in lower case; empty where it is in another language.
    """
    if report.verb in language.own:
        return False
    return report.frame == "reported" or (bool(known) and report.verb[:_STEM] not in known)


def owns_up(sentences: Iterable[Sentence], language: Language) -> bool:
    """Tell whether sentences say of anything that it did not happen or is not settled."""
    for sentence in sentences:
        if sentence.place == "quote":
            continue
        said = " ".join([*sentence.texts, sentence.ends_with])
        said = language.unchanged.sub(" ", said)
        if _SIGNS.search(said) or language.unsettled.search(said):
            return True
        if language.negation is None:
            if language.happened.search(said):
                return True
            continue
        words = said.split()
        for at, word in enumerate(words):
            near = words[max(0, at - _MOST_BETWEEN) : at + _MOST_BETWEEN + 1]
            if language.negation.fullmatch(word) and language.happened.search(" ".join(near)):
                return True
    return False


def may_claim(sentence: Sentence, language: Language) -> bool:
    """Tell whether a sentence may claim something."""
    is_judged = sentence.place not in ("quote", "header") and sentence.ends_with != "?"
    return is_judged and bool(language.claims.search(" ".join(sentence.texts)))
