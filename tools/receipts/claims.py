"""Kinds of effects, and the words with which a text claims that one was carried out.

A domain with other effects extends the table:

    >>> unlock = EffectKind("unlock", ("unlock",), {"en": Words("lock", "unlocked")})
    >>> [kind.name for kind in kinds_of("unlock_room", (*KINDS, unlock))]
    ['unlock']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, cast

from daybook.tools.receipts.words import TABLES

Language = Literal["en", "de", "es", "fr"]
Use = Literal["participle", "first", "third", "infinitive"]


class Words(NamedTuple):
    """How a language speaks of a kind of effect; words are separated by spaces.

    Attributes:
        nouns: what such an effect is called.
        alone: participles that say by themselves that it was carried out.
        beside: participles that say so beside one of the nouns or objects.
        objects: what such an effect changes.
    """

    nouns: str = ""
    alone: str = ""
    beside: str = ""
    objects: str = ""


@dataclass(frozen=True)
class EffectKind:
    """A kind of effect that a model can claim to have carried out.

    Attributes:
        name: such as `charge`; English corrections use it.
        tools: words of tool names that are of this kind, such as `charge` and `pay`.
        verbs: its words by language. Spanish participles in -ado and -ido and French ones in -é are
            given in the masculine singular.
    """

    name: str
    tools: tuple[str, ...]
    verbs: Mapping[Language, Words]


def _kind(name: str, row: dict[str, str]) -> EffectKind:
    tools = tuple(row.pop("tools").split())
    verbs = {language: Words(*text.split("|")) for language, text in row.items()}
    return EffectKind(name, tools, cast(Mapping[Language, Words], verbs))


KINDS: Final = tuple(_kind(name, dict(row)) for name, row in TABLES["kinds"].items())
"""The default table."""


def kinds_of(tool: str, kinds: Iterable[EffectKind] = KINDS) -> tuple[EffectKind, ...]:
    """Return the kinds that a tool's name tells of; none for a name without a known word.

    Example:
        >>> [kind.name for kind in kinds_of("checkout")]
        ['charge', 'order']
    """
    words = set(re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", tool).lower()))
    found = tuple(kind for kind in kinds if words & set(kind.tools))
    # `cancel_order` and `send_order_confirmation` place no order.
    if {"confirmation", "receipt", "email", "mail", "message", "sms"} & words:
        return tuple(kind for kind in found if kind.name == "send") or found
    return tuple(kind for kind in found if kind.name in ("cancel", "refund")) or found


class Form(NamedTuple):
    """A word form that can claim an effect.

    Attributes:
        use: `first` and `third` are Spanish past tenses ("cancelé", "se canceló").
        kind: the kind that it claims; empty for any kind beside its noun.
        is_alone: it needs no noun or object.
        is_started: it claims no more than that the effect was begun.
    """

    language: Language
    use: Use
    kind: str = ""
    is_alone: bool = False
    is_started: bool = False


class Lexicon(NamedTuple):
    """Word forms, and the kinds of nouns and of objects, in lower case."""

    forms: dict[str, list[Form]]
    nouns: dict[str, set[str]]
    objects: dict[str, set[str]]


def lexicon(kinds: Iterable[EffectKind]) -> Lexicon:
    """Inflect all words of some kinds."""
    found = Lexicon({}, {}, {})
    rows = [
        (text, Form(language, "participle", kind.name, is_alone))
        for kind in kinds
        for language, words in kind.verbs.items()
        for text, is_alone in ((words.alone, True), (words.beside, False))
    ]
    for table, is_started in (("done", False), ("started", True)):
        for language, text in TABLES[table].items():
            rows.append((text, Form(language, "participle", is_started=is_started)))
    for text, form in rows:
        for participle in text.lower().split():
            for word, use in _inflected(participle, form.language):
                found.forms.setdefault(word, []).append(form._replace(use=use))
    for kind in kinds:
        for words in kind.verbs.values():
            for noun in words.nouns.lower().split():
                found.nouns.setdefault(noun, set()).add(kind.name)
            for noun in f"{words.nouns} {words.objects}".lower().split():
                found.objects.setdefault(noun, set()).add(kind.name)
    return found


_CLITICS: Final = ("", "te", "le", "lo", "la", "les", "se", "os", "selo", "sela", "telo", "tela")


def _inflected(participle: str, language: Language) -> Iterator[tuple[str, Use]]:
    """Yield a participle's genders and numbers, and the verb forms that follow from it."""
    stem, root = participle[:-1], participle[:-3]
    if language == "es" and participle.endswith(("ado", "ido")):
        yield from ((stem + ending, "participle") for ending in ("o", "a", "os", "as"))
        if participle.endswith("ido"):
            yield root + "í", "first"
        else:
            yield (
                root[:-1] + {"g": "gu", "c": "qu", "z": "c"}.get(root[-1], root[-1]) + "é",
                "first",
            )
            yield from ((root + ending, "third") for ending in ("ó", "aron"))
        infinitive = root + ("ar" if participle.endswith("ado") else "ir")
        yield from ((infinitive + clitic, "infinitive") for clitic in _CLITICS)
    elif language == "de":
        yield participle, "participle"
        ending = participle.removeprefix("ge").removesuffix("t").removesuffix("e") + "en"
        yield ending, "infinitive"
    elif language == "fr" and participle.endswith("é"):
        yield from ((participle + ending, "participle") for ending in ("", "e", "s", "es"))
        yield stem + "er", "infinitive"
    else:
        yield participle, "participle"
        if language == "en" and participle.endswith("ed"):
            yield from ((participle[:end], "infinitive") for end in (-1, -2, -3))
