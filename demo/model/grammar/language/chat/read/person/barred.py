"""Read what a person does not have or bear, wherever a sentence tells it. Pure.

A sentence is cut into clauses. One that holds a material, or a colour, under a word that bars it
tells of the person where anything in the sentence says that it is to last: "never", an allergy,
"remember". Of the other clauses only one that holds a wish is read on: the rest is a story.
"""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.vocabulary import COLOURS, MATERIALS
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.past import Remember
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import NOUNS, fold

MATERIAL: Final = (MATERIALS - {"gas", "alcohol", "wood", "petrol", "fleece", "softshell"}) | {
    "feathers", "feather", "fur", "latex", "nickel",
}  # fmt: skip
"""What a person may not bear."""

_HARMS: Final = (
    r"allerg\w*|intoleran\w*|sensitive|reacts?|reaction|itch\w*|scratch\w*|rash\w*|hives|sneez\w+"
    r"|asthma|eczema|irritat\w*"
)
_HATES: Final = r"hates?|detests?|loathes?|despises?|dislikes?"
_TASTE: Final = (
    rf"(?:{_HATES}|not (?:really )?(?:like|(?:a )?(?:big )?fan|keen on|into|fond of|big on"
    r"|care for)|not (?:really )?my (?:color|thing|style|cup of tea))"
)
_BARS: Final = re.compile(
    rf"\b(?:no|not|never|nothing|none|without|against|avoids?|refuses?|{_HATES}|{_HARMS})\b"
)
_LASTS: Final = re.compile(
    rf"\b(?:ever|never|always|(?:only|just) wear|refuses?|avoids?|{_HATES}|{_HARMS}"
    r"|vegans?|skin|rule|no go"
    r"|can not (?:do|stand|wear|have|bear|tolerate|take|use|touch|abide|deal|cope)"
    r"|do(?:es)? not (?:do|wear|use|like|have|eat|tolerate|get on|get along|care)"
    rf"|{_TASTE}|(?:for|to) (?:me|us)|remember|note|in mind|forget that|fyi|for the record"
    r"|you know|should know)\b"
)
_NO_TELLING: Final = re.compile(
    r"^(?:(?:and|so|but|ok|well|,) )*(?:what|which|why|how|where|when|who|is|are|was|does|do (?:you"
    r"|they|these|those)|did|has|have you|can (?:i|it|they)|if|any)\b"
    r"|\b(?:no longer|not .* (?:any ?more|any longer)|never mind|forget(?! that)|used to|was|were"
    r"|hated|liked|loved|tried|said|told|asked|ordered|meant|mentioned|not mind|problem"
    r"|trouble|issue|did not"
    r"|unless|if|cart|basket|remove|delete|ones|instead|either|say no|one(?! (?:bit|rule|thing)))\b"
)
_WISHES: Final = re.compile(
    r"\b(?:show (?:me|us)|find|look(?:ing)? (?:for|at)|search|add|put|buy|order|need|want"
    r"|would like|list|what|which|how|do you|can (?:i|you|we)|could (?:i|you|we)|remove|compare"
    r"|recommend|suggest|is there|are there|got)\b"
)
_JOINTS: Final = frozenset({",", ";", ":", "-", "so", "and", "but", "because", "since", "&"})
_MARKS: Final = frozenset("?!.;:-")
_BEFORE_DOWN: Final = frozenset(
    """
    no not never nothing of to with from in against wear use have do hate stand tolerate goose duck
    without and or avoid detest loathe dislike any bear touch
    """.split()  # noqa: SIM905
)
_VEGAN: Final = re.compile(
    r"^(?:(?:remember|note|fyi|that|please|well|also|hi|hello|so|:) )*(?:(?:i|we) (?:am|are) )?"
    r"(?:am |a |both |all |strictly |strict )*vegans?(?: (?:here|by the way|too|myself))?$"
)
_OTHERS: Final = re.compile(
    r"\b(?:(?:my|our) (?:\w+ ){0,2}?(?P<who>son|daughter|wife|husband|partner|dad|father|mum|mom"
    r"|mother|brother|sister|kids?|boy|girl|girlfriend|boyfriend|friend|nephew|niece|grandson"
    r"|granddaughter|youngest|eldest|oldest|one|baby|toddler))\b"
)


_KIND: Final = (
    rf"(?P<what>(?:{'|'.join(sorted(MATERIALS))})(?: (?:canister|fuel|burning|camp|rain))?"
    r" (?P<noun>\w+))"
)
_KINDS: Final = (
    re.compile(
        r"\b(?:i|we) (?:really |just |usually )*(?P<bar>never|(?:can|must|may|do|will) not ever"
        r"|can not|must not|may not|am not allowed to|are not allowed to|will not)"
        r" (?:take|use|wear|buy|bring|have|own|carry|want|touch)(?: any)? " + _KIND
    ),
    re.compile(
        r"(?:^|[,:] |\b(?:that|so|and|because) )(?:the |any )?"
        + _KIND
        + r" (?:(?:is|are|ever) )?(?P<bar>not allowed|forbidden|banned|prohibited|a no go|no go)"
    ),
)
"""Goods that are barred by what they are of: "we never take gas stoves"."""


_ASKS_TO_KEEP: Final = re.compile(
    r"(?:please )?(?:can|could|would|will) you (?:please )?(?:remember|note|keep in mind"
    r"|make a note)(?! (?:which|what|when|who|where|if|how))"
)


def kinds_barred(text: str) -> Remember | None:
    """Return what goods a sentence bars for good."""
    for pattern in _KINDS:
        found = pattern.search(text)
        if found is not None and fold(found["noun"]) in NOUNS and not _NO_TELLING.search(text):
            return Remember(found["what"], found["bar"], "constraint")
    return None


def barred(sentence: Sequence[Token]) -> tuple[tuple[Intent, ...], Sequence[Token]] | None:
    """Return what a sentence bars for good, and the tokens of what it says or wants beside that."""
    text = " ".join(token.text for token in sentence)
    if not sentence or (sentence[-1].text == "?" and not _ASKS_TO_KEEP.match(text)):
        return None
    if (kind := kinds_barred(text)) is not None:
        return (kind,), ()
    if not _LASTS.search(text):
        return None
    clauses = _clauses(sentence)
    bars = [clause for clause in clauses if _names_what_is_barred(clause)]
    vegan = next((one for one in clauses if _VEGAN.match(_said(one))), None)
    if not bars:
        return None
    what = list(dict.fromkeys(word for clause in bars for word in _barred_in(clause)))
    left = [token for one in clauses if one not in bars and one is not vegan for token in one]
    while left and left[0].text in _JOINTS:
        left.pop(0)
    return _noted(what, bars, text, is_vegan="vegan" in text), left if _goes_on(left) else ()


def _clauses(sentence: Sequence[Token]) -> list[list[Token]]:
    """Cut a sentence where another thing may be told; "wool and leather" stays together."""
    clauses: list[list[Token]] = [[]]
    for at, token in enumerate(sentence):
        after = sentence[at + 1].text if at + 1 < len(sentence) else ""
        before = {one.text for one in clauses[-1]} - _JOINTS
        is_list = after in MATERIAL | COLOURS | {"or", "and"} and _is_barrable(clauses[-1][-1:])
        joins = (token.text in ("and", "&", ",") and is_list) or (
            bool(before) and before <= MATERIAL | COLOURS and after in ("never", "no")
        )
        if token.text in _JOINTS and not joins:
            clauses.append([])
        clauses[-1].append(token)
    return [clause for clause in clauses if clause]


def _is_barrable(tokens: Sequence[Token]) -> bool:
    return any(token.text in MATERIAL | COLOURS for token in tokens)


def _said(clause: Sequence[Token]) -> str:
    words = [token.text for token in clause]
    while words and (words[0] in _JOINTS or words[0] in _MARKS):
        words.pop(0)
    while words and words[-1] in _MARKS:
        words.pop()
    return " ".join(words)


def _barred_in(clause: Sequence[Token]) -> list[str]:
    texts = [token.text for token in clause]
    return [
        word
        for at, word in enumerate(texts)
        if word in MATERIAL | COLOURS
        and (word != "down" or at == 0 or texts[at - 1] in _BEFORE_DOWN | _JOINTS)
    ]


def _names_what_is_barred(clause: Sequence[Token]) -> bool:
    text = _said(clause)
    return (
        bool(_barred_in(clause))
        and _BARS.search(text) is not None
        and _NO_TELLING.search(text) is None
        and not any(fold(token.text) in NOUNS for token in clause)
    )


_DENIES: Final = re.compile(rf"\b(?:no|not|never|nothing|none|without|avoids?|{_HATES})\b")


def _noted(
    what: Sequence[str], bars: Sequence[Sequence[Token]], text: str, *, is_vegan: bool
) -> tuple[Intent, ...]:
    """Note what is barred in the words that were said: a denial where it was denied."""
    said = [_said(clause) for clause in bars]
    if is_vegan:
        return (Remember("vegan", " ".join(f"no {word}" for word in what)),)
    whose = _OTHERS.search(text)
    if whose is not None and not re.search(r"\b(?:i|me|we|us|no \w+ ever)\b", text):
        told = next(one for one in said if what[0] in one.split())
        found = _STANDS.search(told)
        value = found[0] if found is not None else told
        return (Remember(whose["who"], value[:_LONGEST], "constraint"),)
    noted: list[Intent] = []
    for word in what:
        of = [one for one in said if word in one.split()]
        harm = next((hit for one in of if (hit := re.search(rf"\b(?:{_HARMS})\b", one))), None)
        if any(_DENIES.search(one) for one in of):
            is_taste = all(re.search(rf"\b{_TASTE}\b", one) for one in of)
            is_taste = is_taste and "never" not in text and "ever" not in text.split()
            noted.append(
                Remember(word, "disliked", "preference")
                if is_taste
                else Remember(word, "never", "constraint")
            )
        elif harm is not None:
            is_allergy = harm[0].startswith("allerg")
            noted.append(
                Remember(f"allergy to {word}", "yes", "constraint")
                if is_allergy
                else Remember(word, _harm_of(word, of, harm[0]), "constraint")
            )
    return tuple(noted)


_STANDS: Final = re.compile(
    rf"\b(?:can not|could not|must not|does not|do not|will not|is|never|no|{_HATES}|{_HARMS})\b.*"
)
_LONGEST: Final = 60


def _harm_of(word: str, said: Sequence[str], harm: str) -> str:
    """Return what a material does, as it was told: "makes me sneeze"."""
    behind = next((one.partition(f"{word} ")[2] for one in said if word in one.split()), "")
    return behind[:_LONGEST] if harm in behind else harm


def _goes_on(left: Sequence[Token]) -> bool:
    """Tell whether something is wanted, or told of, beside what is barred."""
    text = " ".join(token.text for token in left)
    is_told = re.search(r"\bsizes? \d|\bbudget\b|\bi (?:wear|take|am a) ", text) is not None
    names = any(fold(token.text) in NOUNS for token in left)
    return is_told or _WISHES.search(text) is not None or (names and len(left) <= _SHORT)


_SHORT: Final = 4
